internal import Synchronization
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The result of a task's transfer.
struct TaskOutcome: Sendable {
  var error: TransferError?
  var response: TransferResponse?
  var received: Int64 = 0
  var sent: Int64 = 0
  /// The body, for a consumer that collects the body in memory. `nil` for other consumers.
  var data: Data?
  /// The resume data of a download that failed or was cancelled. `nil` if it cannot be resumed.
  var resumeData: ResumeData?
  /// The file of a successful download. `nil` for other tasks.
  var file: FinishedFile?
  var redirectCount = 0
  var transactions: [TransactionMetrics] = []
  /// The digest of the body. `nil` if no digest was requested.
  var content: ValueDigest?
  /// Whether another task, the carrier, received the bytes for this task and others.
  var isShared = false

  /// The number of received bytes for the log. `nil` for a shared transfer, whose bytes are logged with the carrier task.
  var loggedReceived: Int64? { isShared ? nil : received }
}

extension TransferTask {
  /// Ends the task: decides its result, once, and queues the callbacks that report the result.
  func finish(_ outcome: TaskOutcome) {
    guard let decision = decide(outcome) else {
      outcome.file?.remove()
      return
    }
    let (error, cancelReason) = (decision.error, decision.cancelReason)
    if let handler = decision.resumeDataHandler { sendResumeData(outcome.resumeData, to: handler) }
    let lane = session.context.lane
    let claim = ClaimResult()
    if let file = outcome.file {
      if error == nil { offer(file, outcome.response, claim) } else { file.remove() }
    }
    if case .delegate = consumer { sendMetrics(outcome) }

    // The function that awaits this task continues in another thread and may close the log, so it gets the result only after the
    // task's last event was logged.
    let isAwaited = consumer.style == .async
    let id = lane.makeID()
    lane.send(
      Delivery(id: id, callback: .didComplete, task: identity) {
        if !isAwaited { self.complete(outcome, error: error ?? claim.error) }
      } after: {
        self.close(
          self.completed(outcome, id, error ?? claim.error, cancelReason), delivery: id, error: error ?? claim.error)
        if isAwaited { self.complete(outcome, error: error ?? claim.error) }
      })
  }

  private func sendResumeData(_ resumeData: ResumeData?, to handler: @escaping @Sendable (Data?) -> Void) {
    let lane = session.context.lane
    lane.send(Delivery(id: lane.makeID(), callback: nil, task: identity) { handler(resumeData?.data) })
  }

  /// Offers the delegate a downloaded file that the daemon delivered.
  ///
  /// - Parameter acknowledge: A closure that is called when the delegate's callback has returned.
  func take(_ file: FinishedFile, _ response: TransferResponse, _ id: DeliveryID, acknowledge: @escaping @Sendable () -> Void) {
    guard let task = self as? DownloadTask else { return acknowledge() }
    noteResponse(response)
    let offered = DownloadedFile(file, task: identity, delivery: id, sink: session.context.sink)
    session.context.lane.send(
      Delivery(
        id: id, callback: .didFinishDownloading, task: identity, isFromDaemon: true, entering: { offered.offer() },
        call: { self.session.delegate?.urlSession(self.session, downloadTask: task, didFinishDownloadingTo: offered) },
        after: {
          offered.endOffer()
          // The claimed files are synchronised first, because the daemon removes its own copy after the acknowledgement.
          offered.bringToDisk()
          acknowledge()
        }))
  }

  /// Completes a background task with the result that the daemon delivered.
  ///
  /// - Parameter acknowledge: A closure that is called when the delegate's callback has returned.
  func take(_ outcome: TaskOutcome, _ id: DeliveryID, acknowledge: @escaping @Sendable () -> Void) {
    // If the result was already decided, it has already been delivered and only its acknowledgement was lost, so it is
    // acknowledged again.
    guard let decision = decide(outcome, logs: false) else { return acknowledge() }
    if let response = outcome.response { noteResponse(response) }
    if let handler = decision.resumeDataHandler { sendResumeData(outcome.resumeData, to: handler) }
    session.context.lane.send(
      Delivery(
        id: id, callback: .didComplete, task: identity, isFromDaemon: true,
        call: { self.complete(outcome, error: decision.error) },
        after: {
          self.close(self.completed(outcome, id, decision.error, decision.cancelReason), delivery: id, error: decision.error)
          acknowledge()
        }))
  }

  private func offer(_ file: FinishedFile, _ response: TransferResponse?, _ claim: ClaimResult) {
    guard let response, let task = self as? DownloadTask else { return file.remove() }
    let lane = session.context.lane
    let id = lane.makeID()
    let offered = DownloadedFile(
      file, task: identity, delivery: id, sink: session.context.sink,
      synchronises: session.context.configuration.synchronisesDownloads)
    lane.send(
      Delivery(id: id, callback: .didFinishDownloading, task: identity, entering: { offered.offer() }) {
        switch self.consumer {
        case .delegate: self.session.delegate?.urlSession(self.session, downloadTask: task, didFinishDownloadingTo: offered)
        case .file(_, _, let take, _): claim.error = take(offered, response)
        case .data, .bytes, .shared: break
        }
      } after: {
        offered.endOffer()
      })
  }

  private func sendMetrics(_ outcome: TaskOutcome) {
    let metrics = TaskMetrics(
      taskInterval: .nanoseconds(session.context.clock.monotonic - created), redirectCount: outcome.redirectCount,
      transactionMetrics: outcome.transactions)
    let lane = session.context.lane
    lane.send(
      Delivery(id: lane.makeID(), callback: .didFinishCollectingMetrics, task: identity) {
        self.session.delegate?.urlSession(self.session, task: self, didFinishCollecting: metrics)
      })
  }

  private func complete(_ outcome: TaskOutcome, error: TransferError?) {
    switch consumer {
    case .delegate:
      session.delegate?.urlSession(session, task: self, didCompleteWithError: error)
    case .data(_, let completion):
      completion(error.map(Result.failure) ?? .success((outcome.data ?? Data(), outcome.response!)))
    case .file(_, _, _, let completion):
      completion(error.map(Result.failure) ?? .success(outcome.response!))
    case .bytes(let body): body.end(error)
    case .shared: break
    }
  }

  private func completed(
    _ outcome: TaskOutcome, _ delivery: DeliveryID, _ error: TransferError?, _ cancelReason: CancelReason?
  ) -> TaskCompleted {
    TaskCompleted(
      task: identity, delivery: delivery, received: outcome.loggedReceived, sent: outcome.sent,
      status: outcome.response?.statusCode,
      domain: error?.domain, error: error?.number, errorName: error?.code.rawValue, message: error?.problem,
      osError: error?.osError, cancelReason: cancelReason, resumeData: outcome.resumeData?.digest)
  }
}

/// Storage for the error of moving a downloaded file, which occurs in one callback and is reported in the next.
private final class ClaimResult: Sendable {
  private let state = Mutex<TransferError?>(nil)

  var error: TransferError? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
