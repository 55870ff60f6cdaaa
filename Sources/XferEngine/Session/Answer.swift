internal import Synchronization

/// A container that passes one result from a callback to the async function that awaits it.
///
/// The callback may come first: a task that is cancelled before it is resumed may complete before the continuation exists.
final class Answer<Value: Sendable>: Sendable {
  private enum State {
    case nothing
    case waiting(CheckedContinuation<Value, Never>)
    case given(Value)
    case taken
  }

  private let state = Mutex(State.nothing)

  func wait(with continuation: CheckedContinuation<Value, Never>) {
    let given = state.withLock { state -> Value? in
      if case .given(let value) = state {
        state = .taken
        return value
      }
      state = .waiting(continuation)
      return nil
    }
    if let given { continuation.resume(returning: given) }
  }

  /// Stores the value or passes it to the waiting function. Later values are ignored.
  func give(_ value: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .nothing: state = .given(value)
      case .waiting(let continuation):
        state = .taken
        return continuation
      case .given, .taken: break
      }
      return nil
    }
    waiting?.resume(returning: value)
  }
}
