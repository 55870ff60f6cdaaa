import Foundation
import LogTestSupport
import Testing

/// Tests that the replay of a damaged log claims nothing that the undamaged log contradicts, and does not call the log complete.
@Suite(.timeLimit(.minutes(isCampaign ? 120 : 10))) struct DamagedVerdictTests {
  /// A recorded log and what its replay says.
  private struct Truth {
    let name: String
    let log: LogFiles
    let findings: Set<FindingKey>
    let certain: Set<FindingKey>
    let events: Set<String>
  }

  /// The identity of a finding in the replays of copies of a log.
  private struct FindingKey: Hashable, CustomStringConvertible {
    let rule: String
    let task: String?
    let session: String?
    var description: String { "\(rule) (\(task ?? session ?? "log"))" }

    init(_ finding: Replayed.Finding) { (rule, task, session) = (finding.rule, finding.task, finding.session) }
  }

  private static func events(of log: String) throws -> Set<String> {
    let run = try ToolRun("xferlog", ["show", "-o", "ndjson", log])
    return Set(run.lines.filter { !$0.contains("\"gap\":") })
  }

  /// Records every sample, and its near misses.
  private static func recordings(in directory: TemporaryDirectory) throws -> [Truth] {
    let names = try Sample.recordable()
    let run = try Sample.record(names, to: directory)
    try #require(run.status == 0, "\(run.standardError)")
    return try names.map { name in
      let path = directory.path("\(name)/log.xlog")
      let replayed = try Replayed(log: path)
      return Truth(
        name: name, log: try LogFiles(path), findings: Set(replayed.findings.map(FindingKey.init)),
        certain: Set(replayed.findings.filter { $0.certainty == "certain" }.map(FindingKey.init)),
        events: try events(of: path))
    }
  }

  /// Whether only the last segments of the log were removed. If no other process mentions their writer, nothing in the log can show that
  /// they existed.
  private static func isUnnoticeable(_ files: LogFiles, of log: LogFiles) -> Bool {
    let removed = Set(log.segments.keys).subtracting(files.segments.keys)
    guard let first = removed.min(), let last = files.segments.keys.max() else { return false }
    return last < first
  }

  @Test func `A damaged log is never called complete, and none of its certain findings is wrong`() throws {
    let directory = TemporaryDirectory()
    let truths = try Self.recordings(in: directory)
    var counts: [FileDamage: Int] = [:]
    var (harmless, unnoticeable, kept, lost) = (0, 0, 0, 0)
    let seeds = seeds(150, campaign: 20_000)
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let truth = truths[Int(seed) % truths.count]
      let damage = FileDamage.allCases.randomElement(using: &random)!
      guard let files = damage.applied(to: truth.log, other: truths.randomElement(using: &random)!.log, &random) else { continue }
      let path = directory.path("damaged.xlog")
      try files.write(to: path)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let replayed: Replayed
      do { replayed = try Replayed(log: path) } catch {
        // Nothing of the log can be read.
        if files.segments.count <= 1 { continue }
        throw error
      }
      counts[damage, default: 0] += 1
      let what = "seed \(seed), \(truth.name), \(damage)"
      let isIntact = try damage.addsEvents || truth.events.isSubset(of: Self.events(of: path))
      if isIntact { harmless += 1 }
      if Self.isUnnoticeable(files, of: truth.log), replayed.complete {
        unnoticeable += 1
      } else {
        #expect(isIntact || !replayed.complete, "\(what): called complete although events are missing")
      }
      let certain = Set(replayed.findings.filter { $0.certainty == "certain" && !$0.rule.hasPrefix("log-") }.map(FindingKey.init))
      if !damage.addsEvents {
        #expect(certain.subtracting(truth.findings).isEmpty, "\(what): \(certain.subtracting(truth.findings)) is wrong")
      }
      kept += certain.intersection(truth.certain).count
      lost += truth.certain.subtracting(certain).count
    }
    let kinds = counts.sorted { "\($0.key)" < "\($1.key)" }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print(
      """
      damaged logs: \(counts.values.reduce(0, +)) of \(truths.count) logs (\(kinds)); \(harmless) without a lost event, \
      \(unnoticeable) without their last writer; \(kept) certain findings kept, \(lost) not
      """)
  }
}
