public import Foundation
internal import Synchronization
internal import XferEvents

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// Async functions. Cancelling the calling Swift `Task` cancels the transfer.
extension RecordedSession {
  /// Performs a request and returns the response body. A status of 400 or above is not an error. Throws URLSession's errors.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await carry { give in self.dataTask(with: request, .async) { give(Self.result($0, $1, $2)) } }
  }

  /// Loads a URL and returns the response body. A status of 400 or above is not an error. Throws URLSession's errors.
  public func data(from url: URL) async throws -> (Data, URLResponse) { try await data(for: URLRequest(url: url)) }

  /// Uploads a file and returns the response body. A status of 400 or above is not an error. Throws URLSession's errors.
  public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
    try await carry { give in
      self.uploadTask(with: request, fromFile: fileURL, .async) { give(Self.result($0, $1, $2)) }
    }
  }

  /// Uploads data and returns the response body. A status of 400 or above is not an error. Throws URLSession's errors.
  public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
    try await carry { give in self.uploadTask(with: request, from: bodyData, .async) { give(Self.result($0, $1, $2)) } }
  }

  /// Performs a request and returns a temporary file with the response body. The caller must remove the file. A status of 400
  /// or above is not an error. Throws URLSession's errors.
  public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
    let late = DeferredValue<TaskRecording>()
    return try await carry { give in
      let task = self.downloadTask(with: request, .async) { file, response, error in
        let kept = file.map { file in Result { try Self.keep(file, of: late.value) } }
        switch kept {
        case .success(let file): give(Self.result(file, response, error))
        case .failure(let failure): give(.failure(failure))
        case nil: give(Self.result(nil, response, error))
        }
      }
      if let recording = self.recording.context.tasks.recording(of: task) { late.set(recording) }
      return task
    }
  }

  /// Loads a URL and returns a temporary file with the response body. The caller must remove the file.
  public func download(from url: URL) async throws -> (URL, URLResponse) { try await download(for: URLRequest(url: url)) }

  // MARK: Implementation

  /// Moves the file to another name and returns the new URL, because URLSession would remove a file at the old name when the
  /// handler returns.
  private static func keep(_ file: URL, of recording: TaskRecording?) throws -> URL {
    let place = file.deletingLastPathComponent().appendingPathComponent("\(UUID().uuidString).download")
    try FileMove.move.perform(from: file, to: place, of: recording)
    return place
  }

  private static func result<Value>(
    _ value: Value?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<(Value, URLResponse), any Error> {
    if let value, let response, error == nil { return .success((value, response)) }
    return .failure(error ?? URLError(.badServerResponse))
  }

  private func carry<Value: Sendable>(
    _ make: @escaping @Sendable (@escaping @Sendable (Result<Value, any Error>) -> Void) -> URLSessionTask
  ) async throws -> Value {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let task = make { continuation.resume(with: $0) }
        resume(task)
        if cancellation.hold(task) { cancel(task) }
      }
    } onCancel: {
      if let task = cancellation.request() { cancel(task) }
    }
  }
}

/// A cancellation request that may arrive before the task exists.
private final class Cancellation: Sendable {
  private struct State {
    var task: URLSessionTask?
    var isRequested = false
  }

  private let state = Mutex(State())

  /// Stores the task and returns whether a cancellation was already requested.
  func hold(_ task: URLSessionTask) -> Bool {
    state.withLock { state in
      state.task = task
      return state.isRequested
    }
  }

  /// Requests the cancellation and returns the task to cancel, or `nil` when the task does not exist yet.
  func request() -> URLSessionTask? {
    state.withLock { state in
      state.isRequested = true
      return state.task
    }
  }
}
