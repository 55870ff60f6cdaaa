import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// Verdicts about a part of a log.
@Suite struct ReplayWindowTests {
  /// The times at which the two tasks of the log run, in milliseconds after `RecordedLog.begin`, which is 14:02:07.
  private static let (early, late): (Int64, Int64) = (1000, 601_000)

  /// A log in which an app first takes a 404 for a success (`img/7`), and downloads a file correctly ten minutes later (`docs/1`).
  private static func log(in directory: TemporaryDirectory) throws -> String {
    let log = try RecordedLog(in: directory, role: .app)
    for (start, task, path, status) in [
      (early, RecordedLog.task, "/lost.png", 404), (late, RecordedLog.other, "/found.txt", 200),
    ] {
      log.emit(at: start, SessionCreated(session: task.session, instance: CorrelationID(UInt64(start)), sessionKind: .default))
      log.emit(
        at: start + 1,
        TaskCreated(task: task, type: .data, method: "GET", scheme: "https", host: "a.example", path: path))
      log.emit(at: start + 2, TaskResumed(task: task, by: .app))
      log.emit(at: start + 4, AppOutcomeRecorded(task: task, outcome: .success))
      log.emit(at: start + 5, TaskCompleted(task: task, received: 9, status: status))
    }
    log.close()
    return log.path
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let options: [String]
    let code: Int32
    /// A part of the line that says what was judged.
    let judged: String

    init(_ options: [String], _ code: Int32, _ judged: String) {
      (self.options, self.code, self.judged) = (options, code, judged)
    }

    var testDescription: String { options.joined(separator: " ") }
  }

  private static let (first, second) = ("(1 of 2 tasks, 1 of 1 findings)", "(1 of 2 tasks, 0 of 1 findings)")
  private static let both = "(2 of 2 tasks, 1 of 1 findings)"

  static let cases = [
    Case(["--since", "2026-11-20T14:05:00Z"], 0, "judged: since 2026-11-20T14:05:00.000000000Z \(second)"),
    Case(["-S", "2026-11-20T14:00:00Z"], 1, both),
    Case(["--until", "2026-11-20T14:05:00Z"], 1, "judged: until 2026-11-20T14:05:00.000000000Z \(first)"),
    Case(["-S", "2026-11-20T14:05:00Z", "-U", "2026-11-20T14:13:00Z"], 0, second),
    Case(["--since", "14:05:00", "--until", "14:20"], 0, second),
    Case(["--last", "1m"], 0, second), Case(["--last", "11m"], 1, both),
    Case(["--task", "docs/1"], 0, "judged: task docs/1 \(second)"), Case(["--task", "img/7"], 1, first),
    Case(["--task", "found.txt"], 0, second), Case(["--task", "https://a.example/lost.png"], 1, first),
    Case(["--session", "img"], 1, "judged: session img \(first)"), Case(["--session", "d*"], 0, second),
    Case(["--session", "img", "--last", "1m"], 3, "(0 of 2 tasks, 0 of 1 findings)"),
    Case(["--task", "none"], 3, "(0 of 2 tasks, 0 of 1 findings)"),
    Case(["--until", "2026-11-20T13:00:00Z"], 3, "(0 of 2 tasks, 0 of 1 findings)"),
    Case(["--task", "none", "--allow-empty"], 0, "(0 of 2 tasks, 0 of 1 findings)"),
  ]

  @Test(arguments: cases)
  func `The verdict is about the selected part of the log`(_ test: Case) throws {
    let directory = TemporaryDirectory()
    let log = try Self.log(in: directory)
    #expect(try ToolRun.xferlog("replay", log).status == 1)
    let run = try ToolRun.xferlog(["replay"] + test.options + [log], environment: ["TZ": "UTC"])
    #expect(run.status == test.code, "\(run.text)\(run.standardError)")
    let verdict = test.code == 1 ? "findings" : test.judged.contains("(0 of 2") ? "nothing-analysed" : "clean"
    #expect(run.lines.contains { $0.contains(test.judged) } && run.lines.last == "verdict: \(verdict)", "\(run.text)")
    #expect(run.text.contains("http-error-as-success") == (test.code == 1))
    if test.code == 3 { #expect(run.standardError.contains("and 2 tasks of the log is in the window"), "\(run.standardError)") }
  }

  @Test func `The document says which window was judged, and lists only its tasks and findings`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.log(in: directory)
    func document(_ options: String...) throws -> [String: Any] {
      let run = try ToolRun.xferlog(["replay", "-o", "json", log] + options)
      return try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
    }
    #expect(try document()["window"] is NSNull)
    let late = try document("--since", "2026-11-20T14:05:00Z", "--session", "docs")
    let window = try #require(late["window"] as? [String: Any])
    #expect(window["since"] as? String == "2026-11-20T14:05:00.000000000Z" && window["until"] is NSNull)
    #expect(window["selectedSessions"] as? [String] == ["docs"] && window["selectedTasks"] as? [String] == [])
    #expect(["tasks", "allTasks", "findings", "allFindings"].map { window[$0] as? Int } == [1, 2, 0, 1])
    #expect(late["verdict"] as? String == "clean" && late["exitCode"] as? Int == 0)
    #expect((late["tasks"] as? [[String: Any]])?.map { $0["session"] as? String } == ["docs"])
    #expect((late["findings"] as? [Any])?.isEmpty == true)
  }

  /// The process of `img/7` dies at 14:02:08, and a process that starts ten minutes later notices its death.
  @Test func `A crash belongs to the time at which it happened, not to that at which it was noticed`() throws {
    let directory = TemporaryDirectory()
    let first = try RecordedLog(in: directory, role: .app)
    first.emit(at: 1, SessionCreated(session: "img", instance: CorrelationID(1), sessionKind: .default))
    first.emit(at: 2, TaskCreated(task: RecordedLog.task, type: .data, method: "GET"))
    first.emit(at: 3, TaskResumed(task: RecordedLog.task, by: .app))
    first.emit(at: 4, AttemptStarted(task: RecordedLog.task, attempt: 1))
    let launch = try #require(first.writer?.launch)
    let next = try RecordedLog(in: directory, seed: 2, pid: 4002, role: .app, at: Self.late)
    next.emit(at: Self.late + 1, ProcessExitObserved(launch: launch, pid: 4001, exitReason: .missing))
    next.close()
    let whole = try ToolRun.xferlog("replay", first.path)
    #expect(whole.text.contains("crash-mid-transfer"), "\(whole.text)")
    let late = try ToolRun.xferlog("replay", "--last", "1m", first.path)
    #expect(late.status == 0 && late.text.contains("(0 of 1 tasks, 0 of 1 findings)"), "\(late.text)\(late.standardError)")
    let early = try ToolRun.xferlog("replay", "--until", "2026-11-20T14:03:00Z", first.path)
    #expect(early.status == 1 && early.text.contains("crash-mid-transfer"), "\(early.text)")
  }

  @Test(arguments: [
    (["--last", "5m", "--since", "today"], "--last and --since cannot be combined"), (["--since", "whenever"], "is not a time"),
    (["--last", "soon"], "is invalid for '--last"),
  ])
  func `A mistake in the window is reported`(options: [String], says: String) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog(["replay"] + options + [try Self.log(in: directory)])
    #expect(run.status == 2 && run.standardError.contains(says), "\(run.standardError)")
  }
}
