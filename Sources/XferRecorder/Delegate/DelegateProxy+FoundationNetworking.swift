#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
  internal import XferEvents

  // FoundationNetworking calls every method of the protocols that a delegate conforms to, and missing methods have default
  // implementations. The proxy therefore only checks the app delegate's conformances and forwards every call.

  extension DelegateProxy: URLSessionTaskDelegate {
    private var tasks: (any URLSessionTaskDelegate)? { app as? any URLSessionTaskDelegate }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
      recording.didBecomeInvalid(
        error, forward: app.map { app in { app.urlSession(session, didBecomeInvalidWithError: error) } })
    }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping ChallengeAnswer
    ) {
      recording.didReceiveSessionChallenge(
        answer: completionHandler,
        forward: app.map { app in { app.urlSession(session, didReceive: challenge, completionHandler: $0) } })
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      recording.willRedirect(
        task, response, to: request, answer: completionHandler,
        forward: tasks.map { app in
          { answer in
            app.urlSession(
              session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: answer)
          }
        })
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping ChallengeAnswer
    ) {
      recording.didReceive(
        challenge, of: task, answer: completionHandler,
        forward: tasks.map { app in
          { app.urlSession(session, task: task, didReceive: challenge, completionHandler: $0) }
        })
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      guard let tasks else { return completionHandler(nil) }
      recording.deliver(.needNewBodyStream, of: task) {
        tasks.urlSession(session, task: task, needNewBodyStream: completionHandler)
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      recording.didSend(total: totalBytesSent, expected: totalBytesExpectedToSend, of: task)
      tasks?.urlSession(
        session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      recording.didComplete(
        task, error, forward: tasks.map { app in { app.urlSession(session, task: task, didCompleteWithError: error) } })
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
      guard let tasks else { return completionHandler(.continueLoading, nil) }
      recording.deliver(.willBeginDelayedRequest, of: task) {
        tasks.urlSession(session, task: task, willBeginDelayedRequest: request, completionHandler: completionHandler)
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
      recording.didCollect(
        metrics, of: task, forward: tasks.map { app in { app.urlSession(session, task: task, didFinishCollecting: metrics) } })
    }
  }

  extension DelegateProxy: URLSessionDataDelegate {
    private var data: (any URLSessionDataDelegate)? { app as? any URLSessionDataDelegate }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      recording.didReceive(
        response, of: dataTask,
        forward: data.map { app in
          { app.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler) }
        })
      if data == nil { completionHandler(.allow) }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
      recording.didBecome(downloadTask, dataTask) { data?.urlSession(session, dataTask: dataTask, didBecome: downloadTask) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      recording.didReceive(data.count, of: dataTask)
      self.data?.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
      completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
      guard let data else { return completionHandler(proposedResponse) }
      recording.deliver(.willCacheResponse, of: dataTask) {
        data.urlSession(
          session, dataTask: dataTask, willCacheResponse: proposedResponse, completionHandler: completionHandler)
      }
    }
  }

  extension DelegateProxy: URLSessionDownloadDelegate {
    private var downloads: (any URLSessionDownloadDelegate)? { app as? any URLSessionDownloadDelegate }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
      recording.didFinishDownloading(
        downloadTask, to: location,
        forward: downloads.map { app in
          { app.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location) }
        })
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
      totalBytesExpectedToWrite: Int64
    ) {
      recording.didWrite(bytesWritten, total: totalBytesWritten, expected: totalBytesExpectedToWrite, of: downloadTask)
      downloads?.urlSession(
        session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
        totalBytesExpectedToWrite: totalBytesExpectedToWrite)
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
      expectedTotalBytes: Int64
    ) {
      downloads?.urlSession(
        session, downloadTask: downloadTask, didResumeAtOffset: fileOffset, expectedTotalBytes: expectedTotalBytes)
    }
  }

  extension DelegateProxy: URLSessionWebSocketDelegate {
    private var sockets: (any URLSessionWebSocketDelegate)? { app as? any URLSessionWebSocketDelegate }

    func urlSession(_ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?) {
      sockets?.urlSession(session, webSocketTask: webSocketTask, didOpenWithProtocol: `protocol`)
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
      sockets?.urlSession(session, webSocketTask: webSocketTask, didCloseWith: closeCode, reason: reason)
    }
  }
#endif
