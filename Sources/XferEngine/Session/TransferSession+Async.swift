public import HTTPTypes
internal import Synchronization
internal import XferEvents

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TransferSession {
  /// Gets a URL and returns the response body in memory. A status of 400 or above does not throw an error.
  ///
  /// Cancelling the calling `Task` cancels the transfer.
  public func data(from url: URL) async throws(TransferError) -> (Data, TransferResponse) {
    try await data(for: HTTPRequest(url: url))
  }

  /// Performs a request and returns the response body in memory. A status of 400 or above does not throw an error.
  ///
  /// Cancelling the calling `Task` cancels the transfer.
  public func data(
    for request: HTTPRequest, cachePolicy: RequestCachePolicy? = nil, taskDescription: String? = nil,
    options: TaskOptions = TaskOptions()
  ) async throws(TransferError) -> (Data, TransferResponse) {
    let answer = Answer<Result<(Data, TransferResponse), TransferError>>()
    let task = try makeDataTask(request, .data(.async) { answer.give($0) }, options.described(as: taskDescription), cachePolicy)
    return try await carry(task, answer).get()
  }

  /// Uploads bytes from memory and returns the response body in memory, like `data(for:)`.
  public func upload(
    for request: HTTPRequest, from bodyData: Data, taskDescription: String? = nil, options: TaskOptions = TaskOptions()
  ) async throws(TransferError) -> (Data, TransferResponse) {
    let answer = Answer<Result<(Data, TransferResponse), TransferError>>()
    let task = try makeUploadTask(
      request, .data(bodyData), .data(.async) { answer.give($0) }, options.described(as: taskDescription))
    return try await carry(task, answer).get()
  }

  /// Uploads a file and returns the response body in memory, like `data(for:)`.
  public func upload(
    for request: HTTPRequest, fromFile fileURL: URL, taskDescription: String? = nil, options: TaskOptions = TaskOptions()
  ) async throws(TransferError) -> (Data, TransferResponse) {
    let answer = Answer<Result<(Data, TransferResponse), TransferError>>()
    let task = try makeUploadTask(
      request, file: fileURL, .data(.async) { answer.give($0) }, options.described(as: taskDescription))
    return try await carry(task, answer).get()
  }

  /// Uploads the bytes of a stream and returns the response body in memory.
  ///
  /// - Parameter makeStream: A closure that returns a new stream for each request that carries the body. A redirect or a retry
  ///   sends the body again.
  public func upload(
    for request: HTTPRequest, taskDescription: String? = nil, options: TaskOptions = TaskOptions(),
    stream makeStream: @escaping @Sendable () -> RequestBodyStream
  ) async throws(TransferError) -> (Data, TransferResponse) {
    let answer = Answer<Result<(Data, TransferResponse), TransferError>>()
    let task = try makeUploadTask(
      request, .stream, .data(.async) { answer.give($0) }, options.described(as: taskDescription), makeStream: makeStream)
    return try await carry(task, answer).get()
  }

  /// Returns the response as soon as its head has arrived, with an asynchronous sequence of its body.
  public func bytes(
    for request: HTTPRequest, cachePolicy: RequestCachePolicy? = nil, taskDescription: String? = nil,
    options: TaskOptions = TaskOptions()
  ) async throws(TransferError) -> (AsyncBody, TransferResponse) {
    let body = IncomingBody()
    let task = try makeDataTask(request, .bytes(body), options.described(as: taskDescription), cachePolicy)
    let sequence = AsyncBody(body, of: task)
    return (sequence, try await carry(task, body.response).get())
  }

  /// Downloads to a file that appears at `destination` atomically, once it is complete.
  ///
  /// - Parameter replacing: Whether an existing file is replaced. If `false`, an existing file is kept and an error is thrown.
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

  /// Downloads a URL to a file that appears at `destination` atomically, once it is complete.
  public func download(
    from url: URL, to destination: String, replacing: Bool = false
  ) async throws(TransferError) -> TransferResponse {
    try await download(for: HTTPRequest(url: url), to: destination, replacing: replacing)
  }

  /// Downloads to a temporary file and passes the file to `body`, which runs on the delegate executor.
  ///
  /// The temporary file is deleted when `body` returns, unless `body` has moved it.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: A `TransferError`, or the error that `body` throws.
  public func download<Value: Sendable>(
    for request: HTTPRequest, taskDescription: String? = nil, options: TaskOptions = TaskOptions(),
    _ body: @escaping @Sendable (_ file: borrowing DownloadedFile, _ response: TransferResponse) throws -> Value
  ) async throws -> Value {
    let answer = Answer<Result<TransferResponse, TransferError>>()
    let box = ResultBox<Value>()
    let consumer = TaskConsumer.file(.async, destination: nil) { file, response in
      box.set(Result { try body(file, response) })
      return nil
    } completion: {
      answer.give($0)
    }
    _ = try await carry(makeDownloadTask(request, consumer, options.described(as: taskDescription)), answer).get()
    return try box.value!.get()
  }

  /// Resumes the task and awaits its result. Cancels the task if the calling `Task` is cancelled.
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

/// Storage for the result of the closure that processes a downloaded file, until the task completes.
private final class ResultBox<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  var value: Result<Value, any Error>? { result.withLock { $0 } }

  func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }
}
