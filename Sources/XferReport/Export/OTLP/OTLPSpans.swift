package import XferEvents

/// Attempts as client spans of OpenTelemetry, in OTLP's JSON encoding and after the semantic conventions for HTTP, version 1.44: one
/// request with up to 2,000 spans on each line.
package struct OTLPSpans: ExportDocument {
  private var batch: OTLPBatch
  private var tracker = LifecycleTracker()
  /// The trace context of the environment, to which attempts without a recorded one belong.
  private let parent: TraceContext?
  package private(set) var count = 0
  package let noun = (one: "span", many: "spans")

  /// - Parameters:
  ///   - version: the version of the program.
  ///   - parent: the span to which attempts without a recorded trace belong; `nil` makes each task a trace.
  package init(version: String, parent: TraceContext? = nil) {
    batch = OTLPBatch(.spans, version: version)
    self.parent = parent
  }

  package var losses: [String] {
    tracker.cutTasks == 0 ? [] : ["\(tracker.cutTasks) tasks were exported before their end, because too many were open"]
  }

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {}

  package mutating func append(_ event: RecordedEvent, isSelected: Bool, to text: inout TextBuffer) {
    append(tracker.apply(event, isSelected: isSelected), to: &text)
  }

  package mutating func end(incompleteBecause reasons: [String], in text: inout TextBuffer) -> Bool {
    append(tracker.finish(), to: &text)
    batch.flush(to: &text)
    return false
  }

  private mutating func append(_ units: [LifecycleTracker.Unit], to text: inout TextBuffer) {
    for case .attempt(let attempt) in units where attempt.isSelected {
      count += 1
      let parent = parent
      batch.append(of: attempt.writer) { Self.write(attempt, parent, to: &$0) }
      if batch.isFull { batch.flush(to: &text) }
    }
  }

  // MARK: Spans

  private static func write(_ attempt: ExportedAttempt, _ environment: TraceContext?, to json: inout JSONText) {
    let uid = attempt.task.uid
    let trace = attempt.trace?.trace ?? environment?.trace ?? TraceIdentities.trace(uid)
    let parent = attempt.trace == nil ? environment?.span : attempt.parentSpan
    json.beginObject()
    json.member("traceId", trace)
    json.member("spanId", (attempt.trace?.span ?? TraceIdentities.span(uid, attempt.number)).hexadecimal)
    if let parent { json.member("parentSpanId", parent.hexadecimal) }
    json.member("name", method(attempt.method) ?? "HTTP")
    json.member("kind", 3)
    // 0 is OTLP's unknown time.
    let start = max(1, attempt.startNanoseconds)
    json.key("startTimeUnixNano")
    json.integerString(start)
    json.key("endTimeUnixNano")
    json.integerString(start.addingClamped(attempt.duration))
    json.key("attributes")
    json.beginArray()
    for (key, value) in attributes(of: attempt) { OTLPAttribute.write(key, value, to: &json) }
    json.endArray()
    if attempt.requests.count > 1 { json.array("events", attempt.requests.dropLast(), write) }
    // Without an error, the status is unset.
    json.object("status") { json in
      guard attempt.hasFailed else { return }
      json.member("code", 2)
      if let failure = attempt.failure { json.member("message", attempt.message.map { "\(failure): \($0)" } ?? failure) }
    }
    json.member("flags", UInt8(attempt.trace?.flags ?? 1))
    json.endObject()
  }

  private static func attributes(of attempt: ExportedAttempt) -> [(String, OTLPAttribute)] {
    var attributes: [(String, OTLPAttribute)] = []
    func add(_ key: String, _ text: String?) { if let text { attributes.append((key, .string(text))) } }
    func add(_ key: String, _ number: Int64?) { if let number { attributes.append((key, .integer(number))) } }
    let (url, last) = (attempt.url, attempt.requests.last)
    add("http.request.method", method(attempt.method) ?? (attempt.method == nil ? nil : "_OTHER"))
    if let original = attempt.method, method(original) == nil { add("http.request.method_original", original) }
    if let url, let host = url.host {
      add("server.address", host)
      add("server.port", Int64(url.port ?? (url.scheme == "https" ? 443 : 80)))
      add("url.full", url.text)
      add("url.scheme", url.scheme)
    }
    add("http.response.status_code", attempt.status.map(Int64.init))
    add("error.type", attempt.failure ?? attempt.status.flatMap { $0 >= 400 ? "\($0)" : nil })
    if attempt.number > 1 { add("http.request.resend_count", Int64(attempt.number - 1)) }
    add("network.protocol.name", last?.protocol == nil ? nil : "http")
    add("network.protocol.version", version(last?.protocol))
    add("network.peer.address", last?.remoteAddress.flatMap { if case .plain(let text) = $0 { text } else { nil } })
    add("network.peer.port", last?.remotePort.map(Int64.init))
    add("http.request.body.size", attempt.sent.flatMap { $0 > 0 ? $0 : nil })
    add("http.request.size", last?.requestBytes)
    add("http.response.body.size", attempt.received)
    add("xfer.session", attempt.task.session)
    add("xfer.task", "\(attempt.task.uid)")
    add("xfer.number", Int64(attempt.task.number))
    add("xfer.attempt", Int64(attempt.number))
    add("xfer.type", attempt.type?.name)
    if !attempt.isEnded { attributes.append(("xfer.open", .flag(true))) }
    if let answer = attempt.cacheAnswer { add("xfer.cache", answer.name) }
    add("xfer.retry_in", attempt.retryIn?.nanoseconds)
    return attributes
  }

  /// Writes a redirect as an event of the span.
  private static func write(_ request: ExportedRequest, to json: inout JSONText) {
    json.beginObject()
    json.key("timeUnixNano")
    json.integerString(ExportClock.nanoseconds(request.responded ?? request.last))
    json.member("name", "xfer.redirect")
    json.key("attributes")
    json.beginArray()
    if let status = request.status {
      OTLPAttribute.write("http.response.status_code", .integer(Int64(status)), to: &json)
    }
    if let location = request.location { OTLPAttribute.write("url.full", .string(location.text), to: &json) }
    json.endArray()
    json.endObject()
  }

  /// The methods that the conventions know. Names of spans and values of the attribute must be few.
  private static let methods: Set<String> = [
    "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
  ]

  private static func method(_ name: String?) -> String? { name.flatMap { methods.contains($0) ? $0 : nil } }

  private static func version(_ name: String?) -> String? {
    switch name?.lowercased() {
    case "h2", "h2c", "http/2", "http/2.0": "2"
    case "h3", "http/3", "http/3.0": "3"
    case let name?: name.hasPrefix("http/") ? String(name.dropFirst(5)) : nil
    case nil: nil
    }
  }
}
