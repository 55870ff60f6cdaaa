package import XferEvents

/// Requests as a qlog: one trace for each connection, one stream for each request on it.
///
/// qlog is made for QUIC and HTTP/3. Here a frame stands for a message of any version of HTTP, because the log has no packets.
package struct QLogDocument: ExportDocument {
  private let store: any FragmentStore
  private let version: String
  private var tracker = LifecycleTracker()
  private var traces: [Key: Int] = [:]
  /// The number of requests of each trace.
  private var streams: [Int] = []
  private var gaps = 0
  private var withoutConnection = 0
  /// The traces. The first piece of a trace is its head.
  private var fragments: FragmentGroups
  package private(set) var count = 0
  package let noun = (one: "request", many: "requests")

  /// A connection. Its number is unique only within a process.
  private struct Key: Hashable {
    let launch: LaunchID?
    let session: String
    let connection: UInt64
  }

  /// - Parameter store: an empty store for the events of each connection.
  package init(version: String, store: any FragmentStore) {
    (self.version, self.store, fragments) = (version, store, FragmentGroups(store))
  }

  package var losses: [String] {
    var losses: [String] = []
    if withoutConnection > 0 {
      let requests = withoutConnection == 1 ? "1 request was" : "\(withoutConnection) requests were"
      losses.append("\(requests) left out, because a trace of qlog is a connection, and the log names none for them")
    }
    if tracker.cutTasks > 0 {
      losses.append("\(tracker.cutTasks) tasks were exported before their end, because too many were open")
    }
    return losses
  }

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) { gaps += 1 }

  package mutating func append(_ event: RecordedEvent, isSelected: Bool, to text: inout TextBuffer) throws {
    try append(tracker.apply(event, isSelected: isSelected))
  }

  package mutating func end(incompleteBecause reasons: [String], in text: inout TextBuffer) throws -> Bool {
    if !fragments.haveBegun {
      try append(tracker.finish())
      appendHead(reasons, to: &text)
    }
    let separators = FragmentGroups.Separators(
      group: { $0 == 0 ? "\n" : ",\n" }, piece: { $0 == 0 ? "" : $0 == 1 ? "\n" : ",\n" }, end: "\n]}")
    if try fragments.writeNext(of: streams.count, separators, into: &text) { return true }
    if !streams.isEmpty { text.append("\n]}\n" as StaticString) }
    return false
  }

  private func appendHead(_ reasons: [String], to text: inout TextBuffer) {
    let (version, gaps) = (version, gaps)
    text.appendJSON { json in
      json.beginObject()
      json.member("file_schema", "urn:ietf:params:qlog:file:contained")
      json.member("serialization_format", "application/qlog+json")
      json.member("title", "xferlog \(version)")
      var notes = ["Frames stand for the messages of any version of HTTP; the log has no packets."]
      if gaps > 0 { notes.append("The log has \(gaps.counted("gap")).") }
      notes += reasons.map { "The log is incomplete: \($0)." }
      json.member("description", notes.joined(separator: " "))
    }
    // The schema allows no empty list.
    text.append(streams.isEmpty ? "}\n" : ",\"traces\":[" as StaticString)
  }

  // MARK: Traces

  private mutating func append(_ units: [LifecycleTracker.Unit]) throws {
    for case .attempt(let attempt) in units where attempt.isSelected && attempt.cacheAnswer == nil {
      for (place, request) in attempt.requests.enumerated() {
        guard let connection = request.connection else {
          withoutConnection += 1
          continue
        }
        let trace = try trace(
          Key(launch: attempt.writer.launch, session: attempt.task.session, connection: connection.rawValue), request)
        let stream = 4 * streams[trace]
        streams[trace] += 1
        count += 1
        try append(request, attempt, isLast: place == attempt.requests.count - 1, stream, to: trace)
      }
    }
  }

  private mutating func trace(_ key: Key, _ request: ExportedRequest) throws -> Int {
    if let known = traces[key] { return known }
    let number = streams.count
    traces[key] = number
    streams.append(0)
    var head = TextBuffer(capacity: 512)
    let name = request.protocol ?? "an unknown protocol"
    head.appendJSON { json in
      json.beginObject()
      json.member("title", "connection \(key.connection) to \(request.url.origin) over \(name)")
      json.array("event_schemas", ["urn:ietf:params:qlog:events:http3-12", "urn:ietf:params:qlog:events:quic-12"]) {
        $1.string($0)
      }
      json.object("vantage_point") { json in
        json.member("name", key.session)
        json.member("type", "client")
      }
      json.object("common_fields") { json in
        json.array("protocol_types", [Self.isHTTP3(request.protocol) ? "HTTP3" : "UNKNOWN"]) { $1.string($0) }
        json.member("time_format", "relative_to_epoch")
        json.object("reference_time") { json in
          json.member("clock_type", "system")
          json.member("epoch", "1970-01-01T00:00:00.000Z")
        }
      }
    }
    head.append(",\"events\":[" as StaticString)
    try store.append(head.bytes, to: number, key: .min)
    return number
  }

  private static func isHTTP3(_ name: String?) -> Bool { name == "h3" || name == "http/3" }

  // MARK: Events

  private func append(
    _ request: ExportedRequest, _ attempt: ExportedAttempt, isLast: Bool, _ stream: Int, to trace: Int
  ) throws {
    func event(_ moment: Moment, _ name: StaticString, _ write: (inout JSONText) -> Void) throws {
      let time = attempt.startNanoseconds.addingClamped(ExportClock.elapsed(from: attempt.start, to: moment))
      var text = TextBuffer(capacity: 512)
      text.appendJSON { json in
        json.beginObject()
        json.key("time")
        json.milliseconds(time)
        json.key("name")
        json.string(name)
        json.key("data")
        json.beginObject()
        json.member("stream_id", stream)
        write(&json)
        json.endObject()
        json.endObject()
      }
      try store.append(text.bytes, to: trace, key: time)
    }
    func headers(_ fields: [(String, String)]) -> (inout JSONText) -> Void {
      { json in
        json.object("frame") { json in
          json.member("frame_type", "headers")
          json.array("headers", fields) { field, json in
            json.beginObject()
            json.member("name", field.0)
            json.member("value", field.1)
            json.endObject()
          }
        }
      }
    }
    let url = request.url
    try event(
      request.sentAt ?? request.connected ?? request.start, "http3:frame_created",
      headers([
        (":method", request.method ?? "GET"), (":scheme", url.scheme ?? "https"),
        (":authority", String(url.origin.split(separator: "/").last ?? "")), (":path", url.target),
      ]))
    if let status = request.status {
      var fields = [(":status", "\(status)")]
      fields += request.responseValues.filter { $0.name == "content-type" || $0.name == "content-length" }
        .map { ($0.name, $0.value) }
      try event(request.responded ?? request.last, "http3:frame_parsed", headers(fields))
    }
    if isLast, let received = attempt.received, received > 0 {
      try event(attempt.last, "http3:frame_parsed") { json in
        json.object("frame") { json in
          json.member("frame_type", "data")
          json.object("raw") { $0.member("payload_length", received) }
        }
      }
    }
    guard isLast, attempt.isEnded || attempt.failure != nil else { return }
    try event(attempt.last, "quic:stream_state_updated") { json in
      json.member("stream_type", "bidirectional")
      json.member("new", attempt.failure == nil ? "closed" : "reset_received")
      if let failure = attempt.failure {
        json.member("xferlog_error", failure)
        if let code = attempt.error { json.member("xferlog_code", code) }
      }
    }
  }
}
