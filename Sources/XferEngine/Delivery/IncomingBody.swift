internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A bounded buffer that passes a response body from the engine's thread to an asynchronous sequence, with backpressure.
final class IncomingBody: Sendable {
  private struct State {
    var pending = Data()
    var reader: CheckedContinuation<Step, Never>?
    var end: Result<Void, TransferError>?
    var isFull = false

    /// Removes and returns the buffered bytes or the end.
    ///
    /// - Returns: The next step, or `nil` if nothing has arrived, and whether a paused transfer may continue.
    mutating func take() -> (Step?, mayGoOn: Bool) {
      if pending.isEmpty { return (end.map(Step.end), false) }
      defer { (pending, isFull) = (Data(), false) }
      return (.part(pending), isFull)
    }
  }

  private enum Step {
    case part(Data)
    case end(Result<Void, TransferError>)
  }

  /// The response, or the error that prevented it.
  let response = Answer<Result<TransferResponse, TransferError>>()
  private let state = Mutex(State())

  // MARK: Writing

  /// Appends received bytes unless the buffer is full.
  ///
  /// - Returns: `false` if the bytes were not appended: the transfer must pause until `next` calls its `drained` closure.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let reader = state.withLock { state -> CheckedContinuation<Step, Never>?? in
      if !state.pending.isEmpty, state.pending.count + bytes.count > BodyQueue.limit {
        state.isFull = true
        return .none
      }
      guard let reader = state.reader else {
        state.pending.append(contentsOf: bytes)
        return .some(nil)
      }
      state.reader = nil
      return .some(reader)
    }
    guard let reader else { return false }
    reader?.resume(returning: .part(Data(bytes)))
    return true
  }

  func end(_ error: TransferError?) {
    let end: Result<Void, TransferError> = error.map { .failure($0) } ?? .success(())
    if let error { response.give(.failure(error)) }
    let reader = state.withLock { state in
      state.end = end
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: .end(end))
  }

  // MARK: Reading

  /// Returns the next chunk of the body, or `nil` at its end.
  ///
  /// - Parameter drained: A closure that is called when a paused transfer may continue.
  func next(drained: () -> Void) async throws(TransferError) -> Data? {
    let step: Step
    if let ready = take(drained) { step = ready } else { step = await wait(drained) }
    switch step {
    case .part(let data): return data
    case .end(let end):
      try end.get()
      return nil
    }
  }

  private func take(_ drained: () -> Void) -> Step? {
    let (step, mayGoOn) = state.withLock { $0.take() }
    if mayGoOn { drained() }
    return step
  }

  private func wait(_ drained: () -> Void) async -> Step {
    await withCheckedContinuation { continuation in
      let (step, mayGoOn) = state.withLock { state -> (Step?, Bool) in
        // Bytes may have arrived since the caller's check, even enough to pause the transfer, so the buffer is checked again.
        let (step, mayGoOn) = state.take()
        if step == nil {
          precondition(state.reader == nil, "a body can have only one reader at a time")
          state.reader = continuation
        }
        return (step, mayGoOn)
      }
      if mayGoOn { drained() }
      if let step { continuation.resume(returning: step) }
    }
  }
}
