import Dispatch
import Foundation
import Synchronization
import XferEngine
import XferEvents

/// Runs the tasks of one background session in a `TransferSession`.
final class SessionEngine: TransferSessionDelegate {
  private let spool: String
  private let report: @Sendable ([ServiceCore.Input]) -> Void
  private let reportNow: @Sendable ([ServiceCore.Input]) -> Void
  private let reportAndWait: @Sendable ([ServiceCore.Input]) -> Void
  private let finish: @Sendable (FinishedTask) -> Void
  private let makeSession: @Sendable (SessionEngine) -> TransferSession
  /// The underlying session, created on first use because it needs this object as its delegate.
  private let made = Mutex<TransferSession?>(nil)

  /// - Parameters:
  ///   - executor: The service's queue, on which `report` and `reportNow` are called.
  ///   - report: Passes inputs to the core.
  ///   - reportNow: Passes inputs to the core and returns after they are stored.
  ///   - reportAndWait: Passes inputs to the core from the engine's thread and returns after they are stored.
  ///   - finish: Receives each finished task once.
  init(
    _ settings: BackgroundSettings, spool: String, executor: any DelegateExecutor, sink: any EventSink,
    clock: any TransferClock, network: any NetworkPathSource,
    report: @escaping @Sendable ([ServiceCore.Input]) -> Void, reportNow: @escaping @Sendable ([ServiceCore.Input]) -> Void,
    reportAndWait: @escaping @Sendable ([ServiceCore.Input]) -> Void,
    finish: @escaping @Sendable (FinishedTask) -> Void
  ) {
    self.spool = spool
    (self.report, self.reportNow, self.reportAndWait, self.finish) = (report, reportNow, reportAndWait, finish)
    makeSession = { engine in
      TransferSession(
        configuration: settings.configuration(temporaryDirectory: spool), delegate: engine, delegateExecutor: executor,
        sink: DaemonSink(log: sink), clock: clock, network: network)
    }
  }

  private var session: TransferSession {
    made.withLock { made in
      let session = made ?? makeSession(self)
      made = session
      return session
    }
  }

  func carry(_ task: CarriedTask) throws(TransferError) -> TransferTask {
    let (uid, reportAndWait) = (TaskUID(task.new.uid), reportAndWait)
    let carried = try session.carry(task.new, resumeData: task.resumeData) { if let uid { reportAndWait([.sending(uid)]) } }
    carried.resume()
    return carried
  }

  func end() { made.withLock { $0 }?.invalidateAndCancel() }

  // MARK: Delegate callbacks, on the service's queue

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didBecomeResumable resumeData: Data) {
    // The partial file gets its final name after this callback returns. Storing the resume data first ensures that every named
    // file belongs to a known task.
    reportNow([.resumable(downloadTask.uid, resumeData)])
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    guard let response = downloadTask.response else { return }
    let path = SpooledFile.body("\(downloadTask.uid)", in: spool)
    do throws(TransferError) {
      try location.move(to: path, replacing: true)
      results.note(.file(path: path, TransferredResponse(response)), of: downloadTask.uid)
    } catch {
      results.note(error, of: downloadTask.uid)
    }
  }

  func urlSession(_ session: TransferSession, dataTask: DataTask, didReceive data: Data) {
    let path = SpooledFile.response("\(dataTask.uid)", in: spool)
    do throws(TransferError) {
      try SpooledResponse.append(data, to: path)
      results.note(.response(path: path), of: dataTask.uid)
    } catch {
      results.note(error, of: dataTask.uid)
    }
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    let result = results.take(task.uid)
    let error = error ?? result?.error
    var ended = FinishedTask(
      uid: task.uid,
      outcome: TransferredOutcome(
        error: error.map(TransferredError.init), response: task.response.map(TransferredResponse.init),
        received: task.countOfBytesReceived, sent: task.countOfBytesSent, resumeData: error?.downloadTaskResumeData))
    if error == nil {
      ended.body = result?.body
    } else {
      for path in [SpooledFile.body("\(task.uid)", in: spool), SpooledFile.response("\(task.uid)", in: spool)] { unlink(path) }
    }
    finish(ended)
  }

  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    reportProgress(of: downloadTask)
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    reportProgress(of: task)
  }

  private func reportProgress(of task: TransferTask) {
    report([
      .progressed(
        TaskProgress(
          session: task.carriedIdentity.session, task: "\(task.uid)", number: UInt32(task.taskIdentifier),
          received: task.countOfBytesReceived, expected: task.countOfBytesExpectedToReceive,
          sent: task.countOfBytesSent, expectedToSend: task.countOfBytesExpectedToSend))
    ])
  }

  // MARK: Authentication challenges

  private let questions = Mutex<
    [UInt64: @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void]
  >([:])

  func urlSession(
    _ session: TransferSession, task: TransferTask, didReceive challenge: TransferSession.AuthenticationChallenge,
    completionHandler: @escaping @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void
  ) {
    let (id, identity) = (UInt64.random(in: .min ... .max), task.carriedIdentity)
    let asked = BackgroundChallenge(
      challenge, id: id, session: identity.session, task: "\(task.uid)", number: identity.number)
    guard let asked else { return completionHandler(.performDefaultHandling, nil) }
    questions.withLock { $0[id] = completionHandler }
    report([.asked(asked)])
  }

  func answer(_ answer: ChallengeAnswer) {
    guard let completionHandler = questions.withLock({ $0.removeValue(forKey: answer.id) }) else { return }
    let (disposition, credential) = answer.answer
    completionHandler(disposition, credential)
  }

  private let results = SpooledResults()
}
