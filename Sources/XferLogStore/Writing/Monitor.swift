import CXferPlatform

/// A value behind a lock, whose holders can wait for it to change.
///
/// `@unchecked Sendable`: the value is touched by who holds the lock, and by nobody else.
final class Monitor<State: ~Copyable>: @unchecked Sendable {
  private let lock = xp_lock_make()
  private let state: UnsafeMutablePointer<State>

  init(_ state: consuming State) {
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    xp_lock_free(lock)
  }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    xp_lock_take(lock)
    defer { xp_lock_give(lock) }
    return body(&state.pointee)
  }

  /// Runs the body now and each time that somebody has changed the value, until it answers.
  ///
  /// - Parameter time: nanoseconds after which the answer is `nil`; negative for no limit.
  func wait<Result>(atMost time: Int64, _ body: (inout State) -> Result?) -> Result? {
    let end = time < 0 ? 0 : xp_clock_monotonic() + time
    xp_lock_take(lock)
    defer { xp_lock_give(lock) }
    while true {
      if let result = body(&state.pointee) { return result }
      let left = time < 0 ? -1 : end - xp_clock_monotonic()
      if time >= 0, left <= 0 { return nil }
      xp_lock_wait(lock, left)
    }
  }

  /// Changes the value and wakes all who wait.
  func change(_ body: (inout State) -> Void) {
    withLock(body)
    xp_lock_wake(lock)
  }
}
