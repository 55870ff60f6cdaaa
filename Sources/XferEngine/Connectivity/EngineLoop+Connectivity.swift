internal import XferEvents

// Transfers that find no way into the network.
extension EngineLoop {
  /// Whether a transfer may make its next request; otherwise it fails or waits.
  func mayGo(_ transfer: Transfer) -> Bool {
    guard case .no(let reason) = verdict(on: transfer) else { return true }
    let error = TransferError.notConnected(reason)
    if context.configuration.waitsForConnectivity {
      awaitNetwork(transfer, reason == nil ? .network : .networkPolicy)
    } else if let answer = transfer.standIn(for: error) {
      give(transfer, answer, after: error)
    } else {
      abort(transfer, error)
    }
    return false
  }

  private func verdict(on transfer: Transfer) -> PathPermissions.Verdict {
    let configuration = context.configuration
    let verdicts = configuration.firstHosts(to: transfer.plan.url.host).map {
      configuration.pathPermissions.verdict(on: context.network.path(to: $0))
    }
    return verdicts.contains(.go) ? .go : verdicts[0]
  }

  /// Whether a transfer that failed for want of a network goes on when there is one. Only a connection can be waited for, not its
  /// end.
  func waitsForNetwork(_ transfer: Transfer, after error: TransferError) -> Bool {
    guard context.configuration.waitsForConnectivity, error.isLackOfConnectivity, transfer.transaction.connection == nil else {
      return false
    }
    transfer.stepBack()
    awaitNetwork(transfer, verdict(on: transfer).hold ?? .network)
    return true
  }

  private func awaitNetwork(_ transfer: Transfer, _ hold: HoldReason) {
    let wait = ConnectivityWait(hold: hold, tries: (transfer.connectivity?.tries ?? 0) + 1)
    let delay = wait.delay(chance: context.makeChance())
    transfer.connectivity = wait
    transfer.ending = nil
    transfer.hold(hold, until: now.addingClamped(delay.nanoseconds))
    transfer.sayNetworkAwaited(hold)
    watch(transfer)
  }

  /// The path may have changed, or it is time to look.
  func lookForNetwork(_ transfer: Transfer) {
    guard let wait = transfer.connectivity, transfer.timedHold == wait.hold else { return }
    if case .no = verdict(on: transfer), verdict(on: transfer).hold == wait.hold {
      // Still as it was: there is nothing to say.
      let next = ConnectivityWait(hold: wait.hold, tries: wait.tries + 1)
      transfer.connectivity = next
      transfer.wakeTime = now.addingClamped(next.delay(chance: context.makeChance()).nanoseconds)
      return watch(transfer)
    }
    transfer.endTimedHold()
    requestSlot(transfer, first: transfer.isAttempting)
  }

  /// Says what the path is like, and looks after those that wait for it.
  func notePath() {
    let path = context.network.path
    if path != saidPath {
      saidPath = path
      context.sink.emit(
        NetworkPathChanged(
          up: path.isSatisfied, expensive: path.isExpensive, constrained: path.isConstrained, cellular: path.isCellular))
    }
    if !path.isSatisfied, context.network.endsConnections { loseConnections() }
    for transfer in transfers.values.sorted(by: { $0.task.taskIdentifier < $1.task.taskIdentifier })
    where transfer.connectivity != nil && !transfer.pauses.contains(.suspended) {
      lookForNetwork(transfer)
    }
  }
}

extension EngineLoop {
  /// Ends what is on the wire, as it does when the network goes.
  private func loseConnections() {
    for transfer in transfers.values.sorted(by: { $0.task.taskIdentifier < $1.task.taskIdentifier }) {
      guard case .active = transfer.place else { continue }
      transfer.ending = .failed(
        TransferError(
          .networkConnectionLost, number: 56, osError: nil, stage: transfer.stage,
          problem: "the network path is gone"))
      detach(transfer)
      conclude(transfer)
    }
  }
}

extension Transfer {
  /// Takes back a transaction that never got a connection.
  fileprivate func stepBack() {
    transaction = makeTransaction(transaction.number - 1)
    refusal = nil
  }

  /// Says that it waits, and tells the delegate the first time.
  fileprivate func sayNetworkAwaited(_ hold: HoldReason) {
    if isAttempting { sink.emit(AttemptNetworkAwaited(task: task.identity, attempt: attempt, hold: hold)) }
    guard !said.connectivity, case .delegate = task.consumer, let delegate = task.session.delegate else { return }
    said.connectivity = true
    let (task, lane) = (task, context.lane)
    lane.send(
      Delivery(id: lane.makeID(), callback: .waitingForConnectivity, task: task.identity) {
        delegate.urlSession(task.session, taskIsWaitingForConnectivity: task)
      })
  }
}
