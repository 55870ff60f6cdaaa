package import XferDiagnosis
import XferEvents

/// The document `xferlog.rules/1`: rules, listed or with their explanations.
package struct RuleJSON {
  private let rules: [Rule]

  struct Rule {
    let description: RuleDescription
    /// The rules in force. `nil` when rules are listed without an explanation.
    let force: RuleSet?
  }

  /// - Parameters:
  ///   - isWhole: whether explanation, remedy, limits, sources and examples are included.
  ///   - force: the rules in force.
  package static func write(
    _ rules: [RuleDescription], isWhole: Bool, in force: RuleSet = .catalogue, to json: inout JSONText
  ) {
    object.write(RuleJSON(rules: rules.map { Rule(description: $0, force: isWhole ? force : nil) }), to: &json)
  }

  /// The fields of the document `xferlog.rules/1`.
  static let object = DocumentObject<RuleJSON>("rules", "Rules, listed or explained.") { fields in
    fields.schema("xferlog.rules/1")
    fields.list("rules", rule, "The rules.") { $0.rules }
  }

  private static let rule = DocumentObject<Rule>(
    "rule", "One rule. The fields after `origin` are present when rules are explained, and absent when rules are listed."
  ) { fields in
    fields.text("id", "Identifier of the rule. Identifiers are never renamed.") { $0.description.id }
    fields.choice("severity", Severity.allCases.map(\.rawValue), "Severity of the problem.") { $0.description.severity.rawValue }
    fields.choice("grade", RuleDescription.Grade.allCases.map(\.rawValue), "What the rule is based on.") {
      $0.description.grade.rawValue
    }
    fields.text("summary", "The problem in one sentence.") { $0.description.summary }
    fields.optionalText("origin", presence: .omitted, "File and line of a user-defined rule.") { $0.description.origin }
    fields.optionalText("explanation", presence: .omitted, "How the problem occurs, and why it is a problem.") {
      $0.whole?.explanation
    }
    fields.optionalText("remedy", presence: .omitted, "How to fix the problem.") { $0.whole?.remedy }
    fields.optionalTexts("variants", "The variants of the problem that the rule distinguishes.") { $0.whole?.variants }
    fields.optionalTexts("followsFrom", "Identifiers of the rules whose findings explain those of this rule.") {
      $0.whole?.consequenceOf
    }
    fields.optionalFlag("silentUnderDebugger", "Whether the rule ignores processes that run under a debugger.") {
      $0.whole?.needsNoDebugger
    }
    fields.optionalList("limits", limit, "The limits of the rule.") { rule in
      rule.force.map { force in
        force.limitSettings(of: rule.description.id).map { setting in
          (setting, force.usual(setting.name, of: rule.description.id) ?? setting.value)
        }
      }
    }
    fields.optionalText("liveScenario", presence: .omitted, "Path of the scenario in which real processes trigger the rule.") {
      $0.whole?.scenario == nil ? nil : RuleScenario.path(of: $0.description.id)
    }
    fields.optionalText("untriggerable", presence: .omitted, "The reason why no scenario triggers the rule.") {
      $0.whole?.untriggerable
    }
    fields.optionalTexts("sources", "References for the rule, such as documentation and bug reports.") { $0.whole?.sources }
    fields.optionalList("reported", example, "Examples that the rule reports.") { $0.whole?.reports }
    fields.optionalList("notReported", example, "Near misses that the rule does not report.") { $0.whole?.staysSilent }
  }

  private static let limit = DocumentObject<(setting: LimitSetting, usual: LimitValue)>("ruleLimit", "A limit of a rule.") {
    fields in
    fields.text("name", "Name of the limit.") { $0.setting.name }
    fields.text("meaning", "What the limit decides.") { $0.setting.meaning }
    fields.limit("value", "Value in force: a number, or a duration in nanoseconds.") { $0.setting.value }
    fields.limit("usual", "Default value, in the same unit.") { $0.usual }
  }

  private static let example = DocumentObject<RuleExample>("ruleExample", "An example of a rule.") { fields in
    fields.text("name", "Name of the example.") { $0.name }
    fields.optionalChoice("certainty", Certainty.allCases.map(\.rawValue), presence: .omitted, "Certainty of the finding.") {
      $0.certainty?.rawValue
    }
    fields.optionalText("variant", presence: .omitted, "Variant of the finding.") { $0.variant }
    fields.list("steps", step, "The events of the example, in order.") { RuleExampleText($0).steps }
  }

  private static let step = DocumentObject<RuleExampleText.Step>("ruleStep", "One event of an example.") { fields in
    fields.integer("offset", unit: .nanoseconds, "Time since the beginning of the example.") { $0.offset.nanoseconds }
    fields.text("process", "Process that writes the event.") { $0.process }
    fields.text("event", "Name of the event, or `gap`.") { $0.event }
    fields.text("message", "Message of the event.") { $0.message }
    fields.flag("evidence", "Whether the finding cites the event.") { $0.isEvidence }
  }
}

extension RuleJSON.Rule {
  /// The rule's description. `nil` when rules are listed without an explanation.
  fileprivate var whole: RuleDescription? { force == nil ? nil : description }
}
