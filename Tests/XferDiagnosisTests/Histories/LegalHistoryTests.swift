import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// Tests that a faultless log has no findings.
struct LegalHistoryTests {
  @Test func `Histories without faults have no findings`() {
    var found: [String: (count: Int, seeds: [UInt64], summary: String)] = [:]
    var undecided: [String: (count: Int, seeds: [UInt64])] = [:]
    var events = 0
    for seed in seeds(40, campaign: 10_000) {
      let history = HistoryGenerator.history(seed: seed)
      var diagnosis = Diagnosis()
      let members = history.members()
      events += members.count
      for member in members { diagnosis.apply(member) }
      diagnosis.finish()
      if isDumping { Self.dump(history, diagnosis) }
      for finding in diagnosis.findings {
        found[finding.rule, default: (0, [], finding.summary)].count += 1
        found[finding.rule]!.seeds.append(seed)
      }
      for key in diagnosis.undecided.keys {
        undecided["\(key.rule): \(key.needs)", default: (0, [])].count += 1
        undecided["\(key.rule): \(key.needs)"]!.seeds.append(seed)
      }
    }
    for (rule, what) in found.sorted(by: { $0.key < $1.key }) {
      Issue.record("\(rule): \(what.count), seeds \(what.seeds.prefix(5)): \(what.summary)")
    }
    for (rule, what) in undecided.sorted(by: { $0.key < $1.key }) {
      Issue.record("undecided \(rule): \(what.count), seeds \(what.seeds.prefix(5))")
    }
  }

  /// Verifies that the generator is independent of the code under test.
  @Test func `The history generator imports neither replay nor diagnosis`() throws {
    let folder = #filePath.prefix { $0 != "." }.split(separator: "/").dropLast().joined(separator: "/")
    let names = try FileManager.default.contentsOfDirectory(atPath: "/" + folder).filter { !$0.hasSuffix("Tests.swift") }
    #expect(names.count > 10)
    for name in names {
      let text = try String(contentsOfFile: "/" + folder + "/" + name, encoding: .utf8)
      #expect(!text.contains("import XferReplay") && !text.contains("import XferDiagnosis"), "\(name)")
    }
  }

  private var isDumping: Bool { seeds(2, campaign: 2).count == 1 }

  /// Prints a history and its findings. Used if a single seed is run, which is meant for inspection.
  private static func dump(_ history: History, _ diagnosis: Diagnosis) {
    for telling in history.tellings {
      let fields = Mirror(reflecting: telling.event).children.compactMap { child -> String? in
        let value = "\(child.value)"
        return value == "nil" ? nil : "\(child.label ?? "")=\(value)"
      }
      let name = "\(telling.pen.writer).\(telling.pen.lane) \(type(of: telling.event).kind.name)"
      print("DUMP", Double(telling.time) / 1e9, name, fields.joined(separator: " "))
    }
    for finding in diagnosis.findings { print("DUMP finding", finding.rule, finding.certainty, finding.summary) }
  }

  @Test func `Histories contain every step that the vocabulary allows`() {
    var tally = HistoryTally([])
    for seed in seeds(600, campaign: 10_000) { tally.add(HistoryGenerator.history(seed: seed)) }
    for flaw in Flaw.allCases {
      for seed in 0..<40 as Range<UInt64> { tally.add(HistoryGenerator.history(seed: seed, flaw: flaw)) }
    }
    print(tally.text)
    #expect(tally.illegal.isEmpty)
    #expect(tally.missingKinds.isEmpty)
    #expect(tally.missingSteps.isEmpty)
    #expect(tally.missingFeatures.isEmpty)
    #expect(tally.missingCases.isEmpty)
  }

  @Test(arguments: Flaw.allCases)
  func `A flaw is reported by its own rules and no others`(_ flaw: Flaw) {
    var spoke: Set<String> = []
    for seed in seeds(8, campaign: 400) {
      var diagnosis = Diagnosis()
      for member in HistoryGenerator.history(seed: seed, flaw: flaw).members() { diagnosis.apply(member) }
      diagnosis.finish()
      let rules = Set(diagnosis.findings.map(\.rule))
      #expect(rules.isSubset(of: flaw.rules), "seed \(seed): \(diagnosis.findings.map(\.summary))")
      spoke.formUnion(rules)
    }
    // Some rules need rare situations, such as two simultaneous wakes, which occur only in many histories.
    if isCampaign { #expect(spoke == flaw.rules) }
  }
}
