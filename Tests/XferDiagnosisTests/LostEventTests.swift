import LogTestSupport
import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests that a log with a declared gap or a truncated end gives no additional certain finding.
struct LostEventTests {
  private static func sure(_ members: [LogMember]) -> Set<String> {
    var diagnosis = Diagnosis()
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    return Set(diagnosis.findings.filter { $0.certainty == .certain }.map(\.rule))
  }

  /// Returns the example's log with an event replaced by the gap that a reader reports for it.
  private static func losing(_ place: Int, of example: RuleExample) -> [LogMember]? {
    var members = example.members()
    guard case .event(let event) = members[place] else { return nil }
    let process = example.steps[place].process
    members[place] = .gap(
      LogGap(
        cause: .missingSequence, segment: UInt32(process.rawValue), name: "\(process)", launch: process.launch, lane: 1,
        sequences: UInt64(place)..<UInt64(place + 1), after: event.moment, before: event.moment))
    return members
  }

  @Test(arguments: RuleCatalogue.descriptions)
  func `An example that lost one event has no additional certain finding`(_ rule: RuleDescription) {
    for (number, example) in (rule.reports + rule.staysSilent).enumerated() where example.steps.count <= 60 {
      let known = Self.sure(example.members()).union(["log-gap"])
      // Outside a campaign, a quarter of the events is tried.
      for place in example.steps.indices where isCampaign || (place + number) % 4 == 0 {
        guard let rest = Self.losing(place, of: example) else { continue }
        let more = Self.sure(rest).subtracting(known)
        #expect(more.isEmpty, "\(rule.id): \(example.name): without step \(place): \(more.sorted())")
      }
    }
  }

  /// Verifies that an event that may still come does not count as absent.
  @Test(arguments: RuleCatalogue.descriptions)
  func `A truncated example has no additional certain finding of an absence`(_ rule: RuleDescription) {
    for (number, example) in (rule.reports + rule.staysSilent).enumerated() where example.steps.count <= 60 {
      let members = example.members()
      var diagnosis = Diagnosis()
      var cuts: [(place: Int, absent: Set<String>)] = []
      for (place, member) in members.enumerated() {
        var cut = diagnosis
        diagnosis.apply(member)
        guard isCampaign || (place + number) % 4 == 0 else { continue }
        cut.finish()
        cuts.append((place, Set(cut.findings.filter { $0.certainty == .certain && $0.restsOnAbsence }.map(\.rule))))
      }
      diagnosis.finish()
      let whole = Set(diagnosis.findings.filter { $0.certainty == .certain }.map(\.rule))
      for (place, absent) in cuts {
        #expect(absent.isSubset(of: whole), "\(rule.id): \(example.name): cut before step \(place): \(absent.sorted())")
      }
    }
  }
}
