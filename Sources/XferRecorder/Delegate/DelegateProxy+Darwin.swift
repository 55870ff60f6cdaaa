#if canImport(Darwin)
  // This file has never been compiled on an Apple platform, because none was available during its development.
  internal import Foundation
  internal import ObjectiveC
  internal import XferEvents

  // Foundation asks a delegate which selectors it responds to, and uses default behavior for the others. The proxy therefore
  // responds only to methods that the app's delegate implements and to methods that it can record without changing the
  // behavior. Methods that the proxy does not implement are forwarded to the app's delegate.
  extension DelegateProxy {
    /// Methods that the proxy always implements: notifications without a result, and methods whose documented default behavior
    /// the proxy can reproduce.
    private static let recorded: [Selector] = [
      #selector(URLSessionDelegate.urlSession(_:didBecomeInvalidWithError:)),
      #selector(URLSessionTaskDelegate.urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)),
      #selector(
        URLSessionTaskDelegate.urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)),
      #selector(URLSessionTaskDelegate.urlSession(_:taskIsWaitingForConnectivity:)),
      #selector(URLSessionTaskDelegate.urlSession(_:task:didFinishCollecting:)),
      #selector(URLSessionTaskDelegate.urlSession(_:task:didCompleteWithError:)),
      #selector(URLSessionDataDelegate.urlSession(_:dataTask:didReceive:completionHandler:)),
      NSSelectorFromString("URLSession:dataTask:didReceiveData:"),
      NSSelectorFromString("URLSession:dataTask:didBecomeDownloadTask:"),
      #selector(URLSessionDownloadDelegate.urlSession(_:downloadTask:didFinishDownloadingTo:)),
      #selector(
        URLSessionDownloadDelegate.urlSession(
          _:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)),
      finishEvents,
    ]

    // Named by string, because macOS does not declare this method.
    private static let finishEvents = NSSelectorFromString("URLSessionDidFinishEventsForBackgroundURLSession:")

    /// Returns the result for `responds(to:)`: true for methods of NSObject, recorded methods, and methods of the app's
    /// delegate.
    func answers(to selector: Selector) -> Bool {
      Self.recorded.contains(selector) || NSObject.instancesRespond(to: selector) || implements(selector)
    }

    private func implements(_ selector: Selector) -> Bool { app?.responds(to: selector) ?? false }

    private var tasks: (any URLSessionTaskDelegate)? { app as? any URLSessionTaskDelegate }
    private var data: (any URLSessionDataDelegate)? { app as? any URLSessionDataDelegate }
    private var downloads: (any URLSessionDownloadDelegate)? { app as? any URLSessionDownloadDelegate }
  }

  extension DelegateProxy: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
      let isHeard = implements(#selector(URLSessionDelegate.urlSession(_:didBecomeInvalidWithError:)))
      recording.didBecomeInvalid(
        error, forward: isHeard ? { self.app?.urlSession?(session, didBecomeInvalidWithError: error) } : nil)
    }

    #if !os(macOS)
      func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        let isHeard = implements(Self.finishEvents)
        recording.didFinishEvents(
          forward: isHeard ? { self.app?.urlSessionDidFinishEvents?(forBackgroundURLSession: session) } : nil)
      }
    #endif

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let isHeard = implements(
        #selector(URLSessionTaskDelegate.urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)))
      recording.willRedirect(
        task, response, to: request, answer: completionHandler,
        forward: isHeard
          ? { answer in
            self.tasks?.urlSession?(
              session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: answer)
          } : nil)
    }

    /// Records and forwards a challenge. Foundation calls this method only when the app's delegate implements it.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping ChallengeAnswer
    ) {
      let app = tasks
      recording.didReceive(challenge, of: task, answer: completionHandler) {
        app?.urlSession?(session, task: task, didReceive: challenge, completionHandler: $0)
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      recording.didSend(total: totalBytesSent, expected: totalBytesExpectedToSend, of: task)
      tasks?.urlSession?(
        session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
      let isHeard = implements(#selector(URLSessionTaskDelegate.urlSession(_:taskIsWaitingForConnectivity:)))
      recording.isWaiting(
        task, forward: isHeard ? { self.tasks?.urlSession?(session, taskIsWaitingForConnectivity: task) } : nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
      let isHeard = implements(#selector(URLSessionTaskDelegate.urlSession(_:task:didFinishCollecting:)))
      recording.didCollect(
        metrics, of: task,
        forward: isHeard ? { self.tasks?.urlSession?(session, task: task, didFinishCollecting: metrics) } : nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let isHeard = implements(#selector(URLSessionTaskDelegate.urlSession(_:task:didCompleteWithError:)))
      recording.didComplete(
        task, error,
        forward: isHeard ? { self.tasks?.urlSession?(session, task: task, didCompleteWithError: error) } : nil)
    }
  }

  extension DelegateProxy: URLSessionDataDelegate {
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      let isHeard = implements(#selector(URLSessionDataDelegate.urlSession(_:dataTask:didReceive:completionHandler:)))
      recording.didReceive(
        response, of: dataTask,
        forward: isHeard
          ? {
            self.data?.urlSession?(
              session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
          } : nil)
      if !isHeard { completionHandler(.allow) }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
      recording.didBecome(downloadTask, dataTask) { data?.urlSession?(session, dataTask: dataTask, didBecome: downloadTask) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      recording.didReceive(data.count, of: dataTask)
      self.data?.urlSession?(session, dataTask: dataTask, didReceive: data)
    }
  }

  extension DelegateProxy: URLSessionDownloadDelegate {
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
      downloads?.urlSession?(
        session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
        totalBytesExpectedToWrite: totalBytesExpectedToWrite)
    }
  }
#endif
