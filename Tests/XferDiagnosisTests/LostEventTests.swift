import Testing
import XferEvents

@testable import XferDiagnosis

/// A log that has lost an event, and says where, proves nothing by what it lacks.
struct LostEventTests {
  private static func sure(_ members: [LogMember]) -> Set<String> {
    var diagnosis = Diagnosis()
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    return Set(diagnosis.findings.filter { $0.certainty == .certain }.map(\.rule))
  }

  /// The log without an event, and with the gap that a reader sees for it.
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
  func `An example that lost one event is sure of nothing that the whole is not sure of`(_ rule: RuleDescription) {
    for example in rule.reports + rule.staysSilent where example.steps.count <= 60 {
      let known = Self.sure(example.members()).union(["log-gap"])
      for place in example.steps.indices {
        guard let rest = Self.losing(place, of: example) else { continue }
        let more = Self.sure(rest).subtracting(known)
        #expect(more.isEmpty, "\(rule.id): \(example.name): without step \(place): \(more.sorted())")
      }
    }
  }
}
