import XferDiagnosis
import XferEvents
import XferLifecycle
import XferQuery

extension StatisticsDocument {
  package func writeJSON(to json: inout JSONText) { Self.object.write(self, to: &json) }

  /// Writes one figure per row.
  package func writeCSV(to text: inout TextBuffer) { Self.object.writeCSV(self, to: &text) }

  /// The fields of the document `xferlog.stats/1`, and its figures in CSV.
  static let object = DocumentObject<StatisticsDocument>(
    "stats", "Statistics of a log. `null` means that nothing was measured."
  ) { fields in
    fields.schema("xferlog.stats/1")
    fields.flag("complete", "Whether the log is complete.") { $0.incompleteness.isEmpty }
    fields.texts("incompleteBecause", "The reasons why the log is incomplete.") { $0.incompleteness }
    fields.list("inputs", SharedObjects.input, "The inputs that were read.") { $0.inputs }
    fields.object("events", events, isTotal: true, "The events.") { $0.statistics.events }
    fields.integer("tasks", "Number of tasks.") { $0.statistics.tasks }
    fields.list("outcomes", outcome, isTable: true, "Tasks by outcome, with a row for each outcome.") { $0.statistics.outcomes }
    fields.list("states", state, isTable: true, "Tasks by state, with a row for each state.") { $0.statistics.states }
    fields.object("bytes", bytes, isTotal: true, "Bytes of all bodies.") { $0.statistics }
    fields.list("stages", stage, isTable: true, "Time that tasks spent in each stage.") { $0.statistics.stages }
    fields.list("findings", finding, "The rules with findings.") { $0.statistics.rules.filter { $0.findings > 0 } }
    fields.list("rules", rule, isTable: true, "The answers of each rule, with a row for each rule.") { $0.statistics.rules }
    fields.list("undecided", undecided, "Questions that rules could not decide.") { $0.statistics.undecided }
    fields.list("hosts", host, isTable: true, "Tasks by host, the busiest first.") { $0.statistics.hosts }
  }

  private static let events = DocumentObject<Statistics.Events>("eventFigures", "The numbers of events and of gaps.") {
    fields in
    fields.integer("count", "Number of events.") { $0.count }
    fields.integer("unmodelled", "Number of events that no lifecycle consumes.") { $0.unmodelled }
    fields.integer("gaps", "Number of places where records are missing.") { $0.gaps }
    fields.integer("dropped", "Number of events that their writers could not write.") { $0.dropped }
    fields.optionalText("first", as: .time, "Wall-clock time of the earliest event.") { $0.span.map { "\($0.lowerBound)" } }
    fields.optionalText("last", as: .time, "Wall-clock time of the latest event.") { $0.span.map { "\($0.upperBound)" } }
  }

  private static let outcome = DocumentObject<(outcome: TaskLifecycle.Result, tasks: Int)>(
    "outcomeFigures", "The tasks with one outcome."
  ) { fields in
    fields.rowName("outcome", shape: .choice(TaskLifecycle.Result.allCases.map(\.rawValue)), "The outcome.") {
      $0.outcome.rawValue
    }
    fields.integer("tasks", "Number of tasks.") { $0.tasks }
  }

  private static let state = DocumentObject<(state: TaskLifecycle.State, tasks: Int)>(
    "stateFigures", "The tasks in one state."
  ) { fields in
    fields.rowName("state", shape: .choice(TaskLifecycle.State.allCases.map(\.rawValue)), "The state.") { $0.state.rawValue }
    fields.integer("tasks", "Number of tasks.") { $0.tasks }
  }

  private static let bytes = DocumentObject<Statistics>("byteFigures", "The bytes of all bodies.") { fields in
    fields.integer("received", unit: .bytes, "Bytes received.") { $0.received }
    fields.integer("sent", unit: .bytes, "Bytes sent.") { $0.sent }
  }

  private static let stage = DocumentObject<StageStatistics>("stageFigures", "The time that tasks spent in one stage.") {
    fields in
    fields.rowName("stage", shape: .choice(TaskLifecycle.Stage.allCases.map(\.rawValue)), "The stage.") { $0.stage.rawValue }
    fields.integer("tasks", "Number of tasks that went through the stage.") { $0.tasks }
    fields.optionalDuration("p50", "Median.") { $0.median }
    fields.optionalDuration("p90", "90th percentile.") { $0.ninetieth }
    fields.optionalDuration("max", "Maximum.") { $0.maximum }
  }

  private static let finding = DocumentObject<RuleStatistics>("findingFigures", "The findings of one rule.") { fields in
    fields.text("rule", "Identifier of the rule.") { $0.rule }
    fields.choice("severity", Severity.allCases.map(\.rawValue), "Severity of the worst finding.") {
      ($0.worst ?? $0.severity).rawValue
    }
    fields.integer("findings", "Number of findings.") { $0.findings }
    fields.integer("counted", "Number of findings that count for the exit code: roots that are at least probable.") { $0.counted }
  }

  private static let rule = DocumentObject<RuleStatistics>("ruleFigures", "The answers of one rule.") { fields in
    fields.rowName("rule", "Identifier of the rule.") { $0.rule }
    fields.choice("severity", Severity.allCases.map(\.rawValue), "Severity of the rule.") { $0.severity.rawValue }
    fields.integer("findings", "Number of findings.") { $0.findings }
    fields.csvNumber("counted") { $0.counted }
    fields.integer("undecidable", "Number of subjects about which the rule could not decide.") { $0.undecidable }
    fields.integer("inFlight", "Number of subjects that were still open at the end of the log.") { $0.inFlight }
    fields.integer("silent", "Number of subjects without a problem.") { $0.silent }
  }

  private static let undecided = DocumentObject<(undecided: Diagnosis.Undecided, count: Int)>(
    "undecidedFigures", "A decision that a rule could not make."
  ) { fields in
    fields.text("rule", "Identifier of the rule.") { $0.undecided.rule }
    fields.text("needs", "What the rule would need to know to decide.") { $0.undecided.needs }
    fields.integer("count", "Number of subjects.") { $0.count }
  }

  private static let host = DocumentObject<HostStatistics>("hostFigures", "The tasks of one host.") { fields in
    fields.optionalRowName("host", "The host; `null` for tasks whose creation is not in the log.") { $0.host }
    fields.integer("tasks", "Number of tasks.") { $0.tasks }
    fields.integer("failed", "Number of tasks that failed.") { $0.failed }
    fields.integer("lost", "Number of tasks that were lost.") { $0.lost }
    fields.integer("received", unit: .bytes, "Bytes of bodies received.") { $0.received }
    fields.integer("sent", unit: .bytes, "Bytes of bodies sent.") { $0.sent }
    fields.integer("connections", "Number of connections that the tasks used.") { $0.connections }
    fields.integer("reused", "Number of connections in `connections` that were reused.") { $0.reusedConnections }
    fields.optionalDuration("p50", "Median time from resume to completion.") { $0.median }
    fields.optionalDuration("p90", "90th percentile of the time from resume to completion.") { $0.ninetieth }
  }
}
