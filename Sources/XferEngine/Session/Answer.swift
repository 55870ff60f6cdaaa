internal import Synchronization

/// Takes one result from a callback to the function that waits for it.
///
/// A task that is cancelled before it is resumed may complete before its continuation is there.
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

  /// Only the first value counts.
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
