internal import XferEvents

/// The recorded state of a task, which determines the next events to emit.
///
/// Foundation reports less than an engine knows. Events that must have happened before a reported one are emitted directly
/// before it.
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
  /// Whether the next response is the redirect response that the app refused to follow, which was already recorded.
  private var isRepeated = false
  private var isTransferred = false
  /// Whether the task was suspended during this attempt, so that a second response means a restarted transfer.
  private var wasSuspended = false
  private var hold: HoldReason?

  private(set) var status: Int?
  private var expected: Int64?
  private var received = Progress()
  private var sent = Progress()
  /// The timings of the last transaction. `nil` until the metrics are known.
  private var hop: HopFacts?

  private struct Progress: Sendable {
    var bytes: Int64 = 0
    /// The byte count in the last emitted event. -1 before the first event.
    var reported: Int64 = -1
    var time = Duration.zero

    /// Returns whether to emit an event now: for the first bytes, and then at most once per second.
    mutating func isDue(_ now: Duration) -> Bool {
      guard reported < 0 || now - time >= .seconds(1) else { return false }
      (reported, time) = (bytes, now)
      return true
    }
  }

  init(_ task: TaskIdentity) { self.task = task }
}

// MARK: Task state

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
        error: error?.number, errorName: error?.name, message: error?.message, osError: error?.osError, cancelReason: reason,
        unsatisfied: error?.unsatisfied)
    ]
  }
}

// MARK: Attempts

extension TaskRecord {
  /// Returns the events that must precede any network activity: the task was resumed and an attempt was started.
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

  /// Returns the events that must precede a response, including that the request was sent.
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
      events += reportReceived() + [ended(.suspended, nil, retryIn: .zero)]
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

  /// Records the response if it was not reported when it arrived.
  mutating func respondedLate(_ response: ResponseFacts, _ request: RequestFacts) -> Events {
    hasResponse ? [] : responded(response, request)
  }

  /// Records received bytes.
  ///
  /// - Parameters:
  ///   - count: The number of new bytes.
  ///   - total: The number of all bytes so far. `nil` when unknown.
  mutating func bytesReceived(
    _ count: Int64, total: Int64? = nil, expected: Int64? = nil, at now: Duration, _ request: @autoclosure () -> RequestFacts
  ) -> Events {
    var events: Events = isRequestSent ? [] : answered(request())
    guard isAttempting else { return events }
    received.bytes = total ?? received.bytes + count
    self.expected = expected ?? self.expected
    if received.isDue(now) { events.append(receivedEvent) }
    return events
  }

  mutating func bytesSent(total: Int64, expected: Int64?, at now: Duration, _ request: @autoclosure () -> RequestFacts) -> Events
  {
    // Progress that is reported after the response is not emitted, because its time would be wrong.
    guard !isRequestSent else {
      sent.bytes = max(sent.bytes, total)
      return []
    }
    var events = isAttempting ? [] : begun(request())
    guard isAttempting else { return events }
    sent.bytes = total
    if sent.isDue(now) || total == expected && sent.reported != total {
      sent.reported = total
      events.append(AttemptBytesSent(task: task, attempt: attempt, sent: total, expected: expected))
    }
    return events
  }

  private var receivedEvent: AttemptBytesReceived {
    AttemptBytesReceived(task: task, attempt: attempt, received: received.bytes, expected: expected)
  }

  /// Returns an event for received bytes that have not been reported yet.
  private mutating func reportReceived() -> Events {
    guard received.bytes > max(received.reported, 0) else { return [] }
    received.reported = received.bytes
    return [receivedEvent]
  }

  mutating func ended(_ error: ErrorFacts?, _ request: @autoclosure () -> RequestFacts) -> Events {
    guard phase != .completed else { return [] }
    // A task that was cancelled before it started has no attempt, so no start of an attempt is added.
    let events = attempt == 0 && !(error?.isCancellation ?? false) ? begun(request()) : []
    guard isAttempting else { return events }
    return events + reportReceived() + [ended(error?.end ?? .finished, error)]
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

// MARK: Redirects, challenges and metrics

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

  /// Records the app's answer to a redirect.
  ///
  /// - Parameter keepsCredentials: Whether the new request carries the credentials. `nil` when the old one had none.
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

  /// Records the app's answer to a challenge.
  ///
  /// - Parameter repeats: Whether URLSession repeats the request with a credential.
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

  /// Records the metrics of a task.
  ///
  /// - Parameter hops: The task's transactions, in order.
  mutating func measured(_ hops: [HopFacts]) -> Events {
    hop = hops.last ?? hop
    guard isAttempting else { return [] }
    return hops.enumerated().filter { $1.isOnNetwork }.map { $1.connectionAcquired(task, attempt, transaction: $0 + 1) }
  }
}
