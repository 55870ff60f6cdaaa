import Synchronization

/// A value that an asynchronous handler stores for the code that waits for it.
final class Answer<Value: Sendable>: Sendable {
  private let given = Mutex<Value?>(nil)

  /// The value. `nil` until the handler is called.
  var value: Value? { given.withLock { $0 } }

  func give(_ value: Value) { given.withLock { $0 = value } }
}
