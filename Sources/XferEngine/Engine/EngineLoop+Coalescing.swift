internal import Dispatch
internal import XferEvents

// Coalescing: one transfer for several identical tasks. The engine makes a task of its own, the carrier, whose transfer
// the member tasks share.
extension EngineLoop {
  /// Joins a task to a shared transfer, or resumes a member task.
  ///
  /// - Returns: `false` when the task needs a transfer of its own.
  func share(_ task: TransferTask) -> Bool {
    if coalesced.isMember(task) {
      apply(coalesced.setSuspended(false, task))
      return true
    }
    guard let key = CoalescedTransfers.Key(task) else { return false }
    let known = coalesced.carrier(for: key)
    // An invalidated session accepts no tasks, including carriers.
    guard let carrier = known ?? task.session.makeCarrier(for: task) else { return false }
    if known == nil { coalesced.open(key, carrier: carrier) }
    coalesced.join(task, to: carrier)
    task.noteCarrier(carrier)
    // A known carrier may be suspended because all its members were suspended. The new member makes it continue.
    carrier.resume(by: .engine)
    return true
  }

  func suspendShared(_ task: TransferTask) { apply(coalesced.setSuspended(true, task)) }

  /// Cancels a member task. Its carrier continues while other members remain.
  ///
  /// - Returns: `false` when the task shares no transfer.
  func leaveShared(_ task: TransferTask) -> Bool {
    guard coalesced.isMember(task) else { return false }
    let consequence = coalesced.leave(task)
    task.finish(TaskOutcome(error: .cancelled(.response)))
    apply(consequence)
    return true
  }

  private func apply(_ consequence: CoalescedTransfers.Consequence) {
    switch consequence {
    case .resume(let carrier): carrier.resume(by: .engine)
    case .suspend(let carrier): carrier.suspend(by: .engine)
    case .cancel(let carrier): carrier.cancel(reason: .none, by: .engine)
    case .none: break
    }
  }

  /// Completes the member tasks of a carrier with the outcome of the shared transfer.
  func distribute(_ outcome: TaskOutcome, of carrier: TransferTask) {
    let members = coalesced.close(carrier)
    var (own, shared) = (outcome, outcome)
    (own.data, own.file) = (nil, nil)
    (shared.isShared, shared.sent, shared.transactions) = (true, 0, [])
    if let response = outcome.response { for member in members { member.noteResponse(response) } }
    guard let file = outcome.file, let first = members.first else {
      outcome.file?.remove()
      for member in members { member.finish(shared) }
      return carrier.finish(own)
    }
    let ownResult = own
    if members.count == 1 {
      return synchroniser.finish(shared) { result in
        first.finish(result)
        carrier.finish(ownResult.failing(result.error))
      }
    }
    // Each member gets its own copy of the file. Copying on the engine thread would delay all other transfers.
    let unsynchronised = shared
    DispatchQueue.global().async {
      let result = unsynchronised.synchronised()
      for member in members.dropFirst() { member.finish(result.copying(file, for: member)) }
      first.finish(result)
      carrier.finish(ownResult.failing(result.error))
    }
  }
}

extension TaskOutcome {
  fileprivate func failing(_ error: TransferError?) -> TaskOutcome {
    var outcome = self
    outcome.error = outcome.error ?? error
    return outcome
  }

  fileprivate func copying(_ file: FinishedFile, for task: TransferTask) -> TaskOutcome {
    var outcome = self
    outcome.file = nil
    guard error == nil else { return outcome }
    do throws(TransferError) {
      outcome.file = try file.copy(
        to: task.partPath, synchronises: task.session.context.configuration.synchronisesDownloads)
    } catch {
      outcome.error = error
    }
    return outcome
  }
}

extension TransferTask {
  /// Whether the task was made by the engine to carry a transfer that other tasks share.
  var isCarrier: Bool { if case .shared = consumer { true } else { false } }
}

extension TransferSession {
  /// Makes a carrier with the request and the options of a task. `nil` when the session was invalidated.
  func makeCarrier(for task: TransferTask) -> TransferTask? {
    var options = TaskOptions()
    (options.priority, options.timeoutIntervalForRequest, options.timeoutIntervalForResource) = (
      task.priority, task.options.timeoutIntervalForRequest, task.options.timeoutIntervalForResource
    )
    return try? enter { identity, live in
      let carrier: TransferTask =
        task.type == .download
        ? DownloadTask(
          identity, type: task.type, request: task.originalRequest, plan: task.plan, consumer: .shared, options: options,
          session: self)
        : DataTask(
          identity, type: task.type, request: task.originalRequest, plan: task.plan, consumer: .shared, options: options,
          session: self)
      context.sink.emit(created(carrier, live: live))
      return carrier
    }
  }
}
