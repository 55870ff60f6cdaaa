import ArgumentParser
import XferDiagnosis
import XferReport

extension Rules {
  struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Try rules of your own on the examples that stand with them.",
      discussion: """
        A line for each example, then the totals. It ends with 1 when an example is not as it should be, or when a rule has \
        none that it reports or none on which it stays silent; with 2 when a file cannot be used.
        """)

    @Argument(help: "Files of rules.")
    var file: [String]

    @Option(name: .shortAndLong, help: "text; json: one document.")
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
      if trials.failed > 0 { throw CommandExit(.findings, trials.totals) }
    }
  }
}
