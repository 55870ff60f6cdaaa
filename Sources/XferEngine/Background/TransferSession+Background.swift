internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension TransferSession {
  /// The number of callbacks that the daemon held for the app when it reported the tasks of this background session. Zero before.
  package var heldCallbacks: Int { background?.heldCallbacks ?? 0 }

  /// Registers a background session with the daemon, or fails the session if it has no delegate or its identifier is in use.
  func connect(_ carrier: BackgroundCarrier) {
    if delegate == nil {
      return fail(
        TransferError(
          .unsupportedInBackground, domain: .xfer, number: 8, stage: .creation,
          problem: "the background session \(name) has no delegate: pass one, because its tasks report only to a delegate"))
    }
    if carrier.connect(self) { return }
    fail(
      TransferError(
        .backgroundSessionInUse, domain: .xfer, number: 9, stage: .creation,
        problem: "this process already has a background session with the identifier \(name)"))
  }

  /// Checks that the daemon can carry out the task while the app is not running.
  ///
  /// - Throws: An error whose text says what to use instead.
  func checkBackground(_ type: TaskType, _ body: RequestBody, _ consumer: TaskConsumer) throws(TransferError) {
    if BackgroundLink.process.isExtension, configuration.sharedContainerIdentifier == nil {
      throw .unsupportedInBackground(
        .missingContainer,
        "an extension's background session needs a container that it shares with its app: set sharedContainerIdentifier")
    }
    guard case .delegate = consumer else {
      throw .unsupportedInBackground(
        .completionHandlerInBackground,
        "background tasks cannot have a completion handler, because a closure does not survive the app's exit: use the delegate")
    }
    switch (type, body) {
    case (.data, _):
      throw .unsupportedInBackground(.dataTaskInBackground, "background sessions do not support data tasks: use a download task")
    case (_, .data):
      throw .unsupportedInBackground(.bodyFromMemory, "a body in memory does not survive the app's exit: upload a file")
    case (_, .stream):
      throw .unsupportedInBackground(.bodyFromStream, "a stream does not survive the app's exit: upload a file")
    default: break
    }
  }

  /// Checks that a task fits into one message to the daemon.
  func checkMessageSize(_ plan: RequestPlan, _ options: TaskOptions, resumeData: Data?) throws(TransferError) {
    var new = NewTask(
      uid: "\(TaskUID(high: .max, low: .max))", session: name, number: .max, kind: .download, request: plan.httpRequest)
    if case .file(let source) = plan.body { new.file = source.path }
    (new.resumeData, new.description, new.metadata) = (resumeData, options.taskDescription, options.metadata)
    // Reserves 1024 bytes for the numbers and dates that are not known yet.
    let limit = BackgroundProtocol.appFrame - 1024
    // JSON writes a byte as an escape of at most six bytes, so a small task need not be encoded to be accepted.
    if new.weight < limit / 6 { return }
    let size = (try? JSONEncoder().encode(AppMessage.createTask(new)))?.count ?? .max
    guard size <= limit else {
      throw TransferError(
        .dataLengthExceedsMaximum, domain: .xfer, number: 12, stage: .creation,
        problem: "the task's request, metadata and resume data take \(size) bytes; a background task may take \(limit) bytes")
    }
  }

  /// Restores the tasks that earlier launches of the app created.
  ///
  /// - Parameter ended: The UIDs of tasks that completed in this process and must not be restored.
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
  /// Sets the task's state and byte counts to the values that the daemon reports.
  func restore(_ known: KnownTask) {
    if known.standing != .suspended { begin(as: .running, logs: false) }
    counts.setReceived(known.received)
    counts.setSent(known.sent)
  }

  /// Fails a task that the daemon once confirmed but no longer knows. The outcome of its transfer is unknown.
  func endAsLost() {
    let error = TransferError(
      .backgroundSessionWasDisconnected, domain: .xfer, number: 11, stage: .body,
      problem: "the daemon no longer knows the task; whether the transfer finished is unknown")
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

  /// Delivers the body of the response to an upload, which the daemon stored in a file.
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
