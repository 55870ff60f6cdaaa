internal import XferEvents

/// What has been said of a task, and so what is to be said next.
///
/// Foundation tells less than an engine knows of itself. What must have happened before what it tells is said right before.
struct TaskRecord: Sendable {
  typealias Events = [any TransferEvent]

  enum Phase: Sendable { case created, running, suspended, cancelled, completed }

  let task: TaskIdentity
  private(set) var phase = Phase.created
  private(set) var attempt = 0
  private var transaction = 0
  private var isAttempting = false
  private var isRequestSent = false
  private(set) var hasResponse = false
  /// Whether the response comes again that a refused redirect already was.
  private var isRepeated = false
  private var isTransferred = false
  /// Whether a response that comes again is that of a new beginning.
  private var wasSuspended = false
  private var hold: HoldReason?

  private(set) var status: Int?
  private var expected: Int64?
  private var received = Progress()
  private var sent = Progress()
  /// Of the last transaction.
  private var hop: HopFacts?

  private struct Progress: Sendable {
    var bytes: Int64 = 0
    var said: Int64 = -1
    var time = Duration.zero

    /// The first byte, then at most one event a second.
    mutating func isDue(_ now: Duration) -> Bool {
      guard said < 0 || now - time >= .seconds(1) else { return false }
      (said, time) = (bytes, now)
      return true
    }
  }

  init(_ task: TaskIdentity) { self.task = task }
}

// MARK: Steps of the task

extension TaskRecord {
  mutating func resumed(by actor: Actor) -> Events {
    guard phase == .created || phase == .suspended else { return [] }
    phase = .running
    return [TaskResumed(task: task, by: actor)]
  }

  mutating func suspended() -> Events {
    guard phase == .running else { return [] }
    phase = .suspended
    wasSuspended = true
    hold = nil
    return [TaskSuspended(task: task, by: .app)]
  }

  mutating func cancelRequested(by actor: Actor, reason: CancelReason) -> Events {
    guard phase != .cancelled, phase != .completed, !isTransferred else { return [] }
    phase = .cancelled
    hold = nil
    return [TaskCancelRequested(task: task, by: actor, cancelReason: reason)]
  }

  mutating func held(_ reason: HoldReason, host: String?) -> Events {
    guard phase == .running, hold == nil else { return [] }
    hold = reason
    return [TaskHeld(task: task, hold: reason, host: host)]
  }

  mutating func holdEnded() -> Events {
    guard let hold else { return [] }
    self.hold = nil
    return [TaskHoldEnded(task: task, hold: hold)]
  }

  mutating func transferred() -> Events {
    guard !isTransferred, phase != .completed else { return [] }
    isTransferred = true
    return [TaskTransferred(task: task, received: received.bytes, sent: sent.bytes, status: status)]
  }

  mutating func completed(_ delivery: DeliveryID, _ error: ErrorFacts?) -> Events {
    let reason = error?.cancelReason ?? (phase == .cancelled && error?.isCancellation ?? false ? CancelReason.none : nil)
    phase = .completed
    return [
      TaskCompleted(
        task: task, delivery: delivery, received: received.bytes, sent: sent.bytes, status: status, domain: error?.domain,
        error: error?.number, errorName: error?.name, message: error?.message, osError: error?.osError, cancelReason: reason)
    ]
  }
}

// MARK: Steps of an attempt

extension TaskRecord {
  /// Whatever comes from the other end shows that the task was resumed, and that an attempt is under way.
  mutating func begun(_ request: RequestFacts) -> Events {
    guard phase != .completed, !isAttempting, !isTransferred else { return [] }
    return (phase == .created ? resumed(by: .unknown) : []) + begin(request)
  }

  private mutating func begin(_ request: RequestFacts) -> Events {
    attempt += 1
    transaction = 1
    (isAttempting, isRequestSent, hasResponse, isRepeated, wasSuspended) = (true, false, false, false, false)
    (status, expected, received, sent) = (nil, nil, Progress(), Progress())
    let url = request.url
    return [AttemptStarted(task: task, attempt: attempt, scheme: url?.scheme, host: url?.host, port: url?.port, offset: 0)]
  }

  /// What comes back shows that the request was sent.
  private mutating func answered(_ request: RequestFacts) -> Events {
    let events = begun(request)
    guard isAttempting, !isRequestSent else { return events }
    isRequestSent = true
    return events + [
      AttemptRequestSent(
        task: task, attempt: attempt, transaction: transaction, method: request.method, headers: request.headers,
        authorized: request.carriesCredentials, ifRange: request.hasIfRange, uploadOffset: request.uploadOffset,
        acceptedTypes: request.acceptedTypes)
    ]
  }

  mutating func responded(_ response: ResponseFacts, _ request: RequestFacts) -> Events {
    if isRepeated {
      isRepeated = false
      return []
    }
    var events: Events = []
    if isAttempting, hasResponse, wasSuspended {
      events += sayReceived() + [ended(.suspended, nil, retryIn: .zero)]
    }
    events += answered(request)
    guard isAttempting else { return events }
    hasResponse = true
    (status, expected) = (response.status, response.expected)
    events.append(
      AttemptResponseReceived(
        task: task, attempt: attempt, transaction: transaction, status: response.status,
        expected: request.method == "HEAD" ? nil : response.expected, contentType: response.contentType,
        contentEncoding: response.contentEncoding, chunked: response.isChunked, etag: response.etag,
        lastModified: response.lastModified, rangeStart: response.rangeStart, rangeTotal: response.rangeTotal,
        acceptsRanges: response.acceptsRanges, retryAfter: response.retryAfter, headers: response.headers,
        host: response.host, uploadOffset: response.uploadOffset))
    return events
  }

  /// Where the response was not told of when it came.
  mutating func respondedLate(_ response: ResponseFacts, _ request: RequestFacts) -> Events {
    hasResponse ? [] : responded(response, request)
  }

  /// - Parameters:
  ///   - count: bytes that were added.
  ///   - total: all bytes so far, where that is known.
  mutating func bytesReceived(
    _ count: Int64, total: Int64? = nil, expected: Int64? = nil, at now: Duration, _ request: @autoclosure () -> RequestFacts
  ) -> Events {
    var events: Events = isRequestSent ? [] : answered(request())
    guard isAttempting else { return events }
    received.bytes = total ?? received.bytes + count
    self.expected = expected ?? self.expected
    if received.isDue(now) { events.append(saidReceived) }
    return events
  }

  mutating func bytesSent(total: Int64, expected: Int64?, at now: Duration, _ request: @autoclosure () -> RequestFacts) -> Events
  {
    // What is told late, when the answer is there, is not said as if it came in between.
    guard !isRequestSent else {
      sent.bytes = max(sent.bytes, total)
      return []
    }
    var events = isAttempting ? [] : begun(request())
    guard isAttempting else { return events }
    sent.bytes = total
    if sent.isDue(now) || total == expected && sent.said != total {
      sent.said = total
      events.append(AttemptBytesSent(task: task, attempt: attempt, sent: total, expected: expected))
    }
    return events
  }

  private var saidReceived: AttemptBytesReceived {
    AttemptBytesReceived(task: task, attempt: attempt, received: received.bytes, expected: expected)
  }

  /// What has come since it was said last.
  private mutating func sayReceived() -> Events {
    guard received.bytes > max(received.said, 0) else { return [] }
    received.said = received.bytes
    return [saidReceived]
  }

  mutating func ended(_ error: ErrorFacts?, _ request: @autoclosure () -> RequestFacts) -> Events {
    guard phase != .completed else { return [] }
    // A task that was cancelled before it began has had no attempt.
    let events = attempt == 0 && !(error?.isCancellation ?? false) ? begun(request()) : []
    guard isAttempting else { return events }
    return events + sayReceived() + [ended(error?.end ?? .finished, error)]
  }

  private mutating func ended(_ end: AttemptEnd, _ error: ErrorFacts?, retryIn: Duration? = nil) -> AttemptEnded {
    isAttempting = false
    return AttemptEnded(
      task: task, attempt: attempt, end: end, domain: error?.domain, error: error?.number, errorName: error?.name,
      message: error?.message, osError: error?.osError, received: received.bytes, sent: sent.bytes, bodyTime: hop?.bodyTime,
      retryIn: retryIn, queueTime: hop?.queueTime, nameLookupTime: hop?.nameLookupTime, connectTime: hop?.connectTime,
      secureTime: hop?.secureTime, firstByteTime: hop?.firstByteTime)
  }
}

// MARK: Questions to the app

extension TaskRecord {
  mutating func redirected(_ response: ResponseFacts, to target: URLFacts?, _ request: RequestFacts) -> Events {
    var events = responded(response, request)
    guard isAttempting else { return events }
    events.append(
      AttemptRedirectReceived(
        task: task, attempt: attempt, transaction: transaction, status: response.status, scheme: target?.scheme,
        host: target?.host, port: target?.port, path: target?.path))
    return events + held(.redirect, host: target?.host)
  }

  /// - Parameter keepsCredentials: `nil` when there were none.
  mutating func redirectAnswered(follows: Bool, keepsCredentials: Bool?, by actor: Actor) -> Events {
    var events = holdEnded()
    guard isAttempting else { return events }
    events.append(
      AttemptRedirectAnswered(
        task: task, attempt: attempt, transaction: transaction, decision: follows ? .followed : .refusedByApp,
        credentialsKept: follows ? keepsCredentials : nil, by: actor))
    if follows { nextTransaction() } else { isRepeated = true }
    return events
  }

  mutating func challenged(
    _ challenge: CorrelationID, _ method: ChallengeMethod, host: String?, failures: Int, _ request: RequestFacts
  ) -> Events {
    var events = begun(request)
    guard isAttempting else { return events }
    events.append(
      AttemptChallengeReceived(
        task: task, attempt: attempt, challenge: challenge, challengeMethod: method, host: host, previousFailures: failures))
    return events + held(.challenge, host: host)
  }

  /// - Parameter repeats: whether the request is made once more with the answer.
  mutating func challengeAnswered(
    _ challenge: CorrelationID, _ disposition: ChallengeDisposition, repeats: Bool
  ) -> Events {
    var events = holdEnded()
    guard isAttempting else { return events }
    events.append(
      AttemptChallengeAnswered(
        task: task, attempt: attempt, challenge: challenge, disposition: disposition, by: .app))
    if repeats { nextTransaction() }
    return events
  }

  private mutating func nextTransaction() {
    transaction += 1
    (isRequestSent, hasResponse) = (false, false)
    (status, expected, received) = (nil, nil, Progress())
  }

  mutating func networkAwaited(_ request: RequestFacts) -> Events {
    let events = begun(request)
    return isAttempting ? events + [AttemptNetworkAwaited(task: task, attempt: attempt, hold: .network)] : events
  }

  /// - Parameter hops: all of the task, in order.
  mutating func measured(_ hops: [HopFacts]) -> Events {
    hop = hops.last ?? hop
    guard isAttempting else { return [] }
    return hops.enumerated().filter { $1.isOnNetwork }.map { $1.connectionAcquired(task, attempt, transaction: $0 + 1) }
  }
}
