import LogTestSupport
import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests that a fault in one app is reported equally if the log also contains faultless apps.
struct WovenTests {
  /// The rules that may cite another evidence in a merged log, because every log contains samples of the machine's clocks.
  private static let machineRules: Set<String> = ["clock-jump"]

  /// The rule about device settings. An example's settings apply to all apps, so the rule may report other apps' tasks, too.
  private static let settingsRule = "policy-change-not-applied "

  /// Returns the findings as text, without their places in lists.
  private static func text(_ members: [LogMember]) -> [String] {
    var diagnosis = Diagnosis()
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis.findings.map { finding in
      """
      \(finding.rule) \(finding.variant ?? "") \(finding.certainty) \(finding.summary) \(finding.lowered) \
      \(machineRules.contains(finding.rule) ? [] : finding.evidence.map { "\($0.kind.name) \($0.monotonic ?? 0)" }) \
      \(finding.missing) \(finding.causedBy != nil)
      """
    }.sorted()
  }

  @Test(arguments: RuleCatalogue.descriptions)
  func `An example gives the same findings alone and merged with a history`(_ rule: RuleDescription) {
    let examples = isCampaign ? rule.reports + rule.staysSilent : rule.reports
    for example in examples where example.steps.count <= 200 {
      let alone = Self.text(example.members())
      for history in FaultyHistory.surroundings(of: example) {
        let woven = Self.text(FaultyHistory.members(example, in: history))
          .filter { !$0.hasPrefix(Self.settingsRule) || alone.contains($0) }
        #expect(woven == alone, "\(rule.id): \(example.name), seed \(history.seed)")
      }
    }
  }
}

extension FaultyHistory {
  /// Parts of the names of examples about a daemon whose log is missing or that does not answer.
  private static let daemonless = ["daemon's log is missing", "no session can be connected"]

  /// Returns histories that an example can be merged with.
  static func surroundings(of example: RuleExample) -> [History] {
    let isFree =
      example.steps.contains { [.daemon, .nextDaemon].contains($0.process) }
      || daemonless.contains { example.name.contains($0) }
    return surroundings(isFree: isFree)
  }

  static func members(_ example: RuleExample, in history: History) -> [LogMember] {
    members(example.members(), segments: ExampleProcess.allCases.count, in: history)
  }
}
