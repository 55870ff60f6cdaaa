import XferEvents

/// The encoded keys and values that all events of one writer share. A member is empty when the writer lacks its value.
final class PreparedWriter {
  let source: RecordSource
  let launch: [UInt8]
  let pid: [UInt8]
  let role: [UInt8]

  init(_ source: RecordSource) {
    self.source = source
    let writer = source.writer
    launch = prepared(.launch, writer.launch) { $1.uuid($0.high, $0.low) }
    pid = prepared(.pid, writer.pid) { $1.integer($0) }
    role = prepared(.role, writer.role) { $1.string($0.name) }
  }
}

/// The encoded keys and values that all events of one layout share.
final class PreparedLayout {
  let layout: EventLayout
  let level: [UInt8]
  let event: [UInt8]
  let taskPlace: Int?
  /// All fields except the task, in reading order.
  let fields: [(place: Int, key: [UInt8])]

  init(_ layout: EventLayout) {
    self.layout = layout
    level = prepared(.level, layout.level) { $1.string($0.name) }
    event = prepared(.event, layout.name) { $1.string($0) }
    let taskPlace = layout.fields.firstIndex { $0.name == "task" && $0.type == .task }
    self.taskPlace = taskPlace
    fields = layout.readingOrder.filter { $0 != taskPlace }.map { ($0, JSONText.preparedKey(layout.fields[$0].name)) }
  }
}

private func prepared<Value>(_ member: EventMember, _ value: Value?, _ write: (Value, inout JSONText) -> Void) -> [UInt8] {
  guard let value else { return [] }
  var json = JSONText(capacity: 128)
  json.key(member.name)
  write(value, &json)
  return Array(json.text.bytes)
}
