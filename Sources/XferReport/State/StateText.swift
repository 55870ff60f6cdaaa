package import XferEvents
package import XferQuery

/// The text form of states and of changes between states.
package struct StateText {
  /// The moment relative to which ages are shown.
  private let now: Moment
  private let day: String?

  /// The number of columns after which fields continue on the next line.
  private static let width = 100

  package init(now: Moment) {
    self.now = now
    day = now.wall.map { String("\($0)".prefix(10)) }
  }

  // MARK: All entities

  /// - Parameter showsAll: whether ended entities are listed, too.
  package func lines(_ state: StateDocument, showsAll: Bool) -> [String] {
    var lines: [String] = []
    for section in state.sections {
      let shown = section.entities.filter { showsAll || !$0.isOver || section.kind == .processes }
      let hidden = section.entities.count - shown.count + (section.kind == .tasks ? state.left : 0)
      if shown.isEmpty, hidden == 0 { continue }
      lines.append(section.kind.title + (hidden == 0 ? "" : " (and \(hidden) ended)"))
      for entity in shown { lines += block(entity) }
      lines.append("")
    }
    if lines.isEmpty { lines = ["nothing recorded yet", ""] }
    return lines.map(TerminalText.escaped)
  }

  private func block(_ entity: StateDocument.Entity) -> [String] {
    let fields = entity.fields.compactMap { field in field.value.map { "\(field.name) \(text($0))" } }
    var lines = ["  \(entity.name)  \(entity.state)"]
    var line = ""
    for field in fields {
      if !line.isEmpty, TerminalText.width(line) + TerminalText.width(field) + 3 > Self.width {
        lines.append("      " + line)
        line = ""
      }
      line += line.isEmpty ? field : " · " + field
    }
    if !line.isEmpty { lines.append("      " + line) }
    return lines
  }

  // MARK: One entity

  /// Returns the entity's name and state, then one line for each field with a value.
  package func inspector(_ entity: StateDocument.Entity) -> [String] {
    let fields = entity.fields.compactMap { field in field.value.map { (field.name, text($0)) } }
    let columns = fields.map { TerminalText.width($0.0) }.max() ?? 0
    return (["\(entity.name)  \(entity.state)"] + fields.map { "  " + padded($0, to: columns) + "  " + $1 })
      .map(TerminalText.escaped)
  }

  /// Returns one line for each changed field, in the form before → after.
  package func lines(_ changes: [StateDocument.Change]) -> [String] {
    changes.flatMap { change -> [String] in
      let head = "\(change.kind.singular) \(change.entity.name)  \(change.manner.rawValue)"
      let columns = change.fields.map { TerminalText.width($0.name) }.max() ?? 0
      return [head]
        + change.fields.map { field in
          let before = field.before.map(text) ?? "-"
          let after = field.after.map(text) ?? "-"
          return "  " + padded(field.name, to: columns) + "  "
            + (change.manner == .appeared ? after : "\(before) → \(after)")
        }
    }.map(TerminalText.escaped)
  }

  private func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - TerminalText.width(text)))
  }

  // MARK: Values

  package func text(_ value: StateDocument.Value) -> String {
    switch value {
    case .text(let text): text
    case .list(let list): list.joined(separator: ", ")
    case .integer(let number): "\(number)"
    case .bytes(let bytes): "\(ByteCount(bytes))"
    case .duration(let duration): duration.short
    case .flag(let flag): flag ? "yes" : "no"
    case .fact(let fact): time(fact.wall) + age(of: fact.moment).map { " (\($0))" }.text
    case .time(let wall): time(wall)
    }
  }

  /// Returns the time of day, preceded by the date if it differs from the date of `now`. `nil` gives "at an unknown time".
  package func time(_ wall: WallTime?) -> String {
    guard let wall else { return "at an unknown time" }
    let text = "\(wall)"
    // The text has the form 2026-11-20T14:02:07.118000000Z.
    let time = text.dropFirst(11).prefix(12) + "Z"
    return text.hasPrefix(day ?? "-") ? String(time) : text.prefix(10) + " " + time
  }

  /// Returns the time from a moment to `now`; negative if the moment is later. `nil` if the two have no clock in common.
  package func duration(since moment: Moment) -> Duration? {
    if let start = moment.monotonic, let end = now.monotonic, end >= start { return .nanoseconds(end.subtractingClamped(start)) }
    guard let start = moment.wall?.nanoseconds, let end = now.wall?.nanoseconds else { return nil }
    return .nanoseconds(end.subtractingClamped(start))
  }

  package func duration(since fact: Fact) -> Duration? { duration(since: fact.moment) }

  private func age(of moment: Moment) -> String? {
    guard let age = duration(since: moment) else { return nil }
    return age == .zero ? "now" : age < .zero ? "in \((.zero - age).short)" : "\(age.short) ago"
  }
}

extension String? {
  fileprivate var text: String { self ?? "" }
}

extension StateDocument.Kind {
  package var title: String {
    switch self {
    case .deliveries: "callbacks in flight"
    case .files: "offered files"
    case .assertions: "background time"
    case .handoffs: "hand-offs"
    case .uploads: "multipart uploads"
    case .gaps: "missing records"
    default: rawValue
    }
  }

  package var singular: String {
    switch self {
    case .boots: "boot"
    case .processes: "process"
    case .daemons: "daemon"
    case .conditions: "condition"
    case .sessions: "session"
    case .tasks: "task"
    case .deliveries: "callback"
    case .files: "offered file"
    case .wakes: "wake"
    case .assertions: "background time"
    case .alarms: "alarm"
    case .beats: "beat"
    case .handoffs: "hand-off"
    case .intents: "intent"
    case .uploads: "upload"
    case .triggers: "trigger"
    case .gaps: "gap"
    }
  }
}
