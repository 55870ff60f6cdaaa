import XferEvents

/// Reads a qlog event by event.
final class QLogReader: ForeignReader {
  let writers: [WriterContext]
  let terms = SourceTerms(file: .init("file", "files"), stream: .init("file", "files"), record: .init("event", "events"))

  private let input: ImportedInput
  private let json: JSONReader
  private var state = State.start
  private var connection: QLogConnection?
  private var connections = 0
  private var tracker: ForeignTracker?
  private var count: UInt64 = 0
  private var places: [UInt64] = []

  private enum State { case start, members, traces, trace, events, sequence, end }

  static let coverage = ImportCoverage(log: "a qlog", kinds: ForeignTracker.kinds)

  init?(_ input: ImportedInput) {
    guard let json = JSONReader(path: input.path) else { return nil }
    (self.input, self.json) = (input, json)
    writers = [
      .foreign(
        nil, role: .engine, boot: BootID(high: 0x716c_6f67, low: UInt64(input.place + 1)), installation: "qlog \(input.name)",
        coverage: Self.coverage)
    ]
  }

  func read(into output: ForeignOutput) -> Bool {
    let tracker = tracker ?? ForeignTracker(output, seed: "qlog \(input.name)")
    self.tracker = tracker
    defer { output.lines = json.line }
    if state != .end, json.flaw != nil { return end(output) }
    switch state {
    case .start:
      json.takeSeparator()
      guard json.beginObject() else { return end(output) }
      state = .members
    case .members:
      guard let key = json.nextKey() else {
        if json.flaw != nil { return end(output) }
        state = .sequence
        return true
      }
      switch (key, json.kind) {
      case ("traces", .array): if json.beginArray() { state = .traces }
      // The header of a sequence describes its only trace.
      case ("trace", .object): begin(QLogConnection(json.value(), number: connections + 1))
      default: json.skip()
      }
    case .traces:
      if json.nextElement(), json.beginObject() {
        begin(QLogConnection(nil, number: connections + 1))
        state = .trace
      } else if json.flaw == nil {
        state = .members
      }
    case .trace:
      guard let key = json.nextKey() else {
        if json.flaw == nil { state = .traces }
        return true
      }
      switch (key, json.kind) {
      case ("events", .array): if json.beginArray() { state = .events }
      case ("vantage_point", _), ("common_fields", _): if let value = json.value() { connection?.note(key, value) }
      default: json.skip()
      }
    case .events:
      if json.nextElement() { takeEvent(tracker, output) } else if json.flaw == nil { state = .trace }
    case .sequence:
      json.takeSeparator()
      if json.isFinished { return end(output) }
      takeEvent(tracker, output)
    case .end: return false
    }
    return true
  }

  private func begin(_ connection: QLogConnection) {
    if let tracker { self.connection?.finish(tracker) }
    self.connection = connection
    connections += 1
  }

  private func takeEvent(_ tracker: ForeignTracker, _ output: ForeignOutput) {
    let offset = json.offset
    guard let event = json.value() else { return }
    count += 1
    if places.count < 1 << 20 { places.append(offset) }
    output.records += 1
    if connection == nil { begin(QLogConnection(nil, number: connections + 1)) }
    tracker.position = count
    if connection?.take(event, tracker) ?? false { output.recognised += 1 }
  }

  private func end(_ output: ForeignOutput) -> Bool {
    state = .end
    if let tracker { connection?.finish(tracker) }
    output.noteFlaw(of: json, after: count)
    return false
  }

  func original(_ position: UInt64) -> String? {
    guard position >= 1, position <= places.count, let json = JSONReader(path: input.path, from: places[Int(position) - 1]),
      let event = json.value()
    else { return nil }
    var text = "event \(position): \(event["time"]?.scalarText ?? "?") \(event["name"]?.text ?? "?")"
    if let stream = event["data"]?["stream_id"]?.scalarText { text += " stream \(stream)" }
    for key in ["trigger", "connection_code", "application_code", "connection_error", "application_error", "reason"] {
      if let value = event["data"]?[key]?.scalarText { text += " \(key)=\(value)" }
    }
    return text
  }
}

/// One connection of a qlog, with the requests on its streams.
struct QLogConnection {
  private let number: Int
  /// Whether a server wrote the log. Some programs write the member that tells it behind the events, so a request tells it, too.
  private var isServer = false
  private var reference: Int64?
  private var isDelta = false
  private var last: Int64 = 0
  private var streams: [Int64: Stream] = [:]
  /// The streams whose last packet has been logged, and the positions of those packets. Some programs log the frames of a packet behind
  /// it.
  private var finished: [(stream: Int64, position: UInt64)] = []
  /// Whether the log has packets, so that the end of a stream shows.
  private var hasPackets = false

  private struct Stream {
    let key: String
    var received: Int64 = 0
    var expected: Int64?
    var hasResponse = false
    /// Whether the client no longer wants the response.
    var isCancelled = false
    /// The time of the last event about the stream.
    var last = Moment()
  }

  init(_ trace: JSONValue?, number: Int) {
    self.number = number
    for key in ["vantage_point", "common_fields"] { if let value = trace?[key] { note(key, value) } }
  }

  mutating func note(_ key: String, _ value: JSONValue) {
    if key == "vantage_point" {
      isServer = value["type"]?.text == "server"
      return
    }
    let format = value["time_format"]?.text ?? value["time_format"]?.scalarText
    isDelta = format == "delta" || format == "relative_to_previous_event"
    guard let time = value["reference_time"] else { return }
    if time.isObject {
      reference = (time["epoch"]?.text).flatMap { TimeText.wall($0)?.nanoseconds }
      if let wall = time["wall_clock_time"]?.text.flatMap({ TimeText.wall($0)?.nanoseconds }) { reference = wall }
    } else {
      reference = time.scalarText.flatMap { TimeText.nanoseconds($0, unit: 1_000_000) }
    }
  }

  private mutating func moment(_ event: JSONValue) -> Moment {
    guard let time = event["time"]?.scalarText.flatMap({ TimeText.nanoseconds($0, unit: 1_000_000) }) else { return Moment() }
    last = isDelta ? last.addingClamped(time) : time
    // An absolute time is one of this century in milliseconds since 1970.
    if last > 946_684_800_000_000_000 { return Moment(wallNanoseconds: last) }
    guard let reference, reference > 946_684_800_000_000_000 else { return Moment(monotonic: last) }
    return Moment(wallNanoseconds: reference.addingClamped(last))
  }

  /// - Returns: whether the event tells something about a request.
  mutating func take(_ event: JSONValue, _ tracker: ForeignTracker) -> Bool {
    let name = event["name"]?.text ?? ""
    let kind = name.split(separator: ":").last.map(String.init) ?? name
    // The frames of the last packet have been logged. The requests end before the time of this event.
    if kind.hasPrefix("packet_") || kind == "connection_closed" { finish(tracker) }
    tracker.moment = moment(event)
    let data = event["data"] ?? .null
    switch kind {
    case "frame_created": return takeFrame(data, isSent: true, tracker)
    case "frame_parsed": return takeFrame(data, isSent: false, tracker)
    case "packet_sent": return takePacket(data, isSent: true, tracker)
    case "packet_received": return takePacket(data, isSent: false, tracker)
    case "stream_state_updated": return takeState(data, tracker)
    case "connection_closed":
      close(data, tracker)
      return true
    default: return false
    }
  }

  /// Completes the requests whose last packet has been logged.
  mutating func finish(_ tracker: ForeignTracker) {
    let (moment, position) = (tracker.moment, tracker.position)
    for end in finished {
      tracker.position = end.position
      tracker.moment = streams[end.stream]?.last ?? moment
      complete(end.stream, tracker)
    }
    (tracker.moment, tracker.position) = (moment, position)
    finished = []
  }

  private mutating func takeFrame(_ data: JSONValue, isSent: Bool, _ tracker: ForeignTracker) -> Bool {
    guard let id = data["stream_id"]?.integer, let frame = data["frame"] else { return false }
    defer { streams[id]?.last = tracker.moment }
    switch frame["frame_type"]?.text {
    case "headers":
      var headers: [String: String] = [:]
      for header in frame["headers"]?.elements ?? [] {
        if let name = header["name"]?.text?.lowercased(), headers[name] == nil {
          headers[name] = header["value"]?.scalarText ?? ""
        }
      }
      if headers[":method"] != nil {
        isServer = !isSent
        request(id, headers, tracker)
      } else if headers[":status"] != nil {
        isServer = isSent
        respond(id, headers, tracker)
      }
      return true
    case "data":
      guard isSent == isServer, var stream = streams[id] else { return true }
      let length = frame["raw"]?["payload_length"]?.integer ?? frame["raw"]?["length"]?.integer ?? data["length"]?.integer
      stream.received = stream.received.addingClamped(max(0, length ?? 0))
      streams[id] = stream
      if let expected = stream.expected, stream.received >= expected, stream.hasResponse { complete(id, tracker) }
      return true
    default: return false
    }
  }

  private mutating func request(_ id: Int64, _ headers: [String: String], _ tracker: ForeignTracker) {
    guard streams[id] == nil, let method = headers[":method"] else { return }
    var url = URLParts()
    url.scheme = headers[":scheme"] ?? "https"
    if let authority = headers[":authority"] { url.setAuthority(authority) }
    if let path = headers[":path"] { url.path = String(path.prefix { $0 != "?" }) }
    let key = "\(number) \(id)"
    streams[id] = Stream(key: key)
    tracker.create(
      key, session: "connection-\(number)", number: UInt32(truncatingIfNeeded: id), type: .data, method: method, url: url)
    tracker.connect(key, connection: CorrelationID(UInt64(number)), protocol: "h3")
    tracker.send(key, method: method)
  }

  private mutating func respond(_ id: Int64, _ headers: [String: String], _ tracker: ForeignTracker) {
    guard let status = headers[":status"].flatMap({ Int($0) }), status >= 200 else { return }
    let key = "\(number) \(id)"
    if streams[id] == nil {
      streams[id] = Stream(key: key)
      tracker.observe(key, session: "connection-\(number)", number: UInt32(truncatingIfNeeded: id), type: .data)
    }
    streams[id]?.hasResponse = true
    streams[id]?.expected = headers["content-length"].flatMap { Int64($0) }
    tracker.respond(key, status: status, contentType: headers["content-type"], protocol: "h3")
    if streams[id]?.expected == 0 { complete(id, tracker) }
  }

  private mutating func takePacket(_ data: JSONValue, isSent: Bool, _ tracker: ForeignTracker) -> Bool {
    hasPackets = true
    var isRecognised = false
    for frame in data["frames"]?.elements ?? [] {
      guard let id = frame["stream_id"]?.integer, let stream = streams[id] else { continue }
      switch frame["frame_type"]?.text {
      case "stream" where frame["fin"]?.flag == true && isSent == isServer:
        streams[id]?.last = tracker.moment
        if !finished.contains(where: { $0.stream == id }) { finished.append((id, tracker.position)) }
      case "stop_sending" where isSent != isServer:
        // The client no longer wants the response. The server answers by resetting the stream (RFC 9000, 3.5).
        streams[id]?.isCancelled = true
      case "reset_stream" where isSent != isServer:
        reset(id, stream, frame, isCancelled: true, tracker)
      case "reset_stream":
        reset(id, stream, frame, isCancelled: stream.isCancelled, tracker)
      // A server that needs no more of the request says so. The response is still valid (RFC 9114, 4.1).
      default: continue
      }
      isRecognised = true
    }
    return isRecognised
  }

  /// Ends a request whose stream was reset.
  private mutating func reset(
    _ id: Int64, _ stream: Stream, _ frame: JSONValue, isCancelled: Bool, _ tracker: ForeignTracker
  ) {
    streams[id] = nil
    let code = frame["error_code"]?.scalarText ?? frame["error"]?.scalarText ?? "unknown"
    if isCancelled { tracker.requestCancel(stream.key, by: .app) }
    tracker.complete(
      stream.key,
      ForeignFailure(isCancelled ? .cancelled : .transport, code: Int(code) ?? -1, name: "reset_stream \(code)"),
      received: stream.received)
  }

  private mutating func takeState(_ data: JSONValue, _ tracker: ForeignTracker) -> Bool {
    guard let id = data["stream_id"]?.integer, let stream = streams[id], !isServer else { return false }
    switch data["new"]?.text {
    case "closed" where stream.hasResponse: complete(id, tracker)
    case "reset_received", "reset_sent":
      streams[id] = nil
      // The members of an export by xferlog.
      var failure = ForeignFailure(exception: data["xferlog_error"]?.text ?? "reset")
      if let code = data["xferlog_code"]?.int { failure.code = code }
      tracker.complete(stream.key, failure, received: stream.received)
    default: return false
    }
    return true
  }

  private mutating func complete(_ id: Int64, _ tracker: ForeignTracker) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    tracker.complete(stream.key, received: stream.received)
  }

  /// Ends all requests in flight if the connection was closed because of an error.
  private mutating func close(_ data: JSONValue, _ tracker: ForeignTracker) {
    let trigger = data["trigger"]?.text
    let code = data["connection_code"] ?? data["connection_error"] ?? data["application_code"] ?? data["application_error"]
    let name = code?.scalarText ?? trigger
    let isClean =
      name == nil || ["no_error", "http_no_error", "h3_no_error", "0", "256", "clean"].contains(name?.lowercased() ?? "")
    guard !isClean || trigger == "idle_timeout" else { return }
    let isTimeout = trigger == "idle_timeout" || trigger == "handshake_timeout"
    for id in streams.keys.sorted() {
      // An idle connection may time out long after the response, whose end shows in packets only.
      if trigger == "idle_timeout", !hasPackets, streams[id]?.hasResponse == true { continue }
      guard let stream = streams.removeValue(forKey: id) else { continue }
      tracker.complete(
        stream.key,
        ForeignFailure(isTimeout ? .timeout : .transport, name: isTimeout ? trigger : name, message: data["reason"]?.text),
        received: stream.received)
    }
  }
}
