import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay

/// A replay as JSON: one document, or one object a line. Both are written piece by piece, tasks as they end, so that a
/// long log's replay never stands in memory as a whole.
extension ReplayDocument {
  package static let documentSchema: StaticString = "xferlog.replay/1"
  package static let lineSchema: StaticString = "xferlog.replay-line/1"

  /// What the document's lists hold, in their order behind the tasks.
  private enum Group: CaseIterable {
    case input, process, session, wake, finding, undecided

    var names: (one: StaticString, many: StaticString) {
      switch self {
      case .input: ("input", "inputs")
      case .process: ("process", "processes")
      case .session: ("session", "sessions")
      case .wake: ("wake", "wakes")
      case .finding: ("finding", "findings")
      case .undecided: ("undecided", "undecided")
      }
    }
  }

  /// `{ "schema": "xferlog.replay/1", "tasks": [`
  static func beginDocument(in text: inout TextBuffer) {
    text.append("{\"schema\":\"" as StaticString)
    text.append(documentSchema)
    text.append("\",\"tasks\":[" as StaticString)
  }

  static func appendToDocument(_ task: TaskLifecycle, _ world: World, isFirst: Bool, to text: inout TextBuffer) {
    text.append(isFirst ? "\n" : ",\n" as StaticString)
    text.appendJSON { write(task, world, to: &$0) }
  }

  /// `], "verdict": …, "inputs": [...], … }`
  func endDocument(_ append: ((inout TextBuffer) -> Void) throws -> Void) rethrows {
    try append { text in
      text.append("],\n" as StaticString)
      text.appendJSON { writeVerdict(to: &$0) }
    }
    for group in Group.allCases {
      try append { text in
        text.append(",\"" as StaticString)
        text.append(group.names.many)
        text.append("\":[" as StaticString)
      }
      for place in 0..<count(of: group) {
        try append { text in
          if place > 0 { text.append(UInt8(ascii: ",")) }
          text.append(UInt8(ascii: "\n"))
          text.appendJSON { write(group, place, to: &$0) }
        }
      }
      try append { $0.append(UInt8(ascii: "]")) }
    }
    try append { $0.append("}\n" as StaticString) }
  }

  /// `{ "schema": "xferlog.replay-line/1", "kind": "task", "task": {...} }`
  static func appendLine(_ task: TaskLifecycle, _ world: World, to text: inout TextBuffer) {
    appendLine("task", to: &text) { write(task, world, to: &$0) }
  }

  /// The lines behind the tasks', the verdict last.
  func endLines(_ append: ((inout TextBuffer) -> Void) throws -> Void) rethrows {
    for group in Group.allCases {
      for place in 0..<count(of: group) {
        try append { text in Self.appendLine(group.names.one, to: &text) { write(group, place, to: &$0) } }
      }
    }
    try append { text in
      Self.appendLine("verdict", to: &text) { json in
        json.beginObject()
        writeVerdict(to: &json)
        json.endObject()
      }
    }
  }

  private static func appendLine(_ kind: StaticString, to text: inout TextBuffer, _ write: (inout JSONText) -> Void) {
    text.appendJSON { json in
      json.beginObject()
      json.key("schema")
      json.string(lineSchema)
      json.key("kind")
      json.string(kind)
      json.key(kind)
      write(&json)
      json.endObject()
    }
    text.append(UInt8(ascii: "\n"))
  }

  private func count(of group: Group) -> Int {
    let world = diagnosis.world
    return switch group {
    case .input: inputs.count
    case .process: world.processes.count
    case .session: sessions.count
    case .wake: world.wakes.count
    case .finding: diagnosis.findings.count
    case .undecided: undecided.count
    }
  }

  private func write(_ group: Group, _ place: Int, to json: inout JSONText) {
    let world = diagnosis.world
    switch group {
    case .input: inputs[place].writeJSON(to: &json)
    case .process: write(world.processes[place], to: &json)
    case .session: write(sessions[place], world, to: &json)
    case .wake: write(world.wakes[place], world, to: &json)
    case .finding: diagnosis.findings[place].writeJSON(causedBy: diagnosis.findings[place].causedBy, to: &json)
    case .undecided: write(undecided[place], to: &json)
    }
  }

  /// Members of the document's head, or of the last line.
  private func writeVerdict(to json: inout JSONText) {
    json.member("verdict", verdict.rawValue)
    json.member("complete", incompleteness.isEmpty)
    json.array("incompleteBecause", incompleteness) { $1.string($0) }
    json.member("exitCode", exitCode)
    json.member("events", diagnosis.replay.counts.events)
    json.member("unmodelled", diagnosis.replay.counts.unmodelledEvents)
    json.member("late", diagnosis.replay.counts.late)
    json.member("inversions", inversions)
    json.array("userRules", rules.users.map(\.description)) { rule, json in
      json.beginObject()
      json.member("id", rule.id)
      json.member("origin", rule.origin)
      json.endObject()
    }
    json.array("limits", rules.changes) { change, json in
      json.beginObject()
      json.member("rule", change.rule)
      json.member("limit", change.limit)
      json.limit("value", change.value)
      json.limit("usual", change.usual)
      json.endObject()
    }
  }
}
