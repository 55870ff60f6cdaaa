package import XferEvents

/// Events as JSON: one document, or one object per line.
///
/// Identifiers, digests, hashes and monotonic times are strings, because many JSON parsers keep only 53 bits of a
/// number. Quantities are numbers in the unit that the schema states: bytes, nanoseconds, counts.
/// `EventMember` and `EventObjects` declare the members.
package struct EventJSON: EventDocument {
  package enum Form: Sendable {
    /// `{ "schema": "xferlog.events/1", "events": [...] }`
    case document
    /// One object per line, each with `"schema": "xferlog.event/1"`.
    case lines
  }

  private let form: Form
  /// Whether files are named without their directories, which may be private.
  private let hidesDirectories: Bool
  private let members: [EventMember]
  private let objects: EventObjects
  private var isFirst = true
  // Members that recur are encoded once and then copied.
  private var writers: [PreparedWriter?] = []
  private var layouts: [PreparedLayout?] = []
  private var clock = WallTimeText()
  /// The writers of foreign logs that have been written.
  private var announced: [Announcement: WriterContext] = [:]

  private struct Announcement: Hashable {
    let file: UInt32
    let launch: LaunchID?
  }

  package init(_ form: Form) { self.init(form, hidesDirectories: false) }

  private init(_ form: Form, hidesDirectories: Bool) {
    self.form = form
    self.hidesDirectories = hidesDirectories
    members = EventMember.all(isLine: form == .lines)
    objects = form == .lines ? .lines : .members
  }

  /// Lines that are meant to be passed on and read again: they name files without their directories, and describe all writers.
  package static var passedOn: EventJSON { EventJSON(.lines, hidesDirectories: true) }

  package mutating func begin(in text: inout TextBuffer) {
    isFirst = true
    guard form == .document else { return }
    text.appendJSON { json in
      json.beginObject()
      json.member("schema", "xferlog.events/1")
      json.key("events")
      json.beginArray()
    }
  }

  package mutating func end(in text: inout TextBuffer) {
    if form == .document { text.append("\n]}\n" as StaticString) }
  }

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    if form == .lines { announce(event.source, in: &text) }
    open(&text)
    text.appendJSON { write(event, to: &$0) }
    close(&text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    open(&text)
    text.appendJSON { objects.gap.write(hidesDirectories ? gap.named(gap.name.fileName ?? gap.name) : gap, to: &$0) }
    close(&text)
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    open(&text)
    text.appendJSON { objects.inset.write(inset, to: &$0) }
    close(&text)
  }

  package mutating func append(incompleteness reasons: [String], to text: inout TextBuffer) {
    guard form == .lines else { return }
    for reason in reasons {
      text.appendJSON { objects.incompleteness.write(reason, to: &$0) }
      text.append(UInt8(ascii: "\n"))
    }
  }

  /// Writes the writer of a foreign log before its first event.
  private mutating func announce(_ source: RecordSource, in text: inout TextBuffer) {
    if source.index < writers.count, let known = writers[source.index], known.source === source { return }
    guard source.writer.coverage != nil || hidesDirectories else { return }
    let key = Announcement(file: source.number, launch: source.writer.launch)
    guard announced[key] != source.writer else { return }
    announced[key] = source.writer
    let named =
      hidesDirectories
      ? RecordSource(
        number: source.number, name: source.name.fileName ?? source.name, writer: source.writer, index: source.index,
        bytes: source)
      : source
    text.appendJSON { objects.writer.write(named, to: &$0) }
    text.append(UInt8(ascii: "\n"))
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
    let writer = prepared(event.source)
    json.beginObject()
    for member in members {
      switch member {
      case .schema:
        json.key(member.name)
        json.string("xferlog.event/1" as StaticString)
      case .time:
        guard let wall = event.wall else { continue }
        json.key(member.name)
        json.beginString()
        clock.append(wall, to: &json.text)
        json.endString()
      case .mono:
        guard let monotonic = event.monotonic else { continue }
        json.key(member.name)
        json.integerString(monotonic)
      case .level: json.prepared(layout.level)
      case .event: json.prepared(layout.event)
      case .launch: json.prepared(writer.launch)
      case .pid: json.prepared(writer.pid)
      case .role: json.prepared(writer.role)
      case .thread: if let thread = event.thread { json.member(member.name, thread) }
      case .source:
        json.key(member.name)
        SharedObjects.write(event.reference, to: &json)
      case .task:
        guard let place = layout.taskPlace, let task = event.value(at: place) else { continue }
        json.key(member.name)
        EventJSON.write(task, to: &json)
      case .fields:
        json.key(member.name)
        json.beginObject()
        for field in layout.fields {
          guard let value = event.value(at: field.place) else { continue }
          json.key(prepared: field.key)
          EventJSON.write(value, to: &json)
        }
        json.endObject()
      }
    }
    json.endObject()
  }

  // MARK: Values

  /// Writes a value in the form that `EventSchema` describes.
  package static func write(_ value: RecordedValue, to json: inout JSONText) {
    switch value {
    case .task(let task): write(task, to: &json)
    case .tasks(let tasks): json.array(of: tasks) { write($0, to: &$1) }
    case .launch(let id): json.uuid(id.high, id.low)
    case .boot(let id): json.uuid(id.high, id.low)
    case .identifier(let id): json.integerString(id)
    case .digest(let digest): json.hexadecimal(digest)
    case .bytes(let count): json.integer(count)
    case .integer(let number): json.integer(number)
    case .duration(let duration): json.integer(duration.nanoseconds)
    case .time(let time): json.time(time)
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

  // MARK: Members that recur

  private mutating func prepared(_ source: RecordSource) -> PreparedWriter {
    while writers.count <= source.index { writers.append(nil) }
    if let known = writers[source.index], known.source === source { return known }
    let prepared = PreparedWriter(source)
    writers[source.index] = prepared
    return prepared
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

extension EventJSON {
  /// The fields of the document `xferlog.events/1`.
  package static let description = DocumentDescription(
    name: "events", summary: "Events with the gaps and the findings between them.",
    fields: [
      .init(
        name: "schema", shape: .constant("xferlog.events/1"), unit: nil, summary: "Name and version of the document.",
        presence: .always),
      .init(
        name: "events", shape: .list(.either(EventObjects.members.descriptions.map(DocumentShape.object))), unit: nil,
        summary: "Events, gaps and findings, in their order.", presence: .always),
    ])
}
