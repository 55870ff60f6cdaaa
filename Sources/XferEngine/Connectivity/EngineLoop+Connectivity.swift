internal import XferEvents

// Waiting for connectivity.
extension EngineLoop {
  /// Checks whether the network path allows a transfer's next request. If it does not, makes the transfer wait, fail or use the
  /// cache.
  func pathAllows(_ transfer: Transfer) -> Bool {
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

  /// Makes a transfer wait for connectivity after an error, if the session's configuration enables waiting and no connection was
  /// established.
  ///
  /// - Returns: whether the transfer waits.
  func waitsForNetwork(_ transfer: Transfer, after error: TransferError) -> Bool {
    guard context.configuration.waitsForConnectivity, error.isLackOfConnectivity, transfer.transaction.connection == nil else {
      return false
    }
    transfer.discardTransaction()
    awaitNetwork(transfer, verdict(on: transfer).hold ?? .network)
    return true
  }

  private func awaitNetwork(_ transfer: Transfer, _ hold: HoldReason) {
    let wait = ConnectivityWait(hold: hold, tries: (transfer.connectivity?.tries ?? 0) + 1)
    let delay = wait.delay(chance: context.makeChance())
    transfer.connectivity = wait
    transfer.ending = nil
    transfer.hold(hold, until: now.addingClamped(delay.nanoseconds))
    transfer.logNetworkAwaited(hold)
    watch(transfer)
  }

  /// Checks the network path again for a waiting transfer, after a path change or after its delay.
  func recheckNetwork(_ transfer: Transfer) {
    guard let wait = transfer.connectivity, transfer.timedHold == wait.hold else { return }
    if case .no = verdict(on: transfer), verdict(on: transfer).hold == wait.hold {
      // The reason for the wait is unchanged, so nothing is logged.
      let next = ConnectivityWait(hold: wait.hold, tries: wait.tries + 1)
      transfer.connectivity = next
      transfer.wakeTime = now.addingClamped(next.delay(chance: context.makeChance()).nanoseconds)
      return watch(transfer)
    }
    transfer.endTimedHold()
    requestSlot(transfer, first: transfer.isAttempting)
  }

  /// Logs a changed network path and checks all transfers that wait for connectivity.
  func notePath() {
    let path = context.network.path
    if path != loggedPath {
      loggedPath = path
      context.sink.emit(
        NetworkPathChanged(
          up: path.isSatisfied, expensive: path.isExpensive, constrained: path.isConstrained, cellular: path.isCellular))
    }
    if !path.isSatisfied, context.network.endsConnections { loseConnections() }
    for transfer in transfers.values.sorted(by: { $0.task.taskIdentifier < $1.task.taskIdentifier })
    where transfer.connectivity != nil && !transfer.pauses.contains(.suspended) {
      recheckNetwork(transfer)
    }
  }
}

extension EngineLoop {
  /// Fails all transactions in flight with the error that a lost network would cause.
  private func loseConnections() {
    for transfer in transfers.values.sorted(by: { $0.task.taskIdentifier < $1.task.taskIdentifier }) {
      guard case .active = transfer.place else { continue }
      transfer.ending = .failed(
        TransferError(
          .networkConnectionLost, number: 56, osError: nil, stage: transfer.stage,
          problem: "the network path became unavailable"))
      detach(transfer)
      conclude(transfer)
    }
  }
}

extension Transfer {
  /// Discards a transaction that never had a connection.
  fileprivate func discardTransaction() {
    transaction = makeTransaction(transaction.number - 1)
    refusal = nil
  }

  /// Logs the wait for connectivity. If it is the task's first wait, notifies the delegate.
  fileprivate func logNetworkAwaited(_ hold: HoldReason) {
    if isAttempting { sink.emit(AttemptNetworkAwaited(task: task.identity, attempt: attempt, hold: hold)) }
    guard !reported.connectivity, case .delegate = task.consumer, let delegate = task.session.delegate else { return }
    reported.connectivity = true
    let (task, lane) = (task, context.lane)
    lane.send(
      Delivery(id: lane.makeID(), callback: .waitingForConnectivity, task: task.identity) {
        delegate.urlSession(task.session, taskIsWaitingForConnectivity: task)
      })
  }
}
