internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A response's body on its way from the engine's thread to an iteration, which sets the pace.
final class IncomingBody: Sendable {
  private struct State {
    var pending = Data()
    var reader: CheckedContinuation<Step, Never>?
    var end: Result<Void, TransferError>?
    var isFull = false

    /// - Returns: what there is, and whether a transfer that was told to wait may go on.
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

  /// Gives the response, or why there is none.
  let response = Answer<Result<TransferResponse, TransferError>>()
  private let state = Mutex(State())

  // MARK: The engine's side

  /// - Returns: `false` when nothing was taken, and the transfer has to wait until `next` says so.
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

  // MARK: The reader's side

  /// - Parameter drained: called when a transfer that was told to wait may go on.
  /// - Returns: `nil` at the end.
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
        // Something may have come in between, even so much that the transfer waits by now.
        let (step, mayGoOn) = state.take()
        if step == nil {
          precondition(state.reader == nil, "a body has one reader")
          state.reader = continuation
        }
        return (step, mayGoOn)
      }
      if mayGoOn { drained() }
      if let step { continuation.resume(returning: step) }
    }
  }
}
