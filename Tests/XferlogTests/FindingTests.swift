import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Findings between the events that `xferlog tail` and `show` print.
@Suite(.timeLimit(.minutes(2))) struct FindingTests {
  /// A download whose completion is never sent, in a process whose log ends after `milliseconds`.
  private func lostCompletion(in directory: TemporaryDirectory, lasting milliseconds: Int64) throws -> RecordedLog {
    let log = try RecordedLog(in: directory)
    log.emit(at: 1, TaskCreated(task: RecordedLog.task, type: .download, method: "GET", host: "cdn.example.com"))
    log.emit(at: 2, TaskResumed(task: RecordedLog.task))
    log.emit(at: 10, TaskTransferred(task: RecordedLog.task, received: 10, status: 200))
    log.emit(at: milliseconds, LogHeartbeatWritten(liveTasks: 1))
    return log
  }

  @Test func `A finding follows the event that decides it`() throws {
    let directory = TemporaryDirectory()
    let log = try lostCompletion(in: directory, lasting: 60_010)
    let run = try ToolRun.xferlog("tail", "--findings", log.path, "-n", "2")
    #expect(
      run.text == """
        2026-11-20 14:02:07.010Z          N img/7        task.transferred   transferred: 10 B received, status 200
        2026-11-20 14:03:07.010Z          N engine:4001  log.heartbeatWritten heartbeat: 1 live tasks
        2026-11-20 14:03:07.010Z          F img/7        ▶ lost-completion    probable: Task img/7 finished, but \
        its completion was never sent.

        """)
    #expect(run.status == 0)
  }

  @Test func `Neither the end of a log nor time that it does not cover leads to a finding`() throws {
    let directory = TemporaryDirectory()
    let log = try lostCompletion(in: directory, lasting: 60_009)
    #expect(try !ToolRun.xferlog("tail", "--findings", log.path).text.contains("▶"))

    let open = try RecordedLog(in: directory, name: "open.xlog")
    open.emit(at: 1, TaskResumed(task: RecordedLog.task))
    open.emit(at: 2, AttemptStarted(task: RecordedLog.task, attempt: 1))
    #expect(try ToolRun.xferlog("replay", open.path).text.contains("crash-mid-transfer (possible)"))
    #expect(try !ToolRun.xferlog("tail", "--findings", open.path).text.contains("▶"))
  }

  @Test func `Time in which the process was suspended does not count towards a deadline`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    log.emit(at: 10, TaskTransferred(task: RecordedLog.task, received: 10, status: 200))
    log.emit(at: 20, ProcessStateChanged(state: .suspended))
    log.emit(at: 200_020, ProcessStateChanged(state: .resumed))
    #expect(try !ToolRun.xferlog("tail", "--findings", log.path).text.contains("▶"))
    log.emit(at: 260_010, LogHeartbeatWritten())
    #expect(try ToolRun.xferlog("tail", "--findings", log.path).text.contains("▶ lost-completion"))
  }

  @Test func `An event that no rule uses still covers time`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    log.emit(at: 10, TaskTransferred(task: RecordedLog.task, received: 10, status: 200))
    log.emit(at: 60_010, AppNoted(intent: "still here"))
    let lines = try ToolRun.xferlog("tail", "--findings", log.path).lines
    #expect(lines.last?.contains("▶ lost-completion") ?? false)
  }

  @Test func `Findings can be excluded from tail and included in show`() throws {
    let directory = TemporaryDirectory()
    let log = try lostCompletion(in: directory, lasting: 70_000)
    let findings = try ToolRun.xferlog("show", "--all", "--findings", log.path).lines
    let events = try ToolRun.xferlog("show", "--all", log.path).lines
    #expect(findings.filter { !$0.contains("▶") } == events)
    #expect(findings.count == events.count + 1)
    #expect(try ToolRun.xferlog("tail", "-n", "all", "--no-findings", log.path).lines == events)
    #expect(try ToolRun.xferlog("tail", "--findings", "-n", "all", log.path).lines == findings)
  }

  @Test func `With a limit on events, only findings after the first shown event are shown`() throws {
    let directory = TemporaryDirectory()
    let log = try lostCompletion(in: directory, lasting: 70_000)
    log.emit(at: 70_001, AppNoted(intent: "one"))
    log.emit(at: 70_002, AppNoted(intent: "two"))
    func count(_ lines: String) throws -> Int {
      try ToolRun.xferlog("tail", "--findings", "-n", lines, log.path).lines.count { $0.contains("▶") }
    }
    #expect(try count("3") == 1)
    #expect(try count("2") == 0)
    #expect(try count("0") == 0)
    #expect(try count("all") == 1)
    #expect(try count("100") == 1)
  }

  static let filters: [(options: [String], isShown: Bool)] = [
    (["-t", "img/7"], true), (["-t", "docs/1"], false), (["--session", "img"], true), (["--session", "docs"], false),
    (["--host", "cdn.*"], true), (["--host", "docs.*"], false), (["-l", "error"], true), (["-l", "=error"], false),
    (["--since", "2026-11-20T14:03:00Z"], true), (["--until", "2026-11-20T14:03:00Z"], false),
  ]

  @Test(arguments: filters)
  func `Filters apply to findings as well as to events`(_ filter: (options: [String], isShown: Bool)) throws {
    let directory = TemporaryDirectory()
    let log = try lostCompletion(in: directory, lasting: 60_010)
    let run = try ToolRun.xferlog(["tail", "--findings", "-n", "all", "--allow-empty", log.path] + filter.options)
    #expect(run.text.contains("▶ lost-completion") == filter.isShown)
  }

  @Test func `In JSON, a finding is an object among the events and valid by the schema`() throws {
    let directory = TemporaryDirectory()
    let log = try lostCompletion(in: directory, lasting: 60_010)
    let schema = try JSONSchema(text: ToolRun.xferlog("schema", "--json-schema").text)
    let lines = try ToolRun.xferlog("tail", "--findings", "-n", "all", "-o", "ndjson", log.path).lines
    for line in lines { #expect(try schema.problem(with: line) == nil, "\(line)") }
    let line = try #require(lines.last)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["schema"] as? String == "xferlog.event/1")
    #expect(object["time"] as? String == "2026-11-20T14:03:07.010000000Z")
    let finding = try #require(object["finding"] as? [String: Any])
    #expect(finding["rule"] as? String == "lost-completion")
    #expect(finding["certainty"] as? String == "probable")
    #expect(finding["time"] as? String == "2026-11-20T14:02:07.010000000Z")

    let document = try ToolRun.xferlog("tail", "--findings", "-n", "all", "-o", "json", log.path).text
    let whole = try #require(try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
    let members = try #require(whole["events"] as? [[String: Any]])
    #expect(members.filter { $0["finding"] != nil }.count == 1)
    #expect(members.count == lines.count)
  }

  @Test func `Verbose output shows the evidence of a finding`() throws {
    let directory = TemporaryDirectory()
    let log = try lostCompletion(in: directory, lasting: 60_010)
    let text = try ToolRun.xferlog("tail", "--findings", "-n", "1", "-o", "verbose", log.path).text
    #expect(
      text.contains(
        """
        2026-11-20 14:03:07.010000000Z F img/7  ▶ lost-completion  probable: Task img/7 finished, but its \
        completion was never sent.
            evidence                task.transferred 1/1/6
            missing                 delivery.sent
            because                 concluded from an event that is missing in a time that the log covers
        """))
  }

  @Test func `A log gap is reported at the place of the missing records`() throws {
    let directory = TemporaryDirectory()
    let lines = try ToolRun.xferlog("tail", "--findings", "-n", "all", DamagedLog.flipped(in: directory)).lines
    let gap = try #require(lines.firstIndex { $0.hasPrefix("── 1 record") })
    #expect(lines[gap + 1].contains("E log          ▶ log-gap"))
  }

  @Test func `While following, a finding is shown when its deadline passes, and again when it becomes certain`() throws {
    let directory = TemporaryDirectory()
    let log = try lostCompletion(in: directory, lasting: 59_000)
    let follower = try Follower(["tail", "-f", "-n", "all", "-o", "ndjson", log.path])
    #expect(follower.lines { $0.last?.eventName == "log.heartbeatWritten" }.allSatisfy { !$0.contains("\"finding\"") })
    log.emit(at: 61_000, AppNoted(intent: "a"))
    #expect(follower.lines { $0.last?.contains("\"finding\"") ?? false }.last?.contains(#""certainty":"probable""#) ?? false)
    log.close()
    let lines = follower.lines { $0.last?.eventName == "log.closed" }
    let sure = try #require(lines.firstIndex { $0.contains(#""certainty":"certain""#) })
    #expect(lines[sure - 1].eventName == "process.exited")
    follower.interrupt()
    #expect(follower.rest().count { $0.contains("\"finding\"") } == 2)
  }

  @Test func `A cause is shown before its effect even if the clocks of their processes differ`() throws {
    let directory = TemporaryDirectory()
    let app = try RecordedLog(in: directory, seed: 1, pid: 4001, role: .app)
    let daemon = try RecordedLog(in: directory, seed: 2, pid: 4002, role: .daemon)
    app.emit(at: 10, DeliveryReceived(task: RecordedLog.task, delivery: DeliveryID(8), callback: .didComplete))
    daemon.emit(at: 20, DeliverySent(task: RecordedLog.task, delivery: DeliveryID(8), callback: .didComplete))
    func order(_ option: String) throws -> [String] {
      try ToolRun.xferlog("show", option, "-o", "ndjson", "-t", "img/7", app.path).lines.map(\.eventName)
    }
    #expect(try order("--findings") == ["delivery.sent", "delivery.received"])
    #expect(try order("--no-findings") == ["delivery.received", "delivery.sent"])
  }

  @Test func `Control characters in a finding's text are escaped`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "a\u{1b}[2Jb", number: 1)
    log.emit(at: 1, TaskTransferred(task: task, received: 1, status: 200))
    log.emit(at: 61_000, LogHeartbeatWritten())
    let run = try ToolRun.xferlog("tail", "--findings", log.path)
    #expect(run.text.contains("▶ lost-completion"))
    #expect(!run.text.contains("\u{1b}"))
  }
}
