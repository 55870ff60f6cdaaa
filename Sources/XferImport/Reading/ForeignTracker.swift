package import XferEvents

/// The tasks of a log whose records each tell one fact about a task. It adds what the facts imply, such as the start of an attempt, and
/// forgets tasks that have ended.
package final class ForeignTracker {
  private struct Track {
    var identity: TaskIdentity
    var url: URLParts?
    var isResumed = false
    var attempt = 0
    var isAttemptOpen = false
    var transaction = 0
    var status: Int?
    var method: String?
    var expected: Int64?
  }

  private let output: ForeignOutput
  private let seed: String
  private var tracks: [String: Track] = [:]
  private var count: UInt32 = 0
  /// How many tasks with the same key have ended. Programs count requests from 1 in each of their lives, for example.
  private var ended: [String: Int] = [:]

  private static let mostEnded = 1 << 16

  // The place of the record that is being translated.
  package var moment = Moment()
  package var position: UInt64 = 0
  package var writer = 0
  package var thread: UInt32?

  /// The kinds of events that the tracker records.
  package static let kinds: Set<EventKind> = ForeignExchange.kinds.union([
    .taskObserved, .taskCancelRequested, .taskHeld, .taskHoldEnded, .attemptBytesReceived, .attemptBytesSent,
    .attemptNetworkAwaited,
  ]).subtracting([.cacheAnswered])

  /// - Parameter seed: a text that tells the tasks of this input from those of others.
  package init(_ output: ForeignOutput, seed: String) { (self.output, self.seed) = (output, seed) }

  private func emit(_ event: some TransferEvent) {
    output.emit(event, at: moment, position: position, writer: writer, thread: thread)
  }

  package func isKnown(_ key: String) -> Bool { tracks[key] != nil }
  package func hasOpenAttempt(_ key: String) -> Bool { tracks[key]?.isAttemptOpen ?? false }
  /// The status of the open attempt's last response.
  package func status(_ key: String) -> Int? { tracks[key]?.isAttemptOpen == true ? tracks[key]?.status : nil }
  package var openKeys: [String] { tracks.keys.sorted() }
  package func identity(_ key: String) -> TaskIdentity? { tracks[key]?.identity }

  /// Forgets a task whose end is no longer expected.
  package func forget(_ key: String) { tracks[key] = nil }

  // MARK: Facts

  /// Notes that a task was created.
  ///
  /// - Parameters:
  ///   - key: the name that the log gives the task.
  ///   - uid: the identity, if the log has one that other logs share.
  ///   - number: the number; `nil` to count the tasks.
  package func create(
    _ key: String, uid: TaskUID? = nil, session: String, number: UInt32? = nil, type: TaskType? = nil, method: String? = nil,
    url: URLParts? = nil, isResumed: Bool = true
  ) {
    guard tracks[key] == nil else { return }
    let identity = identity(key, uid, session, number, after: ended[key] ?? 0)
    tracks[key] = Track(identity: identity, url: url, method: method)
    emit(
      TaskCreated(
        task: identity, type: type, method: method, scheme: url?.scheme, host: url?.host, port: url?.port, path: url?.path,
        urlQuery: url?.query))
    if isResumed { resume(key) }
  }

  /// Notes that the log names a task whose beginning it does not contain.
  package func observe(_ key: String, uid: TaskUID? = nil, session: String, number: UInt32? = nil, type: TaskType? = nil) {
    guard tracks[key] == nil else { return }
    // A record may tell something about a task after its end. It belongs to the last task with this key.
    let identity = identity(key, uid, session, number, after: max(0, (ended[key] ?? 0) - 1))
    tracks[key] = Track(identity: identity)
    emit(TaskObserved(task: identity, type: type))
  }

  /// - Parameter earlier: the number of earlier tasks with the same key.
  private func identity(
    _ key: String, _ uid: TaskUID?, _ session: String, _ number: UInt32?, after earlier: Int
  ) -> TaskIdentity {
    count += 1
    let own = earlier > 0 ? TaskUID(foreign: seed, key, "\(earlier)") : TaskUID(foreign: seed, key)
    return TaskIdentity(uid: uid ?? own, session: session, number: number ?? count)
  }

  package func resume(_ key: String) {
    guard tracks[key]?.isResumed == false, let identity = tracks[key]?.identity else { return }
    tracks[key]?.isResumed = true
    emit(TaskResumed(task: identity))
  }

  package func hold(_ key: String, _ reason: HoldReason) {
    if let identity = tracks[key]?.identity { emit(TaskHeld(task: identity, hold: reason)) }
  }

  package func endHold(_ key: String, _ reason: HoldReason) {
    if let identity = tracks[key]?.identity { emit(TaskHoldEnded(task: identity, hold: reason)) }
  }

  package func requestCancel(_ key: String, by actor: Actor?) {
    if let identity = tracks[key]?.identity { emit(TaskCancelRequested(task: identity, by: actor)) }
  }

  /// Notes the start of an attempt, unless one is open.
  package func startAttempt(_ key: String, url: URLParts? = nil) {
    guard var track = tracks[key], !track.isAttemptOpen else { return }
    resume(key)
    track.isResumed = true
    track.isAttemptOpen = true
    track.attempt += 1
    track.transaction = 0
    track.status = nil
    track.url = url ?? track.url
    tracks[key] = track
    emit(
      AttemptStarted(
        task: track.identity, attempt: track.attempt, scheme: track.url?.scheme, host: track.url?.host, port: track.url?.port))
  }

  package func connect(
    _ key: String, connection: CorrelationID? = nil, reused: Bool? = nil, protocol name: String? = nil, address: String? = nil,
    port: Int? = nil
  ) {
    startAttempt(key)
    guard var track = tracks[key] else { return }
    track.transaction += 1
    tracks[key] = track
    emit(
      AttemptConnectionAcquired(
        task: track.identity, attempt: track.attempt, transaction: track.transaction, connection: connection, reused: reused,
        protocol: name, host: track.url?.host, remoteAddress: address, remotePort: port))
  }

  package func send(_ key: String, method: String? = nil, bytes: Int64? = nil) {
    startAttempt(key)
    guard let track = tracks[key] else { return }
    tracks[key]?.method = method ?? track.method
    emit(
      AttemptRequestSent(
        task: track.identity, attempt: track.attempt, transaction: track.transaction > 0 ? track.transaction : nil,
        method: method ?? track.method, requestBytes: bytes))
  }

  package func respond(
    _ key: String, status: Int, expected: Int64? = nil, contentType: String? = nil, protocol name: String? = nil,
    retryAfter: Duration? = nil
  ) {
    startAttempt(key)
    guard let track = tracks[key] else { return }
    tracks[key]?.status = status
    tracks[key]?.expected = expected
    let hasBody = track.method != "HEAD" && status != 204 && status != 304
    emit(
      AttemptResponseReceived(
        task: track.identity, attempt: track.attempt, transaction: track.transaction > 0 ? track.transaction : nil,
        status: status,
        expected: hasBody ? expected : nil, contentType: contentType.flatMap(LoggedText.mediaType), retryAfter: retryAfter,
        protocol: name,
        host: track.url?.host))
  }

  package func redirect(_ key: String, to url: URLParts?) {
    guard var track = tracks[key], let status = track.status else { return }
    emit(
      AttemptRedirectReceived(
        task: track.identity, attempt: track.attempt, transaction: track.transaction > 0 ? track.transaction : nil,
        status: status,
        scheme: url?.scheme, host: url?.host, port: url?.port, path: url?.path))
    emit(
      AttemptRedirectAnswered(
        task: track.identity, attempt: track.attempt, transaction: track.transaction > 0 ? track.transaction : nil,
        decision: .followed))
    track.url = url ?? track.url
    tracks[key] = track
  }

  package func progress(_ key: String, received: Int64? = nil, sent: Int64? = nil, expected: Int64? = nil) {
    startAttempt(key)
    guard let track = tracks[key] else { return }
    if let received {
      emit(
        AttemptBytesReceived(
          task: track.identity, attempt: track.attempt, received: received, expected: expected ?? track.expected))
    }
    if let sent { emit(AttemptBytesSent(task: track.identity, attempt: track.attempt, sent: sent, expected: expected)) }
  }

  /// Notes the end of an attempt. If the task has no attempt, the end is that of an attempt whose start is not logged.
  package func endAttempt(
    _ key: String, _ failure: ForeignFailure?, retryIn: Duration? = nil, received: Int64? = nil, sent: Int64? = nil
  ) {
    guard var track = tracks[key] else { return }
    if !track.isAttemptOpen {
      if failure == nil || track.attempt > 0 { return }
      track.attempt += 1
    }
    track.isAttemptOpen = false
    tracks[key] = track
    emit(
      AttemptEnded(
        task: track.identity, attempt: track.attempt, end: failure == nil ? .finished : failure?.end, domain: failure?.domain,
        error: failure?.code,
        errorName: failure?.name, message: failure?.message, osError: failure?.osError, received: received, sent: sent,
        retryIn: retryIn, phase: failure?.phase))
  }

  /// Whether a task with this key has ended, and no later one has begun.
  package func hasEnded(_ key: String) -> Bool { tracks[key] == nil && ended[key] != nil }

  /// Notes the end of a task, and forgets it.
  package func complete(
    _ key: String, _ failure: ForeignFailure? = nil, status: Int? = nil, received: Int64? = nil, sent: Int64? = nil
  ) {
    endAttempt(key, failure, received: received, sent: sent)
    guard let track = tracks.removeValue(forKey: key) else { return }
    if ended.count >= Self.mostEnded { ended.removeAll() }
    ended[key, default: 0] += 1
    emit(
      TaskCompleted(
        task: track.identity, received: received, sent: sent, status: status ?? track.status, domain: failure?.domain,
        error: failure?.code, errorName: failure.map { $0.isCancellation ? "cancelled" : $0.name ?? "failed" },
        message: failure?.message, osError: failure?.osError))
  }

  /// Notes a message of another kind.
  package func note(
    _ text: String, level: Level = .default, subsystem: String? = nil, category: String? = nil, task key: String? = nil
  ) {
    let message = LogMessage(text: String(text.prefix(1000)), privacy: .public)
    let task = key.flatMap { tracks[$0]?.identity }
    switch level {
    case .debug: emit(MessageDebug(subsystem: subsystem, category: category, eventMessage: message, task: task))
    case .info: emit(MessageInfo(subsystem: subsystem, category: category, eventMessage: message, task: task))
    case .default: emit(MessageDefault(subsystem: subsystem, category: category, eventMessage: message, task: task))
    case .error: emit(MessageError(subsystem: subsystem, category: category, eventMessage: message, task: task))
    case .fault: emit(MessageFault(subsystem: subsystem, category: category, eventMessage: message, task: task))
    }
  }

  package static let messages: Set<EventKind> = [.messageDebug, .messageInfo, .messageDefault, .messageError, .messageFault]
}
