import ArgumentParser
import XferDiagnosis
import XferEvents
import XferReading
import XferReport

struct Rules: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List and explain the rules of replay and tail, and test your own.",
    discussion: "Example: xferlog rules explain lost-completion",
    subcommands: [List.self, Explain.self, Test.self])

  enum Form: String, ArgumentChoice { case text, json }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List all rules with their id, severity and summary.",
      usage: "xferlog rules list [<options>]",
      discussion: "Example: xferlog rules list --rules rules.yaml")

    @Option(name: .shortAndLong, help: "Output format (json: one document).")
    var output: Form = .text

    @OptionGroup
    var paging: PagingOptions

    @OptionGroup(title: "Rules")
    var rules: RuleOptions

    func run() throws {
      let rules = try rules.inForce()
      let output = StandardOutput()
      switch self.output {
      case .text: output.buffer.append(RuleText.list(rules.descriptions))
      case .json: try output.appendLine { RuleJSON.write(rules.descriptions, isWhole: false, to: &$0) }
      }
      try output.flush()
    }
  }

  struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Explain rules: fault, remedy, limits, sources (such as documentation and bug reports) and examples.",
      usage: "xferlog rules explain [<options>] <id> ...",
      discussion: "Example: xferlog rules explain lost-completion")

    @Argument(help: "Rule ids, as listed by xferlog rules list.", completion: .rule)
    var id: [String]

    @Option(name: .shortAndLong, help: "Output format (json: one document).")
    var output: Form = .text

    @OptionGroup
    var paging: PagingOptions

    @OptionGroup(title: "Rules")
    var rules: RuleOptions

    func run() throws {
      let force = try rules.inForce()
      let rules = try id.map { try Self.rule(named: $0, in: force) }
      let output = StandardOutput()
      switch self.output {
      case .text: output.buffer.append(rules.map { RuleText.explanation(of: $0, in: force) }.joined(separator: "\n"))
      case .json: try output.appendLine { RuleJSON.write(rules, isWhole: true, in: force, to: &$0) }
      }
      try output.flush()
    }

    private static func rule(named id: String, in rules: RuleSet) throws -> RuleDescription {
      if let rule = rules.description(id) { return rule }
      let near = NearNames.of(id, among: rules.descriptions.map(\.id))
      let advice =
        near.isEmpty ? "`xferlog rules list` lists all rules." : "Did you mean \(near.joined(separator: " or "))?"
      throw CommandExit(.wrongUsage, "there is no rule '\(id)'. \(advice)")
    }
  }
}
