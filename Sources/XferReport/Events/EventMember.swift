import XferEvents

/// The members of an event in JSON, in the order in which they are written.
///
/// A log can have millions of events, so `EventJSON` writes these members in a `switch` instead of the closures of a
/// `DocumentObject`.
enum EventMember: CaseIterable {
  case schema, time, mono, level, event, launch, pid, role, thread, source, task, fields

  /// The key of the member.
  @inline(__always)
  var name: StaticString {
    switch self {
    case .schema: "schema"
    case .time: "time"
    case .mono: "mono"
    case .level: "level"
    case .event: "event"
    case .launch: "launch"
    case .pid: "pid"
    case .role: "role"
    case .thread: "thread"
    case .source: "source"
    case .task: "task"
    case .fields: "fields"
    }
  }

  private var shape: DocumentShape {
    switch self {
    case .schema: .constant("xferlog.event/1")
    case .time: .text(.time)
    case .mono: .text(.nanoseconds)
    case .level: .choice(Level.allCases.map(\.name))
    case .event: .text(.string)
    case .launch: .text(.uuid)
    case .pid, .thread: .integer
    case .role: .vocabulary("WriterRole")
    case .source: SharedObjects.source
    case .task: .eventValue(.task)
    case .fields: .eventFields
    }
  }

  private var presence: DocumentPresence {
    switch self {
    case .schema, .level, .event, .source, .fields: .always
    case .time, .mono, .launch, .pid, .role, .thread, .task: .omitted
    }
  }

  private var summary: String {
    switch self {
    case .schema: "Name and version of the document."
    case .time: "Wall-clock time of the event."
    case .mono: "Time of the clock that stops while the machine sleeps, comparable only within one boot."
    case .level: "Level of the event."
    case .event: "Name of the event: its family and what happened, separated by a full stop."
    case .launch: "Process life that wrote the event."
    case .pid: "Process id of the writer."
    case .role: "Role of the writer."
    case .thread: "Thread id that the kernel assigned."
    case .source: "Place of the event."
    case .task: "Task that the event is about."
    case .fields: "Fields of the event; see the vocabulary."
    }
  }

  /// Returns the members of an event. Only an event on its own line (NDJSON) has the member `schema`.
  static func all(isLine: Bool) -> [EventMember] { isLine ? allCases : Array(allCases.dropFirst()) }

  /// Returns the description of an event's JSON object.
  static func description(isLine: Bool) -> DocumentDescription {
    DocumentDescription(
      name: "event", summary: "An event.",
      fields: all(isLine: isLine).map {
        .init(name: "\($0.name)", shape: $0.shape, unit: nil, summary: $0.summary, presence: $0.presence)
      })
  }
}
