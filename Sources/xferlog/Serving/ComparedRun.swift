import XferDiagnosis
import XferEvents
import XferLogStore
import XferQuery
import XferReading

extension ReportRun.Other {
  /// Reads the run that a report is compared with.
  ///
  /// - Parameter others: the LOG arguments of the report.
  init(
    reading path: String, beside others: [String], rules: RuleSet, recovery: RecoveryMode, outcome: some OutcomePolicy,
    _ context: any ReadingContext
  ) throws {
    if path == "-", others.contains("-") {
      throw CommandExit(.wrongUsage, "standard input has only one log; name a file for --against")
    }
    var tasks: [TaskProfile] = []
    let log = try DiagnosedLog(
      LogInputs([path], context), rules: rules, recovery: recovery,
      onTaskEnd: { task, world in tasks.append(TaskProfile(task, in: world)) })
    if let emptiness = log.emptiness(outcome), emptiness.status != .analysed {
      throw CommandExit(emptiness.status, "\(path): \(emptiness.reason)")
    }
    self.init(name: path.fileName ?? path, log: log, tasks: tasks)
  }
}
