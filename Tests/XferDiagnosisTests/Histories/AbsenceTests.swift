import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests that every rule that can claim an absence does so in an example and in a longer log.
struct AbsenceTests {
  /// The rules whose missing event may always still come, so that they are never more than possible.
  private static let neverMoreThanPossible: Set<String> = ["unlogged-death"]

  private static func findings(_ members: [LogMember], of rule: RuleDescription) -> [Finding] {
    var diagnosis = Diagnosis()
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis.findings.filter { $0.rule == rule.id }
  }

  /// Returns the rules whose code claims an absence.
  private static func claiming() throws -> Set<String> {
    let path = #filePath.components(separatedBy: "/Tests/XferDiagnosisTests/")[0] + "/Sources/XferDiagnosis/Rules"
    let files = try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
    var found: Set<String> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
      guard text.contains(".absence(") else { continue }
      let id = try #require(text.firstMatch(of: #/\bid: "([a-z0-9-]+)"/#), "\(file) is a rule")
      found.insert(String(id.1))
    }
    return found
  }

  /// Verifies that the tests of absences cover all rules that claim one.
  @Test func `Every rule whose code claims an absence claims it in an example`() throws {
    let shown = RuleCatalogue.descriptions.filter { rule in
      rule.reports.contains { Self.findings($0.members(), of: rule).contains(where: \.restsOnAbsence) }
    }
    let claiming = try Self.claiming()
    #expect(claiming.count > 50)
    #expect(Set(shown.map(\.id)) == claiming)
  }

  /// Verifies that rules find absences in long logs. Otherwise the tests of truncated logs would prove nothing.
  @Test(arguments: RuleCatalogue.descriptions)
  func `In a faulty history, a rule that can claim an absence is at least probable`(_ rule: RuleDescription) {
    let claims = rule.reports.contains { Self.findings($0.members(), of: rule).contains(where: \.restsOnAbsence) }
    // A contract-only rule's findings are at most possible.
    guard claims, !rule.isContractOnly else { return }
    var (absences, all): ([Certainty], [Certainty]) = ([], [])
    for example in rule.reports where example.steps.count <= 200 {
      for history in FaultyHistory.surroundings(of: example) {
        let found = Self.findings(FaultyHistory.members(example, in: history), of: rule)
        all += found.map(\.certainty)
        absences += found.filter(\.restsOnAbsence).map(\.certainty)
      }
    }
    #expect(!absences.isEmpty, "\(rule.id)")
    #expect(all.contains { $0 >= .probable } == !Self.neverMoreThanPossible.contains(rule.id), "\(rule.id): \(absences), \(all)")
  }
}
