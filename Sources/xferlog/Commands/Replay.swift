import ArgumentParser
import XferDiagnosis
import XferReport

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Rebuild what happened from a log and say what went wrong.")

  enum Form: String, ExpressibleByArgument, CaseIterable { case text, json }

  enum Limit: String, ExpressibleByArgument, CaseIterable {
    case critical, error, warning, notice, never
  }

  @Argument(help: "Logs to replay.")
  var log: [String] = []

  @Option(name: .shortAndLong, help: "text or json.")
  var output: Form = .text

  @Option(help: "End with 1 for findings from this severity up; never for none.")
  var failOn: Limit = .warning

  @OptionGroup(title: "What counts as success")
  var outcome: OutcomeOptions

  func run() throws {
    let log = try DiagnosedLog(LogInputs(log, environment: Surroundings.current().environment))
    let conclusion = conclusion(log)
    let document = ReplayDocument(diagnosis: log.diagnosis, inputs: log.inputs, exitCode: conclusion.status.code)
    let output = StandardOutput()
    switch self.output {
    case .text: output.buffer.append(document.text())
    case .json:
      output.buffer.appendJSON { document.writeJSON(to: &$0) }
      output.buffer.append(UInt8(ascii: "\n"))
    }
    try output.flush()
    try DiagnosedLog.end(conclusion)
  }

  private func conclusion(_ log: DiagnosedLog) -> DiagnosedLog.Conclusion {
    if let emptiness = log.emptiness(outcome) { return emptiness }
    let limit = Severity(rawValue: failOn.rawValue)
    let counted = log.diagnosis.findings.filter { finding in finding.counts && limit.map { finding.severity >= $0 } ?? false }
    if counted.isEmpty { return log.completeness(outcome) }
    let rules = Set(counted.map(\.rule)).sorted().joined(separator: ", ")
    return (.findings, "\(counted.count) \(counted.count == 1 ? "finding" : "findings"): \(rules)")
  }
}
