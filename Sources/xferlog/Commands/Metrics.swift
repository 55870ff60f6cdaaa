import ArgumentParser
import XferDiagnosis
import XferEvents
import XferLifecycle
import XferLogStore
import XferQuery
import XferReading
import XferReplay
import XferReport
import XferServing

struct Metrics: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print the figures of a log as metrics for Prometheus.",
    discussion: """
      The metrics have the figures of `xferlog stats`: tasks by state and outcome, bytes, times by stage as histograms, findings by \
      rule, and tasks by host; and events by level, overdue tasks, and the latency of completion handlers. The labels are bounded: \
      no metric has a task or a URL as a label.

      With --listen, the metrics are served to Prometheus until Ctrl-C. Each scrape reads the current log. Whether a task is \
      overdue depends on the current time instead of the time of the log's last event. Only this machine can connect, unless the \
      address says otherwise.

      With --textfile, the metrics are written to a file for the textfile collector of Prometheus' node exporter. The file is \
      replaced as a whole, so that the collector never reads a part of it. Findings do not change the exit code.

      Examples:

        xferlog metrics run.xlog
        xferlog metrics --listen 9464 run.xlog
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
    help: ArgumentHelp(
      "Serve the metrics at http://127.0.0.1:PORT/metrics (0 for a free port, 0.0.0.0:PORT for other machines).",
      valueName: "port"))
  var listen: ListenAddress?

  @Option(
    help: ArgumentHelp("Add a label to all metrics (repeatable).", valueName: "name=value"),
    transform: MetricLabel.init(argument:))
  var label: [MetricLabel] = []

  @Option(
    help: ArgumentHelp(
      "The number of hosts that have their own metrics; all other hosts are combined as `other`.", valueName: "n"))
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
    if let listen {
      if textfile != nil { throw CommandExit(.wrongUsage, "--listen writes no file; leave out --textfile") }
      return try serve(at: listen, surroundings)
    }
    // A file that cannot be created is reported before the log is read.
    let destination = try ExportDestination(
      textfile, replaces: true, isBinary: false, option: "--textfile", surroundings)
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    let (log, text) = try figures(inputs, rules: rules.inForce(for: inputs), now: nil)
    if let emptiness = log.emptiness(outcome), emptiness.status != .analysed { return try DiagnosedLog.end(emptiness) }
    destination.output.buffer.append(text)
    // The collector runs as another user.
    try destination.finish(isReadableByAll: true)
    try DiagnosedLog.end(log.emptiness(outcome) ?? log.completeness(outcome))
  }

  /// Returns a diagnosed log and its metrics.
  ///
  /// - Parameter now: the time at which tasks are overdue; `nil` means the time of the log's last event.
  private func figures(_ inputs: LogInputs, rules: RuleSet, now: WallTime?) throws -> (log: DiagnosedLog, text: String) {
    var (tasks, events) = (TaskStatistics(), MetricsDocument.Events())
    var overdue = OverdueTasks(TaskRow.Patience(rules))
    let log = try DiagnosedLog(
      inputs, rules: rules, recovery: damage.recovery,
      onTaskEnd: { task, world in
        tasks.add(task)
        overdue.note(task, in: world)
      },
      afterBatch: { batch in for event in batch.events { events.note(event.level) } })
    let span = log.diagnosis.counts.span
    events.overdue = overdue.count(at: now ?? span?.upperBound)
    for wake in log.diagnosis.parts.lazy.flatMap(\.world.wakes) {
      if let delivered = wake.delivered, let called = wake.called, let time = delivered.duration(to: called), time >= .zero {
        events.handlerTimes.append(time.nanoseconds)
      }
    }
    let document = MetricsDocument(
      Statistics(log.diagnosis, tasks: tasks, span: span), events, drops: log.diagnosis.drops,
      isComplete: log.incompleteness.isEmpty && inputs.absent.isEmpty, hostLimit: hosts, version: LogConfiguration.libraryVersion)
    var text = MetricsText(labels: label.map { ($0.name, $0.value) })
    document.write(to: &text)
    return (log, text.text)
  }

  private func serve(at address: ListenAddress, _ surroundings: Surroundings) throws {
    let context = RemarksOnce(surroundings)
    let rules = try rules.inForce()
    let inputs = try LogInputs(log, context, mayAppear: true)
    inputs.remarkRefusals()
    for path in inputs.absent { context.remark("waiting for \(path)") }
    let wakeUp = WakeUp()
    let metrics = LiveMetrics { wakeUp.signal() }
    let server: MetricsServer
    do throws(ServingError) {
      server = try MetricsServer(host: address.host, port: address.port, isLocal: address.isLocal, metrics: metrics)
    } catch {
      throw CommandExit(.failed, "\(error)")
    }
    defer {
      server.stop()
      Interruption.endAsSignalled()
    }
    for signal in Interruption.endings { Interruption.handleUnlessIgnored(signal) }
    // A script may wait for the address.
    let output = StandardOutput(descriptor: surroundings.output)
    output.buffer.append("\(server.url)\n")
    do { try output.flush() } catch is OutputClosed {}
    let maker = MetricsMaker(metrics: metrics, wakeUp: wakeUp) {
      let inputs = try LogInputs(self.log, context, mayAppear: true)
      let (log, text) = try figures(inputs, rules: rules, now: surroundings.now())
      if let emptiness = log.emptiness(outcome), emptiness.status == .failed {
        throw CommandExit(emptiness.status, emptiness.reason)
      }
      return text
    }
    try maker.run()
  }
}
