import LogTestSupport
import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests that a truncated log proves no absence.
struct CensoringTests {
  @Test func `A log truncated at any event gives no certain finding of an absence`() {
    var (cuts, findings) = (0, 0)
    for seed in seeds(2, campaign: 1000) {
      let members = HistoryGenerator.history(seed: seed).members()
      var diagnosis = Diagnosis()
      for (place, member) in members.enumerated() {
        var cut = diagnosis
        cut.finish()
        cuts += 1
        findings += cut.findings.count
        for finding in cut.findings where finding.certainty == .certain && finding.restsOnAbsence {
          Issue.record(
            "seed \(seed), cut before event \(place): \(finding.rule) (\(finding.variant ?? "-")): \(finding.summary)")
        }
        diagnosis.apply(member)
      }
      // Finishing the copies must not have changed the original.
      diagnosis.finish()
      var whole = Diagnosis()
      for member in members { whole.apply(member) }
      whole.finish()
      #expect(diagnosis.findings == whole.findings && diagnosis.tallies == whole.tallies, "seed \(seed)")
    }
    print("\(cuts) cuts, \(findings) findings that are less than certain or positive")
    #expect(findings > 0, "truncated logs have findings that are not certain")
  }
}
