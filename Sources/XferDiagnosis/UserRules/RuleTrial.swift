import XferEvents

/// A rule of a user's, tried on one of its own examples.
package struct RuleTrial: Sendable {
  package let rule: String
  /// Whether the rule has to report it, or to stay silent.
  package let isReported: Bool
  /// `nil` for an example that is missing.
  package let example: String?
  /// `nil` when all is as it should be.
  package let problem: String?

  /// Of all its examples, in the order in which they stand, and of those that are missing.
  package static func all(of rule: UserRule) -> [RuleTrial] {
    let id = rule.description.id
    var trials = rule.description.reports.map {
      RuleTrial(rule: id, isReported: true, example: $0.name, problem: report(rule, $0))
    }
    trials += rule.description.staysSilent.map {
      RuleTrial(rule: id, isReported: false, example: $0.name, problem: silence(rule, $0))
    }
    if rule.description.reports.isEmpty {
      trials.append(RuleTrial(rule: id, isReported: true, example: nil, problem: "there is no example that it has to report"))
    }
    if rule.description.staysSilent.isEmpty {
      trials.append(RuleTrial(rule: id, isReported: false, example: nil, problem: "there is no near miss"))
    }
    return trials
  }

  private static func diagnose(_ rule: UserRule, _ members: [LogMember]) -> Diagnosis {
    var diagnosis = Diagnosis(rules: [], userRules: [rule])
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis
  }

  private static func report(_ rule: UserRule, _ example: RuleExample) -> String? {
    let members = example.members()
    let diagnosis = diagnose(rule, members)
    guard let finding = diagnosis.findings.first else {
      if let undecided = diagnosis.undecided.keys.min(by: { $0.needs < $1.needs }) {
        return "it cannot tell; it needs \(undecided.needs)"
      }
      return diagnosis.tallies[0].inFlight > 0 ? "it is still open where the example ends" : "it is not reported"
    }
    if diagnosis.findings.count > 1 { return "it is reported \(diagnosis.findings.count) times" }
    if let certainty = example.certainty, finding.certainty != certainty {
      let why = finding.lowered.isEmpty ? "" : " (\(finding.lowered.joined(separator: "; ")))"
      return "it is \(finding.certainty.rawValue)\(why), not \(certainty.rawValue)"
    }
    return evidence(of: finding, example, members)
  }

  /// Where evidence is marked, the finding has to cite it and nothing else.
  private static func evidence(of finding: Finding, _ example: RuleExample, _ members: [LogMember]) -> String? {
    guard !example.cites.isEmpty else { return nil }
    for (member, (step, mustCite)) in zip(members, zip(example.steps, example.citedSteps)) {
      guard case .event(let event) = member, let fact = event.fact else { continue }
      let isCited = finding.evidence.contains(fact)
      if isCited == mustCite { continue }
      let place = "\(fact.kind.name) at \(step.offset.short)"
      return isCited ? "it cites \(place), which is not marked" : "it does not cite \(place)"
    }
    return nil
  }

  private static func silence(_ rule: UserRule, _ example: RuleExample) -> String? {
    diagnose(rule, example.members()).findings.first.map { "it is reported (\($0.certainty.rawValue)): \($0.summary)" }
  }
}
