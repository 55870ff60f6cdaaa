import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `xferlog replay --at`: the state at one place of a log, through the built tool.
@Suite struct StateAtTests {
  private static func at(_ place: String, _ more: String...) throws -> ToolRun {
    let directory = TemporaryDirectory()
    return try ToolRun.xferlog(["replay", "--at", place] + more + [RecordedLog.sample(in: directory)])
  }

  private static func document(_ place: String, _ more: String...) throws -> [String: Any] {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog(["replay", "--at", place, "-o", "json"] + more + [RecordedLog.sample(in: directory)])
    #expect(run.status == 0, "\(run.standardError)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
  }

  private static func tasks(_ document: [String: Any]) -> [String: String] {
    let tasks = document["tasks"] as? [[String: Any]] ?? []
    return Dictionary(uniqueKeysWithValues: tasks.map { ($0["name"] as? String ?? "", $0["state"] as? String ?? "") })
  }

  /// Places, the event right before them, and the state of img/7 there.
  static let places: [(place: String, event: String?, state: String?)] = [
    ("#0", nil, nil), ("#1", "log.opened", nil), ("task:img/7.created", "task.created", "created"),
    ("task:img/7.task.created", "task.created", "created"), ("task:abcdef01.held", "task.held", "held: hostSlots"),
    ("task:7.responseReceived", "attempt.responseReceived", "receiving"),
    ("task:img/7.transferred", "task.transferred", "transferred"),
    ("2026-11-20T14:02:07.121Z", "task.held", "held: hostSlots"), ("2026-11-20T14:02:07.1205Z", "task.created", "created"),
    ("@1795183329.5", "attempt.responseReceived", "receiving"),
  ]

  @Test(arguments: places)
  func `A place is named by an event or a time`(_ place: (place: String, event: String?, state: String?)) throws {
    let document = try Self.document(place.place)
    #expect(document["schema"] as? String == "xferlog.state/1")
    let at = try #require(document["at"] as? [String: Any])
    #expect(at["event"] as? String == place.event)
    #expect(Self.tasks(document)["img/7"] == place.state)
  }

  @Test func `A reference printed by show is a place`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let details = try ToolRun.xferlog("show", "-o", "verbose", log).lines
    let references = details.compactMap { $0.firstMatch(of: /· place +([0-9]+\/[0-9]+\/[0-9]+) in/).map { String($0.1) } }
    #expect(references.count > 10)
    for (place, reference) in references.enumerated() {
      let run = try ToolRun.xferlog("replay", "--at", reference, log)
      #expect(run.status == 0)
      #expect(run.lines.first?.hasPrefix("state after event #\(place + 1): ") == true)
      #expect(run.lines.first?.contains(reference) == true)
      #expect(try ToolRun.xferlog("replay", "--at", "#\(place + 1)", log).text == run.text)
    }
  }

  @Test func `The text shows the state of every object`() throws {
    let run = try Self.at("task:img/7.held")
    #expect(run.status == 0 && run.standardError.isEmpty)
    #expect(run.lines.first == "state after event #7: task.held of img/7, 1/1/6, 2026-11-20T14:02:07.121Z")
    for part in [
      "sample:4001  running", "img  created", "img/7  held: hostSlots", "slotsUsed 6 · slots 6", "heldSince 14:02:07.121Z (now)",
    ] {
      #expect(run.text.contains(part), "\(part)")
    }
    #expect(!run.text.contains("docs/1"))
  }

  @Test func `--task and --session limit the state`() throws {
    #expect(try Set(Self.tasks(Self.document("tomorrow", "--task", "docs/1")).keys) == ["docs/1"])
    #expect(try Set(Self.tasks(Self.document("tomorrow", "--session", "i*")).keys) == ["img/7"])
    #expect(try (Self.document("tomorrow", "--task", "docs/1")["sessions"] as? [Any])?.isEmpty == true)
    #expect(try (Self.document("tomorrow", "--task", "7")["sessions"] as? [Any])?.count == 1)
    #expect(try (Self.document("tomorrow", "--task", "7")["processes"] as? [Any])?.count == 1)
  }

  static let mistakes: [(place: String, code: Int32, says: String)] = [
    ("#x", 2, "# must be followed by the number of an event"), ("#-1", 2, "# must be followed by the number of an event"),
    ("noonish", 2, "'noonish' is neither an event nor a time"), ("task:img/7", 2, "the task must be followed by an event"),
    ("task:img/7.resumd", 2, "Did you mean task.resumed"), ("task:img/7.task.resumd", 2, "Did you mean task.resumed"),
    ("#999", 3, "there is no event #999: the log has 18 events"), ("9/9/9", 3, "there is no event 9/9/9"),
    ("task:imgs/7.resumed", 3, "the log has no task imgs/7. Did you mean img/7?"),
    ("task:img/7.acknowledged", 3, "img/7 has no event task.acknowledged"),
  ]

  @Test(arguments: mistakes)
  func `An invalid place is rejected with advice`(_ mistake: (place: String, code: Int32, says: String)) throws {
    let run = try Self.at(mistake.place)
    #expect(run.status == mistake.code)
    #expect(run.text.isEmpty)
    #expect(run.standardError.contains(mistake.says), "\(run.standardError)")
  }

  @Test func `A time before or after the log is reported`() throws {
    let late = try Self.at("2027-01-01")
    #expect(late.status == 0)
    #expect(late.standardError.contains("2027-01-01 is after the end of the log at "))
    let early = try Self.at("2020-01-01")
    #expect(early.status == 0)
    #expect(early.lines.first == "state before the first event")
    #expect(early.standardError.contains("2020-01-01 is before the first event of the log"))
  }

  @Test func `References tell the events of two logs apart`() throws {
    let directory = TemporaryDirectory()
    // With the same seed, the second log would be a copy, whose events count once.
    let one = try RecordedLog.sample(in: directory)
    let other = try RecordedLog.sample(in: directory, name: "other.xlog", seed: 2)
    let launches = try [("1/1/5", one), ("2:1/1/5", other)].map { place, log in
      let joint = try ToolRun.xferlog("replay", "--at", place, "-o", "json", one, other)
      let alone = try ToolRun.xferlog("query", "place=1/1/5", "-o", "ndjson", log)
      let shown = try ToolRun.xferlog("query", "place=\(place)", "-o", "ndjson", one, other)
      #expect(joint.status == 0 && shown.lines.count == 1, "\(joint.standardError)")
      let launch = try VisitedReport.object(shown.lines[0])["launch"] as? String
      #expect(try launch == VisitedReport.object(alone.lines[0])["launch"] as? String)
      return launch
    }
    #expect(Set(launches).count == 2)
    #expect(try ToolRun.xferlog("replay", "--at", "3:1/1/5", one, other).status == 3)
  }

  /// What is typed, the event after which that is, and the time that it stands for.
  static let timesOfDay: [(text: String, event: String?, time: String)] = [
    ("14:02:07.121", "task.held", "2026-11-20T14:02:07.121000000Z"),
    ("14:02:07.121Z", "task.held", "2026-11-20T14:02:07.121000000Z"),
    ("15:02:07.121+01:00", "task.held", "2026-11-20T14:02:07.121000000Z"),
    ("14:03", "wake.delivered", "2026-11-20T14:03:00.000000000Z"),
    // The log does not cover them, so they belong to its day.
    ("23:00", "log.closed", "2026-11-20T23:00:00.000000000Z"), ("06:00", nil, "2026-11-20T06:00:00.000000000Z"),
  ]

  @Test(arguments: timesOfDay)
  func `A time of day belongs to the day of the log`(_ place: (text: String, event: String?, time: String)) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("replay", "--at", place.text, "-o", "json", RecordedLog.sample(in: directory))
    #expect(run.status == 0)
    #expect(run.remarks.first == "xferlog: \(place.text) is \(place.time)")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
    #expect((document["at"] as? [String: Any])?["event"] as? String == place.event)
  }

  @Test func `A time of day is that of the last day on which the log covers it`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let day: Int64 = 86_400_000
    for (place, time) in [60_000, day, day + 60_000, 2 * day - 60_000].enumerated() {
      log.emit(at: time, AppJournalSaved(upTo: Int64(place)))
    }
    log.close()
    // The log ends on the third day at 14:01:07.
    for (text, time) in [("14:01", "2026-11-22T14:01:00"), ("14:02", "2026-11-21T14:02:00"), ("00:30", "2026-11-22T00:30:00")] {
      let run = try ToolRun.xferlog("replay", "--at", text, log.path)
      #expect(run.remarks.first == "xferlog: \(text) is \(time).000000000Z")
    }
    let shown = try ToolRun.xferlog("show", "--since", "14:02:30", "--until", "14:03:30", "-o", "ndjson", log.path)
    #expect(shown.lines.map(\.eventName) == ["app.journalSaved"] && shown.text.contains(#""upTo":2"#), "\(shown.text)")
    #expect(
      shown.remarks == [
        "xferlog: --since 14:02:30 is 2026-11-21T14:02:30.000000000Z",
        "xferlog: --until 14:03:30 is 2026-11-21T14:03:30.000000000Z",
      ])
  }

  static let usage: [(arguments: [String], says: String)] = [
    (["--at", "#1", "--last", "5m"], "--since, --until and --last do not work with --at and --step"),
    (["--at", "#1", "-o", "ndjson"], "--at and --step have no ndjson output"), (["--step"], "--step needs a terminal"),
    (["--step", "-o", "json"], "--step has no JSON output"),
  ]

  @Test(arguments: usage)
  func `Options that cannot be combined are rejected`(_ usage: (arguments: [String], says: String)) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog(["replay"] + usage.arguments + [RecordedLog.sample(in: directory)])
    #expect(run.status == 2)
    #expect(run.text.isEmpty)
    #expect(run.standardError.contains(usage.says), "\(run.standardError)")
  }

  @Test func `An empty log has no state`() throws {
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.path("empty.xlog"), withIntermediateDirectories: true)
    #expect(try ToolRun.xferlog("replay", "--at", "#1", directory.path("empty.xlog")).status == 3)
  }
}
