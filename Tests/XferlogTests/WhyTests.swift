import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `xferlog why`, through the built tool.
@Suite struct WhyTests {
  /// A session with one connection for each host: img/7 has it, img/8 waits for it. The log is still open.
  private static func queue(in directory: TemporaryDirectory) throws -> RecordedLog {
    let log = try RecordedLog(in: directory)
    let waiting = TaskIdentity(uid: TaskUID(high: 2, low: 8), session: "img", number: 8)
    log.emit(
      at: 100,
      SessionCreated(session: "img", sessionKind: .default, requestTimeout: .seconds(60), resourceTimeout: .seconds(3600)))
    for (task, time) in [(RecordedLog.task, Int64(200)), (waiting, 300)] {
      log.emit(
        at: time,
        TaskCreated(
          task: task, type: .download, method: "GET", scheme: "https", host: "cdn.example.com", path: "/a",
          intent: "picture-\(task.number)"))
      log.emit(at: time + 1, TaskResumed(task: task, by: .app))
    }
    log.emit(at: 400, AttemptStarted(task: RecordedLog.task, attempt: 1, host: "cdn.example.com"))
    log.emit(at: 500, TaskHeld(task: waiting, hold: .hostSlots, host: "cdn.example.com", slotsUsed: 1, slots: 1))
    log.emit(at: 3500, LogHeartbeatWritten(liveTasks: 2))
    return log
  }

  private static func document(_ arguments: String...) throws -> [String: Any] {
    let run = try ToolRun.xferlog(["why", "-o", "json"] + arguments)
    #expect(run.status == 0, "\(run.standardError)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
  }

  @Test func `A task that waits for a connection names who has it`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.queue(in: directory)
    defer { log.close() }
    let run = try ToolRun.xferlog("why", "img/8", log.path)
    #expect(run.status == 0)
    #expect(
      run.lines.first
        == "img/8 (download to cdn.example.com for picture-8) waits: all connections of cdn.example.com are taken (1/1), by img/7, since 14:02:07.500Z, for 3s"
    )
    for part in ["▶ slot", "  resumed", "  app", "the limit for the resource, 1h: in 59m 56s", "by the boottime clock"] {
      #expect(run.text.contains(part), "\(part)\n\(run.text)")
    }
    #expect(!run.text.contains("how it came to its end"))
  }

  @Test func `The document says the same`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.queue(in: directory)
    defer { log.close() }
    let document = try Self.document("picture-8", log.path)
    #expect(document["schema"] as? String == "xferlog.why/1")
    #expect(document["answer"] as? String == "waiting")
    #expect(document["deciding"] as? String == "slot")
    let conditions = try #require(document["conditions"] as? [[String: Any]])
    let slot = try #require(conditions.first { $0["decides"] as? Bool == true })
    #expect(slot["name"] as? String == "slot" && slot["standing"] as? String == "unsatisfied")
    #expect(slot["age"] as? Int == 3_000_000_000)
    #expect((slot["holders"] as? [[String: Any]])?.compactMap { $0["number"] as? Int } == [7])
    #expect((document["logEnd"] as? [String: Any])?["event"] as? String == "log.heartbeatWritten")
    #expect((document["prospects"] as? [[String: Any]])?.first?["clock"] as? String == "boottime")
  }

  @Test(arguments: ["img/7", "7", RecordedLog.task.uid.description, "abcdef01", "img/?"])
  func `A task is named as show names it`(_ name: String) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("why", name, RecordedLog.sample(in: directory))
    #expect(run.status == 0)
    #expect(run.text.contains("uid \(RecordedLog.task.uid)"))
  }

  @Test func `One that failed has the way to its end`() throws {
    let directory = TemporaryDirectory()
    let document = try Self.document("docs/1", RecordedLog.sample(in: directory))
    #expect(document["answer"] as? String == "over")
    let chain = try #require(document["chain"] as? [[String: Any]])
    let events = chain.compactMap { ($0["event"] as? [String: Any])?["event"] as? String }
    #expect(events == ["task.created", "task.completed"])
    #expect(chain.allSatisfy { $0["place"] as? String == "engine sample:4001" })
    #expect((document["sentence"] as? String)?.hasPrefix("failed: operationTimedOut") == true)
  }

  @Test func `One whose completion has not come has the stages, and the first that is missing`() throws {
    let directory = TemporaryDirectory()
    let document = try Self.document("img/7", RecordedLog.sample(in: directory))
    // Whoever closes the log is over, and the task with it.
    #expect(document["answer"] as? String == "over")
    #expect(document["missingStage"] as? String == "sent")
    let unknowns = document["unknowns"] as? [String] ?? []
    #expect(unknowns.contains { $0.hasPrefix("what the daemon did: its log is not here") })
  }

  @Test func `A lost task shows the finding where the chain rests on it`() throws {
    let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Samples").path
    let document = try Self.document("maps/2", "\(samples)/killed-before-delivery/log.xlog")
    let chain = try #require(document["chain"] as? [[String: Any]])
    #expect((chain.last?["event"] as? [String: Any])?["event"] as? String == "process.exitObserved")
    #expect(chain.last?["rules"] as? [String] == ["lost-completion"])
    #expect((document["findings"] as? [[String: Any]])?.compactMap { $0["rule"] as? String } == ["lost-completion"])
  }

  @Test func `Several tasks of one name are listed`() throws {
    let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Samples").path
    let run = try ToolRun.xferlog("why", "maps/1", "\(samples)/killed-before-delivery/log.xlog")
    #expect(run.status == 2)
    #expect(run.text.isEmpty)
    #expect(run.remarks.count == 3)
    #expect(run.standardError.contains("'maps/1' is 2 tasks; name one by SESSION/NUMBER or by its uid:"))
    #expect(run.standardError.contains("maps/1  for tile-3, from 2026-11-21T07:20:44.540717287Z"))
  }

  static let mistakes: [(task: String, code: Int32, says: String)] = [
    ("imgs/7", 3, "'imgs/7' is none of the log's 2 tasks. Did you mean img/7?"),
    ("weather-report", 3, "`xferlog show` lists what happened to them."), ("*", 2, "'*' is 2 tasks"),
  ]

  @Test(arguments: mistakes)
  func `A task that is not there ends with 3 and near names`(_ mistake: (task: String, code: Int32, says: String)) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("why", mistake.task, RecordedLog.sample(in: directory))
    #expect(run.status == mistake.code)
    #expect(run.text.isEmpty)
    #expect(run.standardError.contains(mistake.says), "\(run.standardError)")
  }

  @Test func `A damaged log is answered, with a word about it`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.flipped(in: directory)
    let run = try ToolRun.xferlog("why", "img/7", log)
    #expect(run.status == 0)
    #expect(run.standardError.contains("the log is incomplete"))
    #expect(run.text.contains("what the log cannot tell"))
    #expect(try ToolRun.xferlog("why", "img/7", log, "--strict").status == 4)
    #expect(try ToolRun.xferlog("why", "img/7", "\(directory.path)/nowhere.xlog").status == 3)
    #expect(try ToolRun.xferlog("why").status == 2)
  }
}
