import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `xferlog why`, through the built tool.
@Suite struct WhyTests {
  /// Returns an open log with one connection per host: img/7 has the connection and img/8 waits for it.
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

  @Test func `The answer for a task that waits for a connection names the task that holds it`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.queue(in: directory)
    defer { log.close() }
    let run = try ToolRun.xferlog("why", "img/8", log.path)
    #expect(run.status == 0)
    #expect(
      run.lines.first
        == "img/8 (download to cdn.example.com for picture-8) waits: all connections of cdn.example.com are taken (1/1), by img/7, since 14:02:07.500Z, for 3s"
    )
    for part in ["▶ slot", "  resumed", "  app", "the resource timeout, 1h: in 59m 56s", "by the boottime clock"] {
      #expect(run.text.contains(part), "\(part)\n\(run.text)")
    }
    #expect(!run.text.contains("how the task ended"))
  }

  @Test func `The document has the same answer`() throws {
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
  func `A task can be named by number, uid, session and glob`(_ name: String) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("why", name, RecordedLog.sample(in: directory))
    #expect(run.status == 0)
    #expect(run.text.contains("uid \(RecordedLog.task.uid)"))
  }

  @Test func `A failed task has the chain of events to its end`() throws {
    let directory = TemporaryDirectory()
    let document = try Self.document("docs/1", RecordedLog.sample(in: directory))
    #expect(document["answer"] as? String == "over")
    let chain = try #require(document["chain"] as? [[String: Any]])
    let events = chain.compactMap { ($0["event"] as? [String: Any])?["event"] as? String }
    #expect(events == ["task.created", "task.completed"])
    #expect(chain.allSatisfy { $0["place"] as? String == "engine sample:4001" })
    #expect((document["sentence"] as? String)?.hasPrefix("failed: operationTimedOut") == true)
  }

  @Test func `A task without a completion has the first missing stage of its delivery`() throws {
    let directory = TemporaryDirectory()
    let document = try Self.document("img/7", RecordedLog.sample(in: directory))
    // Closing the log ends the process, and the task with it.
    #expect(document["answer"] as? String == "over")
    #expect(document["missingStage"] as? String == "sent")
    let unknowns = document["unknowns"] as? [String] ?? []
    #expect(unknowns.contains { $0.hasPrefix("what the daemon did: its log is not among the inputs") })
  }

  @Test func `A lost task has its finding in the chain of events`() throws {
    let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Samples").path
    let document = try Self.document("maps/2", "\(samples)/killed-before-delivery/log.xlog")
    let chain = try #require(document["chain"] as? [[String: Any]])
    #expect((chain.last?["event"] as? [String: Any])?["event"] as? String == "process.exitObserved")
    #expect(chain.last?["rules"] as? [String] == ["lost-completion"])
    #expect((document["findings"] as? [[String: Any]])?.compactMap { $0["rule"] as? String } == ["lost-completion"])
  }

  @Test func `Of several tasks of one name, the newest is explained and the others are listed`() throws {
    let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Samples").path
    let run = try ToolRun.xferlog("why", "maps/1", "\(samples)/killed-before-delivery/log.xlog")
    #expect(run.status == 0, "\(run.standardError)")
    #expect(run.lines.first?.contains("for tile-3") == true)
    #expect(run.remarks.count == 2)
    #expect(run.remarks[0] == "xferlog: 'maps/1' matches 2 tasks; this is the newest. The others:")
    #expect(run.remarks[1].contains("maps/1  for tile-1"))
  }

  @Test(arguments: [
    "https://cdn.example.com/files/o/31337/file.bin", "https://cdn.example.com/files/o/31337/file.bin?token=1#part",
    "cdn.example.com/files/o/31337/file.bin", "file.bin",
  ])
  func `A task is named by its URL or its file`(_ name: String) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("why", name, RecordedLog.sample(in: directory))
    #expect(run.status == 0, "\(run.standardError)")
    #expect(run.text.contains("uid \(RecordedLog.task.uid)"))
  }

  @Test func `A task is named by the file that it was saved as`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    log.emit(at: 1, TaskCreated(task: RecordedLog.task, type: .download, method: "GET", scheme: "https", host: "h", path: "/a"))
    log.emit(at: 2, FileClaimed(task: RecordedLog.task, operation: .move, destination: "maps/oslo.zip"))
    log.close()
    for name in ["oslo.zip", "maps/oslo.zip", "/home/me/maps/oslo.zip"] {
      #expect(try ToolRun.xferlog("why", name, log.path).text.contains("uid \(RecordedLog.task.uid)"), "\(name)")
    }
    #expect(try ToolRun.xferlog("why", "slo.zip", log.path).status == 3)
  }

  @Test func `A log named before the task is told from a task`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let swapped = try ToolRun.xferlog("why", log, "img/7")
    #expect(swapped.status == 2)
    #expect(swapped.standardError.contains("\(log) is a log, not a task; name the task first: xferlog why img/7 \(log)"))
    #expect(try ToolRun.xferlog("why", log).standardError.contains("xferlog why TASK \(log)"))
  }

  @Test func `An error page that the app leaves is not a missing step`() throws {
    let directory = TemporaryDirectory()
    func stages(_ status: Int) throws -> [String] {
      let log = try RecordedLog(in: directory, name: "\(status).xlog")
      let task = RecordedLog.task
      log.emit(at: 1, TaskCreated(task: task, type: .download, method: "GET", scheme: "https", host: "h", path: "/a"))
      log.emit(at: 2, TaskResumed(task: task))
      log.emit(at: 3, AttemptStarted(task: task, attempt: 1, host: "h"))
      log.emit(at: 4, AttemptResponseReceived(task: task, attempt: 1, status: status))
      log.emit(at: 5, TaskTransferred(task: task, received: 5, status: status))
      for (number, callback) in [(UInt64(1), Callback.didFinishDownloading), (2, .didComplete)] {
        log.emit(at: 6, DeliverySent(task: task, delivery: DeliveryID(number), callback: callback))
        if number == 1 { log.emit(at: 6, FileOffered(task: task, delivery: DeliveryID(1), size: 5)) }
        log.emit(at: 7, DeliveryReceived(task: task, delivery: DeliveryID(number), callback: callback))
        log.emit(at: 8, DeliveryEntered(task: task, delivery: DeliveryID(number), callback: callback))
        log.emit(at: 9, DeliveryLeft(task: task, delivery: DeliveryID(number), callback: callback))
      }
      log.emit(at: 10, TaskCompleted(task: task, received: 5, status: status))
      log.close()
      let document = try Self.document("img/7", log.path)
      return (document["stages"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }
    #expect(try stages(200).contains("claimed"))
    #expect(try !stages(404).contains("claimed"))
  }

  static let mistakes: [(task: String, code: Int32, says: String)] = [
    ("imgs/7", 3, "'imgs/7' matches none of the log's 2 tasks. Did you mean img/7?"),
    ("weather-report", 3, "`xferlog show` lists their events."), ("*", 2, "'*' matches 2 tasks"),
  ]

  @Test(arguments: mistakes)
  func `An unknown task ends with 3 and suggestions`(_ mistake: (task: String, code: Int32, says: String)) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("why", mistake.task, RecordedLog.sample(in: directory))
    #expect(run.status == mistake.code)
    #expect(run.text.isEmpty)
    #expect(run.standardError.contains(mistake.says), "\(run.standardError)")
  }

  @Test func `A damaged log is answered with a warning`() throws {
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
