import Foundation
import LogTestSupport
import XferEvents

/// A condition with the naive evaluation that queries are compared with.
///
/// The oracle works on the JSON of events, in the simplest way, and shares no code with the evaluator: neither the parser, nor the table of
/// fields, nor the comparisons.
indirect enum OracleCondition {
  case all([OracleCondition])
  case any([OracleCondition])
  case not(OracleCondition)
  case exists(OracleField)
  case leaf(OracleLeaf)

  enum Answer { case yes, no, unknown }

  func answer(_ event: OracleEvent) -> Answer {
    switch self {
    case .all(let members):
      let answers = members.map { $0.answer(event) }
      return answers.contains(.no) ? .no : answers.contains(.unknown) ? .unknown : .yes
    case .any(let members):
      let answers = members.map { $0.answer(event) }
      return answers.contains(.yes) ? .yes : answers.contains(.unknown) ? .unknown : .no
    case .not(let member):
      switch member.answer(event) {
      case .yes: return .no
      case .no: return .yes
      case .unknown: return .unknown
      }
    case .exists(let field): if case .missing = field.value(of: event) { return .no } else { return .yes }
    case .leaf(let leaf): return leaf.answer(event)
    }
  }

  /// The condition as a query, in one of several spellings.
  func text(_ random: inout SeededRandom) -> String {
    switch self {
    case .all(let members):
      let joint = [" and ", " AND ", " && ", " "].randomElement(using: &random)!
      return "(" + members.map { $0.text(&random) }.joined(separator: joint) + ")"
    case .any(let members):
      let joint = [" or ", " OR ", " || "].randomElement(using: &random)!
      return "(" + members.map { $0.text(&random) }.joined(separator: joint) + ")"
    case .not(let member):
      return [("not ", ""), ("NOT (", ")"), ("!(", ")")].randomElement(using: &random).map { $0.0 + member.text(&random) + $0.1 }!
    case .exists(let field): return "exists(\(field.names.randomElement(using: &random)!))"
    case .leaf(let leaf): return leaf.text(&random)
    }
  }

  /// The condition in SQL over the table `events`; `nil` if SQL cannot express it.
  var sql: String? {
    switch self {
    case .all(let members): return Self.joined(members, " AND ")
    case .any(let members): return Self.joined(members, " OR ")
    case .not(let member): return member.sql.map { "NOT (\($0))" }
    case .exists(let field): return field.sql.map { "(\($0)) IS NOT NULL" }
    case .leaf(let leaf): return leaf.sql
    }
  }

  private static func joined(_ members: [OracleCondition], _ joint: String) -> String? {
    let parts = members.compactMap(\.sql)
    return parts.count == members.count ? "(" + parts.joined(separator: joint) + ")" : nil
  }

  // MARK: Random conditions

  /// Returns a random condition, with values from the log or near them.
  static func random(_ events: [OracleEvent], _ random: inout SeededRandom, depth: Int = 0) -> OracleCondition {
    func members() -> [OracleCondition] {
      (0..<Int.random(in: 2...3, using: &random)).map { _ in self.random(events, &random, depth: depth + 1) }
    }
    switch Int.random(in: 0..<(depth < 3 ? 10 : 6), using: &random) {
    case 6, 7: return .all(members())
    case 8: return .any(members())
    case 9: return .not(self.random(events, &random, depth: depth + 1))
    case 0: return .exists(field(events, &random))
    default: return .leaf(OracleLeaf(field(events, &random), events, &random))
    }
  }

  private static func field(_ events: [OracleEvent], _ random: inout SeededRandom) -> OracleField {
    let names = events.randomElement(using: &random)!.fields.keys.sorted().compactMap { FieldID(name: $0) }
      .filter { $0.type != .message && !["task"].contains($0.definition.name) }
    if let name = names.randomElement(using: &random), Int.random(in: 0..<3, using: &random) > 0 { return .field(name) }
    return OracleField.properties.randomElement(using: &random)!
  }
}

extension OracleField {
  /// The field as an expression of SQL over the table `events`; `nil` if the index has it in another form.
  var sql: String? {
    switch self {
    case .level: return "CASE level WHEN 'debug' THEN 0 WHEN 'info' THEN 1 WHEN 'default' THEN 2 WHEN 'error' THEN 3 ELSE 4 END"
    case .event: return "event"
    case .time: return "wall_ns"
    case .mono: return "mono_ns"
    case .thread: return "thread"
    case .uid: return "task"
    case .number: return "number"
    case .session: return "session"
    case .task: return "session || '/' || number"
    case .processID, .role, .launch: return nil
    case .field(let id):
      // These fields have columns, the host that of the task where the event names none.
      if ["session", "host", "task"].contains(id.definition.name) { return nil }
      switch id.type {
      case .task, .tasks, .digest, .message: return nil
      default: return "json_extract(fields, '$.\(id.definition.name)')"
      }
    }
  }
}
