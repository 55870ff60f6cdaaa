import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferReading

@testable import XferImport
@testable import xferlog

/// Replays of Apple's unified log as text.
@Suite struct AppleReplayTests {
  static func run(_ arguments: [String], _ text: String) throws -> CommandRun {
    let directory = TemporaryDirectory()
    let path = try directory.write(Array(text.utf8), to: "console.txt")
    return try CommandRun(arguments + [path], importers: [AppleImporter()])
  }

  static func replay(_ text: String, _ options: [String] = []) throws -> [String: Any] {
    try run(["replay", "--fail-on", "never", "-o", "json"] + options, text).document()
  }

  static func list(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }
  static func object(_ value: Any?) -> [String: Any] { value as? [String: Any] ?? [:] }

  /// The findings as `rule certainty`, without those that are only possible.
  static func findings(_ document: [String: Any], possible: Bool = false) -> [String] {
    list(document["findings"]).filter { possible || $0["certainty"] as? String != "possible" }
      .map { "\($0["rule"] ?? "") \($0["certainty"] ?? "")" }.sorted()
  }

  private static let uid = "6B29FC40-CA47-1067-B31D-00DD010662DA"
  private static let task = "Task <\(uid)>.<2>"

  // MARK: Tasks

  struct Story: Sendable, CustomTestStringConvertible {
    let what: String
    let lines: [String]
    /// The outcome, state, HTTP status and error of the only task.
    let task: String
    var findings: [String] = []
    var testDescription: String { what }
  }

  private static let stories = [
    Story(
      what: "a success that the app saw",
      lines: [
        "resuming, QOS(0x9)", "now using Connection 1", "sent request, body N 0", "received response, status 200 content K",
        "response ended", "finished successfully",
      ], task: "succeeded completed 200 -"),
    Story(what: "a success without its beginning", lines: ["finished successfully"], task: "succeeded completed - -"),
    Story(
      what: "a response that goes on", lines: ["now using Connection 1", "received response, status 206 content K"],
      task: "open running - -"),
    Story(
      what: "a transfer that the app was not told of",
      lines: [
        "received response, status 200 content K", "summary for task success {response_status=200, connection=3, reused=1}",
      ], task: "open transferred 200 -"),
    Story(
      what: "a timeout",
      lines: [
        "now using Connection 1",
        "finished with error [-1001] Error Domain=NSURLErrorDomain Code=-1001 \"The request timed out.\"",
      ], task: "failed completed - url/-1001", findings: ["transport-failed certain"]),
    Story(
      what: "an error without a domain", lines: ["finished with error - code: -1004"], task: "failed completed - -1004",
      findings: ["transport-failed certain"]),
    Story(
      what: "an HTTP error", lines: ["received response, status 404 content K", "finished successfully"],
      task: "failed completed 404 -"),
    Story(
      what: "a cancellation by the user",
      lines: [
        "load failed with error Error Domain=NSURLErrorDomain Code=-999 \"(null)\" UserInfo={NSURLErrorBackgroundTaskCancelledReasonKey=0}"
      ], task: "cancelled completed - url/-999", findings: ["force-quit-cancelled certain"]),
    Story(
      what: "a cancellation because background refresh is off",
      lines: [
        "finished with error [-999] Error Domain=NSURLErrorDomain Code=-999 \"cancelled\" UserInfo={NSURLErrorBackgroundTaskCancelledReasonKey=1}"
      ], task: "cancelled completed - url/-999", findings: ["background-updates-disabled-cancel certain"]),
    Story(
      what: "a cancellation for lack of resources",
      lines: [
        "finished with error [-999] Error Domain=NSURLErrorDomain Code=-999 \"cancelled\" UserInfo={NSURLErrorBackgroundTaskCancelledReasonKey=2}"
      ], task: "cancelled completed - url/-999", findings: ["insufficient-resources-cancel certain"]),
    Story(
      what: "a lost daemon",
      lines: [
        "finished with error [-997] Error Domain=NSURLErrorDomain Code=-997 \"Lost connection to background transfer service\""
      ], task: "failed completed - url/-997", findings: ["daemon-disconnect certain"]),
  ]

  private static func describe(_ task: [String: Any]) -> String {
    func text(_ value: Any?) -> String { value is NSNull || value == nil ? "-" : "\(value!)" }
    let error = object(task["error"])
    let domain = error["domain"] as? String
    let full = error["number"].map { (domain.map { "\($0)/" } ?? "") + "\($0)" } ?? "-"
    return "\(text(task["outcome"])) \(text(task["state"])) \(text(task["http"])) \(full)"
  }

  @Test(arguments: stories)
  func `A task of an app's console has its outcome`(_ story: Story) throws {
    let document = try Self.replay(story.lines.map { "\(Self.task) \($0)" }.joined(separator: "\n"))
    let tasks = Self.list(document["tasks"])
    #expect(tasks.map(Self.describe) == [story.task])
    #expect(tasks.first?["number"] as? Int == 2)
    #expect(Self.findings(document) == story.findings)
    let input = try #require(Self.list(document["inputs"]).first)
    #expect(input["records"] as? Int == story.lines.count && input["recognised"] as? Int == story.lines.count)
    #expect(input["format"] as? String == "apple-log")
  }

  @Test(arguments: ["", "\(task) finished with error [-1001] Error Domain=NSURLErrorDomain Code=-1001 \"x\"\n"])
  func `An error that an app prints is that of the task in it`(_ before: String) throws {
    let document = try Self.replay(
      before + """
        2022-11-02 08:21:35 [INFO] Application will enter in foreground
        2022-11-02 08:21:36 result: failure(AFError.sessionTaskFailed(error: Error Domain=NSURLErrorDomain Code=-1001 "The request \
        timed out." UserInfo={NSUnderlyingError=0x283b21140 {Error Domain=kCFErrorDomainCFNetwork Code=-1001 "(null)"}, \
        _NSURLErrorRelatedURLSessionTaskErrorKey=(
            "LocalDataTask <\(Self.uid)>.<2>"
        ), NSLocalizedDescription=The request timed out.}))
        """)
    let tasks = Self.list(document["tasks"])
    #expect(tasks.map(Self.describe) == ["failed completed - url/-1001"])
    #expect(tasks.first?["number"] as? Int == 2 && tasks.first?["uid"] as? String == Self.uid.lowercased())
    #expect(Self.findings(document) == ["transport-failed certain"])
  }

  @Test(arguments: [
    "\(task)\nresponse ended\n\(task)\nfinished successfully",
    "Task <\(uid)>.\n<2> finished successfully",
    "[CFNetwork] \(task)\nfinished successfully",
    "2026-11-20 10:00:00.1+0100  localhost App[55]: (CFNetwork) [com.apple.CFNetwork:Default] \(task)\nfinished successfully",
    """
    [        ] [DEVICE LOG] 2026-11-20 10:00:00.1-0800  localhost Runner[81058]: (CFNetwork) \(task)
    response ended
    [   +1 ms] [DEVICE LOG] 2026-11-20 10:00:00.2-0800  localhost Runner[81058]: (CFNetwork) \(task) finished successfully
    """,
    "2026-11-20T10:00:01.1234567Z 2026-11-20 10:00:00.1+0000 Runner[55:66] \(task) finished successfully",
    "[10:00:01]: ▸ 2026-11-20 10:00:00.1+0000 Runner[55:66] \(task) finished successfully",
    "    t =    12.34s 2026-11-20 10:00:00.1+0000 Runner[55:66] \(task) finished successfully",
  ])
  func `A message is recognised although its line is broken or has the prefix of a tool`(_ text: String) throws {
    let document = try Self.replay(text)
    #expect(Self.list(document["tasks"]).map(Self.describe).map { $0.prefix(9) } == ["succeeded"])
    let input = try #require(Self.list(document["inputs"]).first)
    #expect(input["records"] as? Int == input["recognised"] as? Int, "\(text)")
    let session = Self.list(document["tasks"]).first?["session"] as? String
    #expect(session == (text.contains("Runner") ? "Runner" : text.contains("App[") ? "App" : "unknown"))
  }

  @Test(arguments: [
    ("<FBApplicationProcess: 0x7fa83cd91840; com.example.app; pid: -1>", "com.example.app"),
    ("<FBApplicationProcess: 0x7fa83cd91840; app<com.example.app>:-1>", "com.example.app"),
    ("<FBApplicationProcess: 0x7fa83cd91840; <private>; pid: 55>", nil),
  ])
  func `An app that could not be launched is named`(_ process: String, _ name: String?) throws {
    let document = try Self.replay("Aug 18 16:29:17 Mac SpringBoard[19181]: Bootstrapping failed for \(process)")
    let finding = try #require(Self.list(document["findings"]).first)
    #expect(finding["rule"] as? String == "app-launch-failed")
    #expect(finding["summary"] as? String == "The system could not launch \(name ?? "the app").")
  }

  @Test func `A log without a process identifier is named without one`() throws {
    let document = try Self.replay("default\t10:00:00.1+0100\tnsurlsessiond\tTask <\(Self.uid)>.<1> resuming")
    let reasons = document["incompleteBecause"] as? [String] ?? []
    #expect(reasons.contains("the log of nsurlsessiond stops with 1 task open"), "\(reasons)")
  }

  @Test func `Evidence quotes the line of the log`() throws {
    let text = "hello\n\(Self.task) finished with error [-997] Error Domain=NSURLErrorDomain Code=-997 \"x\""
    let finding = try #require(Self.list(Self.replay(text)["findings"]).first)
    let evidence = try #require(Self.list(finding["evidence"]).first)
    #expect(Self.object(evidence["source"])["line"] as? Int == 2)
    #expect((evidence["text"] as? String)?.hasPrefix("\(Self.task) finished with error [-997]") ?? false)
    let shown = try Self.run(["replay"], text).text
    #expect(shown.contains("    line      \(Self.task) finished"), "\(shown)")
    #expect(shown.contains(", 2 lines, 2 records, 1 recognised"), "\(shown)")
  }

  @Test(arguments: [
    (
      "-1009", "unsatisfied (Local network prohibited), interface: en0[802.11], ipv4, dns, uses wifi",
      ["local-network-denied certain"]
    ),
    ("-1009", "unsatisfied (No network route)", ["transport-failed certain"]),
    ("-1009", "satisfied (Path is satisfied), interface: en0", ["transport-failed certain"]),
  ])
  func `A prohibited local network is told from a missing network`(_ code: String, _ path: String, _ findings: [String]) throws {
    let text = """
      \(Self.task) finished with error [\(code)] Error Domain=NSURLErrorDomain Code=\(code) "The Internet connection appears to be \
      offline." UserInfo={_kCFStreamErrorCodeKey=50, _kCFStreamErrorDomainKey=1, _NSURLErrorNWPathKey=\(path), \
      NSErrorFailingURLStringKey=http://192.168.1.20/}
      """
    let document = try Self.replay(text)
    let roots = Self.list(document["findings"]).filter { $0["causedBy"] == nil || $0["causedBy"] is NSNull }
    #expect(roots.map { "\($0["rule"] ?? "") \($0["certainty"] ?? "")" } == findings)
  }

  @Test func `Standard input is a log of Apple's if a line has a known shape`() throws {
    let bytes = Array("I tried this:\n> \(Self.task) finished successfully\n".utf8)
    let run = try CommandRun(["replay", "-o", "json", "-"], importers: [AppleImporter()], input: bytes)
    #expect(Self.list(try run.document()["tasks"]).count == 1)
  }

  @Test(arguments: [
    ("A background URLSession with identifier com.x already exists!", "duplicate-session-identifier"),
    (
      "Application delegate received call to -application:handleEventsForBackgroundURLSession:completionHandler: but the completion handler was never called.",
      "missed-completion-handler"
    ),
    ("Background task still not ended after expiration handlers were called: <x>: taskID = 261", "assertion-leaked"),
    ("Background Task 5 (\"x\"), was created over 30 seconds ago.", "background-time-overdue"),
    (
      "BackgroundSession <\(uid)> an error occurred on the xpc connection to setup: Error Domain=NSCocoaErrorDomain Code=4097 \"x\"",
      "background-session-unavailable"
    ),
    (
      "BackgroundSession <\(uid)> failed to create a background NSURLSessionDataTask, as remote session is unavailable",
      "background-session-unavailable"
    ),
    (
      "BackgroundSession <\(uid)> attempting to setup a background session before first device unlock",
      "background-session-unavailable"
    ),
    ("BackgroundSession <\(uid)> Invalid resume data", "resume-data-invalid"),
    ("Task created in a session that has been invalidated", "task-created-on-invalid-session"),
    ("Completion handler blocks are not supported in background sessions.", "handler-task-in-background-session"),
    ("Upload tasks from NSData are not supported in background sessions.", "unsupported-in-background"),
    ("Failed to issue sandbox extension for file file:///a.txt, errno = 1", "upload-source-unreadable"),
    ("Assertion did invalidate due to timeout: 170-129-2658 (target:[anon<App>(501):31623])", "process-assertion-timed-out"),
    ("Failed to wake app com.example.app", "app-launch-failed"),
    ("Ignoring <FBProcessWatchdog: 0x1> for reason: debugging", "watchdog-withheld"),
    ("Formulating report for corpse[55] ExampleApp", "app-crashed"),
    ("\(task) finished with error [-1009] Error Domain=NSURLErrorDomain Code=-1009 \"x\"", "transport-failed"),
    // A comment in source code, whose lines are broken.
    ("    // \(task) finished with error [-1004] Error Domain=NSURLErrorDomain\n    // Code=-1004 \"x\"", "transport-failed"),
  ])
  func `A line that states a fault proves it`(line: String, rule: String) throws {
    #expect(Self.findings(try Self.replay(line)) == ["\(rule) certain"])
  }

  @Test func `A log behind a long text is found in a file`() throws {
    let text = String(repeating: "I do not know what happens here.\n", count: 300) + "\(Self.task) finished successfully\n"
    #expect(Self.list(try Self.replay(text)["tasks"]).count == 1)
  }

  // MARK: Clocks

  @Test func `A date and a zone that the log lacks can be supplied`() throws {
    let text =
      "2026-09-25 18:57:04.465 E  App[1:2] \(Self.task) finished with error [-997] Error Domain=NSURLErrorDomain Code=-997 \"x\""
    func time(_ options: [String], _ text: String) throws -> String? {
      let finding = try #require(Self.list(Self.replay(text, options)["findings"]).first)
      return finding["time"] as? String
    }
    #expect(try time([], text) == nil)
    #expect(try time(["--timezone", "+02:00"], text) == "2026-09-25T16:57:04.465000000Z")
    #expect(try time(["--timezone", "America/New_York"], text) == "2026-09-25T22:57:04.465000000Z")
    let console = "default\t17:00:52.337504 +0200\tApp\t" + text.dropFirst(36)
    #expect(try time(["--timezone", "UTC"], console) == nil)
    #expect(try time(["--date", "2026-01-02"], console) == "2026-01-02T15:00:52.337504000Z")
    #expect(try Self.run(["replay", "--timezone", "Mars"], text).exit?.status == .wrongUsage)
    #expect(try Self.run(["replay", "--date", "2026-13-02"], text).exit?.status == .wrongUsage)
  }

  @Test func `A time of day that jumps back passes midnight`() throws {
    var clock = AppleClock(ImportOptions(date: .init(year: 2026, month: 2, day: 28)))
    func moment(_ hour: Int64) -> String? {
      var time = AppleTime()
      (time.ofDay, time.offset) = (hour * 3_600_000_000_000, 0)
      return clock.moment(time).0.wall.map { "\($0)" }
    }
    #expect(
      [23, 0, 23, 1].map { moment($0) } == [
        "2026-02-28T23:00:00.000000000Z", "2026-03-01T00:00:00.000000000Z", "2026-02-28T23:00:00.000000000Z",
        "2026-03-01T01:00:00.000000000Z",
      ])
  }

  // MARK: What a foreign log can prove

  @Test func `The absence of events in a foreign log proves nothing`() throws {
    // Hours pass, and the app does not finish the task, is not told of it, and is woken without a call of its handler.
    let text = """
      default\t01:00:00.000000 +0200\tnsurlsessiond\t\(Self.task) downloadTaskWithRequest: <private>
      default\t01:00:00.100000 +0200\tnsurlsessiond\t\(Self.task) will begin
      default\t01:00:01.000000 +0200\tnsurlsessiond\t\(Self.task) completed with error (null) [0]
      default\t01:00:02.000000 +0200\tApp\tBackgroundSession <\(Self.uid)> client was launched for background session
      default\t09:00:02.000000 +0200\tnsurlsessiond\tTriggering periodic update to powerlog for client <private>
      default\t09:00:03.000000 +0200\tApp\tConnection 1: done
      """
    let document = try Self.replay(text)
    #expect(Self.findings(document) == [])
    #expect(document["verdict"] as? String == "incomplete" && document["complete"] as? Bool == false)
  }

  @Test func `A presence in a foreign log proves a fault only if it states the fault`() throws {
    // The last progress is short of the length that the server declared, but a line in between may be missing.
    let text = """
      Jan  1 10:00:00 Phone nsurlsessiond[1] <Notice>: \(Self.task) did receive data (10 of 100 total bytes)
      Jan  1 10:00:01 Phone nsurlsessiond[1] <Notice>: \(Self.task) didReceiveResponse: <private>, status code: 200
      Jan  1 10:00:01 Phone nsurlsessiond[1] <Notice>: \(Self.task) completed with error (null) [0]
      """
    #expect(Self.findings(try Self.replay(text)) == [])
  }

  @Test func `An app and its daemon tell of the same task`() throws {
    let text = """
      2026-01-25 23:03:22.041859+0200 0x1 Default 0x0 10 0 App: (CFNetwork) [com.apple.CFNetwork:Default] \(Self.task) resuming, QOS(0x9)
      2026-01-25 23:03:22.141859+0200 0x2 Default 0x0 20 0 nsurlsessiond: (CFNetwork) [com.apple.nsurlsessiond:background] NDSession <\(Self.uid)> \(Self.task) will begin
      2026-01-25 23:03:23.041859+0200 0x2 Default 0x0 20 0 nsurlsessiond: \(Self.task) completed with error (null) [0]
      2026-01-25 23:03:23.141859+0200 0x1 Default 0x0 10 0 App: \(Self.task) finished successfully
      2026-01-25 23:03:23.241859+0200 0x2 Default 0x0 20 0 nsurlsessiond: \(Self.task) client acknowledged completion
      """
    let document = try Self.replay(text)
    #expect(Self.list(document["tasks"]).map(Self.describe) == ["succeeded acknowledged - -"])
    #expect(Self.list(document["tasks"]).first?["session"] as? String == Self.uid)
    #expect(Self.list(document["sessions"]).map { $0["kind"] as? String } == ["background"])
    #expect(
      Self.list(document["processes"]).map { $0["pid"] as? Int } == [20, 10]
        || Self.list(document["processes"]).map { $0["pid"] as? Int } == [10, 20])
    #expect(Self.findings(document) == [])
  }

  // MARK: All forms

  /// A lifecycle as lines of one task, with the milliseconds since the first.
  struct Lifecycle {
    let lines: [(time: Int, text: String)]

    init(seed: UInt64) {
      var random = SeededRandom(seed: seed)
      let uid = TaskUID(using: &random)
      let task = "Task <\("\(uid)".uppercased())>.<\(Int.random(in: 1...900, using: &random))>"
      var texts = ["resuming, timeouts(60.0, 604800.0) QOS(0x19) Voucher (null)", "now using Connection 7"]
      let end = Int.random(in: 0..<6, using: &random)
      if end > 0 { texts.append("sent request, body N 0") }
      if end > 1 { texts.append("received response, status \([200, 206, 404, 500].randomElement(using: &random)!) content K") }
      if end == 3 { texts += ["response ended", "finished successfully"] }
      if end == 4 {
        texts.append(
          "finished with error [-1005] Error Domain=NSURLErrorDomain Code=-1005 \"lost\" UserInfo={a=(\n    b\n), c=d}")
      }
      if end == 5 { texts.append("finished with error [-999] Error Domain=NSURLErrorDomain Code=-999 \"cancelled\"") }
      var time = 0
      lines = texts.map { text in
        time += Int.random(in: 1...900, using: &random)
        return (time, "\(task) \(text)")
      }
    }

    func text(in form: AppleForm) -> String { lines.map { Self.line($0.time, $0.text, form) }.joined(separator: "\n") + "\n" }

    static func line(_ time: Int, _ text: String, _ form: AppleForm) -> String {
      let milliseconds = String(format: "%02d.%03d", time / 1000, time % 1000)
      let full = "2026-03-01 10:00:\(milliseconds)000+0100"
      switch form {
      case .json:
        let escaped = text.replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "\n", with: "\\n")
        return
          "{\"eventMessage\":\"\(escaped)\",\"processImagePath\":\"\\/a\\/App\",\"processID\":9,\"timestamp\":\"\(full)\",\"threadID\":1}"
      case .standard:
        return
          "\(full) 0x1        Default     0x0                  9      0    App: (CFNetwork) [com.apple.CFNetwork:Default] \(text)"
      case .compact: return "2026-03-01 10:00:\(milliseconds) Df App[9:1f] [com.apple.CFNetwork:Default] \(text)"
      case .syslog: return "\(full)  localhost App[9]: (CFNetwork) [com.apple.CFNetwork:Default] \(text)"
      case .console: return "default\t10:00:\(milliseconds)000+0100\tApp\t\(text)"
      case .xcode: return "\(full) App[9:31] [default] \(text)"
      case .xcodeMetadata:
        return
          "\(text)\nTimestamp: 2026-03-01 10:00:\(milliseconds)000+01:00 | Library: CFNetwork | Subsystem: com.apple.CFNetwork"
      case .device: return "Mar  1 10:00:\(milliseconds.prefix(2)) Phone App(CFNetwork)[9] <Notice>: \(text)"
      case .bare: return text
      }
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `A lifecycle replays to the same outcome in all forms`(seed: UInt64) throws {
    let lifecycle = Lifecycle(seed: seed)
    var outcomes: [AppleForm: String] = [:]
    for form in AppleForm.allCases {
      let document = try Self.replay(lifecycle.text(in: form))
      let tasks = Self.list(document["tasks"]).map { "\(Self.describe($0)) \($0["number"] ?? "")" }
      let input = Self.list(document["inputs"]).first
      outcomes[form] = "\(tasks) \(input?["records"] ?? "") \(input?["recognised"] ?? "") \(Self.findings(document))"
    }
    #expect(Set(outcomes.values).count == 1, "\(outcomes)")
  }

  // MARK: Other text

  private static let others: [(text: String, kind: String)] = [
    ("# Title\n\nSome text about a Task.\n\n```swift\nlet x = [1: 2]\n```\n", "Markdown text"), ("a,b,c\n1,2,3\n", "a CSV table"),
    ("a\tb\n1\t2\n", "a table of tab-separated values"),
    ("127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.0\" 200 2326\n", "a web server's access log"),
    ("{\"a\":1,\"message\":\"x\",\"timestamp\":\"2020-01-01T00:00:00Z\"}\n", "a JSON document of another kind"),
    ("{\"a\":1}\n{\"a\":2}\n", "JSON objects of another kind, one on each line"),
    ("{\n \"name\": \"x\",\n \"version\": \"1\"\n}\n", "a JSON document of another kind"),
    ("[\n {\"a\": 1}\n]\n", "a JSON document of another kind"), ("struct Connection { let number = 3 }\n", "source code"),
    ("#include <stdio.h>\nint main(void) {\n  return 0;\n}\n", "source code"), ("#!/bin/sh\nset -e\n", "a script"),
    ("Nov 24 13:00:01 host CRON[123]: (root) CMD (x)\n", "a log of another program"),
    ("2026-11-24T13:00:01.123456+01:00 host sshd[123]: Accepted\n", "a log of another program"),
    ("2026-11-24 13:00:01,123 INFO [main] com.x.Foo - hello\n", "a log of another program"),
    ("2026-11-24 13:00:01.123 [main] INFO foo - bar\n", "a log of another program"),
    ("11-24 13:00:01.123  1234  1235 I ActivityManager: Start proc\n", "a log of another program"),
    ("[2026-11-24 13:00:01] production.INFO: hello\n", "a log of another program"),
    ("diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n", "a patch"), ("name: x\non:\n  push:\n", "a configuration file"),
    ("[section]\nkey = 1\n", "a configuration file"), ("<?xml version=\"1.0\"?><a/>", "an XML document"),
    ("<!DOCTYPE html>\n<html></html>\n", "an HTML page"),
    ("I0725 10:30:30.123456 1234 foo.go:12] hi\n", "a log of another program"), ("%PDF-1.4 xx", "a PDF document"),
    ("2020-06-01 17:40:43 UTC [1234]: [3-1] user=x LOG:  duration: 1 ms\n", "a log of another program"),
    ("13:00:01.123 DEBUG foo\n", "a log of another program"),
    ("error 12:00:00 something bad happened here\n", "a log of another program"),
    ("Tue Mar 26 08:51:53 2019 1 host 1234 /a b _ o a x ftp 0 * c\n", "a log of another program"), ("\n\n", "blank text"),
    ("Dear all,\nit does not work.\n", "plain text"), ("SQLite format 3\0\u{1}\u{2}", "an SQLite database"),
    ("PK\u{3}\u{4}\u{14}\0", "a ZIP archive"), ("\0\u{1}\u{2}\u{3}\0\0", "binary data"),
  ]

  @Test(arguments: others)
  func `Other text is refused with what it looks like`(_ other: (text: String, kind: String)) throws {
    #expect(!AppleImporter().recognises(ImportCandidate(.file, path: "x", head: Array(other.text.utf8))))
    let exit = try #require(try Self.run(["replay"], other.text).exit)
    #expect(exit.status == .failed)
    #expect(exit.reason.description.contains(": not a log: expected an xferlog log "), "\(exit.reason)")
    #expect(
      exit.reason.description.hasSuffix(" or a log in the format apple-log, but it looks like \(other.kind)"), "\(exit.reason)")
  }
}
