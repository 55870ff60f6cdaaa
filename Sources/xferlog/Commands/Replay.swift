import ArgumentParser
import XferDiagnosis
import XferReport

struct ReplayCommand: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Rebuild what happened from a log and say what went wrong.",
    discussion: """
      With --at, what there was at one moment: processes, sessions, tasks, callbacks on their way, wakes and conditions. With \
      --step, event by event, to and fro, on a terminal. Neither judges: findings do not change how they end.
      """)

  enum Form: String, ExpressibleByArgument, CaseIterable { case text, json, ndjson }

  enum Limit: String, ExpressibleByArgument, CaseIterable {
    case critical, error, warning, notice, never
  }

  @Argument(help: "Logs to replay.")
  var log: [String] = []

  @Option(name: .shortAndLong, help: "text; json: one document; ndjson: an object a line.")
  var output: Form = .text

  @Option(help: "End with 1 for findings from this severity up; never for none.")
  var failOn: Limit = .warning

  @Flag(help: "Count findings that are only possible, too.")
  var failOnPossible = false

  @OptionGroup(title: "One moment of it")
  var moment: MomentOptions

  @OptionGroup(title: "By which rules")
  var rules: RuleOptions

  @OptionGroup(title: "Where a log is damaged")
  var damage: RecoveryOptions

  @OptionGroup(title: "What counts as success")
  var outcome: OutcomeOptions

  func run(_ surroundings: Surroundings) throws {
    if try moment.run(log, isJSON: isJSON, rules, damage, outcome, surroundings) { return }
    let rules = try rules.inForce()
    let output = StandardOutput(descriptor: surroundings.output)
    var writer = ReplayWriter(form)
    let log = try DiagnosedLog(
      LogInputs(log, surroundings), rules: rules, recovery: damage.recovery,
      onTaskEnd: { task, world in writer.append(task, world, to: &output.buffer) }, afterBatch: { try output.flushIfLarge() })
    let conclusion = conclusion(log)
    let document = ReplayDocument(
      diagnosis: log.diagnosis, inversions: log.inversions, inputs: log.accounts, exitCode: conclusion.status.code,
      countsPossible: failOnPossible, rules: rules, incompleteness: log.incompleteness)
    try writer.end(document, append: output.append)
    try output.flush()
    try DiagnosedLog.end(conclusion)
  }

  /// Whether a state is to be printed as JSON. A state cannot be printed as lines.
  private func isJSON() throws -> Bool {
    if output == .ndjson { throw CommandExit(.wrongUsage, "a state is text or one document: -o text or -o json") }
    return output == .json
  }

  private var form: ReplayWriter.Form {
    switch output {
    case .text: .text
    case .json: .document
    case .ndjson: .lines
    }
  }

  private func conclusion(_ log: DiagnosedLog) -> DiagnosedLog.Conclusion {
    if let emptiness = log.emptiness(outcome) { return emptiness }
    let limit = Severity(rawValue: failOn.rawValue)
    let counted = log.diagnosis.findings.filter { finding in
      finding.counts(withPossible: failOnPossible) && limit.map { finding.severity >= $0 } ?? false
    }
    if counted.isEmpty { return log.completeness(outcome) }
    let rules = Set(counted.map(\.rule)).sorted().joined(separator: ", ")
    return (.findings, "\(counted.count) \(counted.count == 1 ? "finding" : "findings"): \(rules)")
  }
}
