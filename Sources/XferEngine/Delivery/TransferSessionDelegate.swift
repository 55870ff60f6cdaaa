public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What URLSession tells its delegates, by the same names. All of it runs on the session's delegate executor, one call
/// at a time.
public protocol TransferSessionDelegate: AnyObject, Sendable {
  /// The last call that the delegate gets.
  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?)

  /// All callbacks of a background session that waited for the app have returned; it may still have tasks.
  func urlSessionDidFinishEvents(forBackgroundURLSession session: TransferSession)

  /// The last call for the task. A status of 400 or above is not an error.
  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?)

  /// - Parameter completionHandler: called once with the request to go on with, or `nil` to have this response as the result.
  func urlSession(
    _ session: TransferSession, task: TransferTask, willPerformHTTPRedirection response: TransferResponse,
    newRequest request: HTTPRequest, completionHandler: @escaping @Sendable (HTTPRequest?) -> Void)

  func urlSession(_ session: TransferSession, task: TransferTask, didFinishCollecting metrics: TaskMetrics)

  /// The head of a response as it came, of redirects, challenges and interim responses too; a line of the trailer counts as one.
  ///
  /// Only with `MessageOptions.deliversHeads`.
  func urlSession(_ session: TransferSession, task: TransferTask, didReceiveHead lines: Data)

  /// The task waits for the network, and goes on by itself; called at most once.
  func urlSession(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask)

  /// A task of a background session whose `earliestBeginDate` has come is about to begin; without an answer it waits. Asked only while the
  /// app has the session; without it the task begins as it is.
  ///
  /// - Parameter completionHandler: called once; the request is used with `useNewRequest` alone.
  func urlSession(
    _ session: TransferSession, task: TransferTask, willBeginDelayedRequest request: HTTPRequest,
    completionHandler: @escaping @Sendable (TransferSession.DelayedRequestDisposition, HTTPRequest?) -> Void)

  /// A server asks who is there; without an answer the task waits.
  ///
  /// - Parameter completionHandler: called once.
  func urlSession(
    _ session: TransferSession, task: TransferTask, didReceive challenge: TransferSession.AuthenticationChallenge,
    completionHandler: @escaping @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void)

  /// - Parameter completionHandler: called once with the body, or `nil` to fail the task; asked again when it has to be sent again.
  func urlSession(
    _ session: TransferSession, task: TransferTask,
    needNewBodyStream completionHandler: @escaping @Sendable (RequestBodyStream?) -> Void)

  /// - Parameter totalBytesExpectedToSend: -1 when the body's length is not known.
  func urlSession(
    _ session: TransferSession, task: TransferTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)

  /// - Parameter completionHandler: called once; no body arrives before.
  func urlSession(
    _ session: TransferSession, dataTask: DataTask, didReceive response: TransferResponse,
    completionHandler: @escaping @Sendable (TransferSession.ResponseDisposition) -> Void)

  /// The data task's response goes on as a download's, which has its number and its own `uid`, and is handled like any other. Nothing more
  /// is heard of the data task.
  func urlSession(_ session: TransferSession, dataTask: DataTask, didBecome downloadTask: DownloadTask)

  /// - Parameter data: what has arrived since the last call, at most about 1 MiB.
  func urlSession(_ session: TransferSession, dataTask: DataTask, didReceive data: Data)

  /// The response is whole and may be stored. Asked for data tasks alone, and never for what came out of the cache.
  ///
  /// - Parameter completionHandler: called once with what is to be stored, or `nil` for nothing; the task is complete only after that.
  func urlSession(
    _ session: TransferSession, dataTask: DataTask, willCacheResponse proposedResponse: TransferSession.CachedResponse,
    completionHandler: @escaping @Sendable (TransferSession.CachedResponse?) -> Void)

  /// - Parameter location: the caller's only within the call; afterwards an unclaimed file is removed.
  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile)

  /// The download goes on with what was there.
  ///
  /// - Parameter expectedTotalBytes: -1 when the server declared no length.
  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64)

  /// From now on the download can be gone on with, even if this process dies. Not said of less than 1 MiB.
  ///
  /// - Parameter resumeData: goes on with all that the temporary file has by then; kept where the app finds it again. It is said once
  ///   more when the download had to begin anew.
  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didBecomeResumable resumeData: Data)

  /// - Parameter totalBytesExpectedToWrite: -1 when the server declared no length.
  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64)
}

extension TransferSession {
  /// What becomes of a data task once its response is known.
  public enum ResponseDisposition: Sendable {
    case allow, cancel
    /// The body goes to a file: `didBecome` has the download that takes the task's place.
    case becomeDownload
  }
}

extension TransferSession {
  /// What becomes of a delayed task whose time has come.
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
