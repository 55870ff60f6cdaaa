package import XferDiagnosis

/// What one rule of the catalogue had to say of a log.
package struct RuleStatistics: Hashable, Sendable {
  package let rule: String
  package let severity: Severity
  /// How often it was asked for good and answered what. A rule that was never asked has no subject in the log.
  package let silent: Int
  package let undecidable: Int
  /// Still open where the log ends.
  package let inFlight: Int
  package let findings: Int
  /// Of the findings, those that count for the exit status: at least probable, and no consequence of another.
  package let counted: Int
  /// The worst of the findings, which may differ from the rule's own; `nil` without findings.
  package let worst: Severity?

  /// All rules, in the catalogue's order, then the user's.
  package static func all(_ diagnosis: Diagnosis) -> [RuleStatistics] {
    let severities = Dictionary(uniqueKeysWithValues: diagnosis.descriptions.map { ($0.id, $0.severity) })
    return diagnosis.tallies.map { tally in
      let found = diagnosis.findings.filter { $0.rule == tally.rule }
      return RuleStatistics(
        rule: tally.rule, severity: severities[tally.rule] ?? .notice, silent: tally.silent, undecidable: tally.undecidable,
        inFlight: tally.inFlight, findings: found.count, counted: found.count { $0.counts }, worst: found.map(\.severity).max())
    }
  }
}
