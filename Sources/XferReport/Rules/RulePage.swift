package import XferDiagnosis
import XferEvents

/// A rule's description as facts and titled sections, for the terminal and the rule reference.
package struct RulePage {
  package let rule: RuleDescription
  private let rules: RuleSet

  /// A property of the rule, such as `severity  critical`.
  package struct Fact {
    package let name: String
    package let text: String
    /// The identifiers of the rules that the property names.
    package var rules: [String] = []
  }

  /// A titled section: a text, a list, or examples.
  package struct Section {
    package enum Content {
      case text(String)
      case list([String])
      case examples([RuleExampleText])
    }

    package let title: String
    package let content: Content

    /// Whether the section has no content. A user-defined rule may have no examples or sources.
    fileprivate var isEmpty: Bool {
      switch content {
      case .text: false
      case .list(let items): items.isEmpty
      case .examples(let examples): examples.isEmpty
      }
    }
  }

  /// - Parameter rules: the rules in force.
  package init(_ rule: RuleDescription, in rules: RuleSet = .catalogue) {
    self.rule = rule
    self.rules = rules
  }

  package var facts: [Fact] {
    var facts = [Fact(name: "severity", text: rule.severity.rawValue), Fact(name: "grade", text: rule.grade.text)]
    if let origin = rule.origin { facts.append(Fact(name: "defined in", text: origin)) }
    if !rule.variants.isEmpty { facts.append(Fact(name: "variants", text: rule.variants.joined(separator: "; "))) }
    if !rule.consequenceOf.isEmpty {
      let causes = rule.consequenceOf
      facts.append(Fact(name: "follows from", text: causes.joined(separator: ", "), rules: causes))
    }
    if let scenario = rule.scenario {
      facts.append(
        Fact(name: "scenario", text: "\(RuleScenario.path(of: rule.id)): \(scenario.title) (\(scenario.certainty.rawValue))")
      )
      facts.append(Fact(name: "twin", text: "\(scenario.twin) (not reported)"))
    }
    if let reason = rule.untriggerable { facts.append(Fact(name: "no scenario", text: reason)) }
    if rule.needsNoDebugger { facts.append(Fact(name: "limits", text: "ignores processes that run under a debugger")) }
    return facts
  }

  package var sections: [Section] {
    [
      Section(title: "Explanation", content: .text(rule.explanation)),
      Section(title: "Remedy", content: .text(rule.remedy)),
    ] + limits
      + [
        Section(title: "Reported", content: .examples(rule.reports.map(RuleExampleText.init))),
        Section(title: "Not reported", content: .examples(rule.staysSilent.map(RuleExampleText.init))),
        Section(title: "Sources", content: .list(rule.sources)),
      ].filter { !$0.isEmpty }
  }
}

extension RulePage {
  /// The section of limits that the user may change, such as `patience = 10min: …`.
  private var limits: [Section] {
    let settings = rules.limitSettings(of: rule.id)
    if settings.isEmpty { return [] }
    let lines = settings.map { setting in
      let usual = rules.usual(setting.name, of: rule.id).map { " (default \($0.text))" } ?? ""
      return "\(setting.name) = \(setting.value.text)\(usual): \(setting.meaning)"
    }
    return [Section(title: "Limits", content: .list(lines))]
  }
}

extension LimitValue {
  package var text: String {
    switch self {
    case .duration(let duration): duration.short
    case .count(let count): "\(count)"
    }
  }
}

extension RuleDescription {
  /// The kind of source that a rule is based on. The grade does not depend on any log.
  package enum Grade: String, CaseIterable {
    /// The problem has been reported by users in the field.
    case reported
    /// The problem follows from a documented contract. No user is known to have reported it.
    case contract
    /// The rule is defined by the user.
    case own

    package var text: String {
      switch self {
      case .reported: "reported: the problem has been observed in the field"
      case .contract: "contract: derived from documentation alone, so findings are at most possible"
      case .own: "own: defined by the user"
      }
    }
  }

  package var grade: Grade { origin != nil ? .own : isContractOnly ? .contract : .reported }

  /// The distinct variants in the rule's examples, in order of first occurrence.
  package var variants: [String] {
    var variants: [String] = []
    for variant in reports.compactMap(\.variant) where !variants.contains(variant) { variants.append(variant) }
    return variants
  }
}
