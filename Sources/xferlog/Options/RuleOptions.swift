import ArgumentParser
import XferDiagnosis
import XferReading
import XferRules

/// Options for the user's own rules, and for limits of all rules.
struct RuleOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Also apply the rules in this YAML file (repeatable).", valueName: "file"), completion: .yaml)
  var rules: [String] = []

  @Option(
    help: ArgumentHelp(
      "Change a limit of a rule, for example lost-completion.patience=30s (repeatable; see xferlog rules explain).",
      valueName: "rule.limit=value"), completion: .limit)
  var limit: [String] = []

  @Option(
    help: ArgumentHelp(
      "Read this configuration file instead of ./.xferlog.yaml and ~/.config/xferlog/config.yaml (- for no file).",
      valueName: "file"), completion: .yaml)
  var config: String?

  func inForce() throws -> RuleSet {
    let sources = try sources()
    for sentence in sources.missingExamples { StandardError.remark(sentence) }
    return sources.rules
  }

  /// Returns the rules in force, with an identity text that changes with them, so that results cached under other rules are not
  /// reused.
  func sources() throws -> RuleSources {
    let files = try RuleSources.files(rules: rules, config: config, environment: Surroundings.current().environment)
    return try RuleSources(files, limits: limit.map(Self.written), optionsText: limit)
  }

  private static func written(_ text: String) throws -> RuleFile.WrittenLimit {
    guard let sign = text.firstIndex(of: "="), let point = text[..<sign].firstIndex(of: "."),
      point != text.startIndex, text.index(after: point) != sign, text.index(after: sign) != text.endIndex
    else {
      throw CommandExit(
        .wrongUsage, "'\(text)' is not a limit; write --limit RULE.LIMIT=VALUE, for example lost-completion.patience=30s")
    }
    return RuleFile.WrittenLimit(
      rule: String(text[..<point]), limit: String(text[text.index(after: point)..<sign]),
      value: String(text[text.index(after: sign)...]), place: nil)
  }
}
