package import XferEvents

/// One request and its response, as a format describes it that writes one record for each finished request.
///
/// `emit` turns the record into events at the times that follow from its timings. Times are in nanoseconds; `nil` means that the log
/// does not tell.
package struct ForeignExchange {
  package var task: TaskIdentity
  package var type: TaskType?
  package var method: String?
  package var url: URLParts?
  package var start = Moment()
  package var duration: Int64?
  package var queue: Int64?
  package var nameLookup: Int64?
  /// The time to connect, including `secure`.
  package var connect: Int64?
  package var secure: Int64?
  package var send: Int64?
  package var wait: Int64?
  package var receive: Int64?

  package var connection: String?
  package var reused: Bool?
  package var `protocol`: String?
  package var remoteAddress: String?
  package var remotePort: Int?

  package var requestBytes: Int64?
  package var sent: Int64?
  package var received: Int64?
  package var decoded: Int64?
  package var expected: Int64?
  package var status: Int?
  package var contentType: String?
  package var contentEncoding: String?
  package var etag: String?
  package var lastModified: String?
  package var retryAfter: Duration?
  package var cacheAnswer: CacheAnswer?
  /// The target of a redirect that was received.
  package var location: URLParts?
  package var failure: ForeignFailure?

  package var attempt = 1
  package var transaction = 1
  /// Whether the record begins its task, and whether it ends it.
  package var isFirst = true
  package var isLast = true
  /// Whether the same request is sent again after this attempt.
  package var isRetried = false
  /// Whether the record shows a request that has not ended.
  package var isPending = false

  package init(task: TaskIdentity) { self.task = task }

  /// The kinds of events that `emit` can record.
  package static let kinds: Set<EventKind> = [
    .taskCreated, .taskResumed, .taskCompleted, .attemptStarted, .attemptConnectionAcquired, .attemptRequestSent,
    .attemptResponseReceived, .attemptEnded, .attemptRedirectReceived, .attemptRedirectAnswered, .cacheAnswered,
  ]

  package func emit(into output: ForeignOutput, position: UInt64, writer: Int = 0) {
    func emit(_ event: some TransferEvent, _ offset: Int64) {
      output.emit(event, at: start.advanced(by: offset), position: position, writer: writer)
    }
    let queued = max(0, queue ?? 0)
    let connected = [nameLookup, connect].reduce(queued) { $0.addingClamped(max(0, $1 ?? 0)) }
    let sentAt = connected.addingClamped(max(0, send ?? 0))
    // Without the parts of the duration, the response is known to have come by the end only.
    let answeredAt = wait == nil && receive == nil ? max(sentAt, duration ?? 0) : sentAt.addingClamped(max(0, wait ?? 0))
    let end = max(answeredAt.addingClamped(max(0, receive ?? 0)), duration ?? 0)

    if isFirst {
      emit(
        TaskCreated(
          task: task, type: type, method: method, scheme: url?.scheme, host: url?.host, port: url?.port, path: url?.path,
          urlQuery: url?.query), 0)
      emit(TaskResumed(task: task), 0)
    }
    if cacheAnswer != nil, failure == nil {
      emit(CacheAnswered(task: task, cacheAnswer: cacheAnswer, status: status, size: decoded ?? received), end)
      return emit(TaskCompleted(task: task, received: received, status: status), end)
    }
    if isFirst || transaction == 1 {
      emit(AttemptStarted(task: task, attempt: attempt, scheme: url?.scheme, host: url?.host, port: url?.port), queued)
    }
    if connection != nil || reused != nil || remoteAddress != nil || status != nil, !isPending {
      emit(
        AttemptConnectionAcquired(
          task: task, attempt: attempt, transaction: transaction, connection: connection.map(Self.identity), reused: reused,
          protocol: self.protocol, host: url?.host, remoteAddress: remoteAddress, remotePort: remotePort,
          nameLookupTime: time(nameLookup), connectTime: time(connectWithoutTLS), secureTime: time(secure)),
        connected)
      emit(
        AttemptRequestSent(
          task: task, attempt: attempt, transaction: transaction, method: method, requestBytes: requestBytes), sentAt)
    }
    if let status {
      emit(
        AttemptResponseReceived(
          task: task, attempt: attempt, transaction: transaction, status: status, expected: expected, contentType: contentType,
          contentEncoding: contentEncoding, etag: etag, lastModified: lastModified, retryAfter: retryAfter,
          protocol: self.protocol, firstByteTime: time(wait), host: url?.host), answeredAt)
      if let location {
        emit(
          AttemptRedirectReceived(
            task: task, attempt: attempt, transaction: transaction, status: status, scheme: location.scheme, host: location.host,
            port: location.port, path: location.path), answeredAt)
        if !isLast {
          emit(AttemptRedirectAnswered(task: task, attempt: attempt, transaction: transaction, decision: .followed), end)
        }
      }
    }
    if isLast, !isPending { finish(into: output, end, position: position, writer: writer) }
  }

  /// Records the end of the attempt and of the task.
  private func finish(into output: ForeignOutput, _ end: Int64, position: UInt64, writer: Int) {
    let moment = start.advanced(by: end)
    output.emit(
      AttemptEnded(
        task: task, attempt: attempt, end: failure == nil ? .finished : failure?.end, domain: failure?.domain,
        error: failure?.code,
        errorName: failure?.name, message: failure?.message, osError: failure?.osError, received: received, sent: sent,
        decoded: decoded, bodyTime: time(receive), retryIn: isRetried ? .zero : nil,
        nameLookupTime: time(nameLookup),
        connectTime: time(connectWithoutTLS), secureTime: time(secure), phase: failure?.phase),
      at: moment, position: position, writer: writer)
    if isRetried { return }
    output.emit(
      TaskCompleted(
        task: task, received: received, sent: sent, status: status, domain: failure?.domain, error: failure?.code,
        errorName: failure.map { $0.isCancellation ? "cancelled" : $0.name ?? "failed" }, message: failure?.message,
        osError: failure?.osError),
      at: moment, position: position, writer: writer)
  }

  private var connectWithoutTLS: Int64? { connect.map { $0 < 0 ? $0 : max(0, $0.subtractingClamped(max(0, secure ?? 0))) } }

  private func time(_ nanoseconds: Int64?) -> Duration? { nanoseconds.flatMap { $0 >= 0 ? .nanoseconds($0) : nil } }

  /// Returns the moment at which the record ends.
  package var end: Moment {
    start.advanced(by: max(knownTime, duration ?? 0))
  }

  /// The sum of the known parts of the duration.
  private var knownTime: Int64 {
    [queue, nameLookup, connect, send, wait, receive].reduce(Int64(0)) { $0.addingClamped(max(0, $1 ?? 0)) }
  }

  private static func identity(_ text: String) -> CorrelationID {
    if let number = UInt64(text), String(number) == text { return CorrelationID(number) }
    var hash = NameHash()
    hash.add(text)
    return CorrelationID(hash.value)
  }
}

extension ForeignExchange {
  /// Adds the time for TLS to that of the connection, unless it is a part of it already, as HTTP Archive demands.
  ///
  /// Firefox and mitmproxy write both times separately. The duration of the whole tells them apart.
  package mutating func includeSecureInConnect() {
    guard let secure, secure > 0, let connect else { return }
    let parts = knownTime
    let isSeparate = duration.map { abs($0 - parts.addingClamped(secure)) < abs($0 - parts) } ?? false
    if isSeparate || secure > connect { self.connect = connect.addingClamped(secure) }
  }

  /// Takes from the headers of the response what the events have fields for. Names are in any case.
  package mutating func note(responseHeader name: String, _ value: String) {
    switch name.lowercased() {
    case "content-type": contentType = LoggedText.mediaType(value)
    case "content-encoding": contentEncoding = LoggedText.codings(value)
    case "content-length": expected = Int64(value).flatMap { $0 >= 0 ? $0 : nil }
    case "etag": etag = value
    case "last-modified": lastModified = value
    case "retry-after": retryAfter = Int64(value).flatMap { (0...31_536_000).contains($0) ? .seconds($0) : nil }
    default: break
    }
  }

  /// Drops the expected length where the received one cannot be compared with it.
  ///
  /// Recorders count bodies in several ways, and answer some requests from a cache. A difference alone is therefore no fault; only an
  /// error of the recorder shows that bytes are missing.
  package mutating func withdrawUnreliableLength() {
    let hasBody = method?.uppercased() != "HEAD" && status != 204 && status != 304 && (status ?? 0) >= 200
    guard let expected else { return }
    if !hasBody || failure == nil && received != expected { self.expected = nil }
  }
}
