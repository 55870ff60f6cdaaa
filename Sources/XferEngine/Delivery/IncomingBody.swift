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
    let (ready, mayGoOn) = state.withLock { state -> (Step?, Bool) in
      if !state.pending.isEmpty {
        defer { (state.pending, state.isFull) = (Data(), false) }
        return (.part(state.pending), state.isFull)
      }
      return (state.end.map(Step.end), false)
    }
    if mayGoOn { drained() }
    let step: Step
    if let ready { step = ready } else { step = await wait() }
    switch step {
    case .part(let data): return data
    case .end(let end):
      try end.get()
      return nil
    }
  }

  private func wait() async -> Step {
    await withCheckedContinuation { continuation in
      let step = state.withLock { state -> Step? in
        // Something may have come in between.
        if !state.pending.isEmpty {
          defer { state.pending = Data() }
          return .part(state.pending)
        }
        if let end = state.end { return .end(end) }
        precondition(state.reader == nil, "a body has one reader")
        state.reader = continuation
        return nil
      }
      if let step { continuation.resume(returning: step) }
    }
  }
}
