import XferDiagnosis
import XferEvents
import XferYAML

/// A reader for the examples of a rule, which are short logs that the rule must report or must ignore.
struct ExampleReader {
  private let node: YAMLNode
  private let isReported: Bool

  init(_ node: YAMLNode, isReported: Bool) {
    (self.node, self.isReported) = (node, isReported)
  }

  private static let processes: KeyValuePairs<String, ExampleProcess> = [
    "app": .app, "next-life": .nextLife, "later-life": .laterLife, "last-life": .lastLife, "extension": .appExtension,
    "daemon": .daemon, "next-daemon": .nextDaemon, "engine": .engine, "recorder": .recorder, "tool": .tool,
  ]

  private static let gaps: KeyValuePairs<String, LogGap.Cause> = [
    "missing-sequence": .missingSequence, "dropped": .dropped, "torn": .torn, "truncated": .truncated,
    "missing-head": .missingHead, "missing-segments": .missingSegments(nil), "damaged": .damaged(problem: "as in the example"),
  ]

  /// - Parameter variant: the variant of the rule; `nil` for a rule without variants.
  func example(_ variant: String?) throws(RuleError) -> RuleExample {
    let fields = try node.fields("an example", ["name", "events"] + (isReported ? ["certainty"] : []))
    let name = try fields.required("name", "Describe in a few words what the example shows.").text("a name")
    let certainty = try fields["certainty"]?.choice("certainty", Certainty.self)
    let events = try fields.required("events", "List events in the form `{at: 10ms, event: task.created}`.")
    var steps: [RuleExample.Step] = []
    var counts: [EventKind: Int] = [:]
    var cites: [Citation] = []
    for member in events.members {
      let (step, isEvidence) = try step(member)
      if let kind = step.kind {
        counts[kind, default: 0] += 1
        if isEvidence, let count = counts[kind] { cites.append(.number(count, kind)) }
      }
      if let last = steps.last, step.offset < last.offset {
        throw member.failure("the event is earlier than the event before it", "List events in the order of their times.")
      }
      steps.append(step)
    }
    return RuleExample(name, certainty, variant: isReported ? variant : nil, cites: cites, steps: steps)
  }

  private func step(_ node: YAMLNode) throws(RuleError) -> (step: RuleExample.Step, isEvidence: Bool) {
    let keys = ["at", "event", "by", "fields", "gap"] + (isReported ? ["evidence"] : [])
    let fields = try node.fields("an event of an example", keys)
    let at = try fields.required("at", "Write the time since the beginning of the example, for example 10ms.")
    let text = try at.text("a time")
    guard let offset = text == "0" ? 0 : FieldValues.duration(text), offset >= 0 else {
      throw at.failure("`\(text)` is not a valid time", "Write a number with ms, s, m, h or d, for example 10ms.")
    }
    let process = try process(fields["by"])
    if let gap = fields["gap"] {
      if let event = fields["event"] {
        throw event.failure(.contradiction, "`event` and `gap` cannot be combined", "Keep one of them.")
      }
      let cause = try Self.look(gap, "gap", Self.gaps)
      return (RuleExample.Step(.gap(cause, sequences: nil), at: .nanoseconds(offset), by: process), false)
    }
    let kind = try PatternReader.kind(fields.required("event", "Name an event, for example task.created."))
    let event = ComposedEvent(kind, try values(fields["fields"], of: kind))
    let isEvidence = try fields["evidence"]?.flag() ?? false
    return (RuleExample.Step(.composed(event), at: .nanoseconds(offset), by: process), isEvidence)
  }

  private func process(_ node: YAMLNode?) throws(RuleError) -> ExampleProcess {
    guard let node else { return .app }
    return try Self.look(node, "process of an example", Self.processes)
  }

  private static func look<Value>(
    _ node: YAMLNode, _ what: String, _ words: KeyValuePairs<String, Value>
  ) throws(RuleError) -> Value {
    let text = try node.text("a \(what)")
    guard let found = words.first(where: { $0.key == text }) else {
      throw node.failure("`\(text)` is not a \(what)", .near(text, words.map(\.key)))
    }
    return found.value
  }

  /// Returns the fields of an event. An event that needs a task but does not name one gets the example's own task.
  private func values(_ node: YAMLNode?, of kind: EventKind) throws(RuleError) -> [FieldID: RecordedValue] {
    let names = kind.fieldNames
    var values: [FieldID: RecordedValue] = names.contains("task") ? [.task: .task(.example)] : [:]
    guard let node else { return values }
    guard case .mapping(let pairs) = node.content else {
      throw node.failure("`fields` must map fields to values", "Write `fields: {status: 404}`.")
    }
    for (key, value) in pairs {
      let name = try key.text("a field")
      guard names.contains(name), let field = FieldID(name: name) else {
        throw key.failure(.unknownField, "`\(kind.name)` has no field `\(name)`", .near(name, names))
      }
      if value.isNull {
        values[field] = nil
      } else if case .launch = field.type, let process = Self.processes.first(where: { $0.key == value.scalar })?.value {
        values[field] = .launch(process.launch)
      } else {
        values[field] = try FieldValues(field: field).example(value)
      }
    }
    return values
  }
}
