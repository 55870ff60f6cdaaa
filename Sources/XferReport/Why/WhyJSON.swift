import XferDiagnosis
import XferEvents
import XferLifecycle
package import XferQuery

extension WhyAnswer {
  package func writeJSON(to json: inout JSONText) { Self.object.write(self, to: &json) }

  /// The fields of the document `xferlog.why/1`.
  static let object = DocumentObject<WhyAnswer>("why", "Why a task waits, or how it ended.") { fields in
    fields.schema("xferlog.why/1")
    fields.object("task", taskObject, "The task in question.") { $0.task }
    fields.choice("answer", Form.allCases.map(\.rawValue), "Progress of the task: waiting, moving, undelivered or over.") {
      $0.form.rawValue
    }
    fields.text("sentence", "The answer in one sentence.") { $0.sentence }
    fields.optionalObject("logEnd", SharedObjects.fact, "The last event of the log.") { $0.end }
    fields.optionalChoice(
      "deciding", Condition.Name.allCases.map(\.rawValue), "Name of the condition that keeps the task from moving."
    ) { $0.deciding?.name.rawValue }
    fields.list("conditions", condition, "What the task needs to proceed; empty for a task that has ended.") { answer in
      answer.conditions.map { ($0, answer.end) }
    }
    fields.list("prospects", prospect, "Times at which something can change next, the earliest first.") { $0.prospects }
    fields.list("chain", link, "The events that led to the task's end, each causing the next; empty for a waiting task.") {
      answer in answer.chain.map { (link: $0, lines: answer.lines) }
    }
    fields.list("stages", stage, "The steps by which the completion reaches the app; empty while the transfer runs.") {
      answer in answer.stages.map { (stage: $0, lines: answer.lines) }
    }
    fields.optionalChoice("missingStage", Stage.Name.allCases.map(\.rawValue), "Name of the first step that is missing.") {
      $0.missingStage?.name.rawValue
    }
    fields.list("findings", cited, "The findings about the task.") { answer in
      answer.findings.map { (cited: $0, lines: answer.lines) }
    }
    fields.texts("unknowns", "Questions that the log cannot answer, with reasons.") { $0.unknowns }
  }

  private static let taskObject = DocumentObject<TaskLifecycle>("whyTask", "The task that the answer is about.") { fields in
    fields.text("uid", as: .uuid, "Identifier that the task keeps for its whole life.") { "\($0.identity.uid)" }
    fields.text("session", "Identifier of the session.") { $0.identity.session }
    fields.integer("number", "Number of the task within its session.") { $0.identity.number }
    fields.vocabulary("type", "TaskType", "Type of the task.") { $0.type?.name }
    fields.optionalText("host", "Host of the request.") { $0.host }
    fields.optionalText("intent", "Key of the app's intent.") { $0.intent }
    fields.choice("state", TaskLifecycle.State.allCases.map(\.rawValue), "State of the task at the end of the log.") {
      $0.state.rawValue
    }
    fields.choice("outcome", TaskLifecycle.Result.allCases.map(\.rawValue), "Outcome of the task.") { $0.result.rawValue }
  }

  private static let condition = DocumentObject<(condition: Condition, end: Fact?)>(
    "condition", "Something that a task needs to proceed."
  ) { fields in
    fields.choice("name", Condition.Name.allCases.map(\.rawValue), "Name of the condition.") { $0.condition.name.rawValue }
    fields.choice("standing", Standing.allCases.map(\.rawValue), "Whether the condition is satisfied.") {
      $0.condition.standing.rawValue
    }
    fields.flag("decides", "Whether this condition keeps the task from moving now.") { $0.condition.decides }
    fields.optionalObject("since", SharedObjects.fact, "The event that gave the condition its standing.") { $0.condition.since }
    fields.optionalDuration("age", "Time from the event in `since` to the end of the log.") { entry in
      entry.condition.since.flatMap { StateText(now: entry.end?.moment ?? Moment()).duration(since: $0) }
    }
    fields.text("text", "Description of the condition and its standing.") { $0.condition.text }
    fields.list("holders", SharedObjects.task, "The tasks that hold the connections this task waits for.") {
      $0.condition.holders
    }
  }

  private static let prospect = DocumentObject<Prospect>("prospect", "A moment at which something can change.") { fields in
    fields.text("name", "What happens at the moment.") { $0.name }
    fields.optionalDuration("length", "Length of the whole wait or limit; `null` for a date.") { $0.length }
    fields.choice("clock", Prospect.Clock.allCases.map(\.rawValue), "Clock by which the wait is measured.") { $0.clock.rawValue }
    fields.optionalText("time", as: .time, "Wall-clock time of the moment; `null` when it is unknown.") {
      $0.wall.map { "\($0)" }
    }
    fields.optionalDuration("remaining", "Time from the end of the log to the moment; negative when it has passed.") {
      $0.remaining
    }
  }

  private static let link = DocumentObject<(link: Link, lines: SourceLines)>("link", "An event that led to a task's end.") {
    fields in
    fields.object("event", SharedObjects.fact, "The event.") { $0.link.fact }
    fields.text("place", "Where the event happened: a process, or the server.") { $0.link.place }
    fields.text("text", "What happened and what it caused.") { $0.link.text }
    fields.texts("rules", "Identifiers of the rules whose findings cite the event.") { $0.link.rules }
    addLine(to: &fields) { ($0.lines, $0.link.fact) }
  }

  private static let stage = DocumentObject<(stage: Stage, lines: SourceLines)>(
    "stage", "A step by which a completion reaches the app."
  ) { fields in
    fields.choice("name", Stage.Name.allCases.map(\.rawValue), "Name of the step.") { $0.stage.name.rawValue }
    fields.vocabulary("callback", "Callback", "Callback that the step belongs to; `null` for a step of the task itself.") {
      $0.stage.callback?.name
    }
    fields.optionalObject("event", SharedObjects.fact, "The event of the step; `null` when it is missing.") { $0.stage.fact }
    fields.optionalText("blame", "Why the step is missing; only for the first missing step.") { $0.stage.blame }
    addLine(to: &fields) { entry in entry.stage.fact.map { (entry.lines, $0) } }
  }

  private static let cited = DocumentObject<(cited: Cited, lines: SourceLines)>("citedFinding", "A finding about the task.") {
    fields in
    fields.text("rule", "Identifier of the rule.") { $0.cited.finding.rule }
    fields.choice("severity", Severity.allCases.map(\.rawValue), "Severity of the problem.") {
      $0.cited.finding.severity.rawValue
    }
    fields.choice("certainty", Certainty.allCases.map(\.rawValue), "How certain the conclusion is.") {
      $0.cited.finding.certainty.rawValue
    }
    fields.text("summary", "What went wrong, in one sentence.") { $0.cited.finding.summary }
    fields.text("remedy", "What to do about it.") { $0.cited.finding.remedy }
    fields.optionalText("root", "Identifier of the rule whose finding explains this one.") { $0.cited.root?.rule }
    fields.optionalText("rootSummary", "Summary of the finding in `root`.") { $0.cited.root?.summary }
    fields.list("evidence", SharedObjects.evidence, "Events that prove the finding.") { entry in
      entry.cited.finding.evidence.map { (fact: $0, lines: entry.lines) }
    }
  }

  /// Appends the line of a foreign log that an event comes from.
  private static func addLine<Value>(
    to fields: inout DocumentFields<Value>, _ event: @escaping @Sendable (Value) -> (lines: SourceLines, fact: Fact)?
  ) {
    fields.optionalText("name", presence: .omitted, "Name of the foreign log that the event comes from.") { owner in
      event(owner).flatMap { $0.lines.file($0.fact.reference) }
    }
    fields.optionalText("line", presence: .omitted, "Line of a foreign log that the event comes from, as it is there.") { owner in
      event(owner).flatMap { $0.lines.text($0.fact.reference) }
    }
  }
}
