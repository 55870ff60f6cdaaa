package import XferDiagnosis
import XferEvents
import XferReport

extension DiagnosedLog {
  /// Returns the findings that fail a job.
  ///
  /// - Parameters:
  ///   - limit: the lowest severity that counts; `nil` if no finding counts.
  ///   - withPossible: whether findings with the certainty `possible` count, too.
  package func counted(from limit: Severity?, withPossible: Bool) -> [Finding] {
    guard let limit else { return [] }
    return diagnosis.findings.filter { $0.counts(withPossible: withPossible) && $0.severity >= limit }
  }

  /// Returns the conclusion of a replay.
  ///
  /// - Parameters:
  ///   - counted: the findings that fail the job.
  ///   - acceptance: the accepted problems; `nil` without a baseline and suppressions.
  ///   - judgesUse: whether the whole log was judged, so that entries of a baseline without findings are unused.
  package func conclusion(
    counted: [Finding], acceptance: Acceptance?, judgesUse: Bool, _ outcome: some OutcomePolicy
  ) -> Conclusion {
    if let emptiness = emptiness(outcome) ?? windowEmptiness(outcome) { return emptiness }
    if !counted.isEmpty {
      let rules = Set(counted.map(\.rule)).sorted().joined(separator: ", ")
      return (.findings, "\(counted.count.counted("finding")): \(rules)")
    }
    if outcome.strict, judgesUse, let unused = acceptance?.unused, !unused.isEmpty {
      return (.findings, "\(unused.count) unused \(unused.count == 1 ? "entry" : "entries") of accepted findings")
    }
    return completeness(outcome)
  }
}
