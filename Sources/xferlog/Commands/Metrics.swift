import ArgumentParser
import XferDiagnosis
import XferLogStore
import XferQuery
import XferReading
import XferReplay
import XferReport

struct Metrics: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print the figures of a log as metrics for Prometheus.",
    discussion: """
      The metrics have the figures of `xferlog stats`: tasks by state and outcome, bytes, times by stage as histograms, findings by \
      rule, and tasks by host. The labels are bounded: no metric has a task or a URL as a label.

      With --textfile, the metrics are written to a file for the textfile collector of Prometheus' node exporter. The file is \
      replaced as a whole, so that the collector never reads a part of it. Findings do not change the exit code.

      Examples:

        xferlog metrics run.xlog
        xferlog metrics --label device=ipad --textfile xferlog.prom
      """)

  @Argument(help: "Logs to read (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(
    help: ArgumentHelp(
      "Write the metrics to this file instead of standard output. Everybody may read it.", valueName: "file.prom"),
    completion: .file())
  var textfile: String?

  @Option(
    help: ArgumentHelp("Add a label to all metrics (repeatable).", valueName: "name=value"))
  var label: [MetricLabel] = []

  @Option(
    help: ArgumentHelp("The number of hosts that have metrics of their own; all others are the host `other`.", valueName: "n"))
  var hosts = 20

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  @OptionGroup(title: "Damaged logs")
  var damage: RecoveryOptions

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  @OptionGroup(title: "Logs of other programs")
  var imported: ImportedLogOptions

  /// The maximum of `--hosts`, which keeps the number of time series bounded.
  private static let mostHosts = 1000

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    guard 0...Self.mostHosts ~= hosts else {
      throw CommandExit(.wrongUsage, "--hosts \(hosts) is not possible; give a number from 0 to \(Self.mostHosts)")
    }
    if let twice = MetricLabel.repeated(in: label) {
      throw CommandExit(.wrongUsage, "the label \(twice) is given twice; give each label once")
    }
    // A file that cannot be created is reported before the log is read.
    let destination = try ExportDestination(
      textfile, replaces: true, isBinary: false, option: "--textfile", surroundings)
    var tasks = TaskStatistics()
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    let log = try DiagnosedLog(
      inputs, rules: rules.inForce(for: inputs), recovery: damage.recovery, onTaskEnd: { task, _ in tasks.add(task) })
    if let emptiness = log.emptiness(outcome), emptiness.status != .analysed { return try DiagnosedLog.end(emptiness) }
    let statistics = Statistics(log.diagnosis, tasks: tasks, span: log.diagnosis.counts.span)
    let document = MetricsDocument(
      statistics, drops: log.diagnosis.drops, isComplete: log.incompleteness.isEmpty, hostLimit: hosts,
      version: LogConfiguration.libraryVersion)
    var text = MetricsText(labels: label.map { ($0.name, $0.value) })
    document.write(to: &text)
    destination.output.buffer.append(text.text)
    // The collector runs as another user.
    try destination.finish(isReadableByAll: true)
    try DiagnosedLog.end(log.emptiness(outcome) ?? log.completeness(outcome))
  }
}
