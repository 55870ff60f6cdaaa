import ArgumentParser
import XferDiagnosis
import XferLogStore
import XferQuery
import XferReplay
import XferReport

struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sum up a log: tasks, bytes, times, hosts, and what each rule says.",
    discussion: "Findings do not change how it ends: that is what `xferlog replay` is for.")

  enum Form: String, ExpressibleByArgument, CaseIterable { case text, json, csv }

  @Argument(help: "Logs to sum up.")
  var log: [String] = []

  @Option(name: .shortAndLong, help: "text; json: one document; csv: one figure a row.")
  var output: Form = .text

  @Flag(help: "What the bytes of the log's files are for, instead.")
  var storage = false

  @OptionGroup(title: "By which rules")
  var rules: RuleOptions

  @OptionGroup(title: "Where a log is damaged")
  var damage: RecoveryOptions

  @OptionGroup(title: "What counts as success")
  var outcome: OutcomeOptions

  func run() throws {
    if storage { return try writeStorage() }
    var tasks = TaskStatistics()
    let log = try DiagnosedLog(
      LogInputs(log, environment: Surroundings.current().environment), rules: rules.inForce(), recovery: damage.recovery,
      onTaskEnd: { task, _ in tasks.add(task) })
    let document = StatisticsDocument(
      Statistics(log.diagnosis, tasks: tasks, span: log.diagnosis.replay.counts.span), inputs: log.accounts,
      incompleteness: log.incompleteness)
    try write(document)
    try DiagnosedLog.end(log.emptiness(outcome) ?? log.completeness(outcome))
  }

  private func writeStorage() throws {
    let inputs = try LogInputs(log, environment: Surroundings.current().environment)
    inputs.remarkRefusals()
    let reader = try inputs.reader()
    for problem in reader.problems { StandardError.remark("left out: \(problem.error)") }
    if reader.segmentNames.isEmpty {
      throw CommandExit(reader.problems.isEmpty ? .nothingAnalysed : .failed, "no segment was read")
    }
    try write(StorageDocument(reader))
  }

  private func write(_ document: some FiguresDocument) throws {
    let output = StandardOutput()
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
