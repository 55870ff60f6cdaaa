package import XferDiagnosis
import XferEvents
package import XferLifecycle

/// One row of `xferlog replay --paths-from`: a task, a finding, the verdict of one log, or the end.
///
/// Each row has all members and names its log, because engines that distribute rows keep neither their order nor their neighbours.
package struct VerdictRow {
  package enum Kind: String, CaseIterable { case task, finding, log, end }

  private let kind: Kind
  /// The path of the log, as it was given.
  private var log: String?
  private var task: TaskLifecycle?
  private var finding: Finding?
  private var verdict: Verdict?
  private var end: End?

  /// The verdict of a whole log.
  package struct Verdict {
    package enum Word: String, CaseIterable { case clean, findings, incomplete, nothingAnalysed, unreadable }

    let word: Word
    let exitCode: Int32
    let events: Int
    let tasks: Int
    let findings: Int
    /// Why the log is incomplete or cannot be read.
    let problems: [String]

    package init(_ word: Word, exitCode: Int32, events: Int, tasks: Int, findings: Int, problems: [String]) {
      (self.word, self.exitCode, self.events) = (word, exitCode, events)
      (self.tasks, self.findings, self.problems) = (tasks, findings, problems)
    }
  }

  /// The facts with which a reader checks that all rows have arrived.
  package struct End {
    let logs: Int
    let unreadable: Int
    let rows: Int
    let checksum: UInt32

    /// - Parameters:
    ///   - rows: the number of rows before this one.
    ///   - checksum: the CRC-32C of the bytes of these rows, with their line feeds.
    package init(logs: Int, unreadable: Int, rows: Int, checksum: UInt32) {
      (self.logs, self.unreadable, self.rows, self.checksum) = (logs, unreadable, rows, checksum)
    }
  }

  package static func task(_ task: TaskLifecycle, of log: String) -> VerdictRow {
    var row = VerdictRow(kind: .task, log: log)
    row.task = task
    return row
  }

  package static func finding(_ finding: Finding, of log: String) -> VerdictRow {
    var row = VerdictRow(kind: .finding, log: log)
    row.finding = finding
    return row
  }

  package static func log(_ log: String, _ verdict: Verdict) -> VerdictRow {
    var row = VerdictRow(kind: .log, log: log)
    row.verdict = verdict
    return row
  }

  package static func end(_ end: End) -> VerdictRow {
    var row = VerdictRow(kind: .end, log: nil)
    row.end = end
    return row
  }

  private init(kind: Kind, log: String?) { (self.kind, self.log) = (kind, log) }

  private var identity: TaskIdentity? { task?.identity ?? finding?.task }
}

extension VerdictRow {
  package func write(to json: inout JSONText) { Self.object.write(self, to: &json) }

  static let object = DocumentObject<VerdictRow>(
    "verdicts", "One row of the verdicts about many logs. A member that does not belong to the row's kind is `null`."
  ) { fields in
    fields.schema("xferlog.verdicts/1")
    fields.choice("kind", Kind.allCases.map(\.rawValue), "What the row is about; `end` is the last row.") { $0.kind.rawValue }
    fields.optionalText("log", "Path of the log, as it was given.") { $0.log }
    addSubject(to: &fields)
    addTask(to: &fields)
    addFinding(to: &fields)
    addLog(to: &fields)
    addEnd(to: &fields)
  }

  private static func addSubject(to fields: inout DocumentFields<VerdictRow>) {
    fields.optionalText("session", "Identifier of the session of the task or finding.") {
      $0.identity?.session ?? $0.finding?.session
    }
    fields.optionalInteger("number", "Number of the task within its session.") { $0.identity?.number }
    fields.optionalText("uid", as: .uuid, "Identifier that the task keeps for its whole life.") { row in
      row.identity.map { "\($0.uid)" }
    }
  }

  private static func addTask(to fields: inout DocumentFields<VerdictRow>) {
    fields.optionalChoice("state", TaskLifecycle.State.allCases.map(\.rawValue), "State of the task at the end of the log.") {
      $0.task?.state.rawValue
    }
    fields.optionalChoice("outcome", TaskLifecycle.Result.allCases.map(\.rawValue), "Outcome of the task.") {
      $0.task?.result.rawValue
    }
    fields.optionalText("host", "Host of the task's URL.") { $0.task?.host }
    fields.optionalInteger("http", "HTTP status of the response.") { $0.task?.status }
    fields.optionalText("errorName", "Name of the error with which the task was completed.") { $0.task?.error?.name }
    fields.optionalInteger("attempts", "Number of attempts.") { $0.task?.attemptCount }
    fields.optionalInteger("received", unit: .bytes, "Bytes of the body received.") { $0.task?.bytesReceived }
    fields.optionalDuration("total", "Time from resume to completion.") { $0.task?.totalTime }
  }

  private static func addFinding(to fields: inout DocumentFields<VerdictRow>) {
    fields.optionalText("rule", "Identifier of the finding's rule.") { $0.finding?.rule }
    fields.optionalChoice("severity", Severity.allCases.map(\.rawValue), "Severity of the finding.") {
      $0.finding?.severity.rawValue
    }
    fields.optionalChoice("certainty", Certainty.allCases.map(\.rawValue), "Certainty of the finding.") {
      $0.finding?.certainty.rawValue
    }
    fields.optionalFlag("counted", presence: .nullable, "Whether the finding counts for the exit code of a replay.") {
      $0.finding?.counts
    }
    fields.optionalText("fingerprint", "Fingerprint, which is the same for the same problem in other logs.") {
      $0.finding?.fingerprint
    }
    fields.optionalText("time", as: .time, "Time of the finding.") { row in row.finding?.moment.wall.map { "\($0)" } }
    fields.optionalText("summary", "The finding in one sentence.") { $0.finding?.summary }
  }

  private static func addLog(to fields: inout DocumentFields<VerdictRow>) {
    fields.optionalChoice("verdict", Verdict.Word.allCases.map(\.rawValue), "The verdict about the log.") {
      $0.verdict?.word.rawValue
    }
    fields.optionalInteger("exitCode", "Exit code that a replay of the log alone would have.") { $0.verdict?.exitCode }
    fields.optionalInteger("events", "Number of events of the log.") { $0.verdict?.events }
    fields.optionalInteger("tasks", "Number of tasks of the log.") { $0.verdict?.tasks }
    fields.optionalInteger("findings", "Number of findings of the log.") { $0.verdict?.findings }
    fields.optionalTexts("problems", presence: .nullable, "Why the log is incomplete or cannot be read.") { $0.verdict?.problems }
  }

  private static func addEnd(to fields: inout DocumentFields<VerdictRow>) {
    fields.optionalInteger("logs", "Number of logs.") { $0.end?.logs }
    fields.optionalInteger("unreadable", "Number of logs that could not be read.") { $0.end?.unreadable }
    fields.optionalInteger("rows", "Number of rows before the last one.") { $0.end?.rows }
    fields.optionalText("checksum", "CRC-32C of these rows with their line feeds, as eight hexadecimal digits.") { row in
      row.end.map { String(UInt64($0.checksum).hexadecimal.suffix(8)) }
    }
  }
}
