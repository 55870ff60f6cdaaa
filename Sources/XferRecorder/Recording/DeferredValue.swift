internal import Synchronization

/// A thread-safe value that is set after its creation and before its first use.
final class DeferredValue<Value: Sendable>: Sendable {
  private let state = Mutex<Value?>(nil)

  var value: Value? { state.withLock { $0 } }

  func set(_ value: Value) { state.withLock { $0 = value } }
}
