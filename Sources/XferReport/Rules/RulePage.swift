package import XferDiagnosis
import XferEvents

/// What there is to say about a rule, in the order in which it is said. Terminal and reference show the same page.
package struct RulePage {
  package let rule: RuleDescription
  private let rules: RuleSet

  /// A short statement about the rule, as `severity  critical`.
  package struct Fact {
    package let name: String
    package let text: String
    /// The rules that it names; empty where it names none.
    package var rules: [String] = []
  }

  /// A part with a title: a text, a list, or examples.
  package struct Section {
    package enum Content {
      case text(String)
      case list([String])
      case examples([RuleExampleText])
    }

    package let title: String
    package let content: Content

    /// Rules of a user's may lack some.
    fileprivate var isEmpty: Bool {
      switch content {
      case .text: false
      case .list(let items): items.isEmpty
      case .examples(let examples): examples.isEmpty
      }
    }
  }

  /// - Parameter rules: those in force.
  package init(_ rule: RuleDescription, in rules: RuleSet = .catalogue) {
    self.rule = rule
    self.rules = rules
  }

  package var facts: [Fact] {
    var facts = [Fact(name: "severity", text: rule.severity.rawValue), Fact(name: "grade", text: rule.grade.text)]
    if let origin = rule.origin { facts.append(Fact(name: "written at", text: origin)) }
    if !rule.variants.isEmpty { facts.append(Fact(name: "variants", text: rule.variants.joined(separator: "; "))) }
    if !rule.consequenceOf.isEmpty {
      let causes = rule.consequenceOf
      facts.append(Fact(name: "follows from", text: causes.joined(separator: ", "), rules: causes))
    }
    if rule.needsNoDebugger { facts.append(Fact(name: "limits", text: "says nothing about a process under a debugger")) }
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
  /// The figures that its user may change, as `patience = 10min: …`; none for a rule without any.
  private var limits: [Section] {
    let settings = rules.limitSettings(of: rule.id)
    if settings.isEmpty { return [] }
    let lines = settings.map { setting in
      let usual = rules.usual(setting.name, of: rule.id).map { " (usually \($0.text))" } ?? ""
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
  /// What the rule itself rests on, apart from any log.
  package enum Grade: String {
    /// Somebody has met the problem.
    case reported
    /// It follows from the documented contract, and no report is known.
    case contract
    /// Its user says so.
    case own

    package var text: String {
      switch self {
      case .reported: "reported: the problem is known from the field"
      case .contract: "contract: it follows from the documentation alone, so findings are at most possible"
      case .own: "own: a rule of its user's"
      }
    }
  }

  package var grade: Grade { origin != nil ? .own : isContractOnly ? .contract : .reported }

  /// The sub-verdicts that its examples show, in their order.
  package var variants: [String] {
    var variants: [String] = []
    for variant in reports.compactMap(\.variant) where !variants.contains(variant) { variants.append(variant) }
    return variants
  }
}
