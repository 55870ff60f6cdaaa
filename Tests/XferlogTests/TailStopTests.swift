import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// What ends `xferlog tail`: an event, a finding, a time limit.
@Suite(.timeLimit(.minutes(5))) struct TailStopTests {
  @Test func `--until-event follows until the event, prints it, and exits with 0`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let follower = try Follower([
      "tail", "--until-event", "event=app.noted intent=b", "-n", "all", "-o", "ndjson", log.path,
    ])
    log.emit(at: 1, AppNoted(intent: "a"))
    _ = follower.lines { $0.contains { $0.contains(#""intent":"a""#) } }
    log.emit(at: 2, AppNoted(intent: "b"))
    let lines = follower.rest()
    #expect(follower.status == 0)
    #expect(lines.last?.contains(#""intent":"b""#) == true)
    log.close()
  }

  @Test func `Events after the awaited one are not printed, and a filter does not hide the awaited one`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    for intent in ["a", "b", "c"] { log.emit(at: 1, AppNoted(intent: intent)) }
    log.close()
    let run = try ToolRun.xferlog(
      "tail", log.path, "-n", "all", "-l", "error", "--until-event", "intent=b", "-o", "ndjson", "--timeout", "30s")
    #expect(run.status == 0)
    #expect(run.lines.filter { $0.contains("app.noted") }.count == 1 && run.lines.last?.contains(#""intent":"b""#) == true)
  }

  @Test func `Any of several conditions ends the following`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try ToolRun.xferlog(
      "tail", log, "-n", "all", "--until-event", "event=task.completed", "--until-event", "event=task.held", "-o", "ndjson",
      "--timeout", "30s")
    #expect(run.status == 0 && run.lines.last?.contains("task.held") == true)
  }

  @Test func `The awaited event counts only if it is printed or new`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    func run(_ lines: String) throws -> ToolRun {
      try ToolRun.xferlog("tail", log, "-n", lines, "--until-event", "event=task.held", "--timeout", "100ms")
    }
    #expect(try run("all").status == 0)
    let none = try run("0")
    #expect(none.status == 5 && none.standardError.contains("exit 5 (timed out): --timeout 100ms was reached"))
  }

  @Test func `JSON is complete when an event or the time limit ends the following`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    for options in [["--until-event", "event=task.held"], ["--timeout", "1ms"], ["--exit-on-finding"]] {
      let run = try ToolRun.xferlog(["tail", log, "-n", "all", "-o", "json"] + options)
      #expect(try JSONSerialization.jsonObject(with: Data(run.text.utf8)) is [String: Any])
    }
  }

  // MARK: Findings

  /// The limits, and whether the finding `lost-completion`, which is critical, ends the following.
  static let limits: [(option: String, ends: Bool)] = [
    ("--exit-on-finding", true), ("--exit-on-finding=critical", true), ("--exit-on-finding=warning", true),
    ("--exit-on-finding=lost-completion", true), ("--exit-on-finding=connection-slot-starvation", false),
  ]

  @Test(arguments: limits)
  func `--exit-on-finding ends with the exit code of findings`(_ limit: (option: String, ends: Bool)) throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let run = try ToolRun.xferlog("tail", log, "-n", "all", limit.option, "--timeout", "100ms")
    #expect(run.status == (limit.ends ? 1 : 5), "\(run.standardError)")
    if limit.ends {
      #expect(run.standardError.contains("exit 1 (findings): img/7: lost-completion"), "\(run.standardError)")
      #expect(run.lines.last?.contains("▶ lost-completion") == true)
    }
  }

  @Test func `A finding about another task does not end the following`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let run = try ToolRun.xferlog(
      "tail", log, "-n", "all", "-t", "docs/1", "--exit-on-finding=lost-completion", "--timeout", "100ms")
    #expect(run.status == 5)
  }

  @Test func `A finding ends the following when it is made`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let follower = try Follower(["tail", "-n", "all", "--exit-on-finding=lost-completion", log.path])
    log.emit(at: 1, TaskCreated(task: RecordedLog.task, type: .data))
    log.emit(at: 2, TaskTransferred(task: RecordedLog.task, received: 10, status: 200))
    _ = follower.lines { $0.contains { $0.contains("transferred") } }
    log.emit(at: 90_000, LogHeartbeatWritten(liveTasks: 1))
    #expect(follower.rest().last?.contains("lost-completion") == true)
    #expect(follower.status == 1)
    log.close()
  }

  /// Arguments, and what the message about them says.
  static let wrong: [(arguments: [String], message: String)] = [
    (["--exit-on-finding=lost-completoin"], "Did you mean lost-completion"),
    (["--exit-on-finding=fatal-thing-xyz"], "The severities are notice, warning, error, critical"),
    (["--exit-on-finding", "--no-findings"], "cannot be combined"),
    (["--no-follow", "--timeout", "1s"], "--no-follow cannot be combined"),
    (["--no-follow", "--until-event", "level>=error"], "--no-follow cannot be combined"),
    (["--exit-on-finding", "error"], "write --exit-on-finding=error, without a space"),
    (["--exit-on-finding", "lost-completion"], "write --exit-on-finding=lost-completion"),
    (["--until-event", "levle>=error"], "Did you mean level"), (["--until-event", ""], "the condition is empty"),
    (["--until-event", "task.outcome=lost"], "known only at the end of the log"),
    (["--until-event", "level>=error | tasks"], "a condition has no stages"),
  ]

  @Test(arguments: wrong)
  func `Ends that cannot be understood are wrong usage`(_ wrong: (arguments: [String], message: String)) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try ToolRun.xferlog(["tail", log] + wrong.arguments)
    #expect(run.status == 2 && run.standardError.contains(wrong.message), "\(run.standardError)")
  }
}
