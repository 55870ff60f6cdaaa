import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests that each limit of a rule has an effect, which the rule's examples show on both sides of the limit.
struct RuleLimitTests {
  private static let limits = RuleCatalogue.rules.flatMap { rule in
    rule.limitSettings.map { Limit(rule: rule, setting: $0) }
  }

  struct Limit: CustomTestStringConvertible, Sendable {
    let rule: any DiagnosisRule
    let setting: LimitSetting
    var description: RuleDescription { type(of: rule).description }
    var testDescription: String { "\(description.id).\(setting.name)" }
  }

  /// Returns for each example the findings before the end of the log and those at the end.
  private static func outcomes(_ rule: any DiagnosisRule) -> [[String]] {
    let description = type(of: rule).description
    return (description.reports + description.staysSilent).map { example in
      var diagnosis = Diagnosis(rules: [rule])
      for member in example.members() { diagnosis.apply(member) }
      let live = diagnosis.findings.map(text)
      diagnosis.finish()
      return live + ["end"] + diagnosis.findings.map(text) + diagnosis.undecided.keys.map(\.needs).sorted()
    }
  }

  private static func text(_ finding: Finding) -> String {
    "\(finding.certainty), \(finding.variant ?? ""), \(finding.severity), \(finding.evidence.count)"
  }

  @Test(arguments: limits)
  func `A rule's examples change if a limit is much lower or much higher`(_ limit: Limit) throws {
    let usual = Self.outcomes(limit.rule)
    let (less, more): (LimitValue, LimitValue) =
      switch limit.setting.value {
      case .duration(let duration): (.duration(.nanoseconds(1)), .duration(duration * 1000))
      case .count(let count): (.count(1), .count(count * 1000))
      }
    let strict = try #require(limit.rule.with(limit: limit.setting.name, less))
    let lenient = try #require(limit.rule.with(limit: limit.setting.name, more))
    #expect(Self.outcomes(strict) != usual, "no example shows that \(less) is too little")
    #expect(Self.outcomes(lenient) != usual, "no example shows that \(more) is too much")
  }
}
