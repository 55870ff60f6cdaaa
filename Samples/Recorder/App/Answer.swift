import Synchronization

/// What a handler is called with, for the code that asked.
final class Answer<Value: Sendable>: Sendable {
  private let given = Mutex<Value?>(nil)

  /// `nil` until the handler was called.
  var value: Value? { given.withLock { $0 } }

  func give(_ value: Value) { given.withLock { $0 = value } }
}
