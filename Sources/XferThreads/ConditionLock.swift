internal import CXferPlatform

/// A lock with a condition variable.
///
/// `@unchecked Sendable`: the pointer does not change, and the functions of a lock may be called by all threads.
package final class ConditionLock: @unchecked Sendable {
  private let lock = xp_lock_make()

  package init() {}

  deinit { xp_lock_free(lock) }

  package func take() { xp_lock_take(lock) }

  package func give() { xp_lock_give(lock) }

  /// Wakes all threads that wait.
  package func wake() { xp_lock_wake(lock) }

  /// Releases the lock, waits to be woken, and takes the lock again.
  ///
  /// - Parameter end: The time on the monotonic clock at which the wait ends at the latest; `nil` if it has no limit.
  /// - Returns: `false` without a wait if the time has passed.
  package func wait(until end: Int64?) -> Bool {
    guard let end else {
      xp_lock_wait(lock, -1)
      return true
    }
    let left = end - xp_clock_monotonic()
    guard left > 0 else { return false }
    xp_lock_wait(lock, left)
    return true
  }

  /// The time on the monotonic clock some nanoseconds from now.
  package static func time(in nanoseconds: Int64) -> Int64 { xp_clock_monotonic() + nanoseconds }
}
