#if canImport(Darwin)
  // This file is type-checked for macOS and iOS (see Tests/Support/darwin), but it has never run on an Apple system.
  internal import Foundation
  internal import ObjectiveC
  internal import XferEvents

  // Foundation asks a delegate which selectors it responds to, and uses default behavior for the others. The proxy therefore
  // responds only to methods that the app's delegate implements and to methods that it can record without changing the
  // behavior. Methods that the proxy does not implement are forwarded to the app's delegate.
  extension DelegateProxy {
    /// Methods that the proxy records for every session: notifications without a result, and methods whose documented default
    /// behavior the proxy can reproduce.
    private static var recorded: [Selector] {
      var all = [
        Method.didBecomeInvalid, Method.willRedirect, Method.didSend, Method.isWaiting, Method.didCollect, Method.didComplete,
        Method.didReceiveResponse, Method.didReceiveData, Method.didBecomeDownload, Method.didFinishDownloading,
        Method.didWrite,
      ]
      // macOS does not have this method.
      #if !os(macOS)
        all.append(Method.didFinishEvents)
      #endif
      return all
    }

    /// The selectors of the methods that the proxy implements.
    private enum Method {
      static var didBecomeInvalid: Selector { #selector((any URLSessionDelegate).urlSession(_:didBecomeInvalidWithError:)) }
      static var didReceiveSessionChallenge: Selector {
        #selector((any URLSessionDelegate).urlSession(_:didReceive:completionHandler:))
      }
      #if !os(macOS)
        static var didFinishEvents: Selector {
          #selector((any URLSessionDelegate).urlSessionDidFinishEvents(forBackgroundURLSession:))
        }
      #endif
      static var willRedirect: Selector {
        #selector(
          (any URLSessionTaskDelegate).urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:))
      }
      static var didReceiveChallenge: Selector {
        #selector((any URLSessionTaskDelegate).urlSession(_:task:didReceive:completionHandler:))
      }
      static var didSend: Selector {
        #selector(
          (any URLSessionTaskDelegate).urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:))
      }
      static var isWaiting: Selector { #selector((any URLSessionTaskDelegate).urlSession(_:taskIsWaitingForConnectivity:)) }
      static var didCollect: Selector { #selector((any URLSessionTaskDelegate).urlSession(_:task:didFinishCollecting:)) }
      static var didComplete: Selector { #selector((any URLSessionTaskDelegate).urlSession(_:task:didCompleteWithError:)) }
      static var didReceiveResponse: Selector {
        #selector((any URLSessionDataDelegate).urlSession(_:dataTask:didReceive:completionHandler:))
      }
      static var didReceiveData: Selector {
        #selector(
          (any URLSessionDataDelegate).urlSession(_:dataTask:didReceive:)
            as (any URLSessionDataDelegate) -> ((URLSession, URLSessionDataTask, Data) -> Void)?)
      }
      static var didBecomeDownload: Selector {
        #selector(
          (any URLSessionDataDelegate).urlSession(_:dataTask:didBecome:)
            as (any URLSessionDataDelegate) -> ((URLSession, URLSessionDataTask, URLSessionDownloadTask) -> Void)?)
      }
      static var didFinishDownloading: Selector {
        #selector((any URLSessionDownloadDelegate).urlSession(_:downloadTask:didFinishDownloadingTo:))
      }
      static var didWrite: Selector {
        #selector(
          (any URLSessionDownloadDelegate).urlSession(
            _:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:))
      }
    }

    /// Returns the result for `responds(to:)`: true for methods of NSObject, for methods of the app's delegate, and, if the
    /// proxy is a session's delegate, for recorded methods.
    func answers(to selector: Selector) -> Bool {
      NSObject.instancesRespond(to: selector) || app?.responds(to: selector) ?? false
        || level == .session && Self.recorded.contains(selector)
    }

    private typealias AnyDelegate = any URLSessionDataDelegate & URLSessionDownloadDelegate

    /// Returns the app's delegate if it implements a method, otherwise `nil`.
    ///
    /// Foundation finds methods by selector, whatever protocols the delegate's class declares: an Objective-C class may declare
    /// only `NSURLSessionDelegate` and implement methods of the other protocols. A conditional cast would miss these. The
    /// unconditional cast is valid, because a value of an Objective-C protocol type is a plain object reference.
    private func implementer(of method: Selector) -> AnyDelegate? {
      guard let app, app.responds(to: method) else { return nil }
      return unsafeBitCast(app, to: AnyDelegate.self)
    }
  }

  extension DelegateProxy: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
      let app = implementer(of: Method.didBecomeInvalid)
      recording.didBecomeInvalid(
        error, forward: app.map { app in { app.urlSession?(session, didBecomeInvalidWithError: error) } })
    }

    #if !os(macOS)
      func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        let app = implementer(of: Method.didFinishEvents)
        recording.didFinishEvents(
          forward: app.map { app in { app.urlSessionDidFinishEvents?(forBackgroundURLSession: session) } })
      }
    #endif

    /// Records and forwards a session-level challenge. Foundation calls this method only when the app's delegate implements it.
    /// Without it, Foundation passes the challenge to the method for task-level challenges.
    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping ChallengeAnswer
    ) {
      let app = implementer(of: Method.didReceiveSessionChallenge)
      recording.didReceiveSessionChallenge(
        answer: completionHandler,
        forward: app.map { app in { app.urlSession?(session, didReceive: challenge, completionHandler: $0) } })
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let app = implementer(of: Method.willRedirect)
      recording.willRedirect(
        task, response, to: request, answer: completionHandler,
        forward: app.map { app in
          { answer in
            app.urlSession?(
              session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: answer)
          }
        })
    }

    /// Records and forwards a challenge. Foundation calls this method only when the app's delegate implements it.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping ChallengeAnswer
    ) {
      let app = implementer(of: Method.didReceiveChallenge)
      recording.didReceive(
        challenge, of: task, answer: completionHandler,
        forward: app.map { app in { app.urlSession?(session, task: task, didReceive: challenge, completionHandler: $0) } })
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      recording.didSend(total: totalBytesSent, expected: totalBytesExpectedToSend, of: task)
      implementer(of: Method.didSend)?.urlSession?(
        session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
      let app = implementer(of: Method.isWaiting)
      recording.isWaiting(
        task, forward: app.map { app in { app.urlSession?(session, taskIsWaitingForConnectivity: task) } })
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
      let app = implementer(of: Method.didCollect)
      recording.didCollect(
        metrics, of: task, forward: app.map { app in { app.urlSession?(session, task: task, didFinishCollecting: metrics) } })
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let app = implementer(of: Method.didComplete)
      recording.didComplete(
        task, error, forward: app.map { app in { app.urlSession?(session, task: task, didCompleteWithError: error) } })
    }
  }

  extension DelegateProxy: URLSessionDataDelegate {
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      let app = implementer(of: Method.didReceiveResponse)
      recording.didReceive(
        response, of: dataTask,
        forward: app.map { app in
          { app.urlSession?(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler) }
        })
      if app == nil { completionHandler(.allow) }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
      let app = implementer(of: Method.didBecomeDownload)
      recording.didBecome(downloadTask, dataTask) { app?.urlSession?(session, dataTask: dataTask, didBecome: downloadTask) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      recording.didReceive(data.count, of: dataTask)
      implementer(of: Method.didReceiveData)?.urlSession?(session, dataTask: dataTask, didReceive: data)
    }
  }

  extension DelegateProxy: URLSessionDownloadDelegate {
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
      let app = implementer(of: Method.didFinishDownloading)
      recording.didFinishDownloading(
        downloadTask, to: location,
        forward: app.map { app in
          { app.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location) }
        })
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
      totalBytesExpectedToWrite: Int64
    ) {
      recording.didWrite(bytesWritten, total: totalBytesWritten, expected: totalBytesExpectedToWrite, of: downloadTask)
      implementer(of: Method.didWrite)?.urlSession?(
        session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
        totalBytesExpectedToWrite: totalBytesExpectedToWrite)
    }
  }
#endif
