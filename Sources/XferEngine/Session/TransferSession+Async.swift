public import HTTPTypes
internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TransferSession {
  /// The body in memory; a status of 400 or above is not an error. Cancelling the calling `Task` cancels the transfer.
  public func data(from url: URL) async throws(TransferError) -> (Data, TransferResponse) {
    try await data(for: HTTPRequest(url: url))
  }

  public func data(
    for request: HTTPRequest, taskDescription: String? = nil
  ) async throws(TransferError) -> (Data, TransferResponse) {
    let answer = Answer<Result<(Data, TransferResponse), TransferError>>()
    let task = try makeDataTask(request, .data { answer.give($0) }, taskDescription)
    return try await carry(task, answer).get()
  }

  /// Downloads to a file that appears at `destination` whole or not at all.
  ///
  /// - Parameter replacing: whether a file that is there already is replaced; otherwise it stays, and that is an error.
  public func download(
    for request: HTTPRequest, to destination: String, replacing: Bool = false, taskDescription: String? = nil
  ) async throws(TransferError) -> TransferResponse {
    let answer = Answer<Result<TransferResponse, TransferError>>()
    let consumer = TaskConsumer.file(destination: destination) { file, _ in
      do throws(TransferError) {
        try file.move(to: destination, replacing: replacing)
        return nil
      } catch {
        return error
      }
    } completion: {
      answer.give($0)
    }
    return try await carry(makeDownloadTask(request, consumer, taskDescription), answer).get()
  }

  public func download(
    from url: URL, to destination: String, replacing: Bool = false
  ) async throws(TransferError) -> TransferResponse {
    try await download(for: HTTPRequest(url: url), to: destination, replacing: replacing)
  }

  /// Downloads to a temporary file that is the caller's for the length of `body`, which runs on the delegate executor.
  ///
  /// - Returns: what `body` returns.
  /// - Throws: `TransferError`, or what `body` throws.
  public func download<Value: Sendable>(
    for request: HTTPRequest, taskDescription: String? = nil,
    _ body: @escaping @Sendable (_ file: borrowing DownloadedFile, _ response: TransferResponse) throws -> Value
  ) async throws -> Value {
    let answer = Answer<Result<TransferResponse, TransferError>>()
    let kept = Kept<Value>()
    let consumer = TaskConsumer.file(destination: nil) { file, response in
      kept.keep(Result { try body(file, response) })
      return nil
    } completion: {
      answer.give($0)
    }
    _ = try await carry(makeDownloadTask(request, consumer, taskDescription), answer).get()
    return try kept.value!.get()
  }

  private func carry<Value>(_ task: TransferTask, _ answer: Answer<Value>) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(with: continuation)
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }
}

/// Takes one result from a callback to the function that waits for it.
///
/// A task that is cancelled before it is resumed may complete before its continuation is there.
private final class Answer<Value: Sendable>: Sendable {
  private enum State {
    case nothing
    case waiting(CheckedContinuation<Value, Never>)
    case given(Value)
  }

  private let state = Mutex(State.nothing)

  func wait(with continuation: CheckedContinuation<Value, Never>) {
    let given = state.withLock { state -> Value? in
      if case .given(let value) = state { return value }
      state = .waiting(continuation)
      return nil
    }
    if let given { continuation.resume(returning: given) }
  }

  func give(_ value: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      if case .waiting(let continuation) = state { return continuation }
      state = .given(value)
      return nil
    }
    waiting?.resume(returning: value)
  }
}

/// What a closure made of the file, until its task is complete.
private final class Kept<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  var value: Result<Value, any Error>? { result.withLock { $0 } }

  func keep(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }
}
