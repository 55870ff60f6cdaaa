import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay

/// A replay as JSON: one document, or one object per line. Both are written in pieces, each task when it ends, so that memory use
/// does not grow with the log.
extension ReplayDocument {
  /// The fields of the document `xferlog.replay/1`.
  static let object = DocumentObject<ReplayDocument>(
    "replay", "The lifecycles rebuilt from a log, the findings, and the questions that rules could not decide."
  ) { fields in
    fields.schema("xferlog.replay/1")
    fields.feed("tasks", taskObject, "The tasks, in the order in which they ended.")
    addVerdict(to: &fields)
    fields.stream("inputs", of: "input", SharedObjects.input, "The inputs on the command line.", count: { $0.inputs.count }) {
      $0.inputs[$1]
    }
    fields.stream("processes", of: "process", processObject, "The process lives.", count: { $0.processes.count }) {
      $0.processes[$1]
    }
    fields.stream("sessions", of: "session", sessionObject, "The sessions by identifier.", count: { $0.sessions.count }) {
      $0.sessions[$1]
    }
    fields.stream("wakes", of: "wake", wakeObject, "The wakes of apps.", count: { $0.wakes.count }) {
      $0.wakes[$1]
    }
    fields.stream("findings", of: "finding", Finding.object, "The findings.", count: { $0.diagnosis.findings.count }) {
      let finding = $0.diagnosis.findings[$1]
      return (finding, finding.causedBy, $0.sourceLines, $0.captures(for: finding))
    }
    fields.stream("groups", of: "group", groupObject, "The findings in groups; empty without --group-by.") {
      $0.groups.groups.count
    } member: {
      ($0.groups.groups[$1], $0.groups.keys)
    }
    fields.stream("undecided", of: "undecided", undecidedObject, "Undecided questions.", count: { $0.undecided.count }) {
      $0.undecided[$1]
    }
  }

  /// The members of a document that are not streamed lists. With one object per line, they form the last line.
  static let verdictObject = DocumentObject<ReplayDocument>("verdict", "The verdict of a replay.") { addVerdict(to: &$0) }

  private static func addVerdict(to fields: inout DocumentFields<ReplayDocument>) {
    fields.choice("verdict", Verdict.allCases.map(\.rawValue), "The overall result.") { $0.verdict.rawValue }
    fields.flag("complete", "Whether the log is complete.") { $0.incompleteness.isEmpty }
    fields.texts("incompleteBecause", "The reasons why the log is incomplete.") { $0.incompleteness }
    fields.integer("exitCode", "Exit code of the command.") { $0.exitCode }
    fields.integer("events", "Number of events.") { $0.diagnosis.counts.events }
    fields.integer("unmodelled", "Number of events that no lifecycle consumes.") { $0.diagnosis.counts.unmodelledEvents }
    fields.integer("late", "Number of events about tasks that were already closed.") { $0.diagnosis.counts.late }
    fields.integer("inversions", "Number of effects that were recorded before their causes.") { $0.inversions }
    fields.list("userRules", userRule, "The user-defined rules in force.") { $0.rules.users.map(\.description) }
    fields.list("limits", limit, "The limits of rules that the user changed.") { $0.rules.changes }
    fields.optionalObject(
      "window", window,
      "The part of the log that was judged; `null` for the whole log. The lists of tasks and findings are limited to it."
    ) { $0.window }
    fields.optionalObject(
      "acceptance", acceptanceObject, "The use of the baseline and of suppressions; `null` if neither was given."
    ) { document in document.acceptance.map { (acceptance: $0, findings: document.diagnosis.findings) } }
  }

  private static let acceptanceObject = DocumentObject<(acceptance: Acceptance, findings: [Finding])>(
    "acceptance", "The use of a baseline and of suppressions."
  ) { fields in
    fields.integer("entries", "Number of entries.") { $0.acceptance.entries.count }
    fields.integer("known", "Number of findings that the baseline accepts.") { use in
      use.findings.count { $0.accepted?.kind == .baseline }
    }
    fields.integer("suppressed", "Number of findings that suppressions accept.") { use in
      use.findings.count { $0.accepted?.kind == .suppression }
    }
    fields.list("returned", SharedObjects.acceptedEntry, "Entries that have expired or cannot be read, and whose findings count.")
    {
      $0.acceptance.returned
    }
    fields.list("unused", SharedObjects.acceptedEntry, "Entries that match no finding.") { $0.acceptance.unused }
  }

  private static let window = DocumentObject<Window>("window", "The part of a log that a replay judged.") { fields in
    fields.optionalText("since", as: .time, "Beginning of the window; `null` without a beginning.") { $0.since.map { "\($0)" } }
    fields.optionalText("until", as: .time, "End of the window, which is not part of it; `null` without an end.") {
      $0.until.map { "\($0)" }
    }
    fields.texts("selectedTasks", "Values of --task.") { $0.tasks }
    fields.texts("selectedSessions", "Values of --session.") { $0.sessions }
    fields.integer("events", "Number of events in the window.") { $0.events }
    fields.integer("tasks", "Number of judged tasks.") { $0.judgedTasks }
    fields.integer("allTasks", "Number of tasks in the log.") { $0.allTasks }
    fields.integer("findings", "Number of judged findings.") { $0.judgedFindings }
    fields.integer("allFindings", "Number of findings in the log.") { $0.allFindings }
  }

  private static let userRule = DocumentObject<RuleDescription>("userRule", "A user-defined rule.") { fields in
    fields.text("id", "Identifier of the rule.") { $0.id }
    fields.optionalText("origin", "File and line of the rule.") { $0.origin }
  }

  private static let limit = DocumentObject<RuleSet.Change>("limit", "A limit that the user changed.") { fields in
    fields.text("rule", "Identifier of the rule.") { $0.rule }
    fields.text("limit", "Name of the limit.") { $0.limit }
    fields.limit("value", "Value in force: a number, or a duration in nanoseconds.") { $0.value }
    fields.limit("usual", "Default value, in the same unit.") { $0.usual }
  }

  // MARK: One document

  /// Writes `{"schema":"xferlog.replay/1","tasks":[`.
  static func beginDocument(in text: inout TextBuffer) {
    text.appendJSON { json in
      json.beginObject()
      json.member("schema", "xferlog.replay/1")
      json.key("tasks")
      json.beginArray()
    }
  }

  static func appendToDocument(_ task: TaskLifecycle, _ world: World, isFirst: Bool, to text: inout TextBuffer) {
    text.append(isFirst ? "\n" : ",\n" as StaticString)
    text.appendJSON { taskObject.write(InWorld(task, world), to: &$0) }
  }

  /// Writes `],` and the members after the tasks.
  func endDocument(_ append: ((inout TextBuffer) -> Void) throws -> Void) rethrows {
    try append { text in
      text.append("],\n" as StaticString)
      text.appendJSON { Self.verdictObject.writeMembers(of: self, to: &$0) }
    }
    for stream in Self.object.streams {
      let count = stream.count(self)
      try append { text in
        text.append(",\"" as StaticString)
        text.append(stream.many)
        text.append("\":[" as StaticString)
      }
      for place in 0..<count {
        try append { text in
          if place > 0 { text.append(UInt8(ascii: ",")) }
          text.append(UInt8(ascii: "\n"))
          text.appendJSON { stream.write(self, place, &$0) }
        }
      }
      try append { $0.append(UInt8(ascii: "]")) }
    }
    try append { $0.append("}\n" as StaticString) }
  }

  // MARK: One object per line

  /// Writes a line such as `{"schema":"xferlog.replay-line/1","kind":"task","task":{...}}`.
  static func appendLine(_ task: TaskLifecycle, _ world: World, to text: inout TextBuffer) {
    appendLine("task", to: &text) { taskObject.write(InWorld(task, world), to: &$0) }
  }

  /// Writes the lines that follow the tasks. The verdict is last.
  func endLines(_ append: ((inout TextBuffer) -> Void) throws -> Void) rethrows {
    for stream in Self.object.streams {
      for place in 0..<stream.count(self) {
        try append { text in Self.appendLine(stream.one, to: &text) { stream.write(self, place, &$0) } }
      }
    }
    try append { text in Self.appendLine("verdict", to: &text) { Self.verdictObject.write(self, to: &$0) } }
  }

  private static func appendLine(_ kind: StaticString, to text: inout TextBuffer, _ write: (inout JSONText) -> Void) {
    text.appendJSON { json in
      json.beginObject()
      json.member("schema", "xferlog.replay-line/1")
      json.key("kind")
      json.string(kind)
      json.key(kind)
      write(&json)
      json.endObject()
    }
    text.append(UInt8(ascii: "\n"))
  }
}

extension DocumentObject {
  /// The lists that are written one element at a time.
  fileprivate var streams: [DocumentStream<Value>] { fields.compactMap(\.stream) }
}

extension DocumentFields {
  /// Appends a limit of a rule: a count, or a duration in nanoseconds.
  mutating func limit(_ name: String, _ summary: String, _ value: @escaping @Sendable (Value) -> LimitValue) {
    integer(name, summary) { owner in
      switch value(owner) {
      case .count(let count): Int64(count)
      case .duration(let duration): duration.nanoseconds
      }
    }
  }
}
