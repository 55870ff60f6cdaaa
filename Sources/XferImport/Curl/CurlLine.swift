import XferEvents

/// A line of curl's output.
struct CurlLine {
  enum Kind {
    /// A line of `* text` or of `== Info: text`.
    case info(UnsafeRawBufferPointer)
    /// A line of a request's header, as `-v` prints it.
    case sent(UnsafeRawBufferPointer)
    /// A line of a response's header, as `-v` prints it.
    case received(UnsafeRawBufferPointer)
    /// A line such as `{ [1256 bytes data]`, as `-v` prints it. The number is only that of the first bytes in this direction, and for TLS
    /// also that of handshakes and alerts.
    case data(isSent: Bool)
    /// The beginning of a block of a trace.
    case trace(isSent: Bool, isHeader: Bool, isTLS: Bool, count: Int64)
    /// Bytes of a block of a trace.
    case row(UnsafeRawBufferPointer)
    /// A message such as `curl: (28) Operation timed out`.
    case failure(code: Int, text: UnsafeRawBufferPointer)
    case warning(UnsafeRawBufferPointer)
    /// A status line such as `HTTP/2 403`, as `-I` and `-i` print it.
    case status(UnsafeRawBufferPointer)
    /// The last state of the progress meter of a download that has arrived completely.
    case wholeMeter
    case other
  }

  var kind = Kind.other
  /// The nanoseconds since midnight; `nil` if the line has no time.
  var ofDay: Int64?
  /// The whole time, if another tool has put it before the line.
  var prefix: UnsafeRawBufferPointer?
  /// The number of the transfer, as `--trace-ids` adds it.
  var transfer: Int64?

  init(_ line: UnsafeRawBufferPointer) {
    var text = line
    // The progress meter stands in the same line, before the text.
    if let meter = text.lastIndex(of: 0x0D) {
      text = text.slice(meter + 1, text.count)
      text = Self.withoutMeter(text)
    } else if let meter = Self.endOfMeter(text) {
      // A copy from a terminal has no carriage return.
      text = text.slice(meter, text.count)
    }
    var scanner = ByteScanner(text)
    if let time = scanner.takeTimeOfDay(), scanner.takeSpaces() > 0 {
      ofDay = time
    } else {
      scanner.move(to: 0)
      takePrefix(&scanner)
      if scanner.place == 0 { takeSyslog(&scanner) }
      if scanner.place == 0 { Self.takeStep(&scanner) }
    }
    let begin = scanner.place
    if scanner.take("["), let number = scanner.takeInteger(), scanner.take("-"),
      scanner.takeInteger() != nil || scanner.take("x"),
      scanner.take("] ")
    {
      transfer = number
    } else {
      scanner.move(to: begin)
    }
    if transfer == nil, scanner.place > 0, text[scanner.place - 1] != 0x20 {
      return
    }
    kind = Self.kind(scanner.rest)
  }

  /// Takes a time of RFC 3339 that a system for builds has added.
  private mutating func takePrefix(_ scanner: inout ByteScanner) {
    guard scanner.peek?.isDigit ?? false, let word = scanner.takeWord(), word.count >= 20, word.count <= 36, word[4] == 0x2D,
      word.first(0x54, from: 0) == 10, scanner.takeSpaces() > 0
    else { return scanner.move(to: 0) }
    prefix = word
  }

  /// Takes `Nov 03 10:40:07 host fetch.sh[35090]: ` before an error message, as journalctl prints it.
  private mutating func takeSyslog(_ scanner: inout ByteScanner) {
    let text = scanner.bytes
    guard text.count > 16, text[3] == 0x20, (0x41...0x5A).contains(text[0]), let place = text.first(": curl: (", from: 0) else {
      return
    }
    scanner.move(to: 4)
    scanner.takeSpaces()
    guard scanner.takeNumber(digits: 1...2) != nil, scanner.take(" "), let time = scanner.takeTimeOfDay() else {
      return scanner.move(to: 0)
    }
    ofDay = time
    scanner.move(to: place + 2)
  }

  /// Takes `#12 18.70 `, the step of a build and the seconds since its start, which docker prints before each line of a step.
  private static func takeStep(_ scanner: inout ByteScanner) {
    guard scanner.take("#"), scanner.takeNumber(digits: 1...4) != nil, scanner.take(" "),
      scanner.takeNumber(digits: 1...6) != nil,
      scanner.take("."), scanner.takeNumber(digits: 1...3) != nil, scanner.take(" ")
    else { return scanner.move(to: 0) }
  }

  /// Whether a line is the progress meter of a download that has arrived completely: `100 52.1M  100 52.1M    0     0  12.2M …`.
  private static func isWholeMeter(_ text: UnsafeRawBufferPointer) -> Bool {
    var scanner = ByteScanner(text)
    func column() -> UnsafeRawBufferPointer? {
      scanner.takeSpaces()
      return scanner.takeWord()
    }
    guard text.count > 70, let share = column(), share.equals("100"), let total = column(), total[0].isDigit, !total.equals("0"),
      let part = column(), part.equals("100"), let received = column()
    else { return false }
    return received.elementsEqual(total)
  }

  /// Returns the text behind the fixed columns of the progress meter.
  private static func withoutMeter(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard text.count > 78, text.first("--:--", from: 0) != nil || text.first(":", from: 0) != nil else { return text }
    guard let mark = text.firstIndex(where: { $0 == 0x2A || $0 == 0x3E || $0 == 0x3C }), mark >= 70 else { return text }
    return text.slice(mark, text.count)
  }

  /// Returns the index of curl's text in a line that begins with the columns of the progress meter; `nil` for any other line.
  private static func endOfMeter(_ text: UnsafeRawBufferPointer) -> Int? {
    guard text.count > 78, text[0] == 0x20 || text[0].isDigit else { return nil }
    let end = text.firstIndex { byte in
      !(byte == 0x20 || byte == 0x2D || byte == 0x2E || (0x30...0x3A).contains(byte) || "kMGTP".utf8.contains(byte))
    }
    guard let end, end >= 70 else { return nil }
    return text.hasLiteral("* ", at: end) || text.hasLiteral("curl: (", at: end) ? end : nil
  }

  private static func kind(_ text: UnsafeRawBufferPointer) -> Kind {
    var scanner = ByteScanner(text)
    if scanner.take("== Info: ") || scanner.take("* ") { return .info(scanner.rest) }
    if scanner.take("=> Send ") { return trace(&scanner, isSent: true) }
    if scanner.take("<= Recv ") { return trace(&scanner, isSent: false) }
    if scanner.take("> ") || text.equals(">") { return .sent(scanner.rest) }
    if scanner.take("< ") || text.equals("<") { return .received(scanner.rest) }
    if scanner.take("{ [") || scanner.take("} [") {
      let isSent = text[0] == 0x7D
      if scanner.takeInteger() != nil, scanner.take(" bytes data]") { return .data(isSent: isSent) }
      return .other
    }
    if scanner.take("curl: ("), let code = scanner.takeNumber(digits: 1...3), scanner.take(")") {
      return .failure(code: code, text: scanner.rest.trimmed)
    }
    if let failure = libraryFailure(text) { return failure }
    if scanner.take("Warning: ") { return .warning(scanner.rest) }
    if isStatus(text) { return .status(text) }
    if isWholeMeter(text) { return .wholeMeter }
    let start = scanner.place
    if text.count >= 5, let digits = scanner.takeHexadecimal(), digits < 1 << 32, scanner.place - start >= 4, scanner.take(":") {
      if scanner.take(" ") { return .row(scanner.rest) }
      return .row(scanner.rest)
    }
    // A body on standard output need not end its line, so that a message follows it in the same line.
    let marks: [(StaticString, Int)] = [("== Info: ", 9), ("* Connection #", 2), ("* Closing connection", 2)]
    for (mark, size) in marks {
      if let place = text.first(mark, from: 0) { return .info(text.slice(place + size, text.count)) }
    }
    return .other
  }

  /// Whether a line is the first one of a response.
  private static func isStatus(_ text: UnsafeRawBufferPointer) -> Bool {
    var scanner = ByteScanner(text)
    guard scanner.take("HTTP/"), scanner.takeNumber(digits: 1...1) != nil else { return false }
    if scanner.take("."), scanner.takeNumber(digits: 1...1) == nil { return false }
    return scanner.takeSpaces() > 0 && scanner.takeNumber(digits: 3...3) != nil && (scanner.isAtEnd || scanner.peek == 0x20)
  }

  /// The beginnings of messages of programs that use libcurl, up to the number of the error, and what follows the number.
  private static let libraryFailures: [(start: StaticString, end: StaticString)] = [
    // Guzzle, git, DNF and YUM.
    ("cURL error ", ":"), ("error: RPC failed; curl ", " "), ("Curl error (", "):"), ("[Errno 14] curl#", " - "),
  ]

  /// Returns the failure that a program with libcurl prints in its own words; `nil` for any other text.
  private static func libraryFailure(_ text: UnsafeRawBufferPointer) -> Kind? {
    for (start, end) in libraryFailures {
      guard let place = text.first(start, from: 0), place < 200 else { continue }
      var scanner = ByteScanner(text)
      scanner.move(to: place + start.utf8CodeUnitCount)
      guard let code = scanner.takeNumber(digits: 1...3), scanner.take(end) else { continue }
      return .failure(code: code, text: scanner.rest.trimmed)
    }
    return nil
  }

  private static func trace(_ scanner: inout ByteScanner, isSent: Bool) -> Kind {
    let (isHeader, isTLS) = (scanner.take("header, "), scanner.take("SSL data, "))
    guard isHeader || isTLS || scanner.take("data, "), let count = scanner.takeInteger(), scanner.take(" bytes") else {
      return .other
    }
    return .trace(isSent: isSent, isHeader: isHeader, isTLS: isTLS, count: count)
  }
}

/// What an informational line of curl means.
enum CurlMessage {
  case trying(address: String)
  case connected(host: String?, address: String?, port: Int?, connection: String?)
  case reused(connection: String?)
  case resolved(host: String?)
  case secured
  case `protocol`(String)
  /// The transfer has ended, and its connection can be used again.
  case intact
  case closed
  /// The same transfer continues with another request.
  case again(url: String)
  /// The connection had been closed by the server, and the request is sent once more.
  case fresh
  case failed(code: Int)

  init?(_ text: UnsafeRawBufferPointer) {
    var scanner = ByteScanner(text)
    if scanner.take("Trying ") {
      var address = scanner.takeWord()?.text ?? ""
      while address.hasSuffix(".") || address.hasSuffix(",") { address.removeLast() }
      self = .trying(address: address)
    } else if scanner.take("Connected to ") || scanner.take("Established connection to ") {
      self = Self.connection(&scanner)
    } else if scanner.take("Re-using existing ") || scanner.take("Reusing existing ") {
      self = .reused(connection: Self.number(scanner.rest))
    } else if text.hasPrefix("Hostname ") || text.hasPrefix("Host ") && text.first(" was resolved") != nil {
      _ = scanner.takeWord()
      scanner.takeSpaces()
      self = .resolved(host: scanner.takeWord().map { URLParts.host($0.text) })
    } else if text.hasPrefix("SSL connection using") || text.hasPrefix("ALPN")
      || text.hasPrefix("[HTTP/") && text.first(" OPENED stream for https:") != nil
    {
      self = .secured
    } else if scanner.take("using HTTP/") || scanner.take("Using HTTP") {
      _ = scanner.take("/")
      self = .protocol(scanner.peek == 0x31 ? "http/1.1" : scanner.peek == 0x33 ? "h3" : "h2")
    } else if text.hasPrefix("Connection #"), text.first("left intact") != nil {
      self = .intact
    } else if text.hasPrefix("Closing connection") || text.hasPrefix("shutting down connection")
      || text.hasPrefix("closing connection")
    {
      self = .closed
    } else if scanner.take("Issue another request to this URL: '") {
      self = .again(url: scanner.take(until: 0x27)?.text ?? scanner.rest.text)
    } else if text.first("retrying a fresh connect") != nil {
      self = .fresh
    } else if let code = Self.code(text) {
      self = .failed(code: code)
    } else {
      return nil
    }
  }

  private static func connection(_ scanner: inout ByteScanner) -> CurlMessage {
    let host = scanner.takeWord()?.text
    scanner.takeSpaces()
    let address = scanner.take("(") ? scanner.take(until: 0x29)?.text : nil
    var port: Int?
    // Newer versions print `(address port 443)`.
    var parts = (address ?? "").split(separator: " ").map(String.init)
    if parts.count == 3, parts[1] == "port" { port = Int(parts[2]) } else { parts = [address ?? ""] }
    scanner.takeSpaces()
    if scanner.take("port ") { port = scanner.takeNumber(digits: 1...5) }
    return .connected(
      host: host, address: parts.first.flatMap { $0.isEmpty ? nil : $0 }, port: port, connection: number(scanner.rest))
  }

  /// Returns the number behind the mark `#`.
  private static func number(_ text: UnsafeRawBufferPointer) -> String? {
    guard let mark = text.first(0x23, from: 0) else { return nil }
    var scanner = ByteScanner(text)
    scanner.move(to: mark + 1)
    return scanner.takeInteger().map { String($0) }
  }

  /// The beginnings of messages that tell why a transfer failed. With `--silent`, curl prints no error message of its own.
  private static let failures: [(start: StaticString, code: Int)] = [
    ("Could not resolve host", 6), ("Could not resolve proxy", 5), ("Failed to connect to", 7), ("Couldn't connect to", 7),
    ("Operation timed out", 28), ("Connection timed out after", 28), ("Connection timeout after", 28),
    ("SSL connection timeout", 28), ("Resolving timed out", 28), ("Operation too slow", 28),
    ("transfer closed with", 18), ("end of response with", 18), ("Empty reply from server", 52), ("Recv failure", 56),
    ("Send failure", 55), ("OpenSSL SSL_read", 56), ("SSL_read", 56), ("OpenSSL SSL_write", 55), ("SSL_write", 55),
    ("OpenSSL SSL_connect", 35), ("SSL_connect", 35), ("TLS connect error", 35), ("SSL certificate problem", 60),
    ("SSL: no alternative certificate subject name", 60), ("Maximum (", 47), ("The requested URL returned error", 22),
    ("Failure writing output to destination", 23), ("Failed writing body", 23), ("HTTP/2 stream", 92),
    ("QUIC connection has been shut down", 56),
    ("Received HTTP/0.9 when not allowed", 1), ("HTTP server doesn't seem to support byte ranges", 33),
  ]

  private static func code(_ text: UnsafeRawBufferPointer) -> Int? {
    guard let failure = failures.first(where: { text.hasLiteral($0.start, at: 0) }) else { return nil }
    // These messages also tell of streams that end as they should.
    if failure.code == 92, text.first("was not closed cleanly") == nil { return nil }
    return failure.code
  }
}

extension URLParts {
  /// Returns the host of text such as `example.com:443`.
  static func host(_ text: String) -> String {
    var parts = URLParts()
    parts.setAuthority(text)
    return parts.host ?? text
  }
}
