import XferDiagnosis
import XferEvents
import XferLogStore
import XferReading
import XferReplay
import XferReport

/// Replays single logs and prints the rows of their verdicts.
struct LogJudge {
  /// Returns the rules in force for one log.
  let rules: (LogInputs) throws -> RuleSet
  /// Returns the accepted problems that a bundle brings; `nil` without any.
  let acceptance: (LogInputs) throws -> Acceptance?
  let recovery: RecoveryMode
  let outcome: OutcomeOptions
  /// The severity from which findings count for a log's exit code; `nil` for none.
  let limit: Severity?
  let countsPossible: Bool
  let output: VerdictOutput

  /// - Parameters:
  ///   - name: the name of the log in its rows.
  ///   - isFinal: whether no later batch can change the verdict.
  ///   - open: returns the log's inputs.
  /// - Returns: whether the log could be read.
  func judge(_ name: String, isFinal: Bool = true, _ open: () throws -> LogInputs) throws -> Bool {
    defer { output.isFinal = true }
    output.isFinal = isFinal
    do {
      try replay(name, open)
      try output.flush()
      return true
    } catch let failure as OutputFailure {
      throw failure.cause
    } catch let unreadable as UnreadableLog {
      let (status, reason) = unreadable.conclusion
      if status == .interrupted || status == .timedOut { throw unreadable.cause }
      try refuse(name, reason.problem)
      return false
    }
  }

  /// Prints the verdict about a log that cannot be read.
  func refuse(_ name: String, _ problem: String) throws {
    output.append(
      .log(
        name,
        VerdictRow.Verdict(
          .unreadable, exitCode: ExitStatus.failed.code, events: 0, tasks: 0, findings: 0, problems: [problem])))
    try output.flush()
  }

  private func replay(_ name: String, _ open: () throws -> LogInputs) throws {
    var tasks = 0
    var (log, acceptance) = try UnreadableLog.catching { () throws -> (DiagnosedLog, Acceptance?) in
      let inputs = try open()
      let acceptance = try self.acceptance(inputs)
      let log = try DiagnosedLog(
        inputs, rules: rules(inputs), recovery: recovery,
        onTaskEnd: { task, world in
          tasks += 1
          output.append(.task(task, VerdictRow.Program(world.process(of: task)), of: name))
        },
        afterBatch: { _ in
          do { try output.flushIfLarge() } catch { throw OutputFailure(cause: error) }
        })
      return (log, acceptance)
    }
    if var present = acceptance {
      log.accept(with: &present)
      acceptance = present
    }
    let lives = log.diagnosis.processes
    for finding in log.diagnosis.findings {
      output.append(.finding(finding, VerdictRow.Program(of: finding, among: lives), of: name))
      try output.flushIfLarge()
    }
    let counted = log.counted(from: limit, withPossible: countsPossible)
    let conclusion = log.conclusion(counted: counted, acceptance: acceptance, judgesUse: true, outcome)
    output.append(.log(name, verdict(of: log, tasks: tasks, conclusion), VerdictRow.Program(newestOf: lives)))
  }

  private func verdict(of log: DiagnosedLog, tasks: Int, _ conclusion: DiagnosedLog.Conclusion) -> VerdictRow.Verdict {
    let isEmpty = log.diagnosis.counts.events == 0
    let incompleteness = log.incompleteness
    let word: VerdictRow.Verdict.Word =
      if isEmpty { .nothingAnalysed } else if conclusion.status == .findings { .findings } else if !incompleteness.isEmpty {
        .incomplete
      } else { .clean }
    return VerdictRow.Verdict(
      word, exitCode: conclusion.status.code, events: log.diagnosis.counts.events, tasks: tasks,
      findings: log.diagnosis.findings.count, problems: isEmpty ? [conclusion.reason.description] : incompleteness)
  }

  /// An error of the output, which ends the command, while an error of an input concerns only one log.
  private struct OutputFailure: Error { let cause: any Error }
}
