import ArgumentParser
import XferDiagnosis
import XferReading
import XferReport

extension Rules {
  struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run the examples in your own rule files.",
      discussion: """
        Prints a line for each example, then the totals. The exit code is 1 if an example fails, or if a rule has no example \
        under `reports` or none under `stays-silent`. It is 2 if a file cannot be used, and 3 if there are no rules.

        Example: xferlog rules test rules.yaml
        """)

    @Argument(help: "Rule files (YAML).", completion: .yaml)
    var file: [String]

    @Option(name: .shortAndLong, help: "Output format (json: one document).")
    var output: Form = .text

    func run() throws {
      let files = try RuleSources.files(rules: file, config: "-", environment: [:])
      let rules = try RuleSources(files, limits: [], optionsText: []).rules.users
      if rules.isEmpty { throw CommandExit(.nothingAnalysed, "\(file.joined(separator: ", ")): there is no rule to test") }
      let trials = RuleTrials(rules)
      let output = StandardOutput()
      switch self.output {
      case .text: output.buffer.append(trials.text)
      case .json: try output.appendLine { trials.writeJSON(to: &$0) }
      }
      try output.flush()
      if trials.failed > 0 { throw CommandExit(.findings, UserMessage(trials.totals)) }
    }
  }
}
