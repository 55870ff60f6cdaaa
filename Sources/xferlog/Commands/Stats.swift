import ArgumentParser
import XferDiagnosis
import XferEvents
import XferLifecycle
import XferLogStore
import XferQuery
import XferReading
import XferReplay
import XferReport

struct Stats: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", _superCommandName: "xferlog",
    abstract: "Print statistics of a log: tasks, bytes, times, hosts and rule results.",
    usage: "xferlog stats [<options>] [<log> ...]",
    discussion: """
      Findings do not change the exit code; use `xferlog replay` to check for findings.

      Example: xferlog stats run.xlog -o json
      """)

  enum Form: String, ArgumentChoice { case text, json, csv }

  @Argument(help: "Logs to read (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(name: .shortAndLong, help: "Output format (json: one document; csv: one value per row).")
  var output: Form = .text

  @Flag(help: "Print how many bytes each kind of event and of other data takes in the log, instead of the statistics.")
  var storage = false

  @OptionGroup
  var paging: PagingOptions

  @OptionGroup(title: "Filters")
  var condition: PredicateOptions

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
    if storage { return try writeStorage(surroundings) }
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    let selected = try condition.test(surroundings).map { test in
      try SelectedTasks(
        test, condition.subjects(of: test, in: inputs, rules: rules, recovery: damage.recovery), inputs, damage.recovery)
    }
    var tasks = TaskStatistics()
    var log = try DiagnosedLog(
      inputs, rules: rules.inForce(for: inputs), recovery: damage.recovery,
      onTaskEnd: { task, _ in if selected?.tasks.contains(task.identity.uid) ?? true { tasks.add(task) } })
    if let selected { log.keepFindings(where: selected.concerns) }
    let document = StatisticsDocument(
      Statistics(
        log.diagnosis, tasks: tasks, span: selected.map(\.span) ?? log.diagnosis.counts.span, selectedEvents: selected?.events),
      inputs: log.accounts, incompleteness: log.incompleteness)
    try write(document, surroundings)
    if let selected, selected.events == 0, log.diagnosis.counts.events > 0, !outcome.allowEmpty {
      throw CommandExit(
        .nothingAnalysed,
        "0 of \(log.diagnosis.counts.events) events matched --predicate '\(condition.predicate.joined(separator: " "))'")
    }
    try DiagnosedLog.end(log.emptiness(outcome) ?? log.completeness(outcome))
  }

  private func writeStorage(_ surroundings: Surroundings) throws {
    let inputs = try LogInputs(log, surroundings)
    inputs.remarkRefusals()
    let reader = LogReader(try inputs.logs(for: .storage))
    for problem in reader.problems { StandardError.remark("left out: \(problem.error)") }
    if reader.segmentNames.isEmpty {
      throw CommandExit(reader.problems.isEmpty ? .nothingAnalysed : .failed, "no segment was read")
    }
    try write(StorageDocument(reader), surroundings)
  }

  private func write(_ document: some FiguresDocument, _ surroundings: Surroundings) throws {
    let output = StandardOutput(descriptor: surroundings.output)
    switch self.output {
    case .text: document.write(to: &output.buffer)
    case .csv: document.writeCSV(to: &output.buffer)
    case .json:
      output.buffer.appendJSON { document.writeJSON(to: &$0) }
      output.buffer.append(UInt8(ascii: "\n"))
    }
    try output.flush()
  }
}
