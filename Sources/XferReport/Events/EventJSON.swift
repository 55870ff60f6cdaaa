package import XferEvents

/// Events as JSON: one document, or one object a line.
///
/// Identifiers, digests, hashes and the monotonic clock are strings, because many readers of JSON keep 53 bits of a
/// number. Quantities are numbers in the unit that the schema gives: bytes, nanoseconds, counts.
/// `EventObjects` declares the fields.
package struct EventJSON: EventDocument {
  package enum Form: Sendable {
    /// `{ "schema": "xferlog.events/1", "events": [...] }`
    case document
    /// One object a line, each with `"schema": "xferlog.event/1"`.
    case lines
  }

  private let form: Form
  private let objects: EventObjects
  private var isFirst = true
  // Members that recur are written once and then copied.
  private var writers: [EventRow.Writer?] = []
  private var layouts: [EventRow.Layout?] = []
  private let clock = EventRow.Clock()

  package init(_ form: Form) {
    self.form = form
    objects = form == .lines ? .lines : .members
  }

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
    open(&text)
    let row = EventRow(event, layout: prepared(event.layout), writer: prepared(event.source), clock: clock)
    text.appendJSON { objects.event.write(row, to: &$0) }
    close(&text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    open(&text)
    text.appendJSON { objects.gap.write(gap, to: &$0) }
    close(&text)
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    open(&text)
    text.appendJSON { objects.inset.write(inset, to: &$0) }
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

  // MARK: Values

  /// Writes a value in the form that `EventSchema` describes.
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

  // MARK: Members that recur

  private mutating func prepared(_ source: RecordSource) -> EventRow.Writer {
    while writers.count <= source.index { writers.append(nil) }
    if let known = writers[source.index], known.source === source { return known }
    let prepared = EventRow.Writer(source)
    writers[source.index] = prepared
    return prepared
  }

  private mutating func prepared(_ layout: EventLayout) -> EventRow.Layout {
    let number = Int(layout.number)
    while layouts.count <= number { layouts.append(nil) }
    if let known = layouts[number], known.layout === layout { return known }
    let prepared = EventRow.Layout(layout)
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
