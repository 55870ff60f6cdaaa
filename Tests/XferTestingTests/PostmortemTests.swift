import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore
import XferPostmortem

/// `XferPostmortem` compared with the tool that judges the same logs.
struct PostmortemTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
  private static let lost = "\(root)/Samples/killed-before-delivery/log.xlog"

  /// The sample logs, and a log of each other format.
  private static let logs: [String] = {
    let samples = "\(root)/Samples"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: samples).sorted()) ?? []
    let own = names.map { "\(samples)/\($0)/log.xlog" }.filter(FileManager.default.fileExists)
    let foreign = ["har/browser.har", "har/truncated.har"].map { "\(samples)/ForeignLogs/\($0)" }
    return own + foreign
  }()

  private static func document(_ log: String, _ options: [String] = []) throws -> Data {
    Data(try ToolRun("xferlog", ["replay", "-o", "json", "--config", "-", log] + options).standardOutput)
  }

  private static func object(_ data: Data) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
  }

  // MARK: The document

  @Test(arguments: logs)
  func `A postmortem is encoded as the document that the tool prints, and decoded from it`(log: String) throws {
    let postmortem = try Postmortem(of: log)
    let document = try Self.document(log)
    #expect(try Self.object(postmortem.json) == Self.object(document))
    var decoded = try JSONDecoder().decode(Postmortem.self, from: document)
    #expect(decoded.findings == postmortem.findings, "with explanations, which the document lacks")
    decoded = try JSONDecoder().decode(Postmortem.self, from: postmortem.json)
    #expect(decoded.tasks == postmortem.tasks && decoded.inputs == postmortem.inputs)
  }

  @Test func `The text of a finding neither controls a terminal nor is a command for a CI service`() throws {
    let hostile = "a\u{1b}[2J\u{202e}\n::error::x ##vso[task.complete result=Succeeded;]"
    var document = try #require(try Self.object(Self.document(Self.lost)) as? [String: Any])
    var findings = try #require(document["findings"] as? [[String: Any]])
    findings[0]["summary"] = hostile
    document["findings"] = findings
    let postmortem = try JSONDecoder().decode(Postmortem.self, from: JSONSerialization.data(withJSONObject: document))
    let text = try #require(postmortem.findings.first?.description)
    #expect(text.contains(#"a\x1b[2J\u202e\n::error::x"#), "\(text)")
    #expect(!text.contains("##vso[") && text.contains("task.complete"), "\(text)")
  }

  @Test func `A finding names the rule, the task, the evidence and the missing event`() throws {
    let postmortem = try Postmortem(of: Self.lost)
    #expect(postmortem.verdict == .findings && postmortem.exitCode == 1 && postmortem.reason == "1 finding: lost-completion")
    let finding = try #require(postmortem.findings.first)
    #expect(finding.rule == "lost-completion" && finding.severity == .critical && finding.certainty == .certain)
    #expect(finding.evidence.map(\.event) == ["task.transferred", "process.exitObserved"])
    #expect(finding.evidence.first?.source == .record(segment: 1, lane: 2, sequence: 19))
    #expect(finding.missing.map(\.event) == ["delivery.sent"])
    #expect(finding.explanation?.hasPrefix("A completion takes five steps") == true)
    let task = try #require(postmortem.tasks.first { $0.uid == finding.task })
    #expect(task.session == "maps" && task.number == 2 && task.outcome == .lost && task.http == 200)
    let lines = finding.description.split(separator: "\n")
    #expect(lines.first == "critical lost-completion (certain)")
    #expect(lines.dropFirst().first == "    Task maps/2 finished, but its completion was never sent.")
    #expect(lines.last?.hasPrefix("    remedy    Store a record of every task") == true)
  }

  @Test func `A time is encoded with nanoseconds, and a text that is not a time is rejected`() throws {
    for text in ["1970-01-01T00:00:00.000000000Z", "2024-02-29T23:59:59.999999999Z", "1969-12-31T23:59:59.000000001Z"] {
      let time = try JSONDecoder().decode([Postmortem.Time].self, from: Data("[\"\(text)\"]".utf8))
      #expect(time.map(\.description) == [text])
    }
    for text in ["", "2024-02-29T23:59:59Z", "2024-13-29T23:59:59.999999999Z", "9999-02-29T23:59:59.999999999Z"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([Postmortem.Time].self, from: Data("[\"\(text)\"]".utf8))
      }
    }
  }

  @Test func `Another document is not decoded as a postmortem`() throws {
    let other = Data(#"{"schema":"xferlog.stats/1"}"#.utf8)
    let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Postmortem.self, from: other) }
    #expect("\(try #require(error))".contains("the document is 'xferlog.stats/1' instead of 'xferlog.replay/1'"))
  }

  // MARK: Options

  @Test func `A baseline accepts its findings, and an unused entry fails only a strict postmortem`() throws {
    let directory = TemporaryDirectory()
    let baseline = directory.path("baseline.yaml")
    _ = try ToolRun("xferlog", ["baseline", "update", "--config", "-", "--baseline", baseline, Self.lost])
    let accepted = try Postmortem(of: Self.lost, options: .init(baseline: baseline))
    #expect(accepted.exitCode == 0 && accepted.findings(from: .notice).isEmpty)
    #expect(accepted.findings.first?.accepted?.by == .baseline && accepted.acceptance?.known == 1)
    #expect(
      try Self.object(accepted.json) == Self.object(Self.document(Self.lost, ["--baseline", baseline])))
    let clean = "\(Self.root)/Samples/clean-run/log.xlog"
    #expect(try Postmortem(of: clean, options: .init(baseline: baseline)).exitCode == 0)
    let strict = try Postmortem(of: clean, options: .init(baseline: baseline, isStrict: true))
    #expect(strict.exitCode == 1 && strict.reason == "1 unused entry of accepted findings")
  }

  @Test func `The severity limit decides about the exit code, and not about the verdict`() throws {
    let log = "\(Self.root)/Samples/killed-in-mid-transfer/log.xlog"
    let usual = try Postmortem(of: log)
    let severity = try #require(usual.findings.first?.severity)
    #expect(usual.exitCode == 1 && usual.findings(from: severity).count == 1)
    let never = try Postmortem(of: log, options: .init(failOn: nil))
    #expect(never.exitCode == 0 && never.verdict == .findings && never.reason == nil)
    let higher = try #require(Postmortem.Severity.allCases.first { $0 > severity })
    #expect(try Postmortem(of: log, options: .init(failOn: higher)).exitCode == 0)
  }

  @Test func `Rules and limits of the user apply`() throws {
    let directory = TemporaryDirectory()
    let rules = directory.path("rules.yaml")
    let rule = """
      rules:
        - id: a-tile
          severity: warning
          summary: "A tile was transferred."
          explanation: The user has asked for tiles.
          remedy: Nothing.
          per: task
          when: task.transferred
          expect: none

      """
    try Data(rule.utf8).write(to: URL(fileURLWithPath: rules))
    var options = Postmortem.Options()
    options.rules = [rules]
    options.limits = ["lost-completion.patience": "5s"]
    let postmortem = try Postmortem(of: Self.lost, options: options)
    #expect(postmortem.userRules.map(\.id) == ["a-tile"])
    #expect(postmortem.findings.first { $0.rule == "a-tile" }?.explanation == "The user has asked for tiles.")
    #expect(postmortem.limits.map(\.value) == [5_000_000_000])
    let document = try Self.document(Self.lost, ["--rules", rules, "--limit", "lost-completion.patience=5s"])
    #expect(try Self.object(postmortem.json) == Self.object(document))
  }

  @Test func `What the user knows about a log of another program applies`() throws {
    let folder = "\(Self.root)/Samples/ForeignLogs/ndjson"
    var options = Postmortem.Options()
    options.mapping = "\(folder)/mapping.yaml"
    let postmortem = try Postmortem(of: "\(folder)/service.ndjson", options: options)
    let document = try Self.document("\(folder)/service.ndjson", ["--mapping", "\(folder)/mapping.yaml"])
    #expect(try postmortem.tasks.count > 0 && Self.object(postmortem.json) == Self.object(document))

    // The times of logcat have neither a year nor a time zone.
    let logcat = "\(Self.root)/Samples/ForeignLogs/logcat/threadtime.txt"
    options = Postmortem.Options()
    (options.date, options.secondsFromGMT) = ("2020-01-02", 7200)
    let dated = try Postmortem(of: logcat, options: options)
    let same = try Self.document(logcat, ["--date", "2020-01-02", "--timezone", "+02:00"])
    #expect(try Self.object(dated.json) == Self.object(same))
    #expect(try Self.object(dated.json) != Self.object(Self.document(logcat)))
    options.date = "yesterday"
    let error = #expect(throws: PostmortemError.self) { try Postmortem(of: logcat, options: options) }
    #expect(error?.description == "'yesterday' is not a date; write it as 2026-11-20")
  }

  // MARK: Errors

  @Test func `What cannot be read is an error that says what to do`() throws {
    let directory = TemporaryDirectory()
    try Data("no log\n".utf8).write(to: URL(fileURLWithPath: directory.path("text")))
    try Data("version: 7\n".utf8).write(to: URL(fileURLWithPath: directory.path("baseline.yaml")))
    var badLimit = Postmortem.Options()
    badLimit.limits = ["lost-completion": "5s"]
    var badRules = Postmortem.Options()
    badRules.rules = [directory.path("nowhere.yaml")]
    let cases: [(path: String, options: Postmortem.Options, code: PostmortemError.Code, text: String)] = [
      (directory.path("nowhere.xlog"), .init(), .nothingFound, "nowhere.xlog does not exist"),
      (directory.path("text"), .init(), .unreadable, "not a log: expected an xferlog log"),
      (Self.lost, badLimit, .invalidOptions, #"'lost-completion' is not a limit; write "RULE.LIMIT""#),
      (Self.lost, badRules, .unreadable, "nowhere.yaml cannot be read: No such file"),
      (Self.lost, .init(baseline: directory.path("baseline.yaml")), .invalidOptions, "unknown version `7`"),
    ]
    for (path, options, code, text) in cases {
      let error = #expect(throws: PostmortemError.self) { try Postmortem(of: path, options: options) }
      #expect(error?.code == code && error?.description.contains(text) == true, "\(error?.description ?? "none")")
    }
    let none = #expect(throws: PostmortemError.self) { try Postmortem(of: [String]()) }
    #expect(none?.code == .invalidOptions)
    var strict = Postmortem.Options()
    strict.recovery = .strict
    let damaged = "\(Self.root)/Samples/killed-in-mid-transfer/log.xlog"
    let copy = directory.path("log.xlog")
    try FileManager.default.copyItem(atPath: damaged, toPath: copy)
    let segment = copy + "/000001.seg"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: segment))
    for place in bytes.count / 2..<bytes.count / 2 + 4096 where place < bytes.count { bytes[place] ^= 0xFF }
    try bytes.write(to: URL(fileURLWithPath: segment))
    #expect(throws: PostmortemError.self) { try Postmortem(of: copy, options: strict) }
  }

  // MARK: Streaming

  @Test(arguments: logs)
  func `Events are passed on while a log is read, in the same order to a function and as a sequence`(log: String) async throws {
    var called: [String] = []
    let postmortem = try Postmortem(of: log) { member in
      if case .event(let event) = member { called.append("\(event.reference)") }
    }
    #expect(called.count == postmortem.events)
    var streamed: [String] = []
    for try await member in LogMembers(of: [log]) {
      if case .event(let event) = member { streamed.append("\(event.reference)") }
    }
    #expect(called == streamed)
  }

  @Test func `A sequence of events ends early, begins again, and reports a log that cannot be read`() async throws {
    let members = LogMembers(of: [Self.lost])
    var first: [String] = []
    for _ in 0..<2 {
      for try await member in members {
        if case .event(let event) = member { first.append("\(event.reference)") }
        break
      }
    }
    #expect(first.count == 2 && first.first == first.last)
    let error = await #expect(throws: PostmortemError.self) {
      for try await _ in LogMembers(of: ["/nowhere.xlog"]) {}
    }
    #expect(error?.code == .nothingFound)
  }

  @Test func `The events of a report stream although its log was unpacked`() async throws {
    let directory = TemporaryDirectory()
    let report = directory.path("report.html")
    try Postmortem.writeReport(of: [Self.lost], to: report)
    var count = 0
    for try await case .event in LogMembers(of: [report]) { count += 1 }
    #expect(try count == Postmortem(of: report).events && count > 50)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A sequence follows a log that does not exist yet, and ends when its task is cancelled`() async throws {
    let directory = TemporaryDirectory()
    let path = directory.path("later.xlog")
    let (names, continuation) = AsyncStream.makeStream(of: String.self)
    let reader = Task {
      for try await case .event(let event) in LogMembers(of: [path], follows: true) { continuation.yield(event.kind?.name ?? "") }
      continuation.finish()
    }
    let log = try EventLog(
      directory: path, configuration: LogConfiguration(role: .app, privacy: PrivacyPolicy(key: (1, 2))))
    var received = names.makeAsyncIterator()
    for message in ["task.created", "task.resumed"] {
      let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "maps", number: 1)
      if message == "task.created" { log.emit(TaskCreated(task: task, type: .data)) } else { log.emit(TaskResumed(task: task)) }
      while let name = await received.next(), name != message {}
    }
    reader.cancel()
    // Without the end of the sequence, this would wait.
    while await received.next() != nil {}
    try await reader.value
  }

  @Test func `A log of another program that cannot be followed is an error`() async throws {
    let error = await #expect(throws: PostmortemError.self) {
      for try await _ in LogMembers(of: ["\(Self.root)/Samples/ForeignLogs/har/browser.har"], follows: true) {}
    }
    #expect(error?.description.contains("cannot be followed") == true)
  }

  @Test func `A log that is still being written is judged as far as it goes`() throws {
    let directory = TemporaryDirectory()
    let log = try EventLog(
      directory: directory.path("log.xlog"), configuration: LogConfiguration(role: .app, privacy: PrivacyPolicy(key: (1, 2))))
    let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "maps", number: 1)
    log.emit(TaskCreated(task: task, type: .data))
    log.emit(TaskResumed(task: task))
    let live = try Postmortem(of: log.directory)
    #expect(live.tasks.map(\.state) == [.queued] && live.tasks.map(\.outcome) == [.open] && live.findings(from: .warning).isEmpty)
    log.close()
    #expect(try Postmortem(of: log.directory).processes.map(\.end) == [.closed])
  }

  // MARK: Reports

  @Test func `A report is a file that the library and the tool read again, with the same finding`() throws {
    let directory = TemporaryDirectory()
    let report = directory.path("report.html")
    try Data("an earlier report".utf8).write(to: URL(fileURLWithPath: report))
    try Postmortem.writeReport(of: [Self.lost], to: report)
    let original = try Postmortem(of: Self.lost)
    let again = try Postmortem(of: report)
    #expect(
      again.findings.map(\.fingerprint) == original.findings.map(\.fingerprint) && again.tasks.count == original.tasks.count)
    let replay = try ToolRun("xferlog", ["replay", report])
    #expect(replay.status == 1 && replay.lines.first == "critical lost-completion (certain)")
    let failure = #expect(throws: PostmortemError.self) {
      try Postmortem.writeReport(of: [Self.lost], to: directory.path("nowhere/report.html"))
    }
    #expect(failure?.description.contains("nowhere/report.html cannot be created: No such file") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["report.html"], "no draft is left")
  }
}
