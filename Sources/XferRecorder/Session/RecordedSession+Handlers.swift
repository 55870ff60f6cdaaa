public import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// Creation of tasks with completion handlers. Like URLSession's, new tasks are suspended.
extension RecordedSession {
  public typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  public typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

  public func dataTask(with request: URLRequest, completionHandler: @escaping DataHandler) -> URLSessionDataTask {
    dataTask(with: request, .closure, completionHandler)
  }

  public func dataTask(with url: URL, completionHandler: @escaping DataHandler) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url), .closure, completionHandler)
  }

  public func uploadTask(
    with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    uploadTask(with: request, fromFile: fileURL, .closure, completionHandler)
  }

  public func uploadTask(
    with request: URLRequest, from bodyData: Data, completionHandler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    uploadTask(with: request, from: bodyData, .closure, completionHandler)
  }

  /// Creates a download task with a completion handler.
  ///
  /// - Parameter completionHandler: Receives the temporary file, which URLSession may remove after the handler returns.
  public func downloadTask(with request: URLRequest, completionHandler: @escaping FileHandler) -> URLSessionDownloadTask {
    downloadTask(with: request, .closure, completionHandler)
  }

  public func downloadTask(with url: URL, completionHandler: @escaping FileHandler) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url), .closure, completionHandler)
  }

  // MARK: Implementation

  func dataTask(with request: URLRequest, _ style: CompletionStyle, _ handler: @escaping DataHandler) -> URLSessionDataTask {
    let recorded = RecordedHandler(recording)
    let made = recording.makeTask(.init(.data, style)) {
      urlSession.dataTask(with: request) { recorded.call(handler, $0, $1, $2) }
    }
    return recorded.set(made)
  }

  func uploadTask(
    with request: URLRequest, fromFile fileURL: URL, _ style: CompletionStyle, _ handler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    let recorded = RecordedHandler(recording)
    let made = recording.makeTask(.init(.upload, style, source: fileURL)) {
      urlSession.uploadTask(with: request, fromFile: fileURL) { recorded.call(handler, $0, $1, $2) }
    }
    return recorded.set(made)
  }

  func uploadTask(
    with request: URLRequest, from bodyData: Data, _ style: CompletionStyle, _ handler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    let recorded = RecordedHandler(recording)
    let made = recording.makeTask(.init(.upload, style)) {
      urlSession.uploadTask(with: request, from: bodyData) { recorded.call(handler, $0, $1, $2) }
    }
    return recorded.set(made)
  }

  func downloadTask(
    with request: URLRequest, _ style: CompletionStyle, _ handler: @escaping FileHandler
  ) -> URLSessionDownloadTask {
    let recorded = RecordedHandler(recording)
    let made = recording.makeTask(.init(.download, style)) {
      urlSession.downloadTask(with: request) { recorded.call(handler, $0, $1, $2) }
    }
    return recorded.set(made)
  }
}
