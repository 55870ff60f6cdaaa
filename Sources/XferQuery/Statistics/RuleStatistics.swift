package import XferDiagnosis

/// The answers of one rule about a log.
package struct RuleStatistics: Hashable, Sendable {
  package let rule: String
  package let severity: Severity
  /// The number of subjects that the rule judged to be without fault. 0 if the log has no subject for the rule.
  package let silent: Int
  package let undecidable: Int
  /// The number of subjects on which the rule was undecided at the end of the log, because later events could have decided it.
  package let inFlight: Int
  package let findings: Int
  /// The number of findings that count for the exit code: those that are at least probable and that no other finding causes.
  package let counted: Int
  /// The worst severity of the findings, which may differ from the rule's severity. `nil` without findings.
  package let worst: Severity?

  /// Returns the statistics of all rules: those of the catalogue in its order, then the user's.
  package static func all(_ diagnosis: JointDiagnosis) -> [RuleStatistics] {
    let severities = Dictionary(uniqueKeysWithValues: diagnosis.descriptions.map { ($0.id, $0.severity) })
    return diagnosis.tallies.map { tally in
      let found = diagnosis.findings.filter { $0.rule == tally.rule }
      return RuleStatistics(
        rule: tally.rule, severity: severities[tally.rule] ?? .notice, silent: tally.silent, undecidable: tally.undecidable,
        inFlight: tally.inFlight, findings: found.count, counted: found.count { $0.counts }, worst: found.map(\.severity).max())
    }
  }
}
