package import XferDiagnosis
import XferEvents
package import XferLifecycle

/// One row of `xferlog replay --paths-from` or `--stdin`: a task, a finding, the verdict of one log, or the end.
///
/// Each row has all members and names its log, because engines that distribute rows keep neither their order nor their neighbours.
package struct VerdictRow {
  package enum Kind: String, CaseIterable { case task, finding, log, end }

  /// The task, finding, log or end that the row describes. The cases are indirect because the row is copied for each of its fields.
  private indirect enum Content {
    case task(TaskLifecycle)
    case finding(Finding)
    case log(Verdict)
    case end(End)
  }

  private let content: Content
  /// The path of the log, as it was given, or the name of the group of lines.
  private let log: String?
  /// The program that the row is about.
  private let program: Program?
  /// Whether no later batch can change the row.
  package var isFinal = true

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
    package var logs = 0
    package var unreadable = 0
    /// The number of rows before this one.
    package var rows = 0
    /// The CRC-32C of the bytes of these rows, with their line feeds.
    package var checksum: UInt32 = 0
    /// The numbers of lines that were read; `nil` if logs and not lines were read.
    package var lines: Lines?

    package struct Lines {
      package var read = 0
      package var unreadable = 0
      package var duplicate = 0
      /// The number of groups that the next batch continues.
      package var carriedGroups = 0

      package init() {}
    }

    package init() {}
  }

  /// The program that wrote the events that a row is about.
  package struct Program {
    let name: String?
    let version: String?
    let os: String?

    package init(_ process: ProcessLifecycle) {
      (name, version, os) = (process.executable?.fileName, process.version, process.osVersion)
    }

    /// - Returns: `nil` if no process is known to be concerned.
    package init?(of finding: Finding, among lives: [ProcessLifecycle]) {
      guard
        let process = ReplayDocument.process(of: finding, among: [finding.launch: lives.filter { $0.launch == finding.launch }])
      else { return nil }
      self.init(process)
    }

    /// The newest life of an app; without one, the newest life of any process. `nil` without lives.
    package init?(newestOf lives: [ProcessLifecycle]) {
      guard let process = lives.last(where: { $0.role == .app && $0.firstSeen != nil }) ?? lives.last else { return nil }
      self.init(process)
    }
  }

  package static func task(_ task: TaskLifecycle, _ program: Program?, of log: String) -> VerdictRow {
    VerdictRow(.task(task), program, of: log)
  }

  package static func finding(_ finding: Finding, _ program: Program?, of log: String) -> VerdictRow {
    VerdictRow(.finding(finding), program, of: log)
  }

  package static func log(_ log: String, _ verdict: Verdict, _ program: Program? = nil) -> VerdictRow {
    VerdictRow(.log(verdict), program, of: log)
  }

  package static func end(_ end: End) -> VerdictRow { VerdictRow(.end(end), nil, of: nil) }

  private init(_ content: Content, _ program: Program?, of log: String?) {
    (self.content, self.program, self.log) = (content, program, log)
  }

  private var kind: Kind {
    switch content {
    case .task: .task
    case .finding: .finding
    case .log: .log
    case .end: .end
    }
  }

  private var task: TaskLifecycle? { if case .task(let task) = content { task } else { nil } }
  private var finding: Finding? { if case .finding(let finding) = content { finding } else { nil } }
  private var verdict: Verdict? { if case .log(let verdict) = content { verdict } else { nil } }
  private var end: End? { if case .end(let end) = content { end } else { nil } }

  private var identity: TaskIdentity? { task?.identity ?? finding?.task }
}

extension VerdictRow {
  package func write(to json: inout JSONText) { Self.object.write(self, to: &json) }

  static let object = DocumentObject<VerdictRow>(
    "verdicts", "One row of the verdicts about many logs. A member that does not belong to the row's kind is `null`."
  ) { fields in
    fields.schema("xferlog.verdicts/1")
    fields.choice("kind", Kind.allCases.map(\.rawValue), "What the row is about; `end` is the last row.") { $0.kind.rawValue }
    fields.flag("final", "Whether no later batch can change the row; `false` for the rows of `--interim`.") { $0.isFinal }
    fields.optionalText("log", "Path of the log, as it was given, or name of the group of lines.") { $0.log }
    fields.optionalText("program", "File name of the program; of a log, the app that ran last.") { $0.program?.name }
    fields.optionalText("version", "Version of the program.") { $0.program?.version }
    fields.optionalText("os", "Name and version of the operating system.") { $0.program?.os }
    addSubject(to: &fields)
    addTask(to: &fields)
    fields.part({ $0.finding }) { addFinding(to: &$0) }
    fields.part({ $0.verdict }) { addLog(to: &$0) }
    fields.part({ $0.end }) { addEnd(to: &$0) }
  }

  private static func addSubject(to fields: inout DocumentFields<VerdictRow>) {
    fields.optionalText("session", "Identifier of the session of the task or finding.") {
      $0.identity?.session ?? $0.finding?.session
    }
    fields.optionalInteger("number", "Number of the task within its session.") { $0.identity?.number }
    fields.optionalUID("uid", "Identifier that the task keeps for its whole life.") { $0.identity?.uid }
  }

  private static func addTask(to fields: inout DocumentFields<VerdictRow>) {
    fields.optionalChoice("state", TaskLifecycle.State.allCases.map(\.rawValue), "State of the task at the end of the log.") {
      $0.task?.state.rawValue
    }
    fields.optionalChoice("outcome", TaskLifecycle.Result.allCases.map(\.rawValue), "Outcome of the task.") {
      $0.task?.result.rawValue
    }
    fields.optionalText("host", "Host of the URL of the task or finding.") { $0.task?.host ?? $0.finding?.basis.host }
    fields.optionalInteger("http", "HTTP status of the response.") { $0.task?.status }
    fields.optionalText("errorName", "Name of the error with which the task was completed.") { $0.task?.error?.name }
    fields.optionalInteger("attempts", "Number of attempts.") { $0.task?.attemptCount }
    fields.optionalInteger("received", unit: .bytes, "Bytes of the body received.") { $0.task?.bytesReceived }
    fields.optionalDuration("total", "Time from resume to completion.") { $0.task?.totalTime }
  }

  private static func addFinding(to fields: inout DocumentFields<Finding>) {
    fields.text("rule", "Identifier of the finding's rule.") { $0.rule }
    fields.optionalText("variant", "Variant of the rule.") { $0.variant }
    fields.choice("severity", Severity.allCases.map(\.rawValue), "Severity of the finding.") { $0.severity.rawValue }
    fields.choice("certainty", Certainty.allCases.map(\.rawValue), "Certainty of the finding.") { $0.certainty.rawValue }
    fields.flag("counted", "Whether the finding counts for the exit code of a replay.") { $0.counts }
    fields.text("fingerprint", "Fingerprint, which is the same for the same problem in other logs.") { $0.fingerprint }
    fields.optionalText("time", as: .time, "Time of the finding.") { finding in finding.moment.wall.map { "\($0)" } }
    fields.text("summary", "The finding in one sentence.") { $0.summary }
  }

  private static func addLog(to fields: inout DocumentFields<Verdict>) {
    fields.choice("verdict", Verdict.Word.allCases.map(\.rawValue), "The verdict about the log.") { $0.word.rawValue }
    fields.integer("exitCode", "Exit code that a replay of the log alone would have.") { $0.exitCode }
    fields.integer("events", "Number of events of the log.") { $0.events }
    fields.integer("tasks", "Number of tasks of the log.") { $0.tasks }
    fields.integer("findings", "Number of findings of the log.") { $0.findings }
    fields.texts("problems", "Why the log is incomplete or cannot be read.") { $0.problems }
  }

  private static func addEnd(to fields: inout DocumentFields<End>) {
    fields.integer("logs", "Number of logs.") { $0.logs }
    fields.integer("unreadable", "Number of logs that could not be read.") { $0.unreadable }
    fields.optionalInteger("lines", "Number of lines that were read, without those of a state; `null` if logs were read.") {
      $0.lines?.read
    }
    fields.optionalInteger("unreadableLines", "Number of lines that are no events.") { $0.lines?.unreadable }
    fields.optionalInteger("duplicates", "Number of lines that repeat another line.") { $0.lines?.duplicate }
    fields.optionalInteger("carriedGroups", "Number of groups that the next batch continues.") { $0.lines?.carriedGroups }
    fields.integer("rows", "Number of rows before the last one.") { $0.rows }
    fields.text("checksum", "CRC-32C of these rows with their line feeds, as eight hexadecimal digits.") {
      CarriedRow.text($0.checksum)
    }
  }
}
