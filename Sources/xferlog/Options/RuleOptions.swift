import ArgumentParser
import XferDiagnosis
import XferEvents
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
    for sentence in sources.missingExamples { StandardError.remark(UserMessage(sentence)) }
    return sources.rules
  }

  /// Reads the rules that the options name, although no rule is applied, so that a mistake in the options is not ignored.
  func check(for inputs: LogInputs) throws {
    // The rules of a bundle may have limits of their own.
    if !rules.isEmpty || !limit.isEmpty || config != nil, !inputs.hasBundles { _ = try sources() }
  }

  /// Returns the rules in force for logs, which may be in bundles with rules of their own.
  ///
  /// The options add to the rules of a bundle and take precedence. The configuration that is found without an option or variable is not
  /// applied to bundles alone, so that their verdicts are the same on all machines.
  ///
  /// - Parameter plain: the rules in force without a bundle, if they have been read.
  func inForce(for inputs: LogInputs..., plain: RuleSources? = nil) throws -> RuleSet {
    let sources = try sources(for: inputs, plain)
    for sentence in sources.missingExamples { StandardError.remark(UserMessage(sentence)) }
    return sources.rules
  }

  /// Returns the rules in force, with an identity text that changes with them, so that results cached under other rules are not
  /// reused.
  func sources() throws -> RuleSources { try sources(over: [], appliesUsualConfiguration: true) }

  /// Returns the rules in force for logs; see `inForce(for:plain:)`.
  func sources(for inputs: LogInputs) throws -> RuleSources { try sources(for: [inputs], nil) }

  private func sources(for inputs: [LogInputs], _ plain: RuleSources?) throws -> RuleSources {
    if let plain, !inputs.contains(where: \.hasBundles) { return plain }
    let bundles = try inputs.flatMap { try $0.decisions() }
    let sources = try sources(over: bundles, appliesUsualConfiguration: !inputs.allSatisfy(\.areBundled))
    for bundle in bundles where !bundle.rules.isEmpty || !bundle.limits.isEmpty {
      let limits = bundle.limitTexts.isEmpty ? "" : " with limits"
      let count = bundle.rules.count
      StandardError.remark("\(bundle.bundle): applied its \(count.counted("rule file"))\(limits)")
    }
    for sentence in sources.replacements { StandardError.remark(UserMessage(sentence)) }
    return sources
  }

  private func sources(over bundles: [BundleDecisions], appliesUsualConfiguration: Bool) throws -> RuleSources {
    let environment = Surroundings.current().environment
    let isUsual = config == nil && environment["XFERLOG_CONFIG"] == nil
    let files = try RuleSources.files(
      rules: rules, config: isUsual && !appliesUsualConfiguration ? "-" : config, environment: environment)
    return try RuleSources(files, limits: limit.map(Self.written), optionsText: limit, bundles: bundles)
  }

  private static func written(_ text: String) throws -> RuleFile.WrittenLimit {
    guard let limit = RuleFile.WrittenLimit(text) else {
      throw CommandExit(
        .wrongUsage, "'\(text)' is not a limit; write --limit RULE.LIMIT=VALUE, for example lost-completion.patience=30s")
    }
    return limit
  }
}
