import ArgumentParser
import XferDiagnosis
import XferEvents
import XferLogStore
import XferReplay
import XferReport

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Rebuild what happened from a log and say what went wrong.")

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

  @OptionGroup(title: "What counts as success")
  var outcome: OutcomeOptions

  func run() throws {
    let inputs = try LogInputs(log, environment: Surroundings.current().environment)
    inputs.remarkRefusals()
    let reader = inputs.reader()
    let output = StandardOutput()
    var writer = ReplayWriter(form)
    var diagnosis = Diagnosis { task, world in writer.append(task, world, to: &output.buffer) }
    var ordered = CausalOrder { reader.next() }
    while let member = ordered() {
      diagnosis.apply(member)
      try output.flushIfLarge()
    }
    diagnosis.finish()

    let problems = inputs.refusals.map(\.problem) + reader.problems.map(\.error.description)
    let (status, reason) = conclusion(diagnosis, problems: problems)
    let document = ReplayDocument(
      diagnosis: diagnosis, inputs: inputs.accounts(of: diagnosis, reader), exitCode: status.code, countsPossible: failOnPossible)
    try writer.end(document, append: output.append)
    try output.flush()
    if status != .analysed { throw CommandExit(status, reason) }
    if !reason.isEmpty { StandardError.remark(reason) }
  }

  private var form: ReplayWriter.Form {
    switch output {
    case .text: .text
    case .json: .document
    case .ndjson: .lines
    }
  }

  /// - Returns: how to end, and why; the reason alone is a warning.
  private func conclusion(_ diagnosis: Diagnosis, problems: [String]) -> (ExitStatus, String) {
    if diagnosis.replay.counts.events == 0 {
      // What is there and cannot be read is no empty log.
      if !problems.isEmpty { return (.failed, problems.joined(separator: "\n")) }
      return outcome.allowEmpty ? (.analysed, "") : (.nothingAnalysed, "the log holds no event")
    }
    let limit = Severity(rawValue: failOn.rawValue)
    let counted = diagnosis.findings.filter { finding in
      finding.counts(withPossible: failOnPossible) && limit.map { finding.severity >= $0 } ?? false
    }
    if !counted.isEmpty {
      let rules = Set(counted.map(\.rule)).sorted().joined(separator: ", ")
      return (.findings, "\(counted.count) \(counted.count == 1 ? "finding" : "findings"): \(rules)")
    }
    var reasons = diagnosis.incompleteness
    if !problems.isEmpty { reasons.append("an input could not be read") }
    guard !reasons.isEmpty else { return (.analysed, "") }
    let text = "the log is incomplete: " + reasons.joined(separator: "; ")
    return (outcome.strict ? .incomplete : .analysed, text)
  }
}
