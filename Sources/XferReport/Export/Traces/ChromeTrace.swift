package import XferEvents

/// A log in Chrome's Trace Event Format (JSON), which Perfetto's and Chromium's viewers open.
///
/// Tasks and attempts are nestable asynchronous events, other events are instants. Times are microseconds since the first event.
package struct ChromeTrace: ExportDocument {
  private var timeline = Timeline()
  private let version: String
  private var origin: Int64?
  private var gaps = 0
  package private(set) var count = 0
  package let noun = (one: "trace event", many: "trace events")

  package init(version: String) { self.version = version }

  package var losses: [String] {
    let cut = timeline.tracker.cutTasks
    return cut == 0 ? [] : ["\(cut) tasks were exported before their end, because too many were open"]
  }

  package mutating func begin(in text: inout TextBuffer) { text.append("{\"traceEvents\":[" as StaticString) }

  package mutating func append(_ event: RecordedEvent, isSelected: Bool, to text: inout TextBuffer) {
    let start = origin ?? ExportClock.nanoseconds(event.moment)
    origin = start
    append(timeline.apply(event, isSelected: isSelected), origin: start, to: &text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) { gaps += 1 }

  package mutating func end(incompleteBecause reasons: [String], in text: inout TextBuffer) -> Bool {
    append(timeline.finish(), origin: origin ?? 0, to: &text)
    text.append("\n]," as StaticString)
    let (version, gaps, origin) = (version, gaps, WallTime(nanoseconds: origin ?? 0))
    text.appendJSON { json in
      json.member("displayTimeUnit", "ms")
      json.object("otherData") { json in
        json.member("creator", "xferlog \(version)")
        json.member("origin", "\(origin)")
        if gaps > 0 { json.member("gaps", "\(gaps)") }
        if !reasons.isEmpty { json.member("incomplete", reasons.joined(separator: "; ")) }
      }
    }
    text.append("}\n" as StaticString)
    return false
  }

  private mutating func append(_ items: [Timeline.Item], origin: Int64, to text: inout TextBuffer) {
    for item in items {
      switch item {
      case .track(let track): append(track, to: &text)
      case .begin(let slice): append(slice, isBegin: true, origin, to: &text)
      case .end(let slice): append(slice, isBegin: false, origin, to: &text)
      case .instant(let instant): append(instant, origin, to: &text)
      }
    }
  }

  /// Tasks have no threads; their rows follow from the identifiers of their events.
  private mutating func append(_ track: Timeline.NewTrack, to text: inout TextBuffer) {
    guard case .process(let pid) = track.track else { return }
    line(to: &text) { json in
      json.member("ph", "M")
      json.member("name", "process_name")
      json.member("ts", 0)
      json.member("pid", pid)
      json.member("tid", 0)
      json.object("args") { $0.member("name", track.name) }
    }
  }

  private mutating func append(_ slice: Timeline.Slice, isBegin: Bool, _ origin: Int64, to text: inout TextBuffer) {
    guard let id = Self.id(slice.track) else { return }
    line(to: &text) { json in
      json.member("ph", isBegin ? "b" : "e")
      json.key("cat")
      json.string(Self.category(slice.track))
      json.member("name", slice.name)
      json.object("id2") { $0.member("global", id) }
      json.key("ts")
      json.microseconds((isBegin ? slice.start : slice.end).subtractingClamped(origin))
      json.member("pid", slice.pid)
      json.member("tid", 0)
      if isBegin, !slice.details.isEmpty { json.object("args") { Self.write(slice.details, to: &$0) } }
    }
  }

  private mutating func append(_ instant: Timeline.Instant, _ origin: Int64, to text: inout TextBuffer) {
    line(to: &text) { json in
      let id = Self.id(instant.track)
      json.member("ph", id == nil ? "i" : "n")
      json.member("cat", id == nil ? instant.category : "task")
      json.member("name", instant.name)
      if let id { json.object("id2") { $0.member("global", id) } } else { json.member("s", "p") }
      json.key("ts")
      json.microseconds(instant.time.subtractingClamped(origin))
      json.member("pid", instant.pid)
      json.member("tid", 0)
      json.object("args") { Self.write(instant.details, to: &$0) }
    }
  }

  /// Asynchronous events of one category and identifier share a row.
  private static func category(_ track: Timeline.Track) -> StaticString {
    if case .attempts = track { "attempt" } else { "task" }
  }

  private static func id(_ track: Timeline.Track) -> String? {
    switch track {
    case .process: nil
    case .task(let uid), .attempts(let uid): "\(uid)"
    }
  }

  private static func write(_ details: [(name: String, value: OTLPAttribute)], to json: inout JSONText) {
    for detail in details {
      json.key(detail.name)
      switch detail.value {
      case .string(let text): json.string(text)
      case .integer(let number): json.integer(number)
      case .flag(let flag): json.boolean(flag)
      case .double(let number): json.number(number)
      }
    }
  }

  private mutating func line(to text: inout TextBuffer, _ write: (inout JSONText) -> Void) {
    text.append(count == 0 ? "\n" : ",\n")
    count += 1
    text.appendJSON { json in
      json.beginObject()
      write(&json)
      json.endObject()
    }
  }
}

extension JSONText {
  /// Appends nanoseconds as microseconds, exactly.
  fileprivate mutating func microseconds(_ nanoseconds: Int64) {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    prepared(Array("\(nanoseconds < 0 ? "-" : "")\(whole)".utf8))
    if rest > 0 {
      text.append(UInt8(ascii: "."))
      text.append(rest, width: 3)
    }
  }
}
