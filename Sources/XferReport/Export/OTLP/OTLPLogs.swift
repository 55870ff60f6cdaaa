package import XferEvents
import XferPredicate

/// Events as log records of OpenTelemetry, in OTLP's JSON encoding: one request with up to 2,000 records on each line.
///
/// The name of the event is `eventName`, with `xferlog.` in front; its fields are attributes of the same prefix. Attributes that begin
/// with `xfer.` tell an importer which step of which task the record describes.
package struct OTLPLogs: ExportDocument {
  private var batch: OTLPBatch
  private var messages = MessageTexts()
  private var traces = TraceIdentities()
  package private(set) var count = 0
  package let noun = (one: "log record", many: "log records")

  /// - Parameter version: the version of the program.
  package init(version: String) { batch = OTLPBatch(.logs, version: version) }

  package mutating func begin(in text: inout TextBuffer) {}

  package mutating func append(_ event: RecordedEvent, isSelected: Bool, to text: inout TextBuffer) {
    traces.note(event)
    guard isSelected else { return }
    count += 1
    let message = messages.text(of: event)
    let traces = traces
    batch.append(of: event.source.writer) { Self.write(event, message, traces, to: &$0) }
    if batch.isFull { batch.flush(to: &text) }
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    let moment = gap.before ?? gap.after
    batch.append(of: WriterContext(launch: gap.launch)) { json in
      json.beginObject()
      Self.writeTime(moment?.wall, to: &json)
      json.member("severityNumber", 17)
      json.member("severityText", "ERROR")
      json.member("eventName", "xferlog.gap")
      json.object("body") { $0.member("stringValue", gap.text) }
      json.array("attributes", [("xferlog.cause", OTLPAttribute.string(gap.cause.name))]) {
        OTLPAttribute.write($0.0, $0.1, to: &$1)
      }
      json.endObject()
    }
    count += 1
    if batch.isFull { batch.flush(to: &text) }
  }

  package mutating func end(incompleteBecause reasons: [String], in text: inout TextBuffer) -> Bool {
    batch.flush(to: &text)
    return false
  }

  // MARK: Records

  private static func writeTime(_ time: WallTime?, to json: inout JSONText) {
    // 0 is OTLP's unknown time.
    let nanoseconds = max(0, time?.nanoseconds ?? 0)
    json.key("timeUnixNano")
    json.integerString(nanoseconds)
    json.key("observedTimeUnixNano")
    json.integerString(nanoseconds)
  }

  private static func write(_ event: RecordedEvent, _ message: String, _ traces: TraceIdentities, to json: inout JSONText) {
    json.beginObject()
    writeTime(event.wall, to: &json)
    json.member("severityNumber", event.level.severity)
    json.member("severityText", event.level.name.uppercased())
    json.member("eventName", "xferlog." + event.layout.name)
    json.object("body") { $0.member("stringValue", message) }
    json.key("attributes")
    json.beginArray()
    for (key, value) in attributes(of: event) { OTLPAttribute.write(key, value, to: &json) }
    json.endArray()
    if let task = event.task {
      let identity = traces.identity(task: task.uid, attempt: event.attempt)
      json.member("traceId", identity.trace)
      if let span = identity.span { json.member("spanId", span.hexadecimal) }
    }
    json.endObject()
  }

  private static func attributes(of event: RecordedEvent) -> [(String, OTLPAttribute)] {
    var attributes: [(String, OTLPAttribute)] = []
    attributes.append(("log.record.uid", .string(uid(of: event))))
    if let task = event.task {
      attributes.append(("xfer.session", .string(task.session)))
      attributes.append(("xfer.task", .string("\(task.uid)")))
      attributes.append(("xfer.number", .integer(Int64(task.number))))
      attributes += step(of: event)
    }
    if let monotonic = event.monotonic { attributes.append(("xferlog.mono", .integer(monotonic))) }
    if let thread = event.thread { attributes.append(("thread.id", .integer(Int64(thread)))) }
    for (name, value) in event.values where name != "task" {
      if let value = OTLPAttribute(value) { attributes.append(("xferlog." + name, value)) }
    }
    return attributes
  }

  /// The identity of a record, by which a collector or database can drop a record that was sent twice.
  private static func uid(of event: RecordedEvent) -> String {
    // The name of another program's log without its directory, which may be private.
    let launch = event.source.writer.launch.map { "\($0)" } ?? event.source.name.fileName ?? "log"
    // Several events may come from one line.
    if case .line = event.reference { return "\(launch)/\(event.reference)/\(event.layout.name)" }
    return "\(launch)/\(event.reference)"
  }

  /// Returns the attributes from which the importer builds the lifecycle of a task.
  private static func step(of event: RecordedEvent) -> [(String, OTLPAttribute)] {
    func step(_ name: String, _ others: (String, OTLPAttribute?)...) -> [(String, OTLPAttribute)] {
      var attributes: [(String, OTLPAttribute)] = [("xfer.event", .string(name))]
      for (key, value) in others { if let value { attributes.append(("xfer." + key, value)) } }
      return attributes
    }
    func text(_ value: String?) -> OTLPAttribute? { value.map(OTLPAttribute.string) }
    func number(_ value: Int64?) -> OTLPAttribute? { value.map(OTLPAttribute.integer) }
    let url = ExportedURL(event)
    switch event.kind {
    case .taskCreated:
      return step("created", ("url", text(url?.text)), ("method", text(event.method)), ("type", text(event.type?.name)))
    case .attemptStarted: return step("started", ("url", text(url?.origin)))
    case .attemptRequestSent: return step("sent", ("method", text(event.method)))
    case .attemptResponseReceived:
      return step("response", ("status", number(event.status.map(Int64.init))), ("expected", number(event.expected)))
    case .attemptBytesReceived:
      return step("progress", ("received", number(event.received)), ("expected", number(event.expected)))
    case .attemptBytesSent: return step("progress", ("sent", number(event.sent)))
    case .attemptEnded where event.retryIn != nil:
      return step("retried", ("error", text(event.errorName)), ("error_code", number(event.error.map(Int64.init))))
    case .taskCompleted:
      let isCancelled = event.errorName == "cancelled"
      let name = isCancelled ? "cancelled" : event.errorName != nil || event.error != nil ? "failed" : "finished"
      return step(
        name, ("status", number(event.status.map(Int64.init))), ("received", number(event.received)),
        ("sent", number(event.sent)), ("error", isCancelled ? nil : text(event.errorName)),
        ("error_code", isCancelled ? nil : number(event.error.map(Int64.init))))
    default: return []
    }
  }
}

extension Level {
  /// The severity number of OpenTelemetry's log data model. A notice of syslog, os_log's default level, is INFO2.
  fileprivate var severity: Int {
    switch self {
    case .debug: 5
    case .info: 9
    case .default: 10
    case .error: 17
    case .fault: 21
    }
  }
}
