/// A rule's text, as `xferlog rules explain`, the rule reference and reports print it.
package struct RuleDescription: Sendable {
  /// The rule's identifier, which names the problem. Never changed and never reused.
  package let id: String
  package let severity: Severity
  package let summary: String
  package let explanation: String
  package let remedy: String
  package let sources: [String]
  /// Whether the rule rests on a documented contract alone, without a report from the field. Its findings are at most *possible*.
  package let isContractOnly: Bool
  /// Whether the rule is silent about a launch under a debugger, which keeps the app from being suspended.
  package let needsNoDebugger: Bool
  /// Whether a single lost event could excuse the fault. If so, a finding in a log with lost events is never certain.
  package let needsWholeLog: Bool
  /// Whether the events that the rule cites state the problem themselves, so that an excerpt of a foreign log proves the problem, too. The
  /// findings of all other rules in a foreign log are at most *possible*.
  package let isStatedByEvents: Bool
  /// The IDs of the rules whose finding explains this rule's finding on the same process. If both findings name tasks, they must share
  /// one; if both are about a wake, it must be the same wake.
  package let consequenceOf: [String]
  /// The reason why no scenario can trigger the rule with real processes on this system. `nil` for a rule with a scenario, and for a user's
  /// rule.
  package let untriggerable: String?
  /// The file and line of a user's rule, such as `rules.yaml:12`; `nil` for a rule of the catalogue.
  package let origin: String?
  /// The example logs in which the rule must find the problem and cite exactly the events that the example marks as evidence.
  package var reports: [RuleExample] { makeReports() }
  /// The near misses: example logs on which the rule must stay silent.
  package var staysSilent: [RuleExample] { makeStaysSilent() }

  // Closures, because a replay needs no examples, and those of all rules take longer to make than a small log to replay.
  private let makeReports: @Sendable () -> [RuleExample]
  private let makeStaysSilent: @Sendable () -> [RuleExample]

  package init(
    id: String, severity: Severity, summary: String, explanation: String, remedy: String, sources: [String],
    isContractOnly: Bool = false, needsNoDebugger: Bool = false, needsWholeLog: Bool = false, isStatedByEvents: Bool = false,
    consequenceOf: [String] = [],
    untriggerable: String? = nil, origin: String? = nil, reports: @autoclosure @escaping @Sendable () -> [RuleExample],
    staysSilent: @autoclosure @escaping @Sendable () -> [RuleExample]
  ) {
    self.id = id
    self.severity = severity
    self.summary = summary
    self.explanation = explanation
    self.remedy = remedy
    self.sources = sources
    self.isContractOnly = isContractOnly
    self.needsNoDebugger = needsNoDebugger
    self.needsWholeLog = needsWholeLog
    self.isStatedByEvents = isStatedByEvents
    self.consequenceOf = consequenceOf
    self.untriggerable = untriggerable
    self.origin = origin
    makeReports = reports
    makeStaysSilent = staysSilent
  }

  /// The scenario in which real processes trigger the rule, if there is one.
  package var scenario: RuleScenario? { RuleScenario.ofRules[id] }
}
