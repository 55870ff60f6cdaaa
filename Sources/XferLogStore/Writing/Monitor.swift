import CXferPlatform

/// A value protected by a lock, with support for waiting until it changes.
///
/// `@unchecked Sendable`: the value is accessed only while the lock is held.
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

  /// Evaluates the closure now and after every change of the value, until it returns a result.
  ///
  /// - Parameter time: The timeout in nanoseconds, after which the result is `nil`; a negative value means no timeout.
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

  /// Changes the value and wakes all waiting threads.
  func change(_ body: (inout State) -> Void) {
    withLock(body)
    xp_lock_wake(lock)
  }
}
