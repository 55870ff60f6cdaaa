/// A value protected by a lock, with support for waiting until it changes.
///
/// The methods are inlinable, so that they are specialised for the value's type in other modules.
///
/// `@unchecked Sendable`: the value is accessed only while the lock is held.
package final class Monitor<State: ~Copyable>: @unchecked Sendable {
  @usableFromInline package let lock = ConditionLock()
  @usableFromInline package let state: UnsafeMutablePointer<State>

  @inlinable
  package init(_ state: consuming State) {
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
  }

  @inlinable
  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  @inlinable
  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    lock.take()
    defer { lock.give() }
    return body(&state.pointee)
  }

  /// Evaluates the closure now and after every change of the value, until it returns a result.
  ///
  /// - Parameter time: The timeout in nanoseconds, after which the result is `nil`; a negative value means no timeout.
  @inlinable
  package func wait<Result>(atMost time: Int64, _ body: (inout State) -> Result?) -> Result? {
    let end = time < 0 ? nil : ConditionLock.time(in: time)
    lock.take()
    defer { lock.give() }
    while true {
      if let result = body(&state.pointee) { return result }
      if !lock.wait(until: end) { return nil }
    }
  }

  /// Changes the value and wakes all waiting threads.
  @inlinable
  package func change(_ body: (inout State) -> Void) {
    withLock(body)
    lock.wake()
  }
}
