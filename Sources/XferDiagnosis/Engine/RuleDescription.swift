/// What a rule is, for people: `xferlog rules explain`, the rule reference and reports print this text.
package struct RuleDescription: Sendable {
  /// The problem's name: never changed, never used again.
  package let id: String
  package let severity: Severity
  package let summary: String
  package let explanation: String
  package let remedy: String
  package let sources: [String]
  /// No field report is known, only the documented contract: the rule says at most *possible*.
  package let isContractOnly: Bool
  /// A debugger keeps the app from being suspended, so the rule says nothing about such a launch.
  package let needsNoDebugger: Bool
  /// One event more would excuse what it shows: where the log has lost some, it is never certain.
  package let needsWholeLog: Bool
  /// Rules whose finding on the same process explains this one; where both name tasks, on one of the same, and where both
  /// are about a wake, about the same one.
  package let consequenceOf: [String]
  /// Where its user has written it, as `rules.yaml:12`; `nil` for a rule of the catalogue.
  package let origin: String?
  /// Logs that must make it speak, and cite exactly the marked events.
  package let reports: [RuleExample]
  /// Near misses, on which it must stay silent.
  package let staysSilent: [RuleExample]

  package init(
    id: String, severity: Severity, summary: String, explanation: String, remedy: String, sources: [String],
    isContractOnly: Bool = false, needsNoDebugger: Bool = false, needsWholeLog: Bool = false, consequenceOf: [String] = [],
    origin: String? = nil, reports: [RuleExample], staysSilent: [RuleExample]
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
    self.consequenceOf = consequenceOf
    self.origin = origin
    self.reports = reports
    self.staysSilent = staysSilent
  }
}
