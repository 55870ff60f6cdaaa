import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// `xferlog tail --tasks`, on a terminal and without one.
@Suite(.timeLimit(.minutes(5))) struct TailTasksTests {
  // MARK: Without a terminal

  @Test func `A log that is not followed is one table of its tasks`() throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("tail", "--tasks", ShownLog.write(in: directory))
    #expect(run.status == 0)
    #expect(run.lines.count == 5 && run.lines[0].hasPrefix("TASK "))
    let row = try #require(run.lines.first { $0.hasPrefix("img/7") })
    for part in ["transferred", "33.1 MiB of 33.1 MiB", "100%", "1m 30s", "OVERDUE 30s", "▶ lost-completion"] {
      #expect(row.contains(part), "\(part): \(row)")
    }
    #expect(run.lines[1] == row, "what is overdue comes first")
    #expect(run.lines.contains { $0.hasPrefix("img/8") && $0.contains("held") && $0.hasSuffix("hostSlots 6/6") })
    #expect(run.lines.contains { $0.hasPrefix("docs/1") && $0.contains("completed") && $0.hasSuffix("receiveFailed") })
    #expect(run.lines.last == "3 tasks, 1 overdue, 1 with findings, 1 waiting, 1 being delivered, 1 ended")
  }

  @Test func `The limit of the rule is the time after which a delivery is overdue`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let run = try ToolRun.xferlog("tail", "--tasks", "--limit", "lost-completion.patience=80s", log)
    #expect(run.text.contains("OVERDUE 10s"), "\(run.text)")
    #expect(try !ToolRun.xferlog("tail", "--tasks", "--limit", "lost-completion.patience=2m", log).text.contains("OVERDUE"))
  }

  @Test func `Filters select the tasks`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let run = try ToolRun.xferlog("tail", "--tasks", "-t", "docs/1", log)
    #expect(run.lines.count == 3 && run.lines[1].hasPrefix("docs/1"))
    #expect(try ToolRun.xferlog("tail", "--tasks", "-t", "no/9", log).status == 3)
  }

  @Test func `Without a terminal, a followed log is one line for each change of a task, the same in every run`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let begin = try Follower(["tail", "--tasks", "-f", log])
    // The tasks that have not ended come first; the log has no new events.
    let first = begin.lines { $0.count >= 2 }
    #expect(first.allSatisfy { $0.contains("img/") }, "\(first)")
    begin.interrupt()
    #expect(begin.rest().count == 2)

    let follower = try Follower(["tail", "--tasks", "-f", directory.path("live.xlog")])
    _ = follower.remark()
    let live = try RecordedLog(in: directory, name: "live.xlog", seed: 3)
    let task = RecordedLog.task
    live.emit(at: 1, TaskCreated(task: task, type: .download, method: "GET", host: "example.com"))
    live.emit(at: 2, TaskResumed(task: task, by: .app))
    live.emit(at: 3, AttemptStarted(task: task, attempt: 1, host: "example.com"))
    live.emit(at: 4, AttemptResponseReceived(task: task, attempt: 1, status: 200, expected: 5120))
    for step in 1...5 {
      live.emit(
        at: Int64(step * 1000), AttemptBytesReceived(task: task, attempt: 1, received: Int64(step * 1024), expected: 5120))
    }
    live.emit(at: 6000, AttemptEnded(task: task, attempt: 1, end: .finished, received: 5120))
    live.emit(at: 6001, TaskTransferred(task: task, received: 5120, sent: 0, status: 200))
    live.emit(at: 6002, TaskCompleted(task: task, received: 5120, status: 200))
    let lines = follower.lines { $0.last?.contains("completed") == true }
    let states = lines.compactMap { $0.firstMatch(of: /img\/7 +(\w+)/)?.1 }
    #expect(states == ["created", "queued", "running", "transferred", "completed"])
    #expect(
      lines.last
        == "2026-11-20 14:02:13.002Z img/7              completed            5 KiB of 5 KiB 100%                                200"
    )
    follower.interrupt()
    _ = follower.rest()
    live.close()
    let again = try Follower(["tail", "--tasks", "-f", live.path])
    again.interrupt()
    #expect(again.rest() == [])
  }

  /// Arguments, and what the message about them says.
  static let wrong: [(arguments: [String], message: String)] = [
    (["-o", "json"], "xferlog query '| tasks' -o json"), (["--template", "{time}"], "xferlog query '| tasks'"),
    (["-n", "5"], "leave out --lines"), (["--cursor-file", "x"], "leave out --lines and the cursor"),
  ]

  @Test(arguments: wrong)
  func `Options that a table cannot have are wrong usage`(_ wrong: (arguments: [String], message: String)) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog(["tail", "--tasks", ShownLog.write(in: directory)] + wrong.arguments)
    #expect(run.status == 2 && run.standardError.contains(wrong.message), "\(run.standardError)")
  }

  // MARK: On a terminal

  private static func session(_ log: String, _ options: String..., columns: Int = 120, rows: Int = 12) throws -> TerminalSession {
    try TerminalSession(["tail", "--tasks", "-f", log] + options, columns: columns, rows: rows)
  }

  private static func shows(_ text: String) -> (TerminalSession) -> Bool {
    { TerminalModel($0.seen).text.contains { $0.contains(text) } }
  }

  @Test func `The table is redrawn in place while tasks move`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let session = try Self.session(log.path)
    #expect(session.read(until: Self.shows("0 tasks")))
    let task = RecordedLog.task
    log.emit(at: 1, TaskCreated(task: task, type: .download, method: "GET", host: "example.com"))
    #expect(session.read(until: Self.shows("created")))
    log.emit(at: 2, TaskResumed(task: task, by: .app))
    log.emit(at: 3, AttemptStarted(task: task, attempt: 1, host: "example.com"))
    log.emit(at: 4, AttemptResponseReceived(task: task, attempt: 1, status: 200, expected: 4 << 20))
    for step in 1...3 {
      log.emit(
        at: Int64(step * 1000), AttemptBytesReceived(task: task, attempt: 1, received: Int64(step) << 20, expected: 4 << 20))
      #expect(session.read(until: Self.shows("\(step) MiB of 4 MiB")))
    }
    let screen = TerminalModel(session.seen)
    #expect(screen.isAlternate && screen.isCursorHidden && !session.echoes)
    #expect(screen.text.count == 3 && screen.text[2].contains("75%"), "\(screen.text)")
    // No flicker: the screen is cleared only once, and a frame is one synchronised update.
    #expect(session.text.components(separatedBy: "\u{1b}[J").count == 2)
    #expect(
      session.text.components(separatedBy: "\u{1b}[?2026h").count == session.text.components(separatedBy: "\u{1b}[?2026l").count)
    log.emit(at: 4000, TaskCompleted(task: task, received: 4 << 20, status: 200))
    #expect(session.read(until: Self.shows("completed")))
    session.signal(SIGINT)
    #expect(session.wait() == 130)
    let after = TerminalModel(session.seen)
    #expect(!after.isAlternate && !after.isCursorHidden && session.echoes)
    #expect(after.text.contains { $0.contains("img/7") && $0.contains("completed") }, "the last table remains")
    log.close()
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `A signal restores the terminal`(number: Int32) throws {
    let directory = TemporaryDirectory()
    let session = try Self.session(ShownLog.write(in: directory))
    #expect(session.read(until: Self.shows("img/7")))
    #expect(!session.echoes)
    session.signal(number)
    #expect(session.wait() == (number == SIGINT ? 130 : 128 + number))
    let after = TerminalModel(session.seen)
    #expect(!after.isAlternate && !after.isCursorHidden && session.echoes)
  }

  @Test func `The key q ends with 0 and restores the terminal`() throws {
    let directory = TemporaryDirectory()
    let session = try Self.session(ShownLog.write(in: directory))
    #expect(session.read(until: Self.shows("img/7")))
    session.press("xq")
    #expect(session.wait() == 0)
    #expect(!TerminalModel(session.seen).isAlternate && session.echoes)
    #expect(!session.text.contains("xq"))
  }

  @Test func `A new size of the window is drawn at once, and the table fits it`() throws {
    let directory = TemporaryDirectory()
    let session = try Self.session(ShownLog.write(in: directory))
    #expect(session.read(until: Self.shows("33.1 MiB of 33.1 MiB")))
    for (columns, rows) in [(40, 10), (80, 4), (200, 3), (20, 2), (120, 20)] {
      let start = session.seen.count
      session.resize(columns: columns, rows: rows)
      #expect(session.read { String(decoding: $0.seen[start...], as: UTF8.self).contains("\u{1b}[?2026l") })
      let screen = TerminalModel(Array(session.seen[start...]))
      #expect(screen.text.count <= rows, "\(columns)×\(rows): \(screen.text)")
      #expect(screen.text.allSatisfy { $0.count <= columns }, "\(columns)×\(rows): \(screen.text)")
      if rows == 4 { #expect(screen.text.last == "and 2 more", "\(screen.text)") }
    }
    session.signal(SIGINT)
    #expect(session.wait() == 130)
  }

  @Test func `The awaited event and a finding end the table`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let session = try Self.session(log.path, "--until-event", "event=app.noted")
    #expect(session.read(until: Self.shows("0 tasks")))
    log.emit(at: 1, AppNoted(intent: "now"))
    #expect(session.wait() == 0)
    #expect(!TerminalModel(session.seen).isAlternate)
    let other = try Self.session(log.path, "--exit-on-finding")
    #expect(other.read(until: Self.shows("0 tasks")))
    log.emit(at: 2, TaskCreated(task: RecordedLog.task, type: .data))
    log.emit(at: 3, TaskTransferred(task: RecordedLog.task, received: 10, status: 200))
    log.emit(at: 90_000, LogHeartbeatWritten(liveTasks: 1))
    #expect(other.wait() == 1)
    #expect(other.errors.contains("exit 1 (findings): img/7: lost-completion"), "\(other.errors)")
    log.close()
  }

  @Test func `A log that does not exist yet is awaited, and the title says so`() throws {
    let directory = TemporaryDirectory()
    let path = directory.path("later.xlog")
    let session = try Self.session(path)
    #expect(session.read(until: Self.shows("waiting for")))
    let log = try RecordedLog(in: directory, name: "later.xlog")
    log.emit(at: 1, TaskCreated(task: RecordedLog.task, type: .data))
    #expect(session.read(until: Self.shows("img/7")))
    #expect(!Self.shows("waiting for")(session))
    session.press("q")
    #expect(session.wait() == 0)
    log.close()
  }
}
