internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// What is different about a background session.
extension TransferSession {
  func connect(_ carrier: BackgroundCarrier) {
    if delegate == nil {
      return fail(
        TransferError(
          .unsupportedInBackground, domain: .xfer, number: 8, stage: .creation,
          problem: "the background session \(name) has no delegate, and nobody else can be told how its tasks end"))
    }
    if carrier.connect(self) { return }
    fail(
      TransferError(
        .backgroundSessionInUse, domain: .xfer, number: 9, stage: .creation,
        problem: "this process has a background session \(name) already"))
  }

  /// Whether the daemon can carry out such a task without the app.
  func checkBackground(_ type: TaskType, _ body: RequestBody, _ consumer: TaskConsumer) throws(TransferError) {
    if BackgroundLink.process.isExtension, configuration.sharedContainerIdentifier == nil {
      throw .unsupportedInBackground(
        .missingContainer,
        "an extension's files outlive it only in a container that it shares with its app: set sharedContainerIdentifier")
    }
    guard case .delegate = consumer else {
      throw .unsupportedInBackground(
        .completionHandlerInBackground, "a closure does not outlive the app: background tasks report to the delegate")
    }
    switch (type, body) {
    case (.data, _): throw .unsupportedInBackground(.dataTaskInBackground, "data tasks have no file to bring their body into")
    case (_, .data): throw .unsupportedInBackground(.bodyFromMemory, "a body in memory does not outlive the app: upload a file")
    case (_, .stream): throw .unsupportedInBackground(.bodyFromStream, "a stream does not outlive the app: upload a file")
    default: break
    }
  }

  /// Checks that a task fits into a message to the daemon.
  func checkMessageSize(_ plan: RequestPlan, _ options: TaskOptions, resumeData: Data?) throws(TransferError) {
    var new = NewTask(
      uid: "\(TaskUID(high: .max, low: .max))", session: name, number: .max, kind: .download, request: plan.httpRequest)
    if case .file(let source) = plan.body { new.file = source.path }
    (new.resumeData, new.description, new.metadata) = (resumeData, options.taskDescription, options.metadata)
    // Numbers and dates, which are not known yet, take less.
    let limit = BackgroundProtocol.appFrame - 1024
    // An escape in JSON takes at most six bytes.
    if new.weight < limit / 6 { return }
    let size = (try? JSONEncoder().encode(AppMessage.createTask(new)))?.count ?? .max
    guard size <= limit else {
      throw TransferError(
        .dataLengthExceedsMaximum, domain: .xfer, number: 12, stage: .creation,
        problem: "the task's request, metadata and resume data take \(size) bytes; a background task may take \(limit)")
    }
  }

  /// Takes in the tasks of earlier lives.
  ///
  /// - Parameter ended: UIDs of tasks that are over in this life, and are not to come again.
  func adopt(_ inventory: SessionInventory, without ended: Set<String>) {
    noteLastNumber(inventory.lastNumber)
    for known in inventory.tasks where !ended.contains(known.task.uid) {
      guard let task = restored(known.task), adopt(task) else { continue }
      context.sink.emit(TaskAdopted(task: task.identity, launch: context.sink.processLaunch, label: task.taskDescription))
      task.restore(known)
    }
  }

  private func restored(_ known: NewTask) -> TransferTask? {
    guard let uid = TaskUID(known.uid) else { return nil }
    let identity = TaskIdentity(uid: uid, session: name, number: known.number)
    guard let plan = try? RequestPlan(known.request, additional: [:]) else { return nil }
    return task(identity, known, plan, resumeData: known.resumeData)
  }
}

extension TransferTask {
  /// Stands as the daemon has it.
  func restore(_ known: KnownTask) {
    if known.standing != .suspended { begin(as: .running, says: false) }
    counts.setReceived(known.received)
    counts.setSent(known.sent)
  }

  /// The daemon had it and knows nothing of it any more: nobody carries it, and what became of it nobody can say.
  func endAsLost() {
    let error = TransferError(
      .backgroundSessionWasDisconnected, domain: .xfer, number: 11, stage: .body,
      problem: "the daemon had the task and has lost it; what became of the transfer is not known")
    take(TaskOutcome(error: error, response: nil, received: counts.received, sent: counts.sent), session.context.lane.makeID()) {}
  }

  func take(_ progress: TaskProgress) {
    let (received, sent) = (counts.received, counts.sent)
    counts.setReceived(progress.received)
    counts.setExpected(progress.expected)
    counts.setSent(progress.sent)
    counts.setExpectedToSend(progress.expectedToSend)
    let lane = session.context.lane
    if progress.received > received, let task = self as? DownloadTask {
      lane.send(
        Delivery(id: lane.makeID(), callback: .didWriteData, task: identity) {
          self.session.delegate?.urlSession(
            self.session, downloadTask: task, didWriteData: progress.received.subtractingClamped(received),
            totalBytesWritten: progress.received,
            totalBytesExpectedToWrite: progress.expected)
        })
    }
    if progress.sent > sent {
      lane.send(
        Delivery(id: lane.makeID(), callback: .didSendBodyData, task: identity) {
          self.session.delegate?.urlSession(
            self.session, task: self, didSendBodyData: progress.sent.subtractingClamped(sent), totalBytesSent: progress.sent,
            totalBytesExpectedToSend: progress.expectedToSend)
        })
    }
  }

  /// The body of the response to an upload.
  func take(bodyAt path: String, _ id: DeliveryID, acknowledge: @escaping @Sendable () -> Void) {
    guard let task = self as? DataTask else { return acknowledge() }
    session.context.lane.send(
      Delivery(
        id: id, callback: .didReceiveData, task: identity, isFromDaemon: true,
        call: {
          let data = SpooledBody.contents(path)
          if !data.isEmpty { self.session.delegate?.urlSession(self.session, dataTask: task, didReceive: data) }
        }, after: acknowledge))
  }
}

extension TransferError {
  fileprivate static func unsupportedInBackground(_ reason: RejectionReason, _ problem: String) -> TransferError {
    TransferError(.unsupportedInBackground, domain: .xfer, number: Int(reason.rawValue), stage: .creation, problem: problem)
  }
}
