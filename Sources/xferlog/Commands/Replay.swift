import ArgumentParser
import XferDiagnosis
import XferEvents
import XferLogStore
import XferReading
import XferReplay
import XferReport

struct ReplayCommand: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", _superCommandName: "xferlog",
    abstract: "Report lost completions and other faults in a log, with evidence.",
    discussion: """
      Rebuilds all sessions, tasks, callbacks and app wakes from the log and checks them against every rule (see `xferlog \
      rules`). The exit code is 1 if a finding counts (see --fail-on).

      With --at, prints the state of apps, sessions, tasks and the device after one event or at one time instead. An event is \
      '#12' (the twelfth event of the log, with causes before their effects; quoted for the shell), a reference such as 1/2/19 \
      (as printed by `show -o verbose`), or task:SESSION/NUMBER.EVENT. With --step, steps through the log in a terminal. \
      Findings do not change the exit code of --at and --step.

      With --since, --until, --last, --task or --session, the verdict is about a part of the log. The whole log is read. A task \
      counts if one of its events lies in the time given, or if it is still open when the log ends. A finding counts if it is \
      about such a task (or, without a task, about a selected session or a process that wrote in that time) and lies in that \
      time itself; findings that explain it count, too.

      With --paths-from and --stdin, each task, finding and log becomes one row of NDJSON, and the last row has the number and the \
      CRC-32C of the others. The exit code is 0 if everything was read and all rows were written, whatever the findings.

      A bundle of `xferlog collect` contains the rules, limits, baseline and suppressions of its verdict, and replay applies \
      them. --rules and --suppressions add to them, --limit and a rule with the same id take precedence, and --baseline replaces \
      the bundle's baseline. The configuration files of this machine are applied only with --config.

      Examples:

        xferlog replay run.xlog
        xferlog replay --last 10m
        xferlog replay --ci --junit transfers.xml --baseline xferlog-baseline.yaml run.xlog
        xferlog replay run.xlog --at task:img/7.resumed
        xferlog replay run.xlog --step
        xferlog replay run.zip
      """)

  enum Form: String, ArgumentChoice { case text, json, ndjson }

  enum Limit: String, ArgumentChoice {
    case critical, error, warning, notice, never
  }

  @Argument(help: "Logs to replay (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(name: .shortAndLong, help: "Output format (json: one document; ndjson: one object per line).")
  var output: Form = .text

  @Option(help: "Exit with 1 if there are findings of at least this severity (default: warning).")
  var failOn: Limit?

  @Flag(help: "Also count findings with the certainty 'possible' for --fail-on (given or default).")
  var failOnPossible = false

  @Option(
    help: ArgumentHelp(
      "Group the findings (rule, severity, certainty, os, app, program, session; joined by commas).", valueName: "keys"))
  var groupBy: GroupKeys?

  @OptionGroup
  var form: PageOptions

  @OptionGroup(title: "State at one moment")
  var moment: MomentOptions

  @OptionGroup(title: "Verdict about a part of the log")
  var span: WindowOptions

  @OptionGroup(title: "Many logs")
  var batch: BatchOptions

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  @OptionGroup(title: "Damaged logs")
  var damage: RecoveryOptions

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  @OptionGroup(title: "Known problems")
  var accepting: AcceptanceOptions

  @OptionGroup(title: "Results and annotations")
  var job: JobOptions

  @OptionGroup(title: "Logs of other programs")
  var imported: ImportedLogOptions

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    try batch.validateTogether()
    if batch.isGiven {
      do {
        return try replayMany(surroundings)
      } catch is OutputClosed {
        // For other output this is a normal end. Here, 0 means that all rows were written.
        throw CommandExit(.failed, "the reader closed standard output before all rows were written")
      }
    }
    if moment.at != nil || moment.step, span.isGiven {
      throw CommandExit(.wrongUsage, "--since, --until and --last do not work with --at and --step")
    }
    if moment.at != nil || moment.step, job.isGiven || accepting.isGiven {
      throw CommandExit(.wrongUsage, "--ci, results in files, --baseline and --suppressions do not work with --at and --step")
    }
    if try moment.run(log, isJSON: isJSON, rules, damage, outcome, surroundings) { return }
    let results = try JobResults(job, isText: output == .text, surroundings)
    let output = StandardOutput(descriptor: surroundings.output)
    do {
      try replay(results, output, surroundings)
    } catch let failure as UnreadableLog {
      for line in try results.fail(failure.conclusion) { output.appendLine(line) }
      try output.flush()
      throw failure.cause
    }
  }

  private func replay(_ results: JobResults, _ output: StandardOutput, _ surroundings: Surroundings) throws {
    // Mistakes in files that the user names are reported even if there is no log.
    let plain = try rules.sources()
    let named = try accepting.named()
    _ = try AcceptanceOptions.acceptance(named.suppressions + [named.baseline].compactMap(\.self), surroundings)
    var writer = ReplayWriter(outputForm, page: form.page(surroundings, output))
    var (log, window, rules, acceptance) = try UnreadableLog.catching {
      let inputs = try LogInputs(self.log, surroundings, mayBeAbsent: outcome.allowEmpty)
      let rules = try self.rules.inForce(for: inputs, plain: plain)
      let acceptance = try AcceptanceOptions.acceptance(accepting.sources(named, for: inputs), surroundings)
      let window = try span.window(tasks: moment.task, sessions: moment.session, inputs, surroundings)
      let each: ((LogMember) throws -> Void)? = window.map { window in { window.take($0) } }
      let log = try DiagnosedLog(
        inputs, rules: rules, recovery: damage.recovery, window: window,
        onTaskEnd: { task, world in
          guard window?.takes(task) ?? true else { return }
          writer.append(task, world, to: &output.buffer)
          results.append(task, world)
        }, each: each,
        afterBatch: { _ in
          try output.flushIfLarge()
          try results.flushIfLarge()
        })
      return (log, window, rules, acceptance)
    }
    if var present = acceptance {
      log.accept(with: &present)
      acceptance = present
    }
    let limit = Severity(rawValue: (failOn ?? surroundings.settings.failOn).rawValue)
    let counted = log.counted(from: limit, withPossible: failOnPossible)
    let conclusion = log.conclusion(counted: counted, acceptance: acceptance, judgesUse: window == nil, outcome)
    log.prepareQuotes(of: log.diagnosis.findings.flatMap { $0.evidence.map(\.reference) })
    let document = ReplayDocument(
      diagnosis: log.diagnosis, inversions: log.inversions, inputs: log.accounts, exitCode: conclusion.status.code,
      countsPossible: failOnPossible, rules: rules, incompleteness: log.incompleteness, window: log.judgedWindow,
      groupedBy: groupBy?.keys ?? [], sourceLines: log.sourceLines, acceptance: acceptance)
    // The files come first, because standard output may be closed early. The text comes last, because it ends with the verdict.
    let annotations = try results.finish(
      document, limit: limit, conclusion, isAboutFindings: conclusion.status == .findings && !counted.isEmpty)
    for line in annotations { output.appendLine(line) }
    try writer.end(document, append: output.append)
    try output.flush()
    if let acceptance, log.diagnosis.counts.events > 0 { AcceptanceOptions.remark(acceptance, judgesUse: window == nil) }
    try DiagnosedLog.end(conclusion)
  }

  private func replayMany(_ surroundings: Surroundings) throws {
    let option = batch.stdin ? "--stdin" : "--paths-from"
    guard log.isEmpty else {
      throw CommandExit(.wrongUsage, "name logs as arguments or give \(option), not both")
    }
    if output == .json { throw CommandExit(.wrongUsage, "\(option) prints NDJSON; leave out -o json") }
    if moment.at != nil || moment.step || span.isGiven || job.isGiven || accepting.isGiven || groupBy != nil {
      throw CommandExit(
        .wrongUsage,
        "\(option) does not work with --at, --step, --since, --until, --last, --ci, result files, --baseline, --suppressions and "
          + "--group-by")
    }
    if batch.stdin, damage.recovery != .tail {
      throw CommandExit(.wrongUsage, "--recovery applies to .xlog logs only; leave it out with --stdin")
    }
    let plain = try rules.sources()
    let output = VerdictOutput(StandardOutput(descriptor: surroundings.output))
    let judge = LogJudge(
      rules: { try rules.inForce(for: $0, plain: plain) },
      acceptance: { try AcceptanceOptions.acceptance(accepting.sources(accepting.named(), for: $0), surroundings) },
      recovery: damage.recovery, outcome: outcome,
      limit: Severity(rawValue: (failOn ?? surroundings.settings.failOn).rawValue), countsPossible: failOnPossible, output: output
    )
    if let file = batch.pathsFrom {
      var lines = try InputLines(file: file)
      let end = try PathsReplay(judge: judge, surroundings: surroundings).run(&lines)
      try output.finish(end)
      guard end.unreadable > 0 else { return }
      throw CommandExit(
        .failed,
        "\(end.unreadable) of \(end.logs.counted("log")) could not be read; see the rows with the verdict unreadable"
      )
    }
    let replay = LinesReplay(
      judge: judge, batch: batch, closeBefore: try batch.closingTime(surroundings), surroundings: surroundings)
    let (end, problem) = try replay.run()
    try output.finish(end)
    if let problem { throw CommandExit(.failed, UserMessage(problem)) }
  }

  /// Whether `--at` prints the state as JSON. Throws for `ndjson`, because a state is one document.
  private func isJSON() throws -> Bool {
    if output == .ndjson { throw CommandExit(.wrongUsage, "--at and --step have no ndjson output; use -o text or -o json") }
    return output == .json
  }

  private var outputForm: ReplayWriter.Form {
    switch output {
    case .text: .text
    case .json: .document
    case .ndjson: .lines
    }
  }
}

extension StandardOutput {
  /// Appends a line.
  fileprivate func appendLine(_ line: String) {
    buffer.append(line)
    buffer.append(UInt8(ascii: "\n"))
  }
}
