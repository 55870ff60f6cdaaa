internal import XferEvents

// Converting a data task into a download after its response arrived.
extension EngineLoop {
  /// Replaces the data task by a download task, which takes over its number, its counts and the response body.
  func becomeDownload(_ transfer: Transfer) throws(TransferError) {
    let old = transfer.task
    // A task that cannot be handed off was cancelled; the engine receives the cancellation command later.
    guard let old = old as? DataTask, let phase = old.handOff() else { return }
    let identity = TaskIdentity(uid: context.makeTaskUID(), session: context.name, number: old.identity.number)
    let session = old.session
    let download = DownloadTask(
      identity, type: .download, request: old.originalRequest, plan: old.plan, consumer: .delegate, options: old.options,
      session: session, successorOf: old)
    download.takeOver(old)
    session.replace(old, by: download)
    transfer.logAttemptEnded(.handedOff, nil)
    context.sink.emit(TaskHandedOff(task: old.identity, successor: identity, received: 0))
    context.sink.emit(session.created(download, live: nil, metadata: try? old.options.loggedMetadata()))
    download.begin(as: phase)
    transfer.task = download
    transfer.attempt = 0
    // The task is a download now, and the cache stores only the responses of data tasks, so collecting the response ends here.
    transfer.caching.recording = nil
    transfer.beginAttempt()
    transfer.logResponseReceived(transfer.transaction.head)
    sendBecame(download, from: old)
    try transfer.openFile()
    transfer.transaction.body = .deliver
    // The app may have suspended or resumed the data task in commands that the engine has not processed yet. The download
    // continues in the state that the app chose last.
    if phase == .suspended { suspend(transfer) } else { resume(download) }
  }

  private func sendBecame(_ download: DownloadTask, from old: DataTask) {
    let (lane, session) = (context.lane, old.session)
    lane.send(
      Delivery(id: lane.makeID(), callback: .didBecomeDownload, task: old.identity) {
        session.delegate?.urlSession(session, dataTask: old, didBecome: download)
      })
  }
}
