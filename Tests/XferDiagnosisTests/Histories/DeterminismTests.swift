import LogTestSupport
import Testing
import XferEvents
import XferReport

@testable import XferDiagnosis

/// Tests that a log's diagnosis is the same in every run, whatever the order in which its files were found.
struct DeterminismTests {
  private static func diagnosis(_ members: [LogMember]) -> Diagnosis {
    var diagnosis = Diagnosis()
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis
  }

  /// Returns the whole diagnosis as text, without segment numbers.
  private static func text(_ members: [LogMember]) -> String {
    let diagnosis = diagnosis(members)
    let findings = diagnosis.findings.map { finding in
      """
      \(finding.rule) \(finding.variant ?? "") \(finding.severity) \(finding.certainty) \(finding.summary) \(finding.lowered) \
      \(finding.evidence.map { "\($0.kind.name) \($0.monotonic ?? 0)" }) \(finding.missing) \(finding.unless) \
      \(finding.tasks.map(\.number)) \(finding.fingerprint) \(finding.causedBy ?? -1)
      """
    }
    return (findings + diagnosis.tallies.map { "\($0)" } + diagnosis.incompleteness).joined(separator: "\n")
  }

  /// Returns the document that a replay writes.
  private static func document(_ members: [LogMember]) -> String {
    var text = TextBuffer()
    var writer = ReplayWriter(.document)
    var diagnosis = Diagnosis(onTaskEnd: { task, world in writer.append(task, world, to: &text) })
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    writer.end(ReplayDocument(diagnosis: JointDiagnosis(diagnosis), inputs: [], exitCode: 0)) { $0(&text) }
    return text.string
  }

  /// Returns logs with many findings: histories with a flaw that lack every twelfth event on average, complete and truncated.
  private static func logs(_ seeds: [UInt64]) -> [(seed: UInt64, history: History, count: Int)] {
    seeds.flatMap { seed -> [(seed: UInt64, history: History, count: Int)] in
      let flaw = Flaw.allCases[Int(seed) % Flaw.allCases.count]
      var (random, history) = (SeededRandom(seed: seed), HistoryGenerator.history(seed: seed, flaw: flaw))
      history.tellings.removeAll { _ in random.next() % 12 == 0 }
      return [(seed, history, history.tellings.count), (seed, history, history.tellings.count * 2 / 3)]
    }
  }

  @Test func `A log gives the same document each time, whatever the order of its segments`() {
    var (runs, bytes, found) = (0, 0, 0)
    let logs = Self.logs(seeds(12, campaign: 50))
    for (seed, history, count) in logs {
      let members = Array(history.members().prefix(count))
      let (document, text) = (Self.document(members), Self.text(members))
      found += Self.diagnosis(members).findings.count
      var random = SeededRandom(seed: seed)
      for _ in 0..<(isCampaign ? 100 : 10) {
        #expect(Self.document(Array(history.members().prefix(count))) == document, "seed \(seed)")
        // More segments than any history has.
        let order = (0..<97).shuffled(using: &random)
        #expect(Self.text(Array(history.members { order[$0] }.prefix(count))) == text, "seed \(seed), order \(order)")
        runs += 1
      }
      bytes += document.utf8.count
    }
    #expect(found > logs.count || logs.count == 2, "the logs have findings whose order matters")
    print("\(runs) runs, documents of \(bytes) bytes together, \(found) findings in \(logs.count) logs")
  }

  @Test func `The order of simultaneous events of different writers does not change the diagnosis`() {
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
