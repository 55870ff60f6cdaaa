import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `xferlog report` and the log that a report contains, without a browser.
@Suite struct ReportTests {
  private let directory = TemporaryDirectory()
  private static let samples = ToolRun.checkout + "/Samples"

  /// The sample logs of this package and of others.
  static let logs: [String] = [
    "clean-run/log.xlog", "killed-before-delivery/log.xlog", "missed-completion-handler/log.xlog",
    "killed-in-mid-transfer/log.xlog",
    "hundred-tasks-five-at-a-time/log.xlog", "reset-in-mid-body/log.xlog", "file-never-moved/log.xlog",
    "not-found-taken-for-success/log.xlog", "Formats/v1/everything.xlog", "Formats/v1/torn.xlog", "Formats/v1/lost-chunk.xlog",
    "Formats/v1/messages.xlog", "ForeignLogs/har/browser.har",
    "ForeignLogs/curl/trace-ascii.txt",
    "ForeignLogs/logcat/threadtime.txt",
  ]

  /// Returns the verdict of a replay and its findings without their places, which differ between a log and a report of it.
  private static func verdict(of path: String) throws -> [String] {
    let document = try ToolRun.xferlog("replay", "-o", "json", "--fail-on", "never", path)
    let replay = try #require(try JSONSerialization.jsonObject(with: Data(document.standardOutput)) as? [String: Any])
    let findings = (replay["findings"] as? [[String: Any]] ?? []).map { finding in
      var names = ["rule", "severity", "certainty", "session", "task", "fingerprint", "time", "lowered"]
      // The findings about the log itself name its file.
      if !"\(finding["rule"] ?? "")".hasPrefix("log-") { names.append("summary") }
      return names.map { "\($0)=\(finding[$0] ?? "")" }.joined(separator: " ")
    }
    let tasks = (replay["tasks"] as? [[String: Any]] ?? []).map {
      "\($0["uid"] ?? "") \($0["outcome"] ?? "") \($0["state"] ?? "")"
    }
    return ["\(replay["verdict"] ?? "") \(replay["complete"] ?? "") \(replay["events"] ?? "")"] + findings.sorted()
      + tasks.sorted()
  }

  @Test(arguments: logs)
  func `A replay of a report gives the verdict of the log`(_ log: String) throws {
    let (path, report) = ("\(Self.samples)/\(log)", directory.path("run.html"))
    let run = try ToolRun.xferlog("report", path, "-o", report)
    try #require(run.status == 0, "\(run.standardError)")
    let (expected, found) = (try Self.verdict(of: path), try Self.verdict(of: report))
    #expect(expected[0].hasSuffix(" 0") == false)
    #expect(found == expected)
    // One archive of each kind suffices, because it is unpacked before the report is read.
    guard log.hasPrefix("clean-run") || log.hasPrefix("ForeignLogs/har") else { return }
    let zip = directory.path("run.zip")
    #expect(try ToolRun("/usr/bin/zip", ["-qj", zip, report]).status == 0)
    #expect(try Self.verdict(of: zip) == expected)
  }

  @Test func `A report on standard input is replayed`() throws {
    let path = Self.samples + "/killed-before-delivery/log.xlog"
    let report = try ToolRun.xferlog("report", path, "-o", "-")
    let run = try ToolRun.xferlog("replay", "-", input: report.standardOutput)
    #expect(run.status == 1)
    #expect(run.standardError.hasSuffix("exit 1 (findings): 1 finding: lost-completion\n"))
  }

  @Test func `A report is named after its log and replaces only a report`() throws {
    let log = Self.samples + "/clean-run/log.xlog"
    func report(_ arguments: String...) throws -> ToolRun {
      try ToolRun(ToolRun.tool, ["report", log] + arguments, in: directory.path("."))
    }
    #expect(try report().lines == ["log.html: 137 events, 0 findings"])
    #expect(try report().status == 0)
    let notes = directory.path("notes.html")
    try "<!DOCTYPE html>\n<p>mine</p>".write(toFile: notes, atomically: true, encoding: .utf8)
    let refused = try report("-o", "notes.html")
    #expect(refused.status == 2)
    #expect(
      refused.standardError
        == "xferlog: exit 2 (failed): notes.html already exists; not overwritten. Choose another path, remove the file, or use --overwrite.\n"
    )
    #expect(try String(contentsOfFile: notes, encoding: .utf8).contains("mine"))
    #expect(try report("-o", "notes.html", "--overwrite").status == 0)
    #expect(try !String(contentsOfFile: notes, encoding: .utf8).contains("mine"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path(".")).sorted() == ["log.html", "notes.html"])
  }

  @Test func `A log without events gives no report`() throws {
    let run = try ToolRun.xferlog("report", directory.path("none.xlog"), "-o", directory.path("none.html"))
    #expect(run.status == 3)
    #expect(!FileManager.default.fileExists(atPath: directory.path("none.html")))
  }

  @Test func `A damaged report is read as far as possible, and says so`() throws {
    let log = Self.samples + "/hundred-tasks-five-at-a-time/log.xlog"
    let whole = try ToolRun.xferlog("report", log, "-o", "-").standardOutput
    let start = try #require(String(decoding: whole, as: UTF8.self).range(of: "x-xferlog-report\">"))
    let data = String(decoding: whole, as: UTF8.self).utf8.distance(
      from: String(decoding: whole, as: UTF8.self).startIndex, to: start.upperBound)
    let path = directory.path("cut.html")
    try Data(whole[..<(data + 40_000)]).write(to: URL(fileURLWithPath: path))
    let cut = try ToolRun.xferlog("replay", path, "--fail-on", "never", "--strict")
    #expect(cut.status == 4)
    #expect(cut.text.contains("incomplete: \(path) was not read completely: its data ends too early"))
    var flipped = whole
    flipped[data + 30_000] = UInt8(ascii: "!")
    try Data(flipped).write(to: URL(fileURLWithPath: path))
    #expect(try ToolRun.xferlog("replay", path, "--fail-on", "never").text.contains("its data is damaged"))
    // Any bytes are read without a trap.
    var random = SeededRandom(seed: 11)
    for _ in 0..<20 {
      var bytes = whole
      for _ in 0..<3 { bytes[Int.random(in: data..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect(try ToolRun.xferlog("replay", path, "--fail-on", "never").status <= 4)
    }
  }

  @Test func `The page has a summary for readers without scripts, and its policy names its script and style`() throws {
    let text = try ToolRun.xferlog("report", Self.samples + "/killed-before-delivery/log.xlog", "-o", "-").text
    #expect(text.contains("<h1 id=\"sentence\">Task maps/2 finished, but its completion was never sent.</h1>"))
    #expect(text.contains("<li>critical lost-completion (certain): Task maps/2 finished"))
    #expect(text.contains("Exit code 1 (findings)."))
    for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
      let content = try #require(
        text.components(separatedBy: "<\(element)>").last?.components(separatedBy: "</\(element)>").first)
      let hash = try ToolRun(
        "/bin/bash", ["-c", "openssl dgst -sha256 -binary | base64"], input: Array(content.utf8)
      ).lines[0]
      #expect(text.contains("\(directive) 'sha256-\(hash)'"))
    }
    #expect(text.contains("default-src 'none'"))
    for banned in ["http://", "https://", "src=", "href=", "url(", "@import", "<iframe", "<a "] {
      #expect(!text.components(separatedBy: "<body>")[0].contains(banned), "\(banned)")
    }
  }

  @Test func `Private values of a log in full mode are masked in every part of a report`() throws {
    let log = try RecordedLog(in: directory, mode: .full)
    let task = TaskIdentity(uid: TaskUID(high: 7, low: 9), session: "img", number: 1)
    let secret = "canary-5f1d"
    log.emit(at: 0, SessionCreated(session: "img", instance: CorrelationID(9), sessionKind: .default))
    log.emit(
      at: 1,
      TaskCreated(
        task: task, type: .download, completion: .delegate, method: "GET", scheme: "https", host: "h.example", path: "/\(secret)")
    )
    log.emit(at: 2, TaskResumed(task: task, by: .app))
    log.emit(at: 3, AppNoted(task: task, intent: "https://user:\(secret)@h.example/", message: "said \(secret)"))
    let key = "https://h.example/\(secret)"
    log.emit(at: 3, AppIntentDeclared(intent: key))
    log.emit(at: 4, TaskTransferred(task: task, received: 1, sent: 0, status: 200))
    log.emit(at: 5, TaskCompleted(task: task, domain: .curl, error: 28, errorName: "operationTimedOut", message: "at \(secret)"))
    log.close()
    let report = directory.path("run.html")
    #expect(try ToolRun.xferlog("report", log.path, "-o", report).status == 0)
    #expect(try ToolRun.xferlog("show", "--all", log.path).text.contains(secret))
    let shown = try ToolRun.xferlog("show", "--all", "-o", "ndjson", report).text
    #expect(shown.contains("h.example"))
    #expect(shown.contains("{\"hash\":\""))
    #expect(!shown.contains(secret))
    #expect(!(try String(contentsOfFile: report, encoding: .utf8)).contains(secret))
  }

  @Test func `A report of a large log keeps the tasks with findings, stays below its limit, and says what it lacks`() throws {
    // Each task has a note of random letters, which cannot be compressed.
    let log = try RecordedLog(in: directory)
    var random = SeededRandom(seed: 5)
    log.emit(at: 0, SessionCreated(session: "img", instance: CorrelationID(9), sessionKind: .default))
    for number in 1...4500 as ClosedRange<UInt32> {
      let task = TaskIdentity(uid: TaskUID(using: &random), session: "img", number: number)
      let (time, id) = (Int64(number) * 20, DeliveryID(UInt64(number)))
      let note = (0..<220).map { _ in String(random.next(), radix: 36) }.joined()
      log.emit(
        at: time,
        TaskCreated(
          task: task, type: .download, completion: .delegate, method: "GET", scheme: "https", host: "h.example", path: "/"))
      log.emit(at: time, TaskResumed(task: task, by: .app))
      log.emit(at: time + 1, AppNoted(task: task, intent: note, message: "x"))
      log.emit(at: time + 2, TaskTransferred(task: task, received: 1, sent: 0, status: 200))
      // One task is lost.
      if number == 2250 { continue }
      log.emit(at: time + 3, DeliverySent(task: task, delivery: id, callback: .didComplete))
      log.emit(at: time + 3, DeliveryReceived(task: task, delivery: id, callback: .didComplete))
      log.emit(at: time + 4, DeliveryEntered(task: task, delivery: id, callback: .didComplete))
      log.emit(at: time + 5, DeliveryLeft(task: task, delivery: id, callback: .didComplete))
      log.emit(at: time + 5, TaskCompleted(task: task, delivery: id, received: 1, sent: 0, status: 200))
      log.emit(at: time + 5, TaskAcknowledged(task: task, delivery: id))
    }
    log.close()
    let report = directory.path("run.html")
    let run = try ToolRun.xferlog("report", log.path, "-o", report)
    try #require(run.status == 0, "\(run.standardError)")
    #expect(run.text.contains(" of 45001 events, 1 finding"))
    let size = try #require(try FileManager.default.attributesOfItem(atPath: report)[.size] as? Int)
    #expect(size < 8_000_000 && size > 3_000_000)
    let expected = try Self.verdict(of: log.path).filter { $0.contains("lost-completion") }
    #expect(!expected.isEmpty)
    let shown = try ToolRun.xferlog("replay", report, "--fail-on", "never")
    #expect(shown.text.contains("too many for this file"))
    #expect(shown.text.contains("verdict: incomplete") || shown.text.contains("verdict: findings"))
    let lost = try ToolRun.xferlog("show", "--all", "-t", "img/2250", "-o", "ndjson", report)
    #expect(lost.lines.filter { $0.contains("\"event\":\"") }.count == 4)
  }

  @Test func `A report against another run has the differences of both`() throws {
    let (first, second) = (Self.samples + "/clean-run/log.xlog", Self.samples + "/killed-before-delivery/log.xlog")
    let report = directory.path("run.html")
    #expect(try ToolRun.xferlog("report", second, "--against", first, "-o", report).status == 0)
    let expected = try ToolRun.xferlog("diff", "-o", "json", first, second).text
    let document = try #require(try JSONSerialization.jsonObject(with: Data(expected.utf8)) as? [String: Any])
    let data = try Self.data(of: report)
    let found = try #require((data["report"] as? [String: Any])?["comparison"] as? [String: Any])
    #expect(found["summary"] as? String == document["summary"] as? String)
    #expect((found["tasks"] as? NSArray) == (document["tasks"] as? NSArray))
    let missing = try ToolRun.xferlog("report", second, "--against", directory.path("none.xlog"), "-o", report)
    #expect(missing.status == 3)
  }

  /// Returns the data in a report, read by Python's zlib.
  static func data(of report: String) throws -> [String: Any] {
    let script = """
      import base64, re, sys, zlib
      text = open(sys.argv[1]).read()
      sys.stdout.buffer.write(zlib.decompress(base64.b64decode(re.search('x-xferlog-report">([^<]*)<', text).group(1))))
      """
    let run = try ToolRun("/usr/bin/python3", ["-c", script, report])
    return try #require(
      try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any], "\(run.standardError)")
  }

  @Test func `The changes of state in a report are those of a step through the log`() throws {
    let log = Self.samples + "/killed-before-delivery/log.xlog"
    let report = directory.path("run.html")
    #expect(try ToolRun.xferlog("report", log, "-o", report).status == 0)
    let changes = try #require((try Self.data(of: report)["report"] as? [String: Any])?["changes"] as? [[Any]])
    #expect(changes.count >= 8)
    for change in changes {
      let place = try #require(change.first as? String)
      let state = try ToolRun.xferlog("replay", log, "--at", place, "-o", "json")
      let document = try #require(try JSONSerialization.jsonObject(with: Data(state.standardOutput)) as? [String: Any])
      let task = try #require((document["tasks"] as? [[String: Any]])?.first { "\($0["name"] ?? "")".hasPrefix("maps/2") })
      for entry in change[1] as? [[Any]] ?? [] where entry.first as? String == "task" {
        for field in entry[3] as? [[Any]] ?? [] where field.first as? String == "state" {
          #expect(field[2] as? String == task["state"] as? String, "\(place)")
        }
      }
    }
    let states = changes.flatMap { $0[1] as? [[Any]] ?? [] }.filter { $0.first as? String == "task" }.flatMap {
      $0[3] as? [[Any]] ?? []
    }
    .filter { $0.first as? String == "state" }
    #expect(states.count >= 3)
    // The state before a change is the state after the one before.
    for (earlier, later) in zip(states, states.dropFirst()) { #expect(later[1] as? String == earlier[2] as? String) }
  }
}
