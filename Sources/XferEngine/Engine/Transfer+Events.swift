internal import CCurl
internal import HTTPTypes
internal import XferEvents

// Logging of attempts. The vocabulary marks every logged value as public or private.
extension Transfer {
  func beginAttempt() {
    attempt += 1
    isAttempting = true
    // The bytes that the partial file already has become the base of the new attempt, which counts only the bytes that it
    // receives itself.
    base = offset
    (received, delivered, reported.bytes) = (0, 0, -1)
    changedSource = nil
    let url = plan.url
    beginSpan()
    sink.emit(
      AttemptStarted(
        task: task.identity, attempt: attempt, scheme: url.scheme, host: url.host, port: url.port, offset: offset,
        sourceSize: source?.file?.size, sourceModified: source?.file?.modified, traceParent: span?.trace.text,
        parentSpan: span?.parent.map { ValueDigest($0) }))
  }

  func logConnectionAcquired(_ id: CorrelationID, idle: Duration?, _ easy: EasyHandle) {
    let timing = Timing(easy, isNew: transaction.isReused == false)
    let elapsed = Duration.nanoseconds(context.clock.monotonic - transaction.started)
    let queueTime = max(.zero, elapsed - easy.microseconds(CURLINFO_PRETRANSFER_TIME_T) - timing.untilConnected)
    transaction.queueTime = queueTime
    sink.emit(
      AttemptConnectionAcquired(
        task: task.identity, attempt: attempt, transaction: transaction.number, connection: id,
        reused: transaction.isReused, protocol: knownProtocol, host: plan.url.host, remoteAddress: transaction.remoteAddress,
        remotePort: transaction.remotePort, queueTime: queueTime, nameLookupTime: timing.nameLookup,
        connectTime: timing.connect, secureTime: timing.secure, idle: idle))
  }

  /// The connection's protocol, as far as it is known before the response. `nil` while TLS may still negotiate HTTP/2.
  private var knownProtocol: String? {
    switch context.configuration.httpVersions {
    case .http10: "http/1.0"
    case .http1: "http/1.1"
    case .http2PriorKnowledge: "h2"
    case .automatic: plan.url.scheme == "http" ? "http/1.1" : nil
    }
  }

  func logRequestSent(bytes: Int64) {
    sink.emit(
      AttemptRequestSent(
        task: task.identity, attempt: attempt, transaction: transaction.number, method: wire.method.rawValue,
        requestBytes: bytes,
        headers: wire.sentFieldNames(decodes: transaction.decodes, cookies: cookies.isSent(to: wire.url)),
        authorized: wire.carriesCredentials, offset: offset, ifRange: wire.fields.contains(.ifRange),
        uploadOffset: wire.fields[.uploadOffset].flatMap(Int64.init),
        acceptedTypes: wire.fields[.accept].flatMap(LoggedText.acceptedTypes)))
    sink.capture("request \(wire.written, privacy: .sensitive)", of: task.identity)
  }

  func logResponseReceived(_ head: ResponseHead) {
    logLastBytesSent()
    let range = head.contentRange
    sink.emit(
      AttemptResponseReceived(
        task: task.identity, attempt: attempt, transaction: transaction.number, status: head.status,
        expected: head.expectedBytes(for: plan.method), contentType: head.mediaType,
        contentEncoding: head.contentEncoding.map { LoggedText.codings($0) }, chunked: head.isChunked,
        etag: head.fields[.eTag].map { LoggedText.bounded($0) },
        lastModified: head.fields[.lastModified].map { LoggedText.bounded($0) }, rangeStart: range?.range?.lowerBound,
        rangeTotal: range?.total, acceptsRanges: head.fields[.acceptRanges].map { $0.lowercased() == "bytes" },
        retryAfter: retryAfter, protocol: LoggedText.bounded(head.protocolName),
        firstByteTime: easy.flatMap(Timing.firstByte),
        headers: LoggedText.names(of: head.fields), host: plan.url.host,
        uploadOffset: head.fields[.uploadOffset].flatMap(Int64.init),
        uploadExpires: head.fields[.uploadExpires].flatMap(HTTPDate.seconds).map {
          WallTime(nanoseconds: Int64($0).multipliedClamped(by: 1_000_000_000))
        }))
    sink.capture("response \(head.written, privacy: .sensitive)", of: task.identity)
  }

  func logBytesReceived() {
    (reported.bytes, reported.time) = (received, loop.now)
    sink.emit(
      AttemptBytesReceived(
        task: task.identity, attempt: attempt, received: received, expected: response?.expectedContentLength))
  }

  func logBytesSent() {
    (reported.sentBytes, reported.sentTime) = (sent, loop.now)
    sink.emit(AttemptBytesSent(task: task.identity, attempt: attempt, sent: sent, expected: bodyLength))
  }

  /// Logs sent bytes that were not logged yet, so that they precede the event that follows.
  private func logLastBytesSent() { if sent > max(reported.sentBytes, 0) { logBytesSent() } }

  func logRedirectReceived(_ status: Int, _ target: URLFacts?) {
    sink.emit(
      AttemptRedirectReceived(
        task: task.identity, attempt: attempt, transaction: transaction.number, status: status, scheme: target?.scheme,
        host: target?.host, port: target?.port, path: target?.loggedPath))
  }

  func logRedirectAnswered(_ decision: RedirectDecision, credentialsKept: Bool?, by actor: Actor) {
    sink.emit(
      AttemptRedirectAnswered(
        task: task.identity, attempt: attempt, transaction: transaction.number, decision: decision,
        credentialsKept: credentialsKept, by: actor))
  }

  /// Logs the end of the current attempt, preceded by its last byte counts.
  ///
  /// - Parameter retryIn: the delay before the next attempt; `nil` when none follows.
  func logAttemptEnded(_ end: AttemptEnd, _ error: TransferError?, retryIn: Duration? = nil) {
    guard isAttempting else { return }
    isAttempting = false
    if !transaction.head.isComplete { logLastBytesSent() }
    if received > max(reported.bytes, 0) { logBytesReceived() }
    let last = metrics.last.flatMap { $0.attempt == attempt ? $0 : nil }
    if error?.osError == DiskSpace.noSpace { sink.emit(fullDisk ?? DiskSpace.sample(at: partPath)) }
    sink.emit(
      AttemptEnded(
        task: task.identity, attempt: attempt, end: end, domain: error?.domain, error: error?.number,
        errorName: error?.code.rawValue, message: error?.problem, osError: error?.osError, received: received, sent: sent,
        decoded: delivered == received ? nil : delivered, bodyTime: last?.bodyTime, retryIn: retryIn,
        queueTime: last?.queueTime, nameLookupTime: last?.nameLookupTime, connectTime: last?.connectTime,
        secureTime: last?.secureTime, firstByteTime: last?.firstByteTime, phase: error == nil ? nil : phase(last),
        sourceSize: changedSource?.size, sourceModified: changedSource?.modified))
  }

  /// Returns the phase in which the attempt ended.
  ///
  /// - Parameter metrics: the metrics of the attempt's last transaction; `nil` when no request was given to libcurl.
  private func phase(_ metrics: TransactionMetrics?) -> AttemptPhase {
    if transaction.head.isComplete { return .receiving }
    if transaction.isRequestSent { return sent < bodyLength ?? 0 ? .sending : .waiting }
    if transaction.connection != nil { return .sending }
    guard let metrics else { return .queued }
    if metrics.nameLookupTime == nil { return .resolving }
    return transaction.hasSocket && plan.url.scheme == "https" ? .securing : .connecting
  }

  // MARK: Metrics

  /// Appends the metrics of the current transaction. Must be called before its handle is removed from libcurl.
  func collectMetrics() {
    guard let easy else { return }
    // libcurl sets its connect time only after the TLS handshake, but the local port once the TCP connection is open.
    transaction.hasSocket = easy.number(CURLINFO_LOCAL_PORT) > 0
    let timing = Timing(easy, isNew: transaction.isReused != true)
    let (head, remote) = (transaction.head, transaction.remoteAddress)
    metrics.append(
      TransactionMetrics(
        attempt: attempt, transaction: transaction.number, method: plan.method.rawValue, urlText: plan.url.text,
        statusCode: head.isComplete ? head.status : nil, networkProtocolName: head.isComplete ? head.protocolName : nil,
        isReusedConnection: transaction.isReused, remoteAddress: remote, remotePort: transaction.remotePort,
        localAddress: transaction.localAddress, localPort: transaction.localPort,
        queueTime: transaction.queueTime, nameLookupTime: timing.nameLookup, connectTime: timing.connect,
        secureTime: timing.secure, firstByteTime: Timing.firstByte(easy), bodyTime: Timing.body(easy),
        countOfRequestBytesSent: Int64(easy.number(CURLINFO_REQUEST_SIZE)),
        countOfRequestBodyBytesSent: easy.count(CURLINFO_SIZE_UPLOAD_T),
        countOfResponseHeaderBytesReceived: Int64(easy.number(CURLINFO_HEADER_SIZE)),
        countOfResponseBodyBytesReceived: easy.count(CURLINFO_SIZE_DOWNLOAD_T)))
  }
}

extension HTTPField.Name {
  /// Fields of the tus protocol for resumable uploads.
  fileprivate static let uploadOffset = Self("Upload-Offset")!
  fileprivate static let uploadExpires = Self("Upload-Expires")!
}

/// The durations between libcurl's timestamps of one transaction.
private struct Timing {
  var nameLookup: Duration?
  var connect: Duration?
  var secure: Duration?
  /// The time from libcurl's start of the transaction until the connection was established.
  var untilConnected: Duration

  /// - Parameter isNew: whether the connection is new; a reused connection has no lookup, connect and TLS times.
  init(_ easy: EasyHandle, isNew: Bool) {
    let marks = [CURLINFO_NAMELOOKUP_TIME_T, CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T].map(easy.microseconds)
    untilConnected = marks.max()!
    guard isNew else { return }
    nameLookup = marks[0] > .zero ? marks[0] : nil
    connect = marks[1] > .zero ? max(.zero, marks[1] - marks[0]) : nil
    secure = marks[2] > .zero ? max(.zero, marks[2] - marks[1]) : nil
  }

  static func firstByte(_ easy: EasyHandle) -> Duration? {
    let first = easy.microseconds(CURLINFO_STARTTRANSFER_TIME_T)
    return first > .zero ? max(.zero, first - easy.microseconds(CURLINFO_PRETRANSFER_TIME_T)) : nil
  }

  static func body(_ easy: EasyHandle) -> Duration? {
    let first = easy.microseconds(CURLINFO_STARTTRANSFER_TIME_T)
    return first > .zero ? max(.zero, easy.microseconds(CURLINFO_TOTAL_TIME_T) - first) : nil
  }
}
