import XferEvents

/// Reads OTLP documents span by span.
final class OTLPReader: ForeignReader {
  let writers: [WriterContext]
  let terms = SourceTerms(file: .init("file", "files"), stream: .init("file", "files"), record: .init("record", "records"))

  private let input: ImportedInput
  private let json: JSONReader
  private var state = State.document
  private var isOfLogs = false
  private var service: String?
  /// Whether the members of the resource before the current one include its attributes, which may also follow the records.
  private var hasResource = false
  /// The records that precede the attributes of their resource, with their places.
  private var held: [(record: JSONValue, place: UInt64)] = []
  private static let mostHeld = 1 << 14
  private var resends = Resends()
  private var count: UInt64 = 0
  private var tracker: ForeignTracker?
  private var places: [UInt64] = []

  private enum State { case document, root, resources, resource, scopes, scope, records, end }

  static let coverage = ImportCoverage(
    log: "an export of OpenTelemetry",
    // No span holds a request to cancel.
    kinds: ForeignExchange.kinds.union(ForeignTracker.messages).union(ForeignTracker.kinds).subtracting([.taskCancelRequested]))

  init?(_ input: ImportedInput) {
    guard let json = JSONReader(path: input.path) else { return nil }
    (self.input, self.json) = (input, json)
    writers = [.foreign(nil, installation: "otlp", coverage: Self.coverage)]
  }

  func read(into output: ForeignOutput) -> Bool {
    defer { output.lines = json.line }
    if let flaw = json.flaw {
      output.gap(flaw.cause, positions: count + 1...count + 1)
      json.recover()
      release(output)
      state = .document
    }
    switch state {
    case .document:
      json.takeSeparator()
      if json.isFinished { return end(output) }
      state = json.beginObject() ? .root : .document
    case .root: readRoot()
    case .resources:
      if json.nextElement(), json.beginObject() { (state, service, hasResource) = (.resource, nil, false) } else { state = .root }
    case .resource: readResource(output)
    case .scopes: state = json.nextElement() && json.beginObject() ? .scope : .resource
    case .scope: readScope()
    case .records:
      guard json.nextElement() else {
        state = .scope
        return true
      }
      let offset = json.offset
      guard let record = json.value() else { return true }
      count += 1
      places.append(offset)
      output.records += 1
      if hasResource {
        take(record, count, output)
        return true
      }
      held.append((record, count))
      if held.count >= Self.mostHeld { release(output) }
    case .end: return false
    }
    return true
  }

  private func readRoot() {
    guard let key = json.nextKey() else { return state = .document }
    switch key {
    case "resourceSpans", "resource_spans", "batches": isOfLogs = false
    case "resourceLogs", "resource_logs": isOfLogs = true
    default: return json.skip()
    }
    if json.beginArray() { state = .resources }
  }

  private func readResource(_ output: ForeignOutput) {
    guard let key = json.nextKey() else {
      release(output)
      return state = .resources
    }
    switch key {
    case "resource":
      service = OTLPAttributes(json.value()?["attributes"])["service.name"]
      release(output)
    case "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "scopeLogs", "scope_logs":
      if json.beginArray() { state = .scopes }
    default: json.skip()
    }
  }

  private func readScope() {
    guard let key = json.nextKey() else { return state = .scopes }
    switch key {
    case "spans", "logRecords", "log_records": if json.beginArray() { state = .records }
    default: json.skip()
    }
  }

  /// Takes the records that wait for the attributes of their resource.
  private func release(_ output: ForeignOutput) {
    hasResource = true
    for (record, place) in held { take(record, place, output) }
    held.removeAll()
  }

  private func end(_ output: ForeignOutput) -> Bool {
    release(output)
    state = .end
    for (exchange, position) in resends.takeAll() { exchange.emit(into: output, position: position) }
    output.because("\(output.name) contains only what its exporter sampled")
    return false
  }

  private func take(_ record: JSONValue, _ place: UInt64, _ output: ForeignOutput) {
    if isOfLogs {
      if takeLog(record, place, output) { output.recognised += 1 }
    } else if let span = OTLPSpan(record, service: service ?? input.shortName) {
      output.recognised += 1
      for (exchange, position) in resends.take(span, position: place) { exchange.emit(into: output, position: position) }
    }
  }

  /// - Returns: whether the record tells something about a transfer.
  private func takeLog(_ record: JSONValue, _ place: UInt64, _ output: ForeignOutput) -> Bool {
    let attributes = OTLPAttributes(record["attributes"])
    let time = record["timeUnixNano"]?.integer.flatMap { $0 > 0 ? $0 : nil } ?? record["observedTimeUnixNano"]?.integer
    let body = record["body"].flatMap { OTLPAttributes.text($0) } ?? record["eventName"]?.text ?? ""
    let tracker = tracker ?? ForeignTracker(output, seed: "otlp")
    self.tracker = tracker
    tracker.moment = Moment(wallNanoseconds: time)
    tracker.position = place
    if let fact = TransferFact(named: { attributes["xfer.\($0.lowercased())"] }, message: body) {
      fact.tell(
        tracker, session: attributes["xfer.session"] ?? service ?? "otlp",
        number: attributes.integer("xfer.number").flatMap { UInt32(exactly: $0) })
      return true
    }
    guard let method = attributes["http.request.method"] ?? attributes["http.method"] else { return false }
    let url = OTLPSpan.url(attributes)
    let isEnd = attributes["http.response.status_code"] ?? attributes["http.status_code"] ?? attributes["error.type"]
    // A record within a span repeats what the span tells.
    if isEnd == nil || record["spanId"]?.text != nil {
      tracker.note(body.isEmpty ? "\(method) \(url?.text ?? "")" : body, level: Self.level(record), subsystem: service)
      return true
    }
    var exchange = ForeignExchange(
      task: TaskIdentity(
        uid: TaskUID(foreign: "otlp log", input.name, "\(place)"), session: service ?? input.shortName,
        number: UInt32(truncatingIfNeeded: place)))
    exchange.start = tracker.moment
    OTLPSpan.fill(&exchange, attributes, url, failure: nil)
    exchange.emit(into: output, position: place)
    return true
  }

  private static func level(_ record: JSONValue) -> Level {
    switch record["severityNumber"]?.int ?? 9 {
    case ...8: .debug
    case 9: .info
    // INFO2 is a notice of syslog, which is os_log's default level.
    case 10...16: .default
    case 17...20: .error
    default: .fault
    }
  }

  func original(_ position: UInt64) -> String? {
    guard position >= 1, position <= places.count, let json = JSONReader(path: input.path, from: places[Int(position) - 1]),
      let record = json.value()
    else { return nil }
    let attributes = OTLPAttributes(record["attributes"])
    let name = record["name"]?.text ?? record["body"].flatMap { OTLPAttributes.text($0) } ?? ""
    var text = "record \(position): \(name)"
    if let span = record["spanId"]?.text { text += " (span \(span))" }
    if let url = OTLPSpan.url(attributes) { text += " \(url.text)" }
    for key in ["http.response.status_code", "error.type", "http.request.resend_count"] {
      if let value = attributes[key] { text += " \(key)=\(value)" }
    }
    return text
  }
}

/// The attributes of a record, as texts.
struct OTLPAttributes {
  private var values: [String: String] = [:]

  init(_ list: JSONValue?) {
    for element in list?.elements ?? [] {
      if let key = element["key"]?.text, let value = element["value"], let text = Self.text(value) { values[key] = text }
    }
  }

  subscript(_ key: String) -> String? { values[key] }
  func integer(_ key: String) -> Int64? { values[key].flatMap { Int64($0) } }

  /// Returns the text of a value such as `{"stringValue": "a"}` or `{"intValue": "7"}`.
  static func text(_ value: JSONValue) -> String? {
    for key in ["stringValue", "intValue", "doubleValue", "boolValue"] {
      if let scalar = value[key]?.scalarText { return scalar }
    }
    return value["arrayValue"]?["values"]?.elements.first.flatMap { text($0) }
  }
}
