import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferDiagnosis

/// Rules that claim an absence find it where it is shown.
struct AbsenceTests {
  /// Whoever is to say it may still do so, as long as there may be more log: these never know.
  private static let neverKnow: Set<String> = ["unlogged-death"]

  private static func findings(_ members: [LogMember], of rule: RuleDescription) -> [Finding] {
    var diagnosis = Diagnosis()
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis.findings.filter { $0.rule == rule.id }
  }

  /// The rules whose code claims an absence.
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

  /// So that what is asserted of absences is asserted of all of them.
  @Test func `Every rule whose code claims an absence claims it in an example`() throws {
    let shown = RuleCatalogue.descriptions.filter { rule in
      rule.reports.contains { Self.findings($0.members(), of: rule).contains(where: \.restsOnAbsence) }
    }
    let claiming = try Self.claiming()
    #expect(claiming.count > 50)
    #expect(Set(shown.map(\.id)) == claiming)
  }

  /// Else that no log which is cut off shows an absence could be so because nothing ever does.
  @Test(arguments: RuleCatalogue.descriptions)
  func `In a faulty history a rule that can claim an absence is sure enough of it`(_ rule: RuleDescription) {
    let claims = rule.reports.contains { Self.findings($0.members(), of: rule).contains(where: \.restsOnAbsence) }
    // What rests on the contract alone is possible at most, whatever the log shows.
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
    #expect(all.contains { $0 >= .probable } == !Self.neverKnow.contains(rule.id), "\(rule.id): \(absences), \(all)")
  }
}
