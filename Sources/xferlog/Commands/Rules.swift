import ArgumentParser
import XferDiagnosis
import XferEvents
import XferReport

struct Rules: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List and explain what replay and tail look for.", subcommands: [List.self, Explain.self])

  enum Form: String, ExpressibleByArgument, CaseIterable { case text, json }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Every rule, a line each: id, severity, summary.")

    @Option(name: .shortAndLong, help: "text or json.")
    var output: Form = .text

    func run() throws {
      let output = StandardOutput()
      let rules = RuleCatalogue.descriptions
      switch self.output {
      case .text: output.buffer.append(RuleText.list(rules))
      case .json: try output.appendLine { RuleJSON.write(rules, isWhole: false, to: &$0) }
      }
      try output.flush()
    }
  }

  struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "What a rule says and rests on, what to do about it, and where it ends.")

    @Argument(help: "Rules, as rules list names them.")
    var id: [String]

    @Option(name: .shortAndLong, help: "text or json.")
    var output: Form = .text

    func run() throws {
      let rules = try id.map(Self.rule(named:))
      let output = StandardOutput()
      switch self.output {
      case .text: output.buffer.append(rules.map(RuleText.explanation).joined(separator: "\n"))
      case .json: try output.appendLine { RuleJSON.write(rules, isWhole: true, to: &$0) }
      }
      try output.flush()
    }

    private static func rule(named id: String) throws -> RuleDescription {
      let rules = RuleCatalogue.descriptions
      if let rule = rules.first(where: { $0.id == id }) { return rule }
      let near = NearNames.of(id, among: rules.map(\.id))
      let advice =
        near.isEmpty ? "`xferlog rules list` names them all." : "Did you mean \(near.joined(separator: " or "))?"
      throw CommandExit(.wrongUsage, "there is no rule '\(id)'. \(advice)")
    }
  }
}
