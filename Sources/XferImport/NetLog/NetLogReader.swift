import XferEvents

/// Reads a NetLog event by event.
final class NetLogReader: ForeignReader {
  let writers: [WriterContext]
  let terms = SourceTerms(file: .init("file", "files"), stream: .init("file", "files"), record: .init("event", "events"))

  private let input: ImportedInput
  private let json: JSONReader
  private var state = State.start
  private var constants = NetLogConstants()
  private var tracker: ForeignTracker?
  private var requests: [Int64: Request] = [:]
  private var events: UInt64 = 0
  private var places: [(event: UInt64, offset: UInt64)] = []

  private enum State { case start, members, events, end }

  /// A request in flight.
  private struct Request {
    var key: String
    var failure: ForeignFailure?
    /// The bytes of the body as they came over the network.
    var received: Int64?
    /// The bytes of the body after unpacking. Bodies that are not packed are counted only here.
    var unpacked: Int64?
    var method: String?
    var wasRedirected = false
  }

  private static let mostRequests = 100_000

  static let coverage = ImportCoverage(log: "a NetLog of Chromium", kinds: ForeignTracker.kinds)

  init?(_ input: ImportedInput) {
    guard let json = JSONReader(path: input.path) else { return nil }
    (self.input, self.json) = (input, json)
    writers = [
      .foreign(
        "Chromium", boot: BootID(high: 0x6e65_746c_6f67, low: UInt64(input.place + 1)), installation: "netlog \(input.name)",
        coverage: Self.coverage)
    ]
  }

  func read(into output: ForeignOutput) -> Bool {
    let tracker = tracker ?? ForeignTracker(output, seed: "netlog \(input.name)")
    self.tracker = tracker
    defer { output.lines = json.line }
    switch state {
    case .start:
      guard json.beginObject() else { return end(output) }
      state = .members
    case .members:
      guard let key = json.nextKey() else { return end(output) }
      switch (key, json.kind) {
      case ("constants", .object): constants = NetLogConstants(json)
      case ("events", .array): if json.beginArray() { state = .events }
      default: json.skip()
      }
    case .events:
      guard json.nextElement() else {
        if json.flaw != nil { return end(output) }
        state = .members
        return true
      }
      let offset = json.offset
      guard let event = json.value() else { return true }
      events += 1
      if events % 256 == 1 { places.append((events, offset)) }
      output.records += 1
      if take(event, tracker) { output.recognised += 1 }
    case .end: return false
    }
    return true
  }

  private func end(_ output: ForeignOutput) -> Bool {
    state = .end
    // Chromium writes the end of the file when logging stops, so the log of a crash or of a running browser has none.
    output.noteFlaw(of: json, after: events)
    return false
  }

  // MARK: Events

  /// - Returns: whether the event tells something about a request.
  private func take(_ event: JSONValue, _ tracker: ForeignTracker) -> Bool {
    guard let source = event["source"], let id = source["id"]?.integer, let type = event["type"]?.int,
      source["type"]?.int.flatMap({ constants.sources[$0] }) == "URL_REQUEST", let name = constants.events[type]
    else { return false }
    let phase = event["phase"]?.int.flatMap { constants.phases[$0] } ?? "PHASE_NONE"
    let params = event["params"]
    if let ticks = event["time"]?.scalarText.flatMap({ TimeText.nanoseconds($0, unit: 1_000_000) }) {
      tracker.moment = Moment(
        monotonic: ticks, wall: constants.offset.map { WallTime(nanoseconds: ticks.addingClamped($0)) })
    }
    tracker.position = events
    return take(name, phase, params, id, tracker)
  }

  private func take(_ name: String, _ phase: String, _ params: JSONValue?, _ id: Int64, _ tracker: ForeignTracker) -> Bool {
    let code = params?["net_error"]?.int.flatMap { $0 < 0 && $0 != -1 ? $0 : nil }
    switch (name, phase) {
    case ("REQUEST_ALIVE", "PHASE_BEGIN"): return true
    case ("URL_REQUEST_START_JOB", "PHASE_BEGIN"):
      let url = params?["url"]?.text.flatMap { URLParts($0) }
      // Requests of the browser for its own pages are no transfers.
      guard let url, ["http", "https", nil].contains(url.scheme) else { return true }
      if requests[id] != nil {
        requests[id]?.wasRedirected = false
        // A redirect may turn POST into GET.
        if let method = params?["method"]?.text { requests[id]?.method = method }
        return true
      }
      guard requests.count < Self.mostRequests else { return true }
      let key = "request \(id)"
      requests[id] = Request(key: key)
      tracker.create(
        key, session: "Chromium", number: UInt32(truncatingIfNeeded: id), type: .data, method: params?["method"]?.text, url: url)
      tracker.startAttempt(key, url: url)
    case ("HTTP_STREAM_REQUEST_PROTO", _), ("HTTP_TRANSACTION_SEND_REQUEST", "PHASE_BEGIN"):
      observe(id, tracker)
      if name == "HTTP_TRANSACTION_SEND_REQUEST", let request = requests[id] {
        tracker.send(request.key, method: request.method)
      }
    case ("HTTP_TRANSACTION_READ_RESPONSE_HEADERS", "PHASE_NONE"):
      observe(id, tracker)
      guard let request = requests[id] else { return true }
      respond(request.key, params?["headers"]?.elements.compactMap(\.text) ?? [], tracker)
    case ("URL_REQUEST_REDIRECTED", _):
      observe(id, tracker)
      guard let request = requests[id] else { return true }
      tracker.redirect(request.key, to: params?["location"]?.text.flatMap { URLParts($0) })
      requests[id]?.wasRedirected = true
      requests[id]?.received = nil
      requests[id]?.unpacked = nil
    case ("URL_REQUEST_JOB_BYTES_READ", _):
      addBytes(params, to: \.received, id)
    case ("URL_REQUEST_JOB_FILTERED_BYTES_READ", _):
      addBytes(params, to: \.unpacked, id)
    case ("HTTP_TRANSACTION_RESTART_AFTER_ERROR", _):
      observe(id, tracker)
      guard let request = requests[id] else { return true }
      tracker.endAttempt(request.key, ForeignFailure(chromium: code ?? -2), retryIn: .zero)
      tracker.startAttempt(request.key)
    case ("CANCELLED", _):
      observe(id, tracker)
      guard let request = requests[id] else { return true }
      tracker.requestCancel(request.key, by: .app)
      requests[id]?.failure = ForeignFailure(chromium: code ?? -3)
    case ("FAILED", _), ("URL_REQUEST_START_JOB", "PHASE_END"):
      if let code { requests[id]?.failure = ForeignFailure(chromium: code) }
    case ("REQUEST_ALIVE", "PHASE_END"):
      guard let request = requests.removeValue(forKey: id) else { return true }
      let failure = code.map { ForeignFailure(chromium: $0) } ?? request.failure
      tracker.complete(request.key, failure, received: request.received ?? request.unpacked)
    default: return requests[id] != nil && phase == "PHASE_END" && code == nil
    }
    return true
  }

  private func addBytes(_ params: JSONValue?, to sum: WritableKeyPath<Request, Int64?>, _ id: Int64) {
    guard let count = params?["byte_count"]?.integer, let request = requests[id] else { return }
    requests[id]?[keyPath: sum] = (request[keyPath: sum] ?? 0).addingClamped(count)
  }

  /// Notes a request that began before the log.
  private func observe(_ id: Int64, _ tracker: ForeignTracker) {
    guard requests[id] == nil, requests.count < Self.mostRequests else { return }
    let key = "request \(id)"
    requests[id] = Request(key: key)
    tracker.observe(key, session: "Chromium", number: UInt32(truncatingIfNeeded: id), type: .data)
  }

  private func respond(_ key: String, _ lines: [String], _ tracker: ForeignTracker) {
    guard let first = lines.first else { return }
    let words = first.split(separator: " ")
    // HTTP/2 has a header instead of a status line in some versions.
    let status =
      words.count > 1 && first.hasPrefix("HTTP/")
      ? Int(words[1]) : lines.first { $0.hasPrefix(":status:") }.flatMap { Int($0.dropFirst(8).filter { $0 != " " }) }
    guard let status, status >= 200 else { return }
    func value(_ name: String) -> String? {
      lines.first { $0.lowercased().hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
    // The length counts bytes that a cache may have supplied, so it is not compared with those read.
    tracker.respond(
      key, status: status, contentType: value("content-type"),
      protocol: first.hasPrefix("HTTP/1") ? "http/1.1" : nil,
      retryAfter: value("retry-after").flatMap { Int64($0) }.flatMap { (0...31_536_000).contains($0) ? .seconds($0) : nil })
  }

  func original(_ position: UInt64) -> String? {
    guard let place = places.last(where: { $0.event <= position }), let json = JSONReader(path: input.path, from: place.offset)
    else { return nil }
    var event: JSONValue?
    for number in place.event...position {
      if number > place.event { json.takeSeparator() }
      event = json.value()
    }
    guard let event else { return nil }
    let name = event["type"]?.int.flatMap { constants.events[$0] } ?? "?"
    var text = "events[\(position - 1)]: URL_REQUEST \(event["source"]?["id"]?.integer ?? 0) \(name)"
    if let phase = event["phase"]?.int.flatMap({ constants.phases[$0] }), phase != "PHASE_NONE" {
      text += " \(phase.dropFirst(6))"
    }
    // Headers and queries are left out, because they may contain secrets.
    if let url = event["params"]?["url"]?.text.flatMap({ URLParts($0)?.text }) { text += " \(url)" }
    if let code = event["params"]?["net_error"]?.integer { text += " net_error \(code)" }
    if let first = event["params"]?["headers"]?.elements.first?.text { text += " \(first.prefix(60))" }
    return text
  }
}

/// The numbers that a NetLog uses, which differ between versions of Chromium.
struct NetLogConstants {
  private(set) var events: [Int: String] = [:]
  private(set) var phases: [Int: String] = [0: "PHASE_NONE", 1: "PHASE_BEGIN", 2: "PHASE_END"]
  private(set) var sources: [Int: String] = [:]
  /// The nanoseconds to add to a time of the log for the wall clock; `nil` if the log does not tell.
  private(set) var offset: Int64?

  init() {}

  init(_ json: JSONReader) {
    guard json.beginObject() else { return }
    while let key = json.nextKey() {
      switch key {
      case "logEventTypes": events = Self.table(json.value())
      case "logEventPhase": phases = Self.table(json.value())
      case "logSourceType": sources = Self.table(json.value())
      case "timeTickOffset": offset = json.value()?.scalarText.flatMap { TimeText.nanoseconds($0, unit: 1_000_000) }
      default: json.skip()
      }
    }
  }

  private static func table(_ value: JSONValue?) -> [Int: String] {
    var table: [Int: String] = [:]
    for member in value?.members ?? [] { if let number = member.value.int { table[number] = member.key } }
    return table
  }
}
