import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay

/// A replay as JSON: one document, or one object a line. Both are written piece by piece, so that a long log's replay
/// never stands in memory as a whole.
extension ReplayDocument {
  package enum Form: Sendable {
    /// `{ "schema": "xferlog.replay/1", "verdict": …, "inputs": [...], … }`
    case document
    /// `{ "schema": "xferlog.replay-line/1", "kind": "task", "task": {...} }`, the verdict last.
    case lines
  }

  package static let documentSchema: StaticString = "xferlog.replay/1"
  package static let lineSchema: StaticString = "xferlog.replay-line/1"

  /// What the document's lists hold, in their order.
  private enum Group: CaseIterable {
    case input, process, session, task, wake, finding, undecided

    var names: (one: StaticString, many: StaticString) {
      switch self {
      case .input: ("input", "inputs")
      case .process: ("process", "processes")
      case .session: ("session", "sessions")
      case .task: ("task", "tasks")
      case .wake: ("wake", "wakes")
      case .finding: ("finding", "findings")
      case .undecided: ("undecided", "undecided")
      }
    }
  }

  /// - Parameter append: called with each piece; may flush after it.
  package func write(_ form: Form, append: (_ piece: (inout TextBuffer) -> Void) throws -> Void) rethrows {
    switch form {
    case .document: try writeDocument(append)
    case .lines: try writeLines(append)
    }
  }

  private func writeDocument(_ append: ((inout TextBuffer) -> Void) throws -> Void) rethrows {
    try append { text in
      text.appendJSON { json in
        json.beginObject()
        json.key("schema")
        json.string(Self.documentSchema)
        writeVerdict(to: &json)
      }
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

  private func writeLines(_ append: ((inout TextBuffer) -> Void) throws -> Void) rethrows {
    for group in Group.allCases {
      for place in 0..<count(of: group) {
        try append { text in
          text.appendJSON { json in
            Self.beginLine(group.names.one, &json)
            write(group, place, to: &json)
            json.endObject()
          }
          text.append(UInt8(ascii: "\n"))
        }
      }
    }
    try append { text in
      text.appendJSON { json in
        Self.beginLine("verdict", &json)
        json.beginObject()
        writeVerdict(to: &json)
        json.endObject()
        json.endObject()
      }
      text.append(UInt8(ascii: "\n"))
    }
  }

  private static func beginLine(_ kind: StaticString, _ json: inout JSONText) {
    json.beginObject()
    json.key("schema")
    json.string(lineSchema)
    json.key("kind")
    json.string(kind)
    json.key(kind)
  }

  private func count(of group: Group) -> Int {
    let world = diagnosis.world
    return switch group {
    case .input: inputs.count
    case .process: world.processes.count
    case .session: sessions.count
    case .task: world.tasks.count
    case .wake: world.wakes.count
    case .finding: diagnosis.findings.count
    case .undecided: undecided.count
    }
  }

  private func write(_ group: Group, _ place: Int, to json: inout JSONText) {
    let world = diagnosis.world
    switch group {
    case .input: write(inputs[place], to: &json)
    case .process: write(world.processes[place], to: &json)
    case .session: write(sessions[place], world, to: &json)
    case .task: write(world.tasks[place], to: &json)
    case .wake: write(world.wakes[place], world, to: &json)
    case .finding: diagnosis.findings[place].writeJSON(causedBy: diagnosis.findings[place].causedBy, to: &json)
    case .undecided: write(undecided[place], to: &json)
    }
  }

  /// Members of the document's head, or of the last line.
  private func writeVerdict(to json: inout JSONText) {
    json.member("verdict", verdict.rawValue)
    json.member("complete", diagnosis.incompleteness.isEmpty)
    json.array("incompleteBecause", diagnosis.incompleteness) { $1.string($0) }
    json.member("exitCode", exitCode)
    json.member("events", diagnosis.replay.counts.events)
    json.member("unmodelled", diagnosis.replay.counts.unmodelledEvents)
  }
}
