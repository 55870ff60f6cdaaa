public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The delegate of a session, with the method names of URLSession's delegates.
///
/// The methods are called on the session's delegate executor, one at a time. All have default implementations.
public protocol TransferSessionDelegate: AnyObject, Sendable {
  /// The session has become invalid. This is the last call to the delegate. `error` is `nil` if the app invalidated the session.
  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?)

  /// All pending callbacks of a background session have returned. The session may still have live tasks.
  func urlSessionDidFinishEvents(forBackgroundURLSession session: TransferSession)

  /// The task has completed. This is the last call for the task. `error` is `nil` if the transfer succeeded; a status of 400 or
  /// above is not an error.
  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?)

  /// The server has sent a redirect.
  ///
  /// - Parameter completionHandler: A closure to call once, with the request to follow, or with `nil` to complete with this
  ///   response.
  func urlSession(
    _ session: TransferSession, task: TransferTask, willPerformHTTPRedirection response: TransferResponse,
    newRequest request: HTTPRequest, completionHandler: @escaping @Sendable (HTTPRequest?) -> Void)

  /// The task's metrics are complete. Called shortly before the task's completion.
  func urlSession(_ session: TransferSession, task: TransferTask, didFinishCollecting metrics: TaskMetrics)

  /// A response head has arrived, including heads of redirects, authentication challenges and interim responses.
  ///
  /// Called only with `MessageOptions.deliversHeads`. Each line of a trailer is also delivered as a head.
  func urlSession(_ session: TransferSession, task: TransferTask, didReceiveHead lines: Data)

  /// The body of a response after which the request is retried has arrived: its first 64 KiB, without content decoding.
  ///
  /// Called only with `MessageOptions.deliversRetriedBodies`.
  func urlSession(_ session: TransferSession, task: TransferTask, didReceiveRetriedBody body: Data)

  /// The task is waiting for connectivity and will continue automatically. Called at most once per task.
  func urlSession(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask)

  /// The `earliestBeginDate` of a background session's task has passed.
  ///
  /// The task waits for the answer. If the app does not have the session, the task begins without this call.
  ///
  /// - Parameter completionHandler: A closure to call once. The request is used only with `useNewRequest`.
  func urlSession(
    _ session: TransferSession, task: TransferTask, willBeginDelayedRequest request: HTTPRequest,
    completionHandler: @escaping @Sendable (TransferSession.DelayedRequestDisposition, HTTPRequest?) -> Void)

  /// A server requires authentication, or its certificate must be evaluated. The task waits for the answer.
  ///
  /// - Parameter completionHandler: A closure to call once.
  func urlSession(
    _ session: TransferSession, task: TransferTask, didReceive challenge: TransferSession.AuthenticationChallenge,
    completionHandler: @escaping @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void)

  /// The task needs a stream for its request body. Called again each time the body must be sent again.
  ///
  /// - Parameter completionHandler: A closure to call once, with the stream, or with `nil` to fail the task.
  func urlSession(
    _ session: TransferSession, task: TransferTask,
    needNewBodyStream completionHandler: @escaping @Sendable (RequestBodyStream?) -> Void)

  /// Bytes of the request body were sent.
  ///
  /// - Parameter totalBytesExpectedToSend: The length of the body, in bytes. -1 means unknown.
  func urlSession(
    _ session: TransferSession, task: TransferTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)

  /// The response head has arrived. The body is received only after the answer.
  ///
  /// - Parameter completionHandler: A closure to call once.
  func urlSession(
    _ session: TransferSession, dataTask: DataTask, didReceive response: TransferResponse,
    completionHandler: @escaping @Sendable (TransferSession.ResponseDisposition) -> Void)

  /// A download task has replaced the data task, because the delegate answered `becomeDownload`.
  ///
  /// The download task has the data task's number and a `uid` of its own. There are no further calls for the data task.
  func urlSession(_ session: TransferSession, dataTask: DataTask, didBecome downloadTask: DownloadTask)

  /// Bytes of the response body have arrived.
  ///
  /// - Parameter data: The bytes received since the last call, at most about 1 MiB.
  func urlSession(_ session: TransferSession, dataTask: DataTask, didReceive data: Data)

  /// A data task's complete response is about to be stored in the cache. Not called for responses that came from the cache.
  ///
  /// The task completes only after the answer.
  ///
  /// - Parameter completionHandler: A closure to call once, with the response to store, or with `nil` to store nothing.
  func urlSession(
    _ session: TransferSession, dataTask: DataTask, willCacheResponse proposedResponse: TransferSession.CachedResponse,
    completionHandler: @escaping @Sendable (TransferSession.CachedResponse?) -> Void)

  /// The download has finished.
  ///
  /// - Parameter location: The temporary file, which is removed when this method returns unless it was moved.
  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile)

  /// The download has resumed from its partial file.
  ///
  /// - Parameters:
  ///   - fileOffset: The number of bytes that the partial file already had.
  ///   - expectedTotalBytes: The size of the whole resource, in bytes. -1 if the server did not declare it.
  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64)

  /// The download can now be resumed even if this process dies.
  ///
  /// Called for resources of at least 1 MiB or of unknown size: when the response head of a resumable download arrives, again
  /// after a restart from the beginning, and before the first request of a task that was created with resume data.
  ///
  /// - Parameter resumeData: The resume data, which the app must store itself. A later task that uses the data resumes from the
  ///   end that the partial file has then.
  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didBecomeResumable resumeData: Data)

  /// Bytes were written to the temporary file.
  ///
  /// - Parameter totalBytesExpectedToWrite: The size of the complete file, in bytes. -1 if the server did not declare it.
  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64)
}

extension TransferSession {
  /// The delegate's decision about a data task whose response head has arrived.
  public enum ResponseDisposition: Sendable {
    case allow, cancel
    /// Writes the body to a file. `urlSession(_:dataTask:didBecome:)` gets the download task that replaces the data task.
    case becomeDownload
  }
}

extension TransferSession {
  /// The delegate's decision about a delayed task whose earliest begin date has passed.
  public enum DelayedRequestDisposition: String, Sendable {
    case continueLoading, useNewRequest, cancel
  }
}

extension TransferSessionDelegate {
  public func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) {}
  public func urlSessionDidFinishEvents(forBackgroundURLSession session: TransferSession) {}
  public func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {}

  public func urlSession(
    _ session: TransferSession, task: TransferTask, willPerformHTTPRedirection response: TransferResponse,
    newRequest request: HTTPRequest, completionHandler: @escaping @Sendable (HTTPRequest?) -> Void
  ) {
    completionHandler(request)
  }

  public func urlSession(_ session: TransferSession, task: TransferTask, didFinishCollecting metrics: TaskMetrics) {}
  public func urlSession(_ session: TransferSession, task: TransferTask, didReceiveHead lines: Data) {}
  public func urlSession(_ session: TransferSession, task: TransferTask, didReceiveRetriedBody body: Data) {}

  public func urlSession(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask) {}

  public func urlSession(
    _ session: TransferSession, task: TransferTask, willBeginDelayedRequest request: HTTPRequest,
    completionHandler: @escaping @Sendable (TransferSession.DelayedRequestDisposition, HTTPRequest?) -> Void
  ) {
    completionHandler(.continueLoading, nil)
  }

  public func urlSession(
    _ session: TransferSession, task: TransferTask, didReceive challenge: TransferSession.AuthenticationChallenge,
    completionHandler: @escaping @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void
  ) {
    completionHandler(.performDefaultHandling, nil)
  }

  public func urlSession(
    _ session: TransferSession, task: TransferTask,
    needNewBodyStream completionHandler: @escaping @Sendable (RequestBodyStream?) -> Void
  ) {
    completionHandler(nil)
  }

  public func urlSession(
    _ session: TransferSession, task: TransferTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {}

  public func urlSession(
    _ session: TransferSession, dataTask: DataTask, didReceive response: TransferResponse,
    completionHandler: @escaping @Sendable (TransferSession.ResponseDisposition) -> Void
  ) {
    completionHandler(.allow)
  }

  public func urlSession(_ session: TransferSession, dataTask: DataTask, didBecome downloadTask: DownloadTask) {}

  public func urlSession(_ session: TransferSession, dataTask: DataTask, didReceive data: Data) {}

  public func urlSession(
    _ session: TransferSession, dataTask: DataTask, willCacheResponse proposedResponse: TransferSession.CachedResponse,
    completionHandler: @escaping @Sendable (TransferSession.CachedResponse?) -> Void
  ) {
    completionHandler(proposedResponse)
  }

  public func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile
  ) {}

  public func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
  ) {}

  public func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didBecomeResumable resumeData: Data) {}

  public func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {}
}
