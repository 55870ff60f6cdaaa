package import XferEvents

/// Events as JSON: one document, or one object a line.
///
/// Identifiers, digests, hashes and the monotonic clock are strings, because many readers of JSON keep 53 bits of a
/// number. Quantities are numbers in the unit that the schema gives: bytes, nanoseconds, counts.
package struct EventJSON: EventDocument {
  package enum Form: Sendable {
    /// `{ "schema": "xferlog.events/1", "events": [...] }`
    case document
    /// One object a line, each with `"schema": "xferlog.event/1"`.
    case lines
  }

  package static let documentSchema: StaticString = "xferlog.events/1"
  package static let lineSchema: StaticString = "xferlog.event/1"

  private let form: Form
  private var isFirst = true
  // What recurs is written once.
  private var writers: [PreparedWriter?] = []
  private var layouts: [PreparedLayout?] = []
  private var clock = WallTimeText()

  package init(_ form: Form) { self.form = form }

  package mutating func begin(in text: inout TextBuffer) {
    isFirst = true
    guard form == .document else { return }
    text.appendJSON { json in
      json.beginObject()
      json.key("schema")
      json.string(Self.documentSchema)
      json.key("events")
      json.beginArray()
    }
  }

  package mutating func end(in text: inout TextBuffer) {
    if form == .document { text.append("\n]}\n" as StaticString) }
  }

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    open(&text)
    text.appendJSON { write(event, to: &$0) }
    close(&text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    open(&text)
    text.appendJSON { write(gap, to: &$0) }
    close(&text)
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    open(&text)
    text.appendJSON { json in
      beginObject(&json)
      if let wall = inset.wall { write(wall, as: "time", to: &json) }
      json.member("level", inset.level.name)
      json.key(inset.key)
      inset.write(&json)
      json.endObject()
    }
    close(&text)
  }

  private mutating func open(_ text: inout TextBuffer) {
    guard form == .document else { return }
    if isFirst { text.append("\n" as StaticString) } else { text.append(",\n" as StaticString) }
    isFirst = false
  }

  private func close(_ text: inout TextBuffer) {
    if form == .lines { text.append(UInt8(ascii: "\n")) }
  }

  // MARK: Events

  private mutating func write(_ event: RecordedEvent, to json: inout JSONText) {
    let layout = prepared(event.layout)
    beginObject(&json)
    if let wall = event.wall { write(wall, as: "time", to: &json) }
    if let monotonic = event.monotonic {
      json.key("mono")
      json.integerString(monotonic)
    }
    json.prepared(layout.levelAndName)
    json.prepared(prepared(event.source).bytes)
    if let thread = event.thread { json.member("thread", thread) }
    write(event.reference, to: &json)
    if let place = layout.taskPlace, let task = event.value(at: place) {
      json.key("task")
      EventJSON.write(task, to: &json)
    }
    json.key("fields")
    json.beginObject()
    for field in layout.fields {
      guard let value = event.value(at: field.place) else { continue }
      json.key(prepared: field.key)
      EventJSON.write(value, to: &json)
    }
    json.endObject()
    json.endObject()
  }

  private func beginObject(_ json: inout JSONText) {
    json.beginObject()
    if form == .lines {
      json.key("schema")
      json.string(Self.lineSchema)
    }
  }

  private mutating func write(_ time: WallTime, as name: StaticString, to json: inout JSONText) {
    json.key(name)
    json.beginString()
    clock.append(time, to: &json.text)
    json.endString()
  }

  private func write(_ reference: EventReference, to json: inout JSONText) {
    json.object("source") { json in
      switch reference {
      case .record(let segment, let lane, let sequence):
        json.member("segment", segment)
        json.member("lane", lane)
        json.member("seq", sequence)
      case .line(let file, let line):
        json.member("file", file)
        json.member("line", line)
      }
    }
  }

  /// A value in its form: see `EventSchema`.
  package static func write(_ value: RecordedValue, to json: inout JSONText) {
    switch value {
    case .task(let task): write(task, to: &json)
    case .tasks(let tasks):
      json.beginArray()
      for task in tasks { write(task, to: &json) }
      json.endArray()
    case .launch(let id): json.uuid(id.high, id.low)
    case .boot(let id): json.uuid(id.high, id.low)
    case .identifier(let id): json.integerString(id)
    case .digest(let digest): json.hexadecimal(digest)
    case .bytes(let count): json.integer(count)
    case .integer(let number): json.integer(number)
    case .duration(let duration): json.integer(duration.nanoseconds)
    case .time(let time):
      json.beginString()
      var text = WallTimeText()
      text.append(time, to: &json.text)
      json.endString()
    case .flag(let flag): json.boolean(flag)
    case .choice(let name): json.string(name)
    case .text(let text): write(text, to: &json)
    case .message(let message): json.message(message)
    case .unreadable:
      json.beginObject()
      json.member("unreadable", true)
      json.endObject()
    }
  }

  private static func write(_ task: TaskIdentity, to json: inout JSONText) {
    json.beginObject()
    json.key("uid")
    json.uuid(task.uid.high, task.uid.low)
    json.member("session", task.session)
    json.member("number", task.number)
    json.endObject()
  }

  private static func write(_ text: RecordedText, to json: inout JSONText) {
    switch text {
    case .plain(let text): json.string(text)
    case .cut(let text, let count):
      json.beginObject()
      json.member("cut", text)
      json.member("bytes", count)
      json.endObject()
    case .hashed(let hash):
      json.beginObject()
      json.key("hash")
      json.hexadecimal(hash)
      json.endObject()
    case .redacted:
      json.beginObject()
      json.member("redacted", true)
      json.endObject()
    }
  }

  // MARK: Gaps

  private mutating func write(_ gap: LogGap, to json: inout JSONText) {
    beginObject(&json)
    if let wall = gap.before?.wall { write(wall, as: "time", to: &json) }
    if let monotonic = gap.before?.monotonic {
      json.key("mono")
      json.integerString(monotonic)
    }
    if let launch = gap.launch {
      json.key("launch")
      json.uuid(launch.high, launch.low)
    }
    json.object("gap") { json in
      json.member("cause", gap.cause.name)
      if case .damaged(let problem) = gap.cause { json.member("problem", problem) }
      json.member("segment", gap.segment)
      json.member("name", gap.name)
      if let lane = gap.lane { json.member("lane", lane) }
      if let sequences = gap.sequences {
        json.object("sequences") { json in
          json.member("from", sequences.lowerBound)
          json.member("to", sequences.upperBound)
        }
      }
      if let bytes = gap.bytes {
        json.object("bytes") { json in
          json.member("from", bytes.lowerBound)
          json.member("to", bytes.upperBound)
        }
      }
      if let monotonic = gap.after?.monotonic {
        json.key("afterMono")
        json.integerString(monotonic)
      }
    }
    json.endObject()
  }

  // MARK: What recurs

  /// Members that are the same in all events of one writer.
  private final class PreparedWriter {
    let source: RecordSource
    let bytes: [UInt8]

    init(source: RecordSource, bytes: [UInt8]) {
      self.source = source
      self.bytes = bytes
    }
  }

  private mutating func prepared(_ source: RecordSource) -> PreparedWriter {
    while writers.count <= source.index { writers.append(nil) }
    if let known = writers[source.index], known.source === source { return known }
    var json = JSONText(capacity: 128)
    if let launch = source.writer.launch {
      json.key("launch")
      json.uuid(launch.high, launch.low)
    }
    if let pid = source.writer.pid { json.member("pid", pid) }
    if let role = source.writer.role { json.member("role", role.name) }
    let prepared = PreparedWriter(source: source, bytes: Array(json.text.bytes))
    writers[source.index] = prepared
    return prepared
  }

  /// What is the same in all events of one layout.
  private final class PreparedLayout {
    let layout: EventLayout
    let levelAndName: [UInt8]
    let taskPlace: Int?
    /// Without the task, in the order in which people read them.
    let fields: [(place: Int, key: [UInt8])]

    init(_ layout: EventLayout) {
      self.layout = layout
      var json = JSONText(capacity: 128)
      json.member("level", layout.level.name)
      json.member("event", layout.name)
      levelAndName = Array(json.text.bytes)
      let taskPlace = layout.fields.firstIndex { $0.name == "task" && $0.type == .task }
      self.taskPlace = taskPlace
      fields = layout.readingOrder.filter { $0 != taskPlace }.map { ($0, JSONText.preparedKey(layout.fields[$0].name)) }
    }
  }

  private mutating func prepared(_ layout: EventLayout) -> PreparedLayout {
    let number = Int(layout.number)
    while layouts.count <= number { layouts.append(nil) }
    if let known = layouts[number], known.layout === layout { return known }
    let prepared = PreparedLayout(layout)
    layouts[number] = prepared
    return prepared
  }
}
