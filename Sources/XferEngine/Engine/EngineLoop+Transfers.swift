internal import CCurl
internal import CCurlShims
internal import HTTPTypes
internal import XferEvents

// The steps of a transfer: connection slot, transaction, follow-up transactions and completion.
extension EngineLoop {
  // MARK: Task state changes

  func resume(_ task: TransferTask) {
    if let transfer = transfer(of: task) {
      if let left = transfer.resourceTimeLeft { transfer.resourceDeadline = now.addingClamped(left) }
      transfer.resourceTimeLeft = nil
      unpause(transfer, .suspended)
      if transfer.wakeTime != nil {
        transfer.logTimedHold()
        watch(transfer)
      } else if transfer.place == .nowhere, transfer.ending == nil, transfer.question == nil, transfer.caching.replay == nil {
        requestSlot(transfer)
      }
    } else if task.state == .running, transfers[task.identity.number] == nil, !share(task) {
      let transfer = Transfer(task, context: context, loop: self)
      transfers[task.identity.number] = transfer
      transfer.adoptPartialFile()
      watch(transfer)
      requestSlot(transfer)
    }
  }

  func suspend(_ task: TransferTask) {
    if let transfer = transfer(of: task) { suspend(transfer) } else { suspendShared(task) }
  }

  func suspend(_ transfer: Transfer) {
    guard transfer.pauses.insert(.suspended).inserted else { return }
    transfer.resourceTimeLeft = transfer.resourceDeadline.map { $0 - now }
    switch transfer.place {
    case .waiting(let host, let hold):
      slots.withdraw(transfer.task.identity.number, from: host)
      transfer.place = .nowhere
      transfer.task.noteHoldEnded(hold)
    case .active:
      transfer.wasSuspended = true
      if let easy = transfer.easy { curl_easy_pause(easy.pointer, CURLPAUSE_ALL) }
    case .nowhere:
      // The end of the hold is logged, because the task is suspended now. When the task is resumed, the hold is logged again.
      if let hold = transfer.timedHold { transfer.task.noteHoldEnded(hold) }
    }
  }

  func cancel(_ task: TransferTask) {
    if let transfer = transfer(of: task) {
      abort(transfer, .cancelled(transfer.stage))
    } else if !leaveShared(task) {
      task.finish(TaskOutcome(error: .cancelled(.creation)))
    }
  }

  func unpause(_ transfer: Transfer, _ reason: Transfer.Pauses) {
    guard transfer.pauses.remove(reason) != nil, !transfer.pauses.contains(.suspended) else { return }
    transfer.touch()
    watch(transfer)
    // The write callback pauses the transfer again if another reason to pause remains.
    if let easy = transfer.easy { curl_easy_pause(easy.pointer, CURLPAUSE_CONT) }
    feed(transfer)
  }

  func answer(_ transfer: Transfer, _ answer: EngineCommand.Answer) {
    do throws(TransferError) {
      switch (transfer.question, answer) {
      case (.redirect(let proposed), .redirect(let request)):
        transfer.question = nil
        try transfer.redirectAnswered(request, proposed: proposed)
      case (.response, .response(.allow)):
        transfer.question = nil
        transfer.transaction.body = .deliver
      case (.response, .response(.cancel)): return  // The engine receives the cancellation command separately.
      case (.response, .response(.becomeDownload)):
        transfer.question = nil
        try becomeDownload(transfer)
      case (.challenge(let challenge), .challenge(let disposition, let credential)):
        transfer.question = nil
        try transfer.challengeAnswered(disposition, credential, challenge)
      case (.peer(let challenge), .challenge(let disposition, let credential)):
        transfer.question = nil
        try transfer.peerAnswered(disposition, credential, challenge)
      case (.bodyStream, .bodyStream(let stream)):
        transfer.question = nil
        guard let stream else { throw .noBodyStream }
        transfer.stream = stream
        return requestSlot(transfer, first: transfer.isAttempting)
      case (.caching(let proposal), .caching(let cached)):
        transfer.question = nil
        transfer.storeInCache(proposal, as: cached)
      case (.redirect, _), (.response, _), (.challenge, _), (.peer, _), (.bodyStream, _), (.caching, _), (nil, _):
        return  // The question was answered before.
      }
    } catch {
      return abort(transfer, error)
    }
    if transfer.hasUnboundedRemainder, transfer.ending == nil {
      detach(transfer)
      transfer.ending = .finished
    }
    if transfer.question == nil { unpause(transfer, .question) }
    conclude(transfer)
  }

  // MARK: Connection slots

  /// Starts the transfer's next request, or queues the transfer for a connection slot.
  ///
  /// - Parameter first: whether the transfer goes ahead of the queue, because one of its requests was already made.
  func requestSlot(_ transfer: Transfer, first: Bool = false) {
    if answerFromCache(transfer) { return }
    if transfer.plan.body == .stream, transfer.stream == nil { return transfer.askForBodyStream() }
    guard pathAllows(transfer) else { return }
    let (number, host) = (transfer.task.identity.number, transfer.plan.url.origin)
    switch slots.request(number, at: host, first: first, priority: transfer.task.priority.hundredths) {
    case .admitted:
      begin(transfer, host)
    case .waits(let hold, let used, let slots):
      transfer.place = .waiting(host, hold)
      transfer.task.noteHeld(
        TaskHeld(task: transfer.task.identity, hold: hold, host: host.host, slotsUsed: used, slots: slots))
      if transfer.countsWaiting { watch(transfer) }
    }
  }

  func prioritise(_ task: TransferTask) {
    guard let transfer = transfer(of: task), case .waiting(let host, _) = transfer.place else { return }
    slots.prioritise(task.identity.number, at: host, priority: task.priority.hundredths)
  }

  private func admitWaiting() {
    while let number = slots.admit() {
      guard let transfer = transfers[number], case .waiting(let host, let hold) = transfer.place else {
        preconditionFailure("a transfer withdraws from the queue of slots before it ends")
      }
      transfer.task.noteHoldEnded(hold)
      transfer.place = .nowhere
      // The network may have become unavailable while the transfer was queued, so the path is checked again.
      if pathAllows(transfer) { begin(transfer, host) } else { slots.release(host) }
    }
    slots.forgetIdleHosts()
  }

  // MARK: Transactions

  private func begin(_ transfer: Transfer, _ host: URLFacts.Origin) {
    transfer.place = .active(host)
    transfer.ending = nil
    transfer.refusal = nil
    transfer.wasSuspended = false
    transfer.tls = transfer.nextTLS()
    do throws(TransferError) {
      if !transfer.tls.isProbe { try transfer.openBody() }
    } catch {
      transfer.place = .nowhere
      slots.release(host)
      end(transfer, error)
      return admitWaiting()
    }
    if transfer.isAttempting {
      transfer.transaction = transfer.makeTransaction(transfer.transaction.number + 1)
    } else {
      transfer.beginAttempt()
      transfer.transaction = transfer.makeTransaction(1)
    }
    transfer.touch()
    watch(transfer)
    transfer.wire = transfer.nextWire()
    transfer.cookies = CookieUse(context.configuration, transfer.wire)
    let easy = takeHandle()
    transfer.easy = easy
    if transfer.mayShare { sharing += 1 }
    let configuration = context.configuration
    let limits = [
      configuration.timeoutIntervalForConnection?.nanoseconds, transfer.task.requestTimeout?.nanoseconds,
      transfer.resourceDeadline.map { $0 - now },
    ]
    easy.prepare(
      transfer.wire, body: transfer.source, decodes: transfer.decodes, configuration, transfer.tls,
      cookies: transfer.cookies, connectLimit: limits.compactMap { $0 }.min(), owner: .passUnretained(transfer))
    if let signing = configuration.requestSigning, transfer.wire.url.origin == transfer.task.plan.url.origin {
      easy.prepareSignature(signing)
    }
    curl_multi_add_handle(multi, easy.pointer)
  }

  /// Ends a transaction that libcurl reports as done.
  func finishTransaction(_ transfer: Transfer, _ result: CURLcode) {
    guard let easy = transfer.easy else { return }
    transfer.noteRequestSent()
    let ending = ending(of: transfer, result, easy)
    transfer.ending = ending
    if case .failed(let error) = ending { transfer.askAboutPeer(error) }
    detach(transfer)
    conclude(transfer)
  }

  private func ending(of transfer: Transfer, _ result: CURLcode, _ easy: EasyHandle) -> Transfer.Ending {
    if result == CURLE_OUT_OF_MEMORY, transfer.stage == .response {
      return .failed(.headersTooLarge("a header line is larger than libcurl's limit of 100 KiB", tooMany: false))
    }
    if result != CURLE_OK {
      let error = TransferError(curl: result, osError: easy.osError, stage: transfer.stage, message: easy.errorMessage)
      return .failed(error)
    }
    if transfer.transaction.head.isComplete {
      let truncated = transfer.transaction.delivers ? transfer.truncatedEnd() : nil
      return (truncated ?? transfer.unfinishedCoding).map { .failed($0) } ?? .finished
    }
    // libcurl reports success for a response that ended within its head, but the engine fails the transaction.
    return .failed(
      TransferError(
        curl: CURLE_RECV_ERROR, osError: nil, stage: .response,
        message: "the connection was closed before the response head was complete"))
  }

  /// Removes the transaction from libcurl and releases its connection slot.
  func detach(_ transfer: Transfer) {
    guard let easy = transfer.easy, case .active(let host) = transfer.place else { return }
    transfer.collectMetrics()
    transfer.sendHead()
    easy.keepCookies(transfer.cookies)
    curl_multi_remove_handle(multi, easy.pointer)
    if transfer.mayShare { sharing -= 1 }
    _ = transfer.truncatedEnd()
    transfer.easy = nil
    transfer.changedSource = transfer.source?.changedFile
    transfer.source = nil
    transfer.place = .nowhere
    if let connection = transfer.transaction.connection { connections.released(connection, at: now) }
    recycle(easy)
    slots.release(host)
    // The follow-up request of this transfer goes ahead of queued transfers, so none of them gets the free slot.
    if !transfer.hasFollowUp || transfer.refusal != nil { admitWaiting() }
  }

  /// Decides what follows a transaction, once the transaction has ended and the app has answered any question about it.
  func conclude(_ transfer: Transfer) {
    guard let ending = transfer.ending, transfer.question == nil, transfers[transfer.task.identity.number] === transfer else {
      return
    }
    if let reason = transfer.restart, transfer.refusal == nil {
      return retry(transfer, in: .zero, .refused, .rangeNotUsable(reason))
    }
    if let delay = transfer.retryDelay, transfer.refusal == nil {
      transfer.sendRetriedBody()
      return retry(transfer, in: delay, .finished)
    }
    if let answer = transfer.caching.pending, transfer.refusal == nil {
      return give(transfer, answer)
    }
    if case .finished = ending, transfer.refusal == nil, transfer.needsRemainder {
      transfer.ending = nil
      startNextRequest(transfer)
      return admitWaiting()
    }
    if let next = transfer.next, transfer.refusal == nil {
      transfer.next = nil
      transfer.take(next)
      transfer.ending = nil
      startNextRequest(transfer)
      return admitWaiting()
    }
    switch ending {
    case .finished:
      let error = transfer.refusal ?? transfer.truncatedPart
      if error == nil, transfer.proposeStoring() { return }
      end(transfer, error)
    case .failed(let error):
      let error = transfer.refusal ?? error
      if transfer.isLostInSuspension(error) { return retry(transfer, in: .zero, .suspended, error) }
      guard transfer.refusal == nil else { return end(transfer, error) }
      if waitsForNetwork(transfer, after: error) { return }
      if let delay = retryDelay(transfer, after: .error(error)) {
        return retry(transfer, in: delay, Transfer.end(of: error), error)
      }
      if let answer = transfer.standIn(for: error) { return give(transfer, answer, after: error) }
      end(transfer, error)
    }
  }

  /// Ends a transfer with an error in any state.
  func abort(_ transfer: Transfer, _ error: TransferError) {
    transfer.next = nil
    switch transfer.place {
    case .active: detach(transfer)
    case .waiting(let host, let hold):
      slots.withdraw(transfer.task.identity.number, from: host)
      transfer.task.noteHoldEnded(hold)
    case .nowhere: break
    }
    if case .redirect = transfer.question { transfer.task.noteHoldEnded(.redirect) }
    switch transfer.question {
    case .challenge, .peer: transfer.task.noteHoldEnded(.challenge)
    case .redirect, .response, .bodyStream, .caching, nil: break
    }
    transfer.endTimedHold()
    end(transfer, error)
  }

  private func end(_ transfer: Transfer, _ error: TransferError?) {
    transfers[transfer.task.identity.number] = nil
    transfer.place = .nowhere
    let outcome = transfer.outcome(error)
    if case .shared = transfer.task.consumer { return distribute(outcome, of: transfer.task) }
    let task = transfer.task
    synchroniser.finish(outcome) { task.finish($0) }
  }
}
