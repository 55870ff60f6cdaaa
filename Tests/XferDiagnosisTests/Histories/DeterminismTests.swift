import LogTestSupport
import Testing
import XferEvents

@testable import XferDiagnosis

/// The same log says the same, however often it is asked and in whichever order its files were found.
struct DeterminismTests {
  /// All that is said of a log, in words.
  private static func text(_ members: [LogMember]) -> String {
    var diagnosis = Diagnosis()
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    let findings = diagnosis.findings.map { finding in
      """
      \(finding.rule) \(finding.variant ?? "") \(finding.severity) \(finding.certainty) \(finding.summary) \(finding.lowered) \
      \(finding.evidence.map { "\($0.kind.name) \($0.monotonic ?? 0)" }) \(finding.missing) \(finding.unless) \
      \(finding.tasks.map(\.number)) \(finding.fingerprint) \(finding.causedBy ?? -1)
      """
    }
    return (findings + diagnosis.tallies.map { "\($0)" } + diagnosis.incompleteness).joined(separator: "\n")
  }

  /// Logs with much to find: the ends of some histories, where much is open, and flaws.
  private static func logs(_ seeds: [UInt64]) -> [(seed: UInt64, history: History, count: Int)] {
    seeds.flatMap { seed -> [(seed: UInt64, history: History, count: Int)] in
      let flaw = Flaw.allCases[Int(seed) % Flaw.allCases.count]
      let history = HistoryGenerator.history(seed: seed, flaw: flaw)
      return [(seed, history, history.tellings.count), (seed, history, history.tellings.count * 2 / 3)]
    }
  }

  @Test func `The same log gives the same text a hundred times`() {
    for (seed, history, count) in Self.logs(seeds(1, campaign: 50)) {
      let members = Array(history.members().prefix(count))
      let first = Self.text(members)
      for _ in 0..<100 { #expect(Self.text(members) == first, "seed \(seed)") }
    }
  }

  @Test func `The order in which segments were found changes nothing`() {
    for (seed, history, count) in Self.logs(seeds(3, campaign: 400)) {
      let first = Self.text(Array(history.members().prefix(count)))
      for turn in 1...3 {
        // Far more segments than any history has.
        let shuffled = history.members { ($0 + turn * 17) % 97 }
        #expect(Self.text(Array(shuffled.prefix(count))) == first, "seed \(seed), turn \(turn)")
      }
    }
  }

  @Test func `What happened at the same instant may be told in any order of its writers`() {
    for (seed, history, count) in Self.logs(seeds(3, campaign: 400)) {
      var (random, tied) = (SeededRandom(seed: seed), history)
      tied.tellings = Array(tied.tellings.prefix(count))
      Reordering.tie(&tied)
      let first = Self.text(tied.members())
      for _ in 0..<3 {
        var other = tied
        Reordering.shuffleTies(&other, using: &random)
        #expect(Self.text(other.members()) == first, "seed \(seed)")
      }
    }
  }
}
