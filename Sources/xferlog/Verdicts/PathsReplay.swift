import XferDiagnosis
import XferEvents
import XferLogStore
import XferReading
import XferReplay
import XferReport

/// The replay of many logs, each alone, as `xferlog replay --paths-from` does it for engines that distribute logs over machines.
///
/// Memory use does not grow with the number of logs, and the rows of a log are written before the next log is read.
struct PathsReplay {
  let rules: RuleSet
  let recovery: RecoveryMode
  let outcome: OutcomeOptions
  /// The severity from which findings count for a log's exit code; `nil` for none.
  let limit: Severity?
  let countsPossible: Bool
  let surroundings: Surroundings

  /// - Returns: the numbers of logs and of those that could not be read.
  func run(_ lines: inout InputLines, to output: VerdictOutput) throws -> (logs: Int, unreadable: Int) {
    var (logs, unreadable) = (0, 0)
    while let line = try lines.next() {
      if line.bytes.isEmpty { continue }
      logs += 1
      let path = String(decoding: line.bytes, as: UTF8.self)
      do {
        try replay(path, line, to: output)
      } catch let problem as Unreadable {
        unreadable += 1
        output.append(
          .log(
            path,
            VerdictRow.Verdict(
              .unreadable, exitCode: ExitStatus.failed.code, events: 0, tasks: 0, findings: 0, problems: [problem.text])))
      }
      try output.flush()
    }
    return (logs, unreadable)
  }

  private struct Unreadable: Error { let text: String }

  private func replay(_ path: String, _ line: InputLines.Line, to output: VerdictOutput) throws {
    if line.isCut { throw Unreadable(text: "the path has \(line.length) bytes, which is more than any system allows") }
    if path == "-" { throw Unreadable(text: "- is standard input, from which the paths are read; name a file") }
    guard path.utf8.elementsEqual(line.bytes) else { throw Unreadable(text: "the path is not UTF-8") }
    var tasks = 0
    let log = try Self.reading {
      try DiagnosedLog(
        LogInputs([path], surroundings), rules: rules, recovery: recovery,
        onTaskEnd: { task, _ in
          tasks += 1
          output.append(.task(task, of: path))
        },
        afterBatch: {
          do { try output.flushIfLarge() } catch { throw OutputFailure(cause: error) }
        })
    }
    for finding in log.diagnosis.findings {
      output.append(.finding(finding, of: path))
      try output.flushIfLarge()
    }
    let counted = log.counted(from: limit, withPossible: countsPossible)
    let conclusion = log.conclusion(counted: counted, acceptance: nil, judgesUse: true, outcome)
    output.append(.log(path, verdict(of: log, tasks: tasks, conclusion)))
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
      findings: log.diagnosis.findings.count, problems: isEmpty ? [conclusion.reason] : incompleteness)
  }

  /// An error of the output, which ends the command, while an error of an input concerns only one log.
  private struct OutputFailure: Error { let cause: any Error }

  /// Runs a function and wraps the errors that concern one log.
  private static func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as OutputFailure {
      throw failure.cause
    } catch let exit as CommandExit where exit.status != .interrupted && exit.status != .timedOut {
      throw Unreadable(text: DiagnosedLog.line(exit.reason))
    } catch let error as LogError {
      throw Unreadable(text: DiagnosedLog.line(error.description))
    } catch let error as SourceError {
      throw Unreadable(text: DiagnosedLog.line(error.description))
    }
  }
}
