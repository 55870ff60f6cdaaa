import ArgumentParser
import XferDiagnosis
import XferRules

/// Options for the user's own rules, and for limits of all rules.
struct RuleOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Judge by the rules in this YAML file, too. Repeatable.", valueName: "file"))
  var rules: [String] = []

  @Option(
    help: ArgumentHelp(
      "Change a limit, as lost-completion.patience=30s; rules explain names them. Repeatable.", valueName: "rule.limit=value"))
  var limit: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Read rules and limits from this file instead of .xferlog.yaml here and config.yaml in the user's configuration; - for \
      none.
      """, valueName: "file"))
  var config: String?

  func inForce() throws -> RuleSet {
    let sources = try sources()
    sources.remarkMissingExamples()
    return sources.rules
  }

  /// Returns the rules with an identity that differs for other rules, so that cached answers can be recognised.
  func sources() throws -> RuleSources {
    let files = try RuleSources.files(rules: rules, config: config, environment: Surroundings.current().environment)
    return try RuleSources(files, limits: limit.map(Self.written), optionsText: limit)
  }

  private static func written(_ text: String) throws -> RuleFile.WrittenLimit {
    guard let sign = text.firstIndex(of: "="), let point = text[..<sign].firstIndex(of: "."),
      point != text.startIndex, text.index(after: point) != sign, text.index(after: sign) != text.endIndex
    else {
      throw CommandExit(.wrongUsage, "'\(text)' sets no limit; write --limit RULE.LIMIT=VALUE, as lost-completion.patience=30s")
    }
    return RuleFile.WrittenLimit(
      rule: String(text[..<point]), limit: String(text[text.index(after: point)..<sign]),
      value: String(text[text.index(after: sign)...]), place: nil)
  }
}
