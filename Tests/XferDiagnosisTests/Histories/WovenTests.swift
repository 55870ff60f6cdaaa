import LogTestSupport
import Testing
import XferEvents

@testable import XferDiagnosis

/// What goes wrong in one app is found among all that goes right in others, and nothing else is.
struct WovenTests {
  /// Every log that is opened shows the machine's clocks: another one's look at them may be the nearer one.
  private static let ofTheMachine: Set<String> = ["clock-jump"]

  /// What an example tells of the device's settings holds for everybody on it: of others' tasks such a rule may rightly speak.
  private static let ofTheSettings = "policy-change-not-applied "

  /// What a rule says, as far as it does not say where in a list it stands.
  private static func text(_ members: [LogMember]) -> [String] {
    var diagnosis = Diagnosis()
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis.findings.map { finding in
      """
      \(finding.rule) \(finding.variant ?? "") \(finding.certainty) \(finding.summary) \(finding.lowered) \
      \(ofTheMachine.contains(finding.rule) ? [] : finding.evidence.map { "\($0.kind.name) \($0.monotonic ?? 0)" }) \
      \(finding.missing) \(finding.causedBy != nil)
      """
    }.sorted()
  }

  @Test(arguments: RuleCatalogue.descriptions)
  func `Of an example the same is said in the midst of a history as alone`(_ rule: RuleDescription) {
    let examples = isCampaign ? rule.reports + rule.staysSilent : rule.reports
    for example in examples where example.steps.count <= 200 {
      let alone = Self.text(example.members())
      for history in FaultyHistory.surroundings(of: example) {
        let woven = Self.text(FaultyHistory.members(example, in: history))
          .filter { !$0.hasPrefix(Self.ofTheSettings) || alone.contains($0) }
        #expect(woven == alone, "\(rule.id): \(example.name), seed \(history.seed)")
      }
    }
  }
}

extension FaultyHistory {
  /// Histories on whose machine an example can happen.
  static func surroundings(of example: RuleExample) -> [History] {
    let isFree =
      example.steps.contains { [.daemon, .nextDaemon].contains($0.process) }
      || ["log is not here", "no session can be connected"].contains { example.name.contains($0) }
    return surroundings(isFree: isFree)
  }

  static func members(_ example: RuleExample, in history: History) -> [LogMember] {
    members(example.members(), segments: ExampleProcess.allCases.count, in: history)
  }
}
