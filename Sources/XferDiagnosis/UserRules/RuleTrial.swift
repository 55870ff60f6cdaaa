import XferEvents

/// The result of testing a user rule on one of its own examples.
package struct RuleTrial: Sendable {
  package let rule: String
  /// Whether the rule must report the example. Otherwise it must stay silent.
  package let isReported: Bool
  /// The example's name; `nil` if the rule lacks an example of this kind.
  package let example: String?
  /// The reason why the trial failed; `nil` if it passed.
  package let problem: String?

  /// Returns the trials of all examples of a rule, in their order, and a failed trial for each kind of example that is missing.
  package static func all(of rule: UserRule) -> [RuleTrial] {
    let id = rule.description.id
    var trials = rule.description.reports.map {
      RuleTrial(rule: id, isReported: true, example: $0.name, problem: report(rule, $0))
    }
    trials += rule.description.staysSilent.map {
      RuleTrial(rule: id, isReported: false, example: $0.name, problem: silence(rule, $0))
    }
    if rule.description.reports.isEmpty {
      trials.append(RuleTrial(rule: id, isReported: true, example: nil, problem: "there is no example that the rule must report"))
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
        return "cannot be decided without \(undecided.needs)"
      }
      return diagnosis.tallies[0].inFlight > 0 ? "still undecided at the end of the example" : "not reported"
    }
    if diagnosis.findings.count > 1 { return "reported \(diagnosis.findings.count) times instead of once" }
    if let certainty = example.certainty, finding.certainty != certainty {
      let why = finding.lowered.isEmpty ? "" : " (\(finding.lowered.joined(separator: "; ")))"
      return "reported as \(finding.certainty.rawValue)\(why) instead of \(certainty.rawValue)"
    }
    return evidence(of: finding, example, members)
  }

  /// Returns how the evidence that a finding cites differs from the marked events; `nil` if it does not, or if no event is marked.
  private static func evidence(of finding: Finding, _ example: RuleExample, _ members: [LogMember]) -> String? {
    guard !example.cites.isEmpty else { return nil }
    for (member, (step, mustCite)) in zip(members, zip(example.steps, example.citedSteps)) {
      guard case .event(let event) = member, let fact = event.fact else { continue }
      let isCited = finding.evidence.contains(fact)
      if isCited == mustCite { continue }
      let place = "\(fact.kind.name) at \(step.offset.short)"
      return isCited ? "cites \(place), which is not marked as evidence" : "does not cite \(place), which is marked as evidence"
    }
    return nil
  }

  private static func silence(_ rule: UserRule, _ example: RuleExample) -> String? {
    diagnose(rule, example.members()).findings.first.map { "reported (\($0.certainty.rawValue)): \($0.summary)" }
  }
}
