import Foundation
import HTTPTypes
import XferEngine
import XferScript

/// A session delegate that passes each callback to the script.
final class ActorDelegate: TransferSessionDelegate {
  private let program: ActorProgram
  private let name: String

  init(_ program: ActorProgram, _ name: String) { (self.program, self.name) = (program, name) }

  private func react(_ callback: ActorScript.Callback, _ context: ActorContext) {
    var context = context
    context.delegate = name
    program.react(callback, context)
  }

  private func reacts(to callback: ActorScript.Callback) -> Bool { program.reacts(to: callback) }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) {
    react(.invalid, ActorContext(session: session, error: error))
    program.release(session)
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: TransferSession) {
    react(.eventsFinished, ActorContext(session: session))
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    react(.completed, ActorContext(session: session, task: task, error: error))
    program.continueMultipart(task, error)
    program.forget(task)
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, willPerformHTTPRedirection response: TransferResponse,
    newRequest request: HTTPRequest, completionHandler: @escaping @Sendable (HTTPRequest?) -> Void
  ) {
    guard reacts(to: .redirect) else { return completionHandler(request) }
    var context = ActorContext(session: session, task: task, response: response)
    context.answer = { [program] arguments, context in
      var request = request
      if let url = arguments.text("url") {
        let other = HTTPRequest(method: request.method, urlText: program.text(url, context))
        (request.scheme, request.authority, request.path) = (other.scheme, other.authority, other.path)
      }
      for (name, value) in arguments.pairs("headers") {
        if let name = HTTPField.Name(name) { request.headerFields[name] = program.text(value, context) }
      }
      completionHandler(arguments.text("word") == "stop" ? nil : request)
    }
    react(.redirect, context)
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didFinishCollecting metrics: TaskMetrics) {
    if reacts(to: .metrics) { react(.metrics, ActorContext(session: session, task: task)) }
  }

  func urlSession(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask) {
    react(.waiting, ActorContext(session: session, task: task))
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, willBeginDelayedRequest request: HTTPRequest,
    completionHandler: @escaping @Sendable (TransferSession.DelayedRequestDisposition, HTTPRequest?) -> Void
  ) {
    guard reacts(to: .delayed) else { return completionHandler(.continueLoading, nil) }
    var context = ActorContext(session: session, task: task)
    context.answer = { [program] arguments, context in
      if let url = arguments.text("url") {
        return completionHandler(.useNewRequest, HTTPRequest(method: request.method, urlText: program.text(url, context)))
      }
      completionHandler(arguments.text("word") == "cancel" ? .cancel : .continueLoading, nil)
    }
    react(.delayed, context)
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, didReceive challenge: TransferSession.AuthenticationChallenge,
    completionHandler: @escaping @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void
  ) {
    guard reacts(to: .challenge) else { return completionHandler(.performDefaultHandling, nil) }
    var context = ActorContext(session: session, task: task, response: challenge.failureResponse)
    context.count = challenge.previousFailureCount
    context.answer = { [program] arguments, context in
      if let user = arguments.text("user") {
        let password = program.text(arguments.text("password") ?? "", context)
        return completionHandler(
          .useCredential, TransferSession.Credential(user: program.text(user, context), password: password))
      }
      switch arguments.text("word") {
      case "cancel": completionHandler(.cancelAuthenticationChallenge, nil)
      case "reject": completionHandler(.rejectProtectionSpace, nil)
      case "none": completionHandler(.useCredential, nil)
      case "trust":
        let credential = challenge.protectionSpace.serverTrust.map(TransferSession.Credential.init(trust:))
        completionHandler(.useCredential, credential)
      default: completionHandler(.performDefaultHandling, nil)
      }
    }
    react(.challenge, context)
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask,
    needNewBodyStream completionHandler: @escaping @Sendable (RequestBodyStream?) -> Void
  ) {
    guard reacts(to: .bodyStream) else { return completionHandler(nil) }
    var context = ActorContext(session: session, task: task)
    context.answer = { arguments, _ in completionHandler(Self.stream(arguments)) }
    react(.bodyStream, context)
  }

  /// Returns the stream that an answer describes.
  private static func stream(_ arguments: ActorArguments) -> RequestBodyStream? {
    guard let size = arguments.integer("size") else { return nil }
    let data = ActorProgram.generated(arguments)
    let limit = arguments.integer("fails-after")
    let parts = AsyncThrowingStream<Data, any Error> { continuation in
      continuation.yield(data.prefix(limit ?? size))
      continuation.finish(throwing: limit.map { ActorFailure("the stream failed after \($0) bytes") })
    }
    return RequestBodyStream(parts, length: arguments.flag("declared") == false ? nil : Int64(size))
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    if reacts(to: .sent) { react(.sent, ActorContext(session: session, task: task, count: Int(totalBytesSent))) }
  }

  func urlSession(
    _ session: TransferSession, dataTask: DataTask, didReceive response: TransferResponse,
    completionHandler: @escaping @Sendable (TransferSession.ResponseDisposition) -> Void
  ) {
    guard reacts(to: .response) else { return completionHandler(.allow) }
    var context = ActorContext(session: session, task: dataTask, response: response)
    context.answer = { arguments, _ in
      switch arguments.text("word") {
      case "cancel": completionHandler(.cancel)
      case "download": completionHandler(.becomeDownload)
      default: completionHandler(.allow)
      }
    }
    react(.response, context)
  }

  func urlSession(_ session: TransferSession, dataTask: DataTask, didBecome downloadTask: DownloadTask) {
    react(.becameDownload, ActorContext(session: session, task: downloadTask))
  }

  func urlSession(_ session: TransferSession, dataTask: DataTask, didReceive data: Data) {
    if reacts(to: .data) { react(.data, ActorContext(session: session, task: dataTask, count: data.count)) }
  }

  func urlSession(
    _ session: TransferSession, dataTask: DataTask, willCacheResponse proposedResponse: TransferSession.CachedResponse,
    completionHandler: @escaping @Sendable (TransferSession.CachedResponse?) -> Void
  ) {
    guard reacts(to: .cache) else { return completionHandler(proposedResponse) }
    var context = ActorContext(session: session, task: dataTask)
    context.answer = { arguments, _ in completionHandler(arguments.text("word") == "skip" ? nil : proposedResponse) }
    react(.cache, context)
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    react(.finished, ActorContext(session: session, task: downloadTask, file: location))
  }

  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
  ) {
    react(.resumed, ActorContext(session: session, task: downloadTask, count: Int(fileOffset)))
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didBecomeResumable resumeData: Data) {
    react(.resumable, ActorContext(session: session, task: downloadTask, resumeData: resumeData))
  }

  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    guard reacts(to: .progress) else { return }
    react(.progress, ActorContext(session: session, task: downloadTask, count: Int(totalBytesWritten)))
  }
}
