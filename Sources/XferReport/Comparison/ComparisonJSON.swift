import XferDiagnosis
import XferEvents
import XferLifecycle
import XferQuery

extension ComparisonDocument {
  package func writeJSON(to json: inout JSONText) { Self.object.write(self, to: &json) }

  /// The fields of the document `xferlog.diff/1`.
  static let object = DocumentObject<ComparisonDocument>("diff", "The differences between two runs.") { fields in
    fields.schema("xferlog.diff/1")
    fields.text("summary", "The comparison in one sentence.") { $0.summary }
    fields.integer("differences", "Number of differences.") { $0.comparison.count }
    fields.integer("aligned", "Number of tasks that both runs have.") { $0.comparison.aligned }
    fields.object("first", run, "The first run.") { ($0.first, $0.comparison.first) }
    fields.object("second", run, "The second run.") { ($0.second, $0.comparison.second) }
    fields.list("tasks", change, "The tasks that differ, those of both runs first.") { $0.comparison.tasks }
    fields.list("shifts", shift, "The stages that became faster or slower in all tasks.") { $0.comparison.shifts }
    fields.list("findings", finding, "The findings of one run that are about no single task.") { $0.comparison.findings }
  }

  private static let run = DocumentObject<(run: Run, tasks: RunComparison.Run)>("diffRun", "One of the compared runs.") {
    fields in
    fields.text("name", "The logs as they were named.") { $0.run.name }
    fields.flag("complete", "Whether the log is complete.") { $0.run.incompleteness.isEmpty }
    fields.texts("incompleteBecause", "The reasons why the log is incomplete.") { $0.run.incompleteness }
    fields.list("inputs", SharedObjects.input, "The inputs that were read.") { $0.run.inputs }
    fields.integer("tasks", "Number of tasks.") { $0.tasks.tasks.count }
  }

  private static let change = DocumentObject<RunComparison.TaskChange>("diffTask", "A task that differs.") { fields in
    fields.choice("kind", RunComparison.TaskChange.Kind.allCases.map(\.rawValue), "Whether both runs have the task.") {
      $0.kind.rawValue
    }
    fields.optionalObject("first", task, "The task in the first run.") { $0.first }
    fields.optionalObject("second", task, "The task in the second run.") { $0.second }
    fields.flag("outcomeChanged", "Whether the outcome or its reason differs.") { $0.outcomeChanged }
    fields.texts("lostStates", "The states that only the first run has.") { $0.lostSteps }
    fields.texts("newStates", "The states that only the second run has.") { $0.newSteps }
    fields.list("times", time, "The stages whose time differs by more than noise.") { $0.times }
    fields.list("findings", finding, "The findings that only one run has.") { $0.findings }
  }

  private static let task = DocumentObject<TaskProfile>("diffTaskRun", "A task in one run.") { fields in
    fields.text("uid", as: .uuid, "Identifier that the task keeps for its whole life.") { "\($0.identity.uid)" }
    fields.text("session", "Identifier of the session.") { $0.identity.session }
    fields.integer("number", "Number of the task within its session.") { $0.identity.number }
    fields.text("role", "Identifier of a background session without its numbers, or kind of another session.") { $0.role }
    fields.text("request", "Method, host and path without numbers and identifiers.") { $0.name }
    fields.choice("outcome", TaskLifecycle.Result.allCases.map(\.rawValue), "Outcome of the task.") { $0.outcome.rawValue }
    fields.optionalText("reason", "Error or HTTP status with which the task ended.") { $0.reason }
    fields.texts("states", "The states that the task went through.") { $0.steps }
  }

  private static let stages = ComparedStage.allCases.map(\.rawValue)

  private static let time = DocumentObject<RunComparison.TimeChange>("diffTime", "A time that changed by more than noise.") {
    fields in
    fields.choice("stage", stages, "The stage.") { $0.stage.rawValue }
    fields.integer("first", unit: .nanoseconds, "Time in the first run.") { $0.first.nanoseconds }
    fields.integer("second", unit: .nanoseconds, "Time in the second run.") { $0.second.nanoseconds }
    fields.integer("noise", unit: .nanoseconds, "Largest difference that would have been noise.") { $0.noise.nanoseconds }
  }

  private static let shift = DocumentObject<RunComparison.StageShift>("diffShift", "A change of one stage in all tasks.") {
    fields in
    fields.choice("stage", stages, "The stage.") { $0.stage.rawValue }
    fields.integer("tasks", "Number of tasks that have the stage in both runs.") { $0.tasks }
    fields.integer("first", unit: .nanoseconds, "Median of the first run.") { $0.first.nanoseconds }
    fields.integer("second", unit: .nanoseconds, "Median of the second run.") { $0.second.nanoseconds }
  }

  private static let finding = DocumentObject<RunComparison.FindingChange>(
    "diffFinding", "A finding that only one run has."
  ) { fields in
    fields.choice("run", RunComparison.FindingChange.Run.allCases.map(\.rawValue), "The run that has the finding.") {
      $0.run.rawValue
    }
    fields.text("rule", "Identifier of the rule.") { $0.finding.rule }
    fields.choice("severity", Severity.allCases.map(\.rawValue), "Severity.") { $0.finding.severity.rawValue }
    fields.choice("certainty", Certainty.allCases.map(\.rawValue), "Certainty.") { $0.finding.certainty.rawValue }
    fields.text("summary", "The finding in one sentence.") { $0.finding.summary }
  }
}
