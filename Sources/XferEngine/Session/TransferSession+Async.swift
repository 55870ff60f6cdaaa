public import HTTPTypes
internal import Synchronization
internal import XferEvents

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
    for request: HTTPRequest, cachePolicy: RequestCachePolicy? = nil, taskDescription: String? = nil,
    options: TaskOptions = TaskOptions()
  ) async throws(TransferError) -> (Data, TransferResponse) {
    let answer = Answer<Result<(Data, TransferResponse), TransferError>>()
    let task = try makeDataTask(request, .data(.async) { answer.give($0) }, options.described(as: taskDescription), cachePolicy)
    return try await carry(task, answer).get()
  }

  /// Sends bytes from memory; otherwise as `data(for:)`.
  public func upload(
    for request: HTTPRequest, from bodyData: Data, taskDescription: String? = nil, options: TaskOptions = TaskOptions()
  ) async throws(TransferError) -> (Data, TransferResponse) {
    let answer = Answer<Result<(Data, TransferResponse), TransferError>>()
    let task = try makeUploadTask(
      request, .data(bodyData), .data(.async) { answer.give($0) }, options.described(as: taskDescription))
    return try await carry(task, answer).get()
  }

  /// Sends a file as it is then.
  public func upload(
    for request: HTTPRequest, fromFile fileURL: URL, taskDescription: String? = nil, options: TaskOptions = TaskOptions()
  ) async throws(TransferError) -> (Data, TransferResponse) {
    let answer = Answer<Result<(Data, TransferResponse), TransferError>>()
    let task = try makeUploadTask(
      request, file: fileURL, .data(.async) { answer.give($0) }, options.described(as: taskDescription))
    return try await carry(task, answer).get()
  }

  /// Sends what a stream gives.
  ///
  /// - Parameter makeStream: called for each request that carries the body: a redirect or another try needs it again.
  public func upload(
    for request: HTTPRequest, taskDescription: String? = nil, options: TaskOptions = TaskOptions(),
    stream makeStream: @escaping @Sendable () -> RequestBodyStream
  ) async throws(TransferError) -> (Data, TransferResponse) {
    let answer = Answer<Result<(Data, TransferResponse), TransferError>>()
    let task = try makeUploadTask(
      request, .stream, .data(.async) { answer.give($0) }, options.described(as: taskDescription), makeStream: makeStream)
    return try await carry(task, answer).get()
  }

  /// The response as soon as its head is there, with its body as it comes.
  public func bytes(
    for request: HTTPRequest, cachePolicy: RequestCachePolicy? = nil, taskDescription: String? = nil,
    options: TaskOptions = TaskOptions()
  ) async throws(TransferError) -> (AsyncBody, TransferResponse) {
    let body = IncomingBody()
    let task = try makeDataTask(request, .bytes(body), options.described(as: taskDescription), cachePolicy)
    let sequence = AsyncBody(body, of: task)
    return (sequence, try await carry(task, body.response).get())
  }

  /// Downloads to a file that appears at `destination` whole or not at all.
  ///
  /// - Parameter replacing: whether a file that is there already is replaced; otherwise it stays, and that is an error.
  public func download(
    for request: HTTPRequest, to destination: String, replacing: Bool = false, taskDescription: String? = nil,
    options: TaskOptions = TaskOptions()
  ) async throws(TransferError) -> TransferResponse {
    let answer = Answer<Result<TransferResponse, TransferError>>()
    let consumer = TaskConsumer.file(.async, destination: destination) { file, _ in
      do throws(TransferError) {
        try file.move(to: destination, replacing: replacing)
        return nil
      } catch {
        return error
      }
    } completion: {
      answer.give($0)
    }
    return try await carry(makeDownloadTask(request, consumer, options.described(as: taskDescription)), answer).get()
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
    for request: HTTPRequest, taskDescription: String? = nil, options: TaskOptions = TaskOptions(),
    _ body: @escaping @Sendable (_ file: borrowing DownloadedFile, _ response: TransferResponse) throws -> Value
  ) async throws -> Value {
    let answer = Answer<Result<TransferResponse, TransferError>>()
    let kept = Kept<Value>()
    let consumer = TaskConsumer.file(.async, destination: nil) { file, response in
      kept.keep(Result { try body(file, response) })
      return nil
    } completion: {
      answer.give($0)
    }
    _ = try await carry(makeDownloadTask(request, consumer, options.described(as: taskDescription)), answer).get()
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

/// What a closure made of the file, until its task is complete.
private final class Kept<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  var value: Result<Value, any Error>? { result.withLock { $0 } }

  func keep(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }
}
