import XferEvents

/// One transfer of curl, with its attempts and redirects.
struct CurlTransfer {
  let task: TaskIdentity
  var url = URLParts()
  var isSecure = false
  var `protocol`: String?
  private(set) var failure: ForeignFailure?
  /// Whether curl's own error message has told of the failure.
  private(set) var isToldOfFailure = false
  /// Whether the transfer has ended, unless the next lines go on with it.
  private(set) var isOver = false
  /// Whether a request was sent to which no response has come.
  private(set) var isWaiting = false

  private var exchange: ForeignExchange
  private let line: UInt64
  private var start: Moment
  private var connected: Moment?
  /// Whether the transfer has begun to connect.
  private var isConnecting = false
  private var ending: (moment: Moment, line: UInt64)?
  private var isCreated = false
  private var isAttemptOpen = false
  private var attempt = 0
  private var transaction = 0
  private var status: Int?
  private var sent: Int64 = 0
  private var received: Int64 = 0
  private var hasCounted = false
  /// Whether a part of the response's body has arrived.
  private var hasBody = false
  /// The moment and the line at which the progress meter showed the whole body; `nil` if it did not.
  private var wholeBody: (moment: Moment, line: UInt64)?
  /// The address to which the response redirects.
  private var location: String?
  /// The position from which the request asks for the resource, and the resource's size according to the response.
  private var (rangeStart, resourceSize): (Int64?, Int64?) = (nil, nil)
  private var lastProgress: Int64?
  private var response: (moment: Moment, line: UInt64)?
  /// The last response whose header is complete.
  private var answered: (moment: Moment, line: UInt64)?

  init(task: TaskIdentity, start: Moment, line: UInt64) {
    (self.task, self.start, self.line) = (task, start, line)
    exchange = ForeignExchange(task: task)
  }

  // MARK: Connections

  mutating func beginConnecting() { isConnecting = true }

  mutating func connect(host: String?, address: String?, port: Int?, connection: String?, at moment: Moment) {
    if let host { url.host = URLParts.host(host) }
    url.port = port ?? url.port
    (exchange.remoteAddress, exchange.remotePort, exchange.connection, exchange.reused) = (address, port, connection, false)
    connected = moment
  }

  mutating func reuse(_ connection: String?, at moment: Moment) {
    exchange.reused = true
    exchange.connection = connection ?? exchange.connection
    connected = moment
  }

  // MARK: Requests and responses

  mutating func note(requestHeader text: UnsafeRawBufferPointer, at moment: Moment, _ number: UInt64, _ output: ForeignOutput) {
    if let end = text.first(" HTTP/"), let space = text.first(0x20, from: 0), space < end,
      text.slice(0, space).allSatisfy({ $0 < 0x5B })
    {
      exchange.method = text.slice(0, space).text
      let target = text.slice(space + 1, end).text
      var scanner = ByteScanner(text)
      scanner.move(to: end + 6)
      self.protocol = scanner.peek == 0x32 ? "h2" : scanner.peek == 0x33 ? "h3" : "http/1.1"
      // A proxy gets the whole URL.
      if let absolute = URLParts(target), absolute.host != nil {
        url = absolute
      } else {
        (url.path, url.query) = Self.parts(target)
      }
      isWaiting = true
      sending = (moment, number)
    } else if sending != nil, !text.isBlank {
      let pair = Self.header(text)
      if pair.name == "host" { url.setAuthority(pair.value) }
      // Range: bytes=1234567-
      if pair.name == "range", pair.value.hasPrefix("bytes="), pair.value.hasSuffix("-") {
        rangeStart = Int64(pair.value.dropFirst(6).dropLast())
      }
    }
  }

  private var sending: (moment: Moment, line: UInt64)?

  private static func parts(_ target: String) -> (String, String?) {
    guard let mark = target.firstIndex(of: "?") else { return (target, nil) }
    return (String(target[..<mark]), String(target[target.index(after: mark)...]))
  }

  private static func header(_ text: UnsafeRawBufferPointer) -> (name: String, value: String) {
    guard let colon = text.first(0x3A, from: 1) else { return ("", "") }
    return (text.slice(0, colon).text.lowercased(), text.slice(colon + 1, text.count).trimmed.text)
  }

  mutating func note(responseHeader text: UnsafeRawBufferPointer, at moment: Moment, _ number: UInt64, _ output: ForeignOutput) {
    sendRequest(output)
    if text.hasPrefix("HTTP/") {
      var scanner = ByteScanner(text)
      _ = scanner.takeWord()
      scanner.takeSpaces()
      guard let code = scanner.takeNumber(digits: 3...3) else { return }
      status = code
      (exchange.contentType, exchange.expected, exchange.contentEncoding, exchange.etag) = (nil, nil, nil, nil)
      (exchange.lastModified, exchange.retryAfter, location) = (nil, nil, nil)
      response = (moment, number)
    } else if !text.isBlank {
      let pair = Self.header(text)
      exchange.note(responseHeader: pair.name, pair.value)
      // Content-Range: bytes */1234567
      if pair.name == "location" { location = pair.value }
      if pair.name == "content-range", pair.value.hasPrefix("bytes */") { resourceSize = Int64(pair.value.dropFirst(8)) }
    }
    if text.isBlank { answer(output) }
  }

  /// Records the response once its header is complete.
  mutating func answer(_ output: ForeignOutput) {
    guard let response, let status else { return }
    self.response = nil
    answered = response
    if status < 200 { return }
    isWaiting = false
    // An excerpt may begin with the response.
    create(output)
    transaction = max(1, transaction)
    let hasBody = exchange.method != "HEAD" && status != 204 && status != 304
    output.emit(
      AttemptResponseReceived(
        task: task, attempt: attempt, transaction: transaction, status: status, expected: hasBody ? exchange.expected : nil,
        contentType: exchange.contentType, contentEncoding: exchange.contentEncoding, etag: exchange.etag,
        lastModified: exchange.lastModified, retryAfter: exchange.retryAfter, protocol: self.protocol, host: url.host),
      at: response.moment, position: response.line)
  }

  mutating func note(bytes count: Int64, isSent: Bool, at moment: Moment, _ number: UInt64, _ output: ForeignOutput) {
    sendRequest(output)
    answer(output)
    if isSent {
      sent = sent.addingClamped(count)
      return
    }
    guard status != nil, !isWaiting else { return }
    received = received.addingClamped(count)
    hasCounted = true
    // Progress is worth an event once in a second.
    let time = moment.wall?.nanoseconds ?? moment.monotonic
    guard let time, time.subtractingClamped(lastProgress ?? .min) >= 1_000_000_000 else { return }
    lastProgress = time
    output.emit(
      AttemptBytesReceived(task: task, attempt: attempt, received: received, expected: exchange.expected), at: moment,
      position: number)
  }

  /// Notes that a part of the response's body has arrived, of unknown size.
  mutating func noteBody(_ output: ForeignOutput) {
    sendRequest(output)
    answer(output)
    if status != nil, !isWaiting { hasBody = true }
  }

  /// Notes that the progress meter shows the whole body.
  mutating func noteWholeBody(at moment: Moment, _ number: UInt64) { wholeBody = (moment, number) }

  /// Whether the text may end here: the whole body has arrived, or the response has an error status.
  var isDecided: Bool { wholeBody != nil || (status ?? 0) >= 400 }

  /// Ends a transfer that is decided at the end of the text.
  mutating func endAtLastLine() {
    guard ending == nil, let last = wholeBody ?? response.map({ ($0.moment, $0.line) }) ?? answered else { return }
    isOver = true
    ending = last
  }

  /// Continues with the response to a redirect, if the last response is one.
  mutating func followsRedirect(at moment: Moment, _ number: UInt64, _ output: ForeignOutput) -> Bool {
    guard isOver, failure == nil, let status, (300..<400).contains(status), let location else { return false }
    answer(output)
    again(location, at: moment, number, output)
    return true
  }

  /// Takes the size of the body from an error message, such as "transfer closed with 512 bytes remaining to read".
  private mutating func noteSize(in message: String?) {
    guard let message else { return }
    let words = message.split(separator: " ")
    func number(before text: String) -> Int64? {
      let following = text.split(separator: " ")
      return words.indices.dropFirst().first { words[$0...].starts(with: following) }.flatMap { Int64(words[$0 - 1]) }
    }
    if let missing = number(before: "bytes remaining to read") ?? number(before: "bytes missing"),
      let expected = exchange.expected,
      (0...expected).contains(missing)
    {
      (received, hasCounted) = (expected - missing, true)
    } else if let arrived = number(before: "out of") ?? number(before: "bytes received"), arrived >= 0 {
      (received, hasCounted) = (arrived, true)
    }
  }

  // MARK: Events

  /// Records the beginning of the task, which waits until the URL is known.
  mutating func create(_ output: ForeignOutput) {
    if !isCreated {
      isCreated = true
      if url.host == nil {
        output.emit(TaskObserved(task: task, type: .data), at: start, position: line)
      } else {
        url.scheme = url.scheme ?? (isSecure || url.port == 443 || self.protocol == "h3" ? "https" : "http")
        output.emit(
          TaskCreated(
            task: task, type: .data, method: exchange.method, scheme: url.scheme, host: url.host, port: url.port, path: url.path,
            urlQuery: url.query), at: start, position: line)
        output.emit(TaskResumed(task: task), at: start, position: line)
      }
    }
    guard !isAttemptOpen else { return }
    isAttemptOpen = true
    attempt += 1
    transaction = 0
    output.emit(
      AttemptStarted(task: task, attempt: attempt, scheme: url.scheme, host: url.host, port: url.port), at: attemptStart ?? start,
      position: attemptLine ?? line)
  }

  private var attemptStart: Moment?
  private var attemptLine: UInt64?

  private mutating func sendRequest(_ output: ForeignOutput) {
    guard let sending else { return }
    self.sending = nil
    create(output)
    transaction += 1
    output.emit(
      AttemptConnectionAcquired(
        task: task, attempt: attempt, transaction: transaction, connection: exchange.connection.map { connection($0) },
        reused: exchange.reused, protocol: self.protocol, host: url.host, remoteAddress: exchange.remoteAddress,
        remotePort: exchange.remotePort), at: connected ?? sending.moment, position: sending.line)
    output.emit(
      AttemptRequestSent(task: task, attempt: attempt, transaction: transaction, method: exchange.method), at: sending.moment,
      position: sending.line)
  }

  private func connection(_ name: String) -> CorrelationID {
    var hash = NameHash()
    hash.add("curl connection \(name)")
    return CorrelationID(hash.value)
  }

  // MARK: Ends

  /// - Parameter isIntact: whether curl leaves the connection open for another request, which it can only after the whole body.
  mutating func end(at moment: Moment, _ line: UInt64, isIntact: Bool = false) {
    // The end of a connection after a failure tells nothing new.
    guard ending == nil, status != nil || failure != nil else { return }
    if isIntact, failure == nil, hasBody, !hasCounted, let expected = exchange.expected {
      (received, hasCounted) = (expected, true)
    }
    isOver = true
    ending = (moment, line)
  }

  mutating func fail(_ failure: ForeignFailure, at moment: Moment, _ line: UInt64, isTold: Bool = false) {
    // The first message tells the cause, but curl's own error has the number.
    if isTold || self.failure == nil { self.failure = failure }
    noteSize(in: failure.message)
    isToldOfFailure = isToldOfFailure || isTold
    isOver = true
    if isTold || ending == nil { ending = (moment, line) }
  }

  /// The transfer goes on with another request: it follows a redirect, or repeats the request with credentials.
  mutating func again(_ text: String, at moment: Moment, _ number: UInt64, _ output: ForeignOutput) {
    isOver = false
    ending = nil
    let target = url.resolving(text)
    if let status, (300..<400).contains(status), failure == nil {
      output.emit(
        AttemptRedirectReceived(
          task: task, attempt: attempt, transaction: transaction, status: status, scheme: target?.scheme, host: target?.host,
          port: target?.port, path: target?.path), at: moment, position: number)
      output.emit(
        AttemptRedirectAnswered(task: task, attempt: attempt, transaction: transaction, decision: .followed), at: moment,
        position: number)
    }
    if let target { url = target }
    (status, failure, received, hasCounted, hasBody, rangeStart) = (nil, nil, 0, false, false, nil)
    (wholeBody, answered) = (nil, nil)
  }

  /// The connection had been closed by the server, and the request is sent once more over another.
  mutating func fresh(at moment: Moment, _ number: UInt64, _ output: ForeignOutput) {
    sendRequest(output)
    create(output)
    let failure = failure ?? ForeignFailure(curl: 56)
    endAttempt(failure, retryIn: .zero, at: moment, number, output)
    (isOver, ending, self.failure) = (false, nil, nil)
  }

  mutating func retry(after delay: Duration, at moment: Moment, _ number: UInt64, _ output: ForeignOutput) {
    sendRequest(output)
    answer(output)
    create(output)
    endAttempt(failure, retryIn: delay, at: ending?.moment ?? moment, ending?.line ?? number, output)
    (isOver, ending, failure, isToldOfFailure) = (false, nil, nil, false)
  }

  /// The phase that the lines show; `nil` if they show none.
  private var phase: AttemptPhase? {
    if hasBody { return .receiving }
    guard transaction == 0, sending == nil else { return nil }
    return connected == nil && isConnecting ? .connecting : nil
  }

  private mutating func endAttempt(
    _ failure: ForeignFailure?, retryIn: Duration? = nil, at moment: Moment, _ number: UInt64, _ output: ForeignOutput
  ) {
    guard isAttemptOpen else { return }
    isAttemptOpen = false
    output.emit(
      AttemptEnded(
        task: task, attempt: attempt, end: failure == nil ? .finished : failure?.end, domain: failure?.domain,
        error: failure?.code,
        errorName: failure?.name, message: failure?.message, received: hasCounted ? received : nil, sent: sent > 0 ? sent : nil,
        retryIn: retryIn, phase: failure.flatMap { $0.phase ?? phase }), at: moment, position: number)
    (status, isWaiting, received, hasCounted, lastProgress) =
      retryIn == nil ? (status, false, received, hasCounted, nil) : (nil, false, 0, false, nil)
    (isConnecting, connected, hasBody, wholeBody, answered) = (false, nil, false, nil, nil)
    (attemptStart, attemptLine) = (moment, number)
  }

  /// Records the end of the task.
  mutating func complete(_ output: ForeignOutput) {
    guard let ending else { return }
    sendRequest(output)
    answer(output)
    create(output)
    let (status, received) = (status, hasCounted ? received : nil)
    endAttempt(failure, at: ending.moment, ending.line, output)
    if status == 416, failure == nil, rangeStart != nil, rangeStart == resourceSize {
      // curl was to continue a file that is complete, and ends without an error.
      output.emit(
        AppOutcomeRecorded(task: task, outcome: .success, acceptedStatus: 416), at: ending.moment, position: ending.line)
    }
    output.emit(
      TaskCompleted(
        task: task, received: received, sent: sent > 0 ? sent : nil, status: status, domain: failure?.domain,
        error: failure?.code,
        errorName: failure.map { $0.isCancellation ? "cancelled" : $0.name ?? "failed" }, message: failure?.message),
      at: ending.moment, position: ending.line)
  }
}
