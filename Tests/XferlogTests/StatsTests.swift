import Foundation
import LogTestSupport
import Testing

/// `xferlog stats` on logs whose figures are known.
@Suite struct StatsTests {
  private static func document(_ run: ToolRun) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
  }

  private static func rows(_ document: [String: Any], _ table: String) -> [[String: Any]] {
    document[table] as? [[String: Any]] ?? []
  }

  /// The largest log has more tasks than a diagnosis keeps in memory.
  @Test(arguments: [1, 2, 9, 200, 2500], [1, 2] as [UInt64])
  func `Every figure equals the one that the log was written with`(tasks: Int, seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: tasks, seed: seed)
    let run = try ToolRun.xferlog("stats", "-o", "json", log.path)
    #expect(run.status == 0, "\(run.standardError)")
    #expect(run.standardError == "")
    let document = try Self.document(run)
    #expect(document["schema"] as? String == "xferlog.stats/1")
    #expect(document["complete"] as? Bool == true)
    #expect(document["tasks"] as? Int == tasks)

    let outcomes = Dictionary(
      uniqueKeysWithValues: Self.rows(document, "outcomes").map { ($0["outcome"] as! String, $0["tasks"] as! Int) })
    #expect(
      outcomes == [
        "succeeded": log.count(.succeeded), "failed": log.count(.notFound, .reset), "cancelled": log.count(.cancelled),
        "lost": log.count(.lost), "open": 0, "unknown": 0, "resumed": 0,
      ])
    let bytes = try #require(document["bytes"] as? [String: Int64])
    #expect(bytes["received"] == log.plans.reduce(0) { $0 + $1.received })
    #expect(bytes["sent"] == log.plans.reduce(0) { $0 + $1.sent })

    let delivered = log.plans.filter(\.isDelivered)
    let stages: [String: [Int64]] = [
      "queue": log.plans.map(\.queue), "connect": log.plans.map(\.connect), "firstByte": log.plans.map(\.firstByte),
      "body": log.plans.map(\.body), "delivery": delivered.map(\.delivery), "total": delivered.map(\.total),
    ]
    #expect(Self.rows(document, "stages").count == stages.count)
    for row in Self.rows(document, "stages") {
      let name = try #require(row["stage"] as? String)
      let times = try #require(stages[name])
      #expect(row["tasks"] as? Int == times.count, "\(name)")
      #expect(row["p50"] as? Int64 == CrowdedLog.percentile(50, times), "\(name)")
      #expect(row["p90"] as? Int64 == CrowdedLog.percentile(90, times), "\(name)")
      #expect(row["max"] as? Int64 == times.max().map { $0 * 1_000_000 }, "\(name)")
    }

    #expect(Self.rows(document, "hosts").count == Set(log.plans.map(\.host)).count)
    for row in Self.rows(document, "hosts") {
      let name = try #require(row["host"] as? String)
      let plans = log.plans.filter { $0.host == name }
      let times = plans.filter(\.isDelivered).map(\.total)
      #expect(row["tasks"] as? Int == plans.count, "\(name)")
      #expect(row["failed"] as? Int == plans.count { $0.ending == .notFound || $0.ending == .reset }, "\(name)")
      #expect(row["lost"] as? Int == plans.count { $0.ending == .lost }, "\(name)")
      #expect(row["received"] as? Int64 == plans.reduce(0) { $0 + $1.received }, "\(name)")
      #expect(row["connections"] as? Int == plans.count, "\(name)")
      #expect(row["reused"] as? Int == plans.count { $0.isReused }, "\(name)")
      #expect(row["p50"] as? Int64 == CrowdedLog.percentile(50, times), "\(name)")
      #expect(row["p90"] as? Int64 == CrowdedLog.percentile(90, times), "\(name)")
    }

    let lost = Self.rows(document, "findings").first { $0["rule"] as? String == "lost-completion" }
    #expect(lost?["findings"] as? Int ?? 0 == log.count(.lost))
  }

  @Test func `Every rule has the numbers of its answers`() throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 40, seed: 3)
    let document = try Self.document(ToolRun.xferlog("stats", "-o", "json", log.path))
    let rules = Self.rows(document, "rules")
    #expect(rules.count >= 8)
    let lost = try #require(rules.first { $0["rule"] as? String == "lost-completion" })
    let answers = ["findings", "undecidable", "inFlight", "silent"].map { lost[$0] as? Int ?? -1 }
    #expect(answers == [log.count(.lost), 0, 0, 40 - log.count(.lost)])
  }

  @Test func `The text has all tables and fits a terminal`() throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 60, seed: 4)
    let run = try ToolRun.xferlog("stats", log.path)
    #expect(run.status == 0)
    for start in ["outcome ", "state ", "stage ", "first byte ", "host ", "rule ", "lost-completion "] {
      #expect(run.lines.contains { $0.hasPrefix(start) }, "\(start)")
    }
    #expect(run.lines.map(\.count).max() ?? 0 <= 100)
    // A rule that found nothing has no line.
    #expect(!run.text.contains("log-tail-torn"))
    #expect(run.lines.contains { $0.hasSuffix(" rules without a finding") })
    let tasks = try #require(run.lines.first { $0.contains(" tasks, ") })
    #expect(tasks.hasPrefix("60 tasks, "))
  }

  @Test func `CSV has one figure per row, and a host name cannot become a formula`() throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 200, seed: 5)
    let run = try ToolRun.xferlog("stats", "-o", "csv", log.path)
    #expect(run.lines.first == "table,row,column,value")
    #expect(run.lines.contains("totals,tasks,count,200"))
    #expect(run.lines.contains("outcomes,lost,tasks,\(log.count(.lost))"))
    let formula = log.plans.count { $0.host == "=1+1.example.net" }
    #expect(formula > 0)
    #expect(run.lines.contains("hosts,'=1+1.example.net,tasks,\(formula)"))
    #expect(run.lines.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 4 })
  }

  @Test func `Unusable logs end with the exit codes of replay`() throws {
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: "\(directory.path)/empty.xlog", withIntermediateDirectories: true)
    let noise = try directory.write((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 13) }, to: "noise.seg")
    let flipped = try DamagedLog.flipped(in: directory)
    #expect(try ToolRun.xferlog("stats", "\(directory.path)/empty.xlog").status == 3)
    #expect(try ToolRun.xferlog("stats", "\(directory.path)/empty.xlog", "--allow-empty").status == 0)
    #expect(try ToolRun.xferlog("stats", "\(directory.path)/nowhere.xlog").status == 3)
    #expect(try ToolRun.xferlog("stats", "-o", "xml", flipped).status == 2)
    let unreadable = try ToolRun.xferlog("stats", noise)
    #expect(unreadable.status == 2)
    #expect(unreadable.standardError.contains("not a segment of an xferlog log"))
    let damaged = try ToolRun.xferlog("stats", flipped)
    #expect(damaged.status == 0)
    #expect(damaged.standardError.contains("the log is incomplete: 1 damaged place"))
    #expect(try ToolRun.xferlog("stats", "--strict", flipped).status == 4)
  }
}
