import XferEvents

/// Reads an HTTP Archive entry by entry.
final class HARReader: ForeignReader {
  let writers: [WriterContext]
  let terms = SourceTerms(
    file: .init("file", "files"), stream: .init("archive", "archives"), record: .init("entry", "entries"))

  private let input: ImportedInput
  private let json: JSONReader
  private var state = State.start
  private var entries: UInt64 = 0
  private var chains = RedirectChains()
  private var connections: Set<String> = []
  private var hasEntries = false
  /// The offset of every entry in the file.
  private var offsets: [UInt64] = []

  private enum State { case start, log, entries, end }

  static let coverage = ImportCoverage(log: "an HTTP Archive", kinds: ForeignExchange.kinds)

  init?(_ input: ImportedInput) {
    guard let json = JSONReader(path: input.path) else { return nil }
    (self.input, self.json) = (input, json)
    writers = [
      .foreign(Self.creator(input.path), installation: "har \(input.name)", coverage: Self.coverage)
    ]
  }

  /// Returns the program that wrote the archive; `nil` if the beginning of the file does not tell.
  private static func creator(_ path: String) -> String? {
    guard let json = JSONReader(path: path), json.beginObject() else { return nil }
    while let key = json.nextKey() {
      guard key == "log", json.kind == .object, json.beginObject() else {
        json.skip()
        continue
      }
      while let key = json.nextKey() {
        if key == "creator" || key == "browser" { return json.value()?["name"]?.text }
        // Entries are not passed over, because they may be many.
        if key == "entries" { return nil }
        json.skip()
      }
      return nil
    }
    return nil
  }

  // MARK: Reading

  func read(into output: ForeignOutput) -> Bool {
    defer { output.lines = lastLine ?? json.line }
    switch state {
    case .start:
      guard json.beginObject() else { return end(output) }
      state = .log
      return true
    case .log: return readMember(output)
    case .entries:
      guard json.nextElement() else {
        if json.flaw != nil { return end(output) }
        state = .log
        return true
      }
      readEntry(output)
      return true
    case .end: return false
    }
  }

  private var isInLog = false
  /// The last line of the file. White space behind the archive belongs to it.
  private var lastLine: UInt64?

  private func readMember(_ output: ForeignOutput) -> Bool {
    guard let key = json.nextKey() else {
      if isInLog, json.flaw == nil {
        isInLog = false
        return true
      }
      if json.flaw != nil { return end(output) }
      lastLine = json.line
      if json.isFinished { return end(output) }
      lastLine = nil
      // Archives that were joined to one file follow each other.
      if json.kind == .object, json.beginObject() { return true }
      output.because("\(output.name) was read only up to line \(json.line), because text follows the archive")
      return end(output)
    }
    switch (key, json.kind) {
    case ("log", .object) where !isInLog:
      isInLog = json.beginObject()
    case ("entries", .array) where isInLog:
      hasEntries = true
      if json.beginArray() { state = .entries }
    default: json.skip()
    }
    return true
  }

  private func end(_ output: ForeignOutput) -> Bool {
    state = .end
    for (exchange, position) in chains.takeAll() { exchange.emit(into: output, position: position) }
    output.noteFlaw(of: json, after: entries)
    if json.flaw == nil, !hasEntries { output.because("\(output.name) has no entries") }
    return false
  }

  private func readEntry(_ output: ForeignOutput) {
    let offset = json.offset
    guard let entry = json.value() else { return }
    entries += 1
    offsets.append(offset)
    output.records += 1
    guard let exchange = exchange(entry) else { return }
    output.recognised += 1
    for (exchange, position) in chains.take(exchange, position: entries) { exchange.emit(into: output, position: position) }
  }

  // MARK: Entries

  private func exchange(_ entry: JSONValue) -> ForeignExchange? {
    guard let request = entry["request"], let address = request["url"]?.text else { return nil }
    // WebSockets and documents in the URL itself are no transfers over HTTP.
    guard let url = URLParts(address), url.scheme == "http" || url.scheme == "https" || url.scheme == nil else { return nil }
    let response = entry["response"]
    let number = UInt32(truncatingIfNeeded: entries)
    var exchange = ForeignExchange(
      task: TaskIdentity(
        uid: TaskUID(foreign: "har", input.name, "\(entries)"), session: input.shortName, number: number))
    exchange.type = .data
    exchange.method = request["method"]?.text
    exchange.url = url
    exchange.start = Moment(wall: entry["startedDateTime"]?.text.flatMap { TimeText.wall($0, input.options) })
    setTimings(of: &exchange, entry)

    exchange.remoteAddress = entry["serverIPAddress"]?.text
    exchange.remotePort = entry["_serverPort"]?.int.flatMap { (1...65535).contains($0) ? $0 : nil }
    exchange.protocol = (response?["httpVersion"]?.text ?? request["httpVersion"]?.text).map { $0.lowercased() }
      .flatMap { $0 == "unknown" ? nil : $0 }
    exchange.requestBytes = Self.size(request["headersSize"]).map { $0.addingClamped(Self.size(request["bodySize"]) ?? 0) }
    exchange.sent = Self.size(request["bodySize"])
    exchange.status = response?["status"]?.int.flatMap { (100...999).contains($0) ? $0 : nil }
    exchange.decoded = Self.size(response?["content"]?["size"])
    for header in response?["headers"]?.elements ?? [] {
      if let name = header["name"]?.text { exchange.note(responseHeader: name, header["value"]?.text ?? "") }
    }
    exchange.received = received(response, exchange)
    exchange.failure = failure(entry, response, exchange.status)
    if exchange.status != nil, exchange.failure == nil {
      let isCached =
        ["disk", "memory", "preload"].contains(entry["_fromCache"]?.text ?? "")
        || ["Memory Cache", "Disk Cache"].contains(entry["_fetchType"]?.text ?? "")
        || entry["_fromDiskCache"]?.flag == true || response?["_fromCache"]?.flag == true
      if isCached { exchange.cacheAnswer = .fresh }
    }
    if exchange.failure != nil, let received = exchange.received, received == 0, exchange.status == nil {
      exchange.received = nil
    }
    let redirect = response?["redirectURL"]?.text ?? ""
    if let status = exchange.status, [301, 302, 303, 307, 308].contains(status), !redirect.isEmpty {
      exchange.location = url.resolving(redirect)
    }
    // The archive states the size of the whole body, and a failed request may have sent only a part of it.
    if exchange.status == nil { exchange.sent = nil }
    exchange.withdrawUnreliableLength()
    // Without a status and an error, nothing shows how the request ended. Browsers write that for requests in flight and for aborted ones.
    // The member `_unfinished` is that of an export by xferlog.
    exchange.isPending =
      response == nil || exchange.status == nil && exchange.failure == nil || entry["_unfinished"]?.flag == true
    return exchange
  }

  /// Returns the size of the body as it was received; `nil` if the archive does not tell.
  private func received(_ response: JSONValue?, _ exchange: ForeignExchange) -> Int64? {
    if let size = Self.size(response?["bodySize"]) { return size }
    if exchange.contentEncoding == nil, let size = exchange.decoded { return size }
    // Chromium knows only the size with the headers for HTTP/2 and HTTP/3.
    return Self.size(response?["_transferSize"]).flatMap { $0 > 0 ? $0 : nil }
  }

  private func setTimings(of exchange: inout ForeignExchange, _ entry: JSONValue) {
    let timings = entry["timings"]
    func time(_ key: String) -> Int64? {
      timings?[key]?.number.flatMap { $0 >= 0 ? TimeText.nanoseconds($0, unit: 1_000_000) : nil }
    }
    exchange.duration = entry["time"]?.number.flatMap { $0 >= 0 ? TimeText.nanoseconds($0, unit: 1_000_000) : nil }
    (exchange.queue, exchange.nameLookup, exchange.connect) = (time("blocked"), time("dns"), time("connect"))
    (exchange.secure, exchange.send, exchange.wait, exchange.receive) = (time("ssl"), time("send"), time("wait"), time("receive"))
    exchange.includeSecureInConnect()
    exchange.connection = Self.connection(entry, exchange.url)
    // A connection that had been used before needs no time to be made.
    if let connect = exchange.connect, connect > 0 { exchange.reused = false }
    if let connection = exchange.connection, connections.count < 100_000 {
      let isKnown = !connections.insert(connection).inserted
      if isKnown, exchange.reused == nil { exchange.reused = true }
    }
  }

  /// Returns the identity of the connection. The member may be the server's port instead, as Firefox writes it, which tells nothing.
  private static func connection(_ entry: JSONValue, _ url: URLParts?) -> String? {
    if let own = entry["_connectionId"]?.scalarText, own != "0", !own.isEmpty { return own }
    guard let text = entry["connection"]?.scalarText, text != "0", !text.isEmpty else { return nil }
    let port = url?.port ?? (url?.scheme == "http" ? 80 : 443)
    return text == "\(port)" ? nil : text
  }

  /// Recorders tell of failures in members of their own, because the format has none.
  private func failure(_ entry: JSONValue, _ response: JSONValue?, _ status: Int?) -> ForeignFailure? {
    let texts = [
      response?["_error"], response?["_failureText"], entry["_error"], entry["_failureText"], response?["_errorMessage"],
    ]
    guard let text = texts.compactMap({ $0?.text ?? $0?["message"]?.text }).first else {
      // Firefox gives blocked requests a reason instead of a status.
      if status == nil, let reason = entry["_blockedReason"]?.scalarText ?? entry["_blockedQueueing"]?.text {
        return ForeignFailure(.refused, name: "blocked", message: reason)
      }
      return nil
    }
    // Chromium's name for an error status without a body, which is an answer of the server.
    if status != nil, text.contains("ERR_HTTP_RESPONSE_CODE_FAILURE") { return nil }
    if text.hasPrefix("net::ERR_") || text.hasPrefix("ERR_") { return ForeignFailure(chromium: text) }
    return ForeignFailure(exception: text)
  }

  private static func size(_ value: JSONValue?) -> Int64? { value?.integer.flatMap { $0 >= 0 ? $0 : nil } }

  // MARK: Evidence

  func original(_ position: UInt64) -> String? {
    guard position >= 1, position <= offsets.count, let json = JSONReader(path: input.path, from: offsets[Int(position) - 1]),
      let entry = json.value()
    else { return nil }
    // Headers, cookies, queries and bodies are left out, because they may contain secrets.
    var text = "log.entries[\(position - 1)]: \(entry["startedDateTime"]?.text ?? "at an unknown time")"
    text += " \(entry["request"]?["method"]?.text ?? "?") "
    text += entry["request"]?["url"]?.text.flatMap { URLParts($0)?.text } ?? "?"
    if let status = entry["response"]?["status"]?.integer, status > 0 { text += " status \(status)" }
    if let failure = failure(entry, entry["response"], nil)?.name { text += " \(failure)" }
    if let time = entry["time"]?.number, (0..<1e15).contains(time) { text += " \(Int64(time)) ms" }
    return text
  }
}
