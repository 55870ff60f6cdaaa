internal import CXferPlatform
internal import HTTPTypes
internal import XferEvents

// Retrying after a failed attempt.
extension EngineLoop {
  /// Returns the delay before the next attempt. `nil` when the failure is final.
  func retryDelay(_ transfer: Transfer, after failure: TransferSession.RetryPolicy.Failure) -> Duration? {
    guard transfer.canBeginAgain,
      let delay = context.configuration.retryPolicy.delay(
        after: transfer.attempt, failure, of: transfer.request, chance: context.makeChance())
    else { return nil }
    let next = now.addingClamped(delay.nanoseconds)
    if let limit = context.configuration.retryPolicy.maximumTime, next > transfer.started.addingClamped(limit.nanoseconds) {
      return nil
    }
    // A retry after the resource deadline could only time out, so the failure is final.
    return transfer.resourceDeadline.map { next < $0 } ?? true ? delay : nil
  }

  /// Ends the attempt and schedules the next one.
  ///
  /// - Parameter end: the logged kind of the attempt's end.
  func retry(_ transfer: Transfer, in delay: Duration, _ end: AttemptEnd, _ error: TransferError? = nil) {
    transfer.logAttemptEnded(end, error, retryIn: delay)
    transfer.beginAgain()
    if delay > .zero {
      transfer.hold(.backoff, until: now.addingClamped(delay.nanoseconds))
      watch(transfer)
    } else {
      startNextRequest(transfer)
    }
  }

  /// Continues a transfer whose timed hold has passed.
  func wake(_ transfer: Transfer) {
    if transfer.timedHold == .backoff {
      transfer.endTimedHold()
      requestSlot(transfer)
    } else {
      recheckNetwork(transfer)
    }
  }

  /// Starts the transfer's next request ahead of queued transfers. A suspended task does so on resume.
  func startNextRequest(_ transfer: Transfer) {
    if !transfer.pauses.contains(.suspended) { requestSlot(transfer, first: true) }
  }
}

extension Transfer {
  var request: TransferSession.RetryPolicy.Request {
    .init(
      method: plan.method, hasIdempotencyKey: plan.fields.hasIdempotencyKey,
      wasSent: transaction.isRequestSent || transaction.head.isComplete, allowsRepetition: task.options.allowsRepetition)
  }

  /// Whether the request may be sent again once it has reached the server.
  var isRepeatable: Bool {
    var request = request
    request.wasSent = true
    return context.configuration.retryPolicy.mayRepeat(request)
  }

  /// The delay that the response's `Retry-After` field asks for. `nil` without the field.
  var retryAfter: Duration? { transaction.head.retryAfter { Int(xp_clock_wall() / 1_000_000_000) } }

  /// Whether the connection was lost because the task was suspended, and the request may be repeated.
  ///
  /// The request is then repeated without consulting the retry policy, at the earliest when the task is resumed.
  func isLostInSuspension(_ error: TransferError) -> Bool {
    guard refusal == nil, wasSuspended, canBeginAgain, plan.body != .stream,
      context.configuration.retryPolicy.mayRepeat(request)
    else { return false }
    switch error.code {
    case .networkConnectionLost: return true
    // libcurl's connect timeout also runs while the task is suspended, so the suspension may have caused this error.
    case .timedOut, .cannotConnectToHost: return pauses.contains(.suspended)
    default: return false
    }
  }

  /// Whether a new attempt may start from the task's first request. `false` if the app receives the body while it arrives,
  /// because the app would receive the same bytes twice.
  var canBeginAgain: Bool {
    switch store {
    case .nothing, .memory, .file: true
    case .delegate, .iteration: false
    }
  }

  /// Resets the transfer to the task's first request. A partial file is kept, so that only the remainder is requested.
  func beginAgain() {
    plan = task.plan
    task.noteRequest(task.originalRequest)
    (redirects, next, refusal, ending, retryDelay, restart) = (0, nil, nil, nil, nil, nil)
    if case .memory = store { store = .nothing }
    caching.isConsulted = false
  }

  // MARK: Timed holds

  /// Starts and logs a hold that ends at a given time at the latest.
  ///
  /// - Parameter time: the end of the hold (`TransferClock.monotonic`).
  func hold(_ hold: HoldReason, until time: Int64) {
    (timedHold, wakeTime) = (hold, time)
    logTimedHold()
  }

  /// Logs the current timed hold. Called again when a task is resumed during the hold.
  func logTimedHold() {
    guard let timedHold, let wakeTime else { return }
    task.noteHeld(TaskHeld(task: task.identity, hold: timedHold, delay: .nanoseconds(max(0, wakeTime - loop.now))))
  }

  func endTimedHold() {
    if let timedHold { task.noteHoldEnded(timedHold) }
    (timedHold, wakeTime) = (nil, nil)
  }
}
