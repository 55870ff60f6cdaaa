internal import CXferPlatform
internal import HTTPTypes
internal import XferEvents

// What comes after an attempt that brought no result.
extension EngineLoop {
  /// How long to wait before another attempt; `nil` when there is none.
  func retryDelay(_ transfer: Transfer, after failure: TransferSession.RetryPolicy.Failure) -> Duration? {
    guard transfer.canBeginAgain,
      let delay = context.configuration.retryPolicy.delay(
        after: transfer.attempt, failure, of: transfer.request, chance: context.makeChance())
    else { return nil }
    let next = now.addingClamped(delay.nanoseconds)
    if let limit = context.configuration.retryPolicy.maximumTime, next > transfer.started.addingClamped(limit.nanoseconds) {
      return nil
    }
    // Who would only be told again that time is up is told now.
    return transfer.resourceDeadline.map { next < $0 } ?? true ? delay : nil
  }

  /// Waits, and tries again.
  ///
  /// - Parameter end: how the attempt ended, for the log.
  func retry(_ transfer: Transfer, in delay: Duration, _ end: AttemptEnd, _ error: TransferError? = nil) {
    transfer.sayAttemptEnded(end, error, retryIn: delay)
    transfer.beginAgain()
    if delay > .zero {
      transfer.hold(.backoff, until: now.addingClamped(delay.nanoseconds))
      watch(transfer)
    } else {
      goOn(transfer)
    }
  }

  /// Its time to wait is over.
  func wake(_ transfer: Transfer) {
    if transfer.timedHold == .backoff {
      transfer.endTimedHold()
      requestSlot(transfer)
    } else {
      lookForNetwork(transfer)
    }
  }

  /// Makes the next request, before those that wait; a suspended task does when it is resumed.
  func goOn(_ transfer: Transfer) {
    if !transfer.pauses.contains(.suspended) { requestSlot(transfer, first: true) }
  }
}

extension Transfer {
  var request: TransferSession.RetryPolicy.Request {
    .init(
      method: plan.method, hasIdempotencyKey: plan.fields.contains(.init("Idempotency-Key")!),
      wasSent: transaction.isRequestSent || transaction.head.isComplete)
  }

  /// How long the server asks to be left alone.
  var retryAfter: Duration? { transaction.head.retryAfter { Int(xp_clock_wall() / 1_000_000_000) } }

  /// Whether the connection did not outlast the task's suspension, and the request may be made again: that is no failure of an attempt.
  func isLostInSuspension(_ error: TransferError) -> Bool {
    guard refusal == nil, wasSuspended, canBeginAgain, plan.body != .stream,
      [.get, .head, .put, .delete, .options, .trace].contains(plan.method) || !request.wasSent
    else { return false }
    switch error.code {
    case .networkConnectionLost: return true
    // While a connection is made it is not silence that counts, but libcurl's own limit.
    case .timedOut, .cannotConnectToHost: return pauses.contains(.suspended)
    default: return false
    }
  }

  /// Whether nothing was given to the app that could not be taken back.
  var canBeginAgain: Bool {
    switch store {
    case .nothing, .memory, .file: true
    case .delegate, .iteration: false
    }
  }

  /// Takes the transfer back to its first request; bytes of a file stay, for the rest to be asked for.
  func beginAgain() {
    plan = task.plan
    task.noteRequest(task.originalRequest)
    (redirects, next, refusal, ending, retryDelay, restart) = (0, nil, nil, nil, nil, nil)
    if case .memory = store { store = .nothing }
    caching.isAsked = false
  }

  // MARK: Waiting for a time

  /// Says that it waits, and until when at the latest.
  ///
  /// - Parameter time: of `TransferClock.monotonic`.
  func hold(_ hold: HoldReason, until time: Int64) {
    (timedHold, wakeTime) = (hold, time)
    sayTimedHold()
  }

  /// Again, for a task that was suspended in between.
  func sayTimedHold() {
    guard let timedHold, let wakeTime else { return }
    task.noteHeld(TaskHeld(task: task.identity, hold: timedHold, delay: .nanoseconds(max(0, wakeTime - loop.now))))
  }

  func endTimedHold() {
    if let timedHold { task.noteHoldEnded(timedHold) }
    (timedHold, wakeTime) = (nil, nil)
  }
}
