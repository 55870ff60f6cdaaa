import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A delegate that records its calls and responds as the test specifies.
final class AppDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  struct Answers: Sendable {
    var redirect: @Sendable (URLRequest) -> URLRequest? = { $0 }
    var challenge: @Sendable (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?) = { _ in
      (.performDefaultHandling, nil)
    }
    var file: @Sendable (URLSessionDownloadTask, URL) -> Void = { _, _ in }
    var response: @Sendable (URLSessionDataTask) -> Void = { _ in }
    var data: @Sendable (URLSessionDataTask) -> Void = { _ in }
    var complete: @Sendable (URLSessionTask, (any Error)?) -> Void = { _, _ in }
  }

  private struct State {
    var calls: [String] = []
    var received: [UInt8] = []
  }

  private let state = Mutex(State())
  private let answers: Answers

  init(_ configure: (inout Answers) -> Void = { _ in }) {
    var answers = Answers()
    configure(&answers)
    self.answers = answers
  }

  /// The names of the calls in order, without consecutive repetitions.
  var calls: [String] { state.withLock { $0.calls } }
  var received: [UInt8] { state.withLock { $0.received } }

  private func note(_ call: String) {
    state.withLock { state in
      if state.calls.last != call { state.calls.append(call) }
    }
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { note("invalid") }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    note("redirect \(response.statusCode) to \(request.url?.path ?? "")")
    completionHandler(answers.redirect(request))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    note("challenge \(challenge.previousFailureCount)")
    let (disposition, credential) = answers.challenge(challenge)
    completionHandler(disposition, credential)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    note("sent")
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    note("complete \((error as NSError?)?.code ?? 0)")
    answers.complete(task, error)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    note("metrics")
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    answers.response(dataTask)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note("data")
    state.withLock { $0.received += data }
    answers.data(dataTask)
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    note("file")
    answers.file(downloadTask, location)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    note("written")
  }
}

/// A delegate that implements only the completion callback.
final class QuietDelegate: NSObject, URLSessionTaskDelegate {
  private let ends = Mutex(0)

  var completions: Int { ends.withLock { $0 } }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ends.withLock { $0 += 1 }
  }
}

/// A delegate that implements only the session's challenge method, and rejects every challenge.
final class SessionChallengeDelegate: NSObject, URLSessionDelegate {
  private let asked = Mutex<[String]>([])

  /// The hosts of the challenges, in order.
  var hosts: [String] { asked.withLock { $0 } }

  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    asked.withLock { $0.append(challenge.protectionSpace.host) }
    completionHandler(.cancelAuthenticationChallenge, nil)
  }
}
