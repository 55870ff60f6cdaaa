import Testing
import XferEvents

@testable import XferDiagnosis

/// Rules that claim an absence find it where it is shown.
struct AbsenceTests {
  /// Whoever is to say it may still do so, as long as there may be more log: these never know.
  private static let neverKnow: Set<String> = ["unlogged-death"]

  @Test(arguments: RuleCatalogue.descriptions)
  func `A rule that can claim an absence is sure enough of one of its examples`(_ rule: RuleDescription) {
    var (absences, all): ([Certainty], [Certainty]) = ([], [])
    for example in rule.reports {
      var diagnosis = Diagnosis()
      for member in example.members() { diagnosis.apply(member) }
      diagnosis.finish()
      let found = diagnosis.findings.filter { $0.rule == rule.id }
      all += found.map(\.certainty)
      absences += found.filter(\.restsOnAbsence).map(\.certainty)
    }
    // What rests on the contract alone is possible at most, whatever the log shows.
    guard !absences.isEmpty, !rule.isContractOnly else { return }
    #expect(all.contains { $0 >= .probable } == !Self.neverKnow.contains(rule.id), "\(rule.id): \(all)")
  }
}
