import Foundation
import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests of every rule against its own examples and those of all other rules.
struct RuleExampleTests {
  private static func diagnose(_ example: RuleExample) -> Diagnosis {
    var diagnosis = Diagnosis()
    for member in example.members() { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis
  }

  @Test func `Every rule in the sources is in the catalogue`() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let directory = tests.deletingLastPathComponent().appendingPathComponent("Sources/XferDiagnosis/Rules")
    let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
    var written: [String] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      written += text.matches(of: /(?m)^struct (\w+): \w*Rule\b/).map { String($0.1) }
    }
    #expect(written.count > 100)
    #expect(written.sorted() == RuleCatalogue.rules.map { "\(type(of: $0))" }.sorted())
  }

  @Test(arguments: RuleCatalogue.descriptions)
  func `A rule reports its examples, with the marked evidence and certainty`(_ rule: RuleDescription) throws {
    #expect(!rule.reports.isEmpty && !rule.staysSilent.isEmpty, "a rule has examples that it reports, and near misses")
    for example in rule.reports {
      let found = Self.diagnose(example).findings.filter { $0.rule == rule.id }
      #expect(found.count == 1, "\(rule.id): \(example.name)")
      guard let finding = found.first else { continue }
      #expect(finding.certainty == example.certainty, "\(rule.id): \(example.name): \(finding.lowered)")
      #expect(finding.variant == example.variant, "\(rule.id): \(example.name)")
      let marked = zip(example.members(), example.citedSteps).compactMap { member, isCited -> Fact? in
        guard isCited, case .event(let event) = member else { return nil }
        return event.fact
      }
      let kinds = Set(example.steps.compactMap(\.kind))
      #expect(example.cites.allSatisfy { kinds.contains($0.kind) }, "\(rule.id): \(example.name): \(example.cites)")
      #expect(Set(finding.evidence) == Set(marked), "\(rule.id): \(example.name): \(finding.evidence.map(\.kind.name))")
    }
  }

  @Test(arguments: RuleCatalogue.descriptions)
  func `A rule stays silent on its near misses`(_ rule: RuleDescription) {
    for example in rule.staysSilent {
      let found = Self.diagnose(example).findings.filter { $0.rule == rule.id }
      #expect(found.isEmpty, "\(rule.id): \(example.name): \(found.map(\.summary))")
    }
  }

  @Test(arguments: RuleCatalogue.descriptions)
  func `A rule reports nothing in another rule's example, except as a consequence`(_ rule: RuleDescription) {
    for example in rule.reports {
      let others = Self.diagnose(example).findings.filter { $0.rule != rule.id && $0.counts }
      #expect(others.isEmpty, "\(rule.id): \(example.name): \(others.map(\.rule))")
    }
  }

  @Test
  func `Rule ids are unique`() {
    let ids = RuleCatalogue.descriptions.map(\.id)
    #expect(Set(ids).count == ids.count)
  }
}

extension RuleDescription: CustomTestStringConvertible {
  package var testDescription: String { id }
}

/// Tests that findings are decided before the end of the log.
struct LiveFindingTests {
  @Test(arguments: RuleCatalogue.descriptions)
  func `A finding that does not need the end of the log is decided before it`(_ rule: RuleDescription) throws {
    // Only the end of the log shows whether a later launch had enough time to delete the file, and whether a daemon still runs.
    let late = ["the next launch did not delete it either", "the next generation started, and no process observed the exit"]
    for example in rule.reports where !late.contains(example.name) {
      var diagnosis = Diagnosis()
      for member in example.members() { diagnosis.apply(member) }
      let live = diagnosis.findings.filter { $0.rule == rule.id }
      diagnosis.finish()
      let replayed = diagnosis.findings.filter { $0.rule == rule.id }
      // A contract-only rule's findings are at most possible, whenever they are decided.
      if example.certainty == .possible, !rule.isContractOnly {
        #expect(live.isEmpty, "\(rule.id): \(example.name)")
      } else {
        #expect(live.map(\.certainty) == replayed.map(\.certainty), "\(rule.id): \(example.name)")
        #expect(live.map(\.evidence) == replayed.map(\.evidence), "\(rule.id): \(example.name)")
      }
    }
  }
}
