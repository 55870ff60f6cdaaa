package import XferEvents

/// Requests as an HTTP Archive 1.2: one entry for each request, so that a redirect adds one, and one page for each session.
package struct HARDocument: ExportDocument {
  private var tracker = LifecycleTracker()
  private let version: String
  private var clock = WallTimeText()
  /// The sessions of the entries, with their first times.
  private var pages: [(session: String, start: Int64)] = []
  private var pageOf: [String: Int] = [:]
  private var gaps = 0
  private var cut = 0
  package private(set) var count = 0
  package let noun = (one: "entry", many: "entries")

  private static let mostPages = 10_000

  package init(version: String) { self.version = version }

  package var losses: [String] {
    tracker.cutTasks == 0 ? [] : ["\(tracker.cutTasks) tasks were exported before their end, because too many were open"]
  }

  package mutating func begin(in text: inout TextBuffer) {
    let version = version
    text.appendJSON { json in
      json.beginObject()
      json.key("log")
      json.beginObject()
      json.member("version", "1.2")
      json.object("creator") { json in
        json.member("name", "xferlog")
        json.member("version", version)
      }
      json.key("entries")
      json.beginArray()
    }
  }

  package mutating func append(_ event: RecordedEvent, isSelected: Bool, to text: inout TextBuffer) {
    append(tracker.apply(event, isSelected: isSelected), to: &text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) { gaps += 1 }

  package mutating func end(incompleteBecause reasons: [String], in text: inout TextBuffer) -> Bool {
    append(tracker.finish(), to: &text)
    var comments = [
      "The log has no bodies and no values of most header fields. They are empty here. REDACTED stands for masked paths and queries."
    ]
    if gaps > 0 { comments.append("The log has \(gaps.counted("gap")).") }
    comments += reasons.map { "The log is incomplete: \($0)." }
    let pages = pages
    text.append("\n]," as StaticString)
    var clock = clock
    text.appendJSON { json in
      json.array("pages", pages) { page, json in
        json.beginObject()
        Self.write("startedDateTime", page.start, &clock, to: &json)
        json.member("id", page.session)
        json.member("title", "session \(page.session)")
        json.object("pageTimings") { _ in }
        json.endObject()
      }
      json.member("comment", comments.joined(separator: " "))
    }
    text.append("}}\n" as StaticString)
    return false
  }

  private mutating func append(_ units: [LifecycleTracker.Unit], to text: inout TextBuffer) {
    for case .attempt(let attempt) in units where attempt.isSelected {
      for place in attempt.requests.indices {
        text.append(count == 0 ? "\n" : ",\n")
        count += 1
        let page = page(of: attempt)
        var clock = clock
        text.appendJSON { Self.write(attempt, place, page: page, &clock, to: &$0) }
        self.clock = clock
      }
    }
  }

  private mutating func page(of attempt: ExportedAttempt) -> String? {
    let session = attempt.task.session
    if pageOf[session] == nil {
      guard pages.count < Self.mostPages else { return nil }
      pageOf[session] = pages.count
      pages.append((session, attempt.startNanoseconds))
    }
    return session
  }

  // MARK: Entries

  private static func write(_ key: StaticString, _ nanoseconds: Int64, _ clock: inout WallTimeText, to json: inout JSONText) {
    json.key(key)
    json.beginString()
    clock.append(WallTime(nanoseconds: nanoseconds), to: &json.text)
    json.endString()
  }

  private static func write(
    _ attempt: ExportedAttempt, _ place: Int, page: String?, _ clock: inout WallTimeText, to json: inout JSONText
  ) {
    let request = attempt.requests[place]
    let isLast = place == attempt.requests.count - 1
    let phases = RequestPhases(request, until: isLast ? attempt.last : attempt.requests[place + 1].start)
    json.beginObject()
    if let page { json.member("pageref", page) }
    write("startedDateTime", ExportClock.nanoseconds(request.start), &clock, to: &json)
    json.key("time")
    json.milliseconds(phases.total)
    json.key("request")
    write(request, attempt, isLast: isLast, to: &json)
    json.key("response")
    writeResponse(of: request, attempt, isLast: isLast, to: &json)
    json.object("cache") { _ in }
    json.key("timings")
    write(phases, to: &json)
    if case .plain(let address)? = request.remoteAddress { json.member("serverIPAddress", address) }
    if let connection = request.connection { json.member("connection", String(connection.rawValue)) }
    if attempt.cacheAnswer != nil { json.member("_fromCache", "disk") }
    json.member("_task", attempt.task.label)
    json.member("_attempt", attempt.number)
    if let retryIn = attempt.retryIn, isLast {
      json.key("_retryInMilliseconds")
      json.milliseconds(retryIn.nanoseconds)
    }
    if !attempt.isEnded {
      json.member("_unfinished", true)
      json.member("comment", "The attempt has no end in the log.")
    }
    json.endObject()
  }

  private static func write(
    _ request: ExportedRequest, _ attempt: ExportedAttempt, isLast: Bool, to json: inout JSONText
  ) {
    json.beginObject()
    json.member("method", request.method ?? "GET")
    json.member("url", request.url.text)
    json.member("httpVersion", request.protocol ?? "unknown")
    json.array("cookies", [String]()) { _, _ in }
    write("headers", request.requestHeaders, [], to: &json)
    json.array("queryString", request.url.queryItems) { item, json in
      json.beginObject()
      json.member("name", item.name)
      json.member("value", item.value)
      json.endObject()
    }
    let body = isLast ? attempt.sent : nil
    if let body, body > 0 {
      json.object("postData") { json in
        json.member("mimeType", "")
        json.array("params", [String]()) { _, _ in }
        json.member("text", "")
        json.member("comment", "The log has no bodies.")
      }
    }
    let head = request.requestBytes.map { max(0, $0.subtractingClamped(body ?? 0)) }
    json.member("headersSize", head ?? -1)
    json.member("bodySize", body ?? -1)
    json.endObject()
  }

  private static func writeResponse(
    of request: ExportedRequest, _ attempt: ExportedAttempt, isLast: Bool, to json: inout JSONText
  ) {
    let received = isLast ? attempt.received : nil
    json.beginObject()
    json.member("status", request.status ?? 0)
    json.member("statusText", "")
    json.member("httpVersion", request.status == nil ? "unknown" : request.protocol ?? "unknown")
    json.array("cookies", [String]()) { _, _ in }
    write("headers", request.responseHeaders, request.responseValues, to: &json)
    json.object("content") { json in
      json.member("size", (isLast ? attempt.decoded : nil) ?? received ?? -1)
      json.member("mimeType", request.contentType ?? "")
      json.member("comment", "The log has no bodies.")
    }
    json.member("redirectURL", request.location?.text ?? "")
    json.member("headersSize", -1)
    json.member("bodySize", received ?? -1)
    if isLast, let failure = attempt.failure { json.member("_error", failure) }
    json.endObject()
  }

  /// Writes header fields. The log has the names of all fields, and the values of a few.
  private static func write(
    _ key: StaticString, _ names: [String], _ known: [(name: String, value: String)], to json: inout JSONText
  ) {
    var fields = names.map { name in (name: name, value: known.first { $0.name == name.lowercased() }?.value ?? "") }
    for field in known where !fields.contains(where: { $0.name.lowercased() == field.name }) { fields.append(field) }
    json.array(key, fields) { field, json in
      json.beginObject()
      json.member("name", field.name)
      json.member("value", field.value)
      json.endObject()
    }
  }

  private static func write(_ phases: RequestPhases, to json: inout JSONText) {
    // The format's time to connect includes the TLS handshake.
    let connect =
      phases.connect == nil && phases.secure == nil ? nil : (phases.connect ?? 0).addingClamped(phases.secure ?? 0)
    let optional: [(StaticString, Int64?)] = [
      ("blocked", phases.queue), ("dns", phases.nameLookup), ("connect", connect), ("ssl", phases.secure),
    ]
    json.beginObject()
    for (key, value) in optional {
      json.key(key)
      if let value { json.milliseconds(value) } else { json.integer(-1) }
    }
    for (key, value) in [("send", phases.send), ("wait", phases.wait), ("receive", phases.receive)] as [(StaticString, Int64)] {
      json.key(key)
      json.milliseconds(value)
    }
    json.endObject()
  }
}

extension JSONText {
  /// Appends nanoseconds as milliseconds, exactly.
  mutating func milliseconds(_ nanoseconds: Int64) {
    let (whole, rest) = nanoseconds.dividedDown(by: 1_000_000)
    prepared(Array("\(whole)".utf8))
    if rest > 0 {
      text.append(UInt8(ascii: "."))
      var (digits, width) = (rest, 6)
      while digits % 10 == 0 { (digits, width) = (digits / 10, width - 1) }
      text.append(UInt64(digits), width: width)
    }
  }
}
