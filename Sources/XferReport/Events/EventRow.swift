import XferEvents

/// An event that is written as JSON, with prepared bytes for the members that recur.
struct EventRow {
  let event: RecordedEvent
  let layout: Layout
  let writer: Writer
  let clock: Clock

  init(_ event: RecordedEvent, layout: Layout, writer: Writer, clock: Clock) {
    (self.event, self.layout, self.writer, self.clock) = (event, layout, writer, clock)
  }

  /// The members that are equal in all events of one writer, each with its key; empty for a member that the writer lacks.
  final class Writer {
    let source: RecordSource
    let launch: [UInt8]
    let pid: [UInt8]
    let role: [UInt8]

    init(_ source: RecordSource) {
      self.source = source
      launch =
        source.writer.launch.map { launch in
          Self.bytes { json in
            json.key("launch")
            json.uuid(launch.high, launch.low)
          }
        } ?? []
      pid = source.writer.pid.map { pid in Self.bytes { $0.member("pid", pid) } } ?? []
      role = source.writer.role.map { role in Self.bytes { $0.member("role", role.name) } } ?? []
    }

    static func bytes(_ write: (inout JSONText) -> Void) -> [UInt8] {
      var json = JSONText(capacity: 128)
      write(&json)
      return Array(json.text.bytes)
    }
  }

  /// The members that are equal in all events of one layout, each with its key.
  final class Layout {
    let layout: EventLayout
    let level: [UInt8]
    let name: [UInt8]
    let taskPlace: Int?
    /// All fields but the task, in the order in which people read them.
    let fields: [(place: Int, key: [UInt8])]

    init(_ layout: EventLayout) {
      self.layout = layout
      level = Writer.bytes { $0.member("level", layout.level.name) }
      name = Writer.bytes { $0.member("event", layout.name) }
      let taskPlace = layout.fields.firstIndex { $0.name == "task" && $0.type == .task }
      self.taskPlace = taskPlace
      fields = layout.readingOrder.filter { $0 != taskPlace }.map { ($0, JSONText.preparedKey(layout.fields[$0].name)) }
    }
  }

  /// A clock that keeps the text of the last second, because events come in order.
  final class Clock {
    private var text = WallTimeText()

    func write(_ time: WallTime, to json: inout JSONText) {
      json.beginString()
      text.append(time, to: &json.text)
      json.endString()
    }
  }
}
