import ArgumentParser
import XferDiagnosis
import XferLogStore
import XferQuery
import XferReplay
import XferReport

struct Stats: ReadingCommand {
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

  func run(_ surroundings: Surroundings) throws {
    if storage { return try writeStorage(surroundings) }
    var tasks = TaskStatistics()
    let log = try DiagnosedLog(
      LogInputs(log, surroundings), rules: rules.inForce(), recovery: damage.recovery,
      onTaskEnd: { task, _ in tasks.add(task) })
    let document = StatisticsDocument(
      Statistics(log.diagnosis, tasks: tasks, span: log.diagnosis.replay.counts.span), inputs: log.accounts,
      incompleteness: log.incompleteness)
    try write(document, surroundings)
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
