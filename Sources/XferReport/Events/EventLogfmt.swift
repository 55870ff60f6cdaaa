package import XferEvents
import XferPredicate

/// Events as logfmt: one line of `key=value` pairs for each event, gap or finding. Numbers are exact: bytes and nanoseconds.
package struct EventLogfmt: EventDocument {
  private var messages = MessageTexts()
  private var pairs = LogfmtText()

  /// The keys of the pairs that all events have. A field with one of these names gets the prefix that it has in queries.
  private static let keys: Set<String> = [
    "time", "mono", "level", "event", "task", "session", "number", "uid", "role", "pid", "msg", "place", "rule", "cause",
  ]

  package init() {}

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func end(in text: inout TextBuffer) {}

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    let (task, writer) = (event.task, event.source.writer)
    appendTime(event.wall, to: &text)
    pairs.append("level", event.level.name, to: &text)
    pairs.append("event", event.layout.name, to: &text)
    if let task { append(task, to: &text) } else { pairs.append("session", event.session, to: &text) }
    pairs.append("role", writer.role?.name, to: &text)
    pairs.append("pid", writer.pid, to: &text)
    pairs.append("msg", messages.text(of: event), to: &text)
    for (name, value) in event.values where name != "session" && !(name == "task" && task != nil) {
      pairs.append(Self.keys.contains(name) ? "fields." + name : name, value.exact, to: &text)
    }
    pairs.append("mono", event.monotonic, to: &text)
    pairs.append("place", "\(event.reference)", to: &text)
    pairs.endLine(in: &text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    appendTime((gap.after ?? gap.before)?.wall, to: &text)
    pairs.append("event", "gap", to: &text)
    pairs.append("cause", gap.cause.name, to: &text)
    pairs.append("msg", gap.text, to: &text)
    pairs.endLine(in: &text)
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    appendTime(inset.wall, to: &text)
    pairs.append("level", inset.level.name, to: &text)
    pairs.append("event", "finding", to: &text)
    if let task = inset.tasks.first { append(task, to: &text) } else { pairs.append("session", inset.session, to: &text) }
    pairs.append("rule", inset.title, to: &text)
    pairs.append("msg", inset.text, to: &text)
    pairs.endLine(in: &text)
  }

  private mutating func appendTime(_ wall: WallTime?, to text: inout TextBuffer) {
    pairs.append("time", wall, to: &text)
  }

  private mutating func append(_ task: TaskIdentity, to text: inout TextBuffer) {
    pairs.append("task", task.label, to: &text)
    pairs.append("uid", task.uid, to: &text)
  }
}

extension RecordedValue {
  /// The exact value for programs: numbers in bytes and nanoseconds, whole identifiers.
  var exact: String {
    switch self {
    case .launch(let id): id.description
    case .boot(let id): id.description
    case .bytes(let count): "\(count)"
    case .duration(let duration): "\(duration.nanoseconds)"
    case .flag(let flag): flag ? "true" : "false"
    default: text
    }
  }
}
