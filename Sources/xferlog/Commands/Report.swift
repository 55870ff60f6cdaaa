import ArgumentParser
import XferDiagnosis
import XferEvents
import XferQuery
import XferReading
import XferReport

struct Report: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a postmortem as one HTML file.",
    discussion: """
      The file needs no network and no other file, so its script and style are inline. For servers whose content security policy \
      forbids that, --split writes a directory with index.html and its script, style and data as files. The report shows the \
      verdict, what the log leaves unknown, the findings with their evidence, a timeline, the tasks and the events. `xferlog \
      replay FILE.html` replays the log that the report contains.

      Private values that the log contains in plain text are masked. The file has at most 8 MB. The report of a larger log \
      contains the tasks with findings and a sample of the other tasks, and says that it is incomplete. Findings do not \
      change the exit code.

      Examples:

        xferlog report run.xlog
        xferlog report -o postmortem.html app.xlog daemon.log
        xferlog report --against yesterday.xlog today.xlog
        xferlog report --split -o postmortem run.xlog
      """)

  @Argument(help: "Logs to report on together (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write (default: the log's name with .html in this directory; - for standard output), or the directory with --split.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp("Also show what differs from the transfers of this earlier run.", valueName: "log"), completion: .file())
  var against: String?

  @Flag(help: "Write a directory without inline script and style (default: the log's name with -report).")
  var split = false

  @Flag(help: "Replace the file, or write into the directory, even if it is not a report.")
  var overwrite = false

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  @OptionGroup(title: "Damaged logs")
  var damage: RecoveryOptions

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  @OptionGroup(title: "Logs of other programs")
  var imported: ImportedLogOptions

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    let path = output ?? Self.name(for: inputs, isSplit: split)
    let destination: any ReportDestination =
      split
      ? try SplitReport(path, overwrites: overwrite, surroundings)
      : try ExportDestination(path, replaces: overwrite || SplitReport.isPage(path), isBinary: false, surroundings)
    let rules = try rules.inForce(for: inputs)
    var run = ReportRun(
      inputs: inputs, rules: rules, recovery: damage.recovery, outcome: outcome, now: surroundings.now())
    run.other = try against.map {
      try ReportRun.Other(reading: $0, beside: log, rules: rules, recovery: damage.recovery, outcome: outcome, surroundings)
    }
    let result = try destination.write(run)
    if let emptiness = result.log.emptiness(outcome), emptiness.status != .analysed {
      return try DiagnosedLog.end(emptiness)
    }
    try destination.finish()
    if path != "-" {
      let text = StandardOutput(descriptor: surroundings.output)
      text.buffer.append(TerminalText.escaped("\(path): \(Self.summary(result))") + "\n")
      try text.flush()
    }
    try DiagnosedLog.end(result.log.completeness(outcome))
  }

  private static func summary(_ result: ReportRun.Result) -> String {
    let events =
      result.contained < result.events
      ? "\(result.contained) of \(result.events.counted("event"))" : result.events.counted("event")
    return "\(events), \(result.findings.counted("finding"))"
  }

  /// Returns the name of the first log, with `.html` in the place of its extension, or with `-report` for a directory.
  private static func name(for inputs: LogInputs, isSplit: Bool) -> String {
    guard let path = inputs.inputs.first?.path, path != "-", let name = path.fileName else {
      return isSplit ? "xferlog-report" : "xferlog-report.html"
    }
    let stem = name.drop { $0 == "." }.split(separator: ".").first ?? name[...]
    return isSplit ? "\(stem)-report" : "\(stem).html"
  }
}

/// The place of a report: a file, or a directory with several files.
protocol ReportDestination {
  func write(_ run: ReportRun) throws -> ReportRun.Result
  /// Moves what was written to its place.
  func finish() throws
}

extension ExportDestination: ReportDestination {
  func write(_ run: ReportRun) throws -> ReportRun.Result { try run.write(to: output) }
}
