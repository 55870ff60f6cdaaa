import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `xferlog diff` on runs of the same workload.
@Suite struct DiffTests {
  /// One download of the workload.
  struct Download {
    let number: Int
    var session: String
    var host = "tiles.example.com"
    var path: String
    var ending = Ending.succeeded
    var secure: Int64 = 60
    var body: Int64
    var intent: String?
    var hold: HoldReason?

    enum Ending { case succeeded, notFound, unavailable, lost }

    init(_ number: Int) {
      self.number = number
      session = number % 3 == 0 ? "com.example.maps.\(number % 2)" : "default"
      path = "/tiles/\(number)/data"
      body = Int64(50 + number * 37 % 900)
    }
  }

  /// Writes the log of one run. The ids, ports and clocks, the order of the tasks, and a few milliseconds of each time depend on the seed.
  private static func run(
    _ directory: TemporaryDirectory, seed: UInt64, count: Int = 30, more: [Download] = [],
    _ change: (inout Download) -> Void = { _ in }
  ) throws -> String {
    var random = SeededRandom(seed: seed)
    let log = try RecordedLog(
      in: directory, name: "run-\(seed).xlog", seed: seed, pid: Int32(4000 + seed), role: .app,
      at: .random(in: 0...900_000, using: &random))
    let start = Int64.random(in: 1_000_000...2_000_000, using: &random)
    var downloads = (0..<count).map { Download($0) } + more
    for place in downloads.indices { change(&downloads[place]) }
    for name in Set(downloads.map(\.session)).sorted() {
      let kind = name == "default" ? SessionKind.default : .background
      log.emit(at: start, SessionCreated(session: name, instance: CorrelationID(random.next()), sessionKind: kind))
    }
    var (events, numbers): ([(time: Int64, order: Int, event: any TransferEvent)], [String: UInt32]) = ([], [:])
    func add(_ time: Int64, _ event: any TransferEvent) { events.append((time, events.count, event)) }
    for download in downloads.shuffled(using: &random) {
      let number = numbers[download.session, default: 0] + 1
      numbers[download.session] = number
      let task = TaskIdentity(uid: TaskUID(using: &random), session: download.session, number: number)
      func jitter() -> Int64 { .random(in: 0...20, using: &random) }
      let path = download.path.replacing("*", with: "\(UUID())")
      let created = start + .random(in: 1...3000, using: &random)
      let attempt = created + 10 + jitter()
      let secure = download.secure + jitter()
      let connected = attempt + 30 + secure
      let responded = connected + 40 + jitter()
      let end = responded + download.body + jitter()
      let status =
        switch download.ending {
        case .notFound: 404
        case .unavailable: 503
        case .succeeded, .lost: 200
        }
      add(
        created,
        TaskCreated(
          task: task, type: .download, completion: .delegate, method: "GET", scheme: "https", host: download.host,
          port: .random(in: 1024...9999, using: &random), path: path))
      if let intent = download.intent { add(created, AppIntentDeclared(intent: intent, task: task)) }
      add(created, TaskResumed(task: task, by: .app))
      if let hold = download.hold { add(created, TaskHeld(task: task, hold: hold)) }
      add(attempt, AttemptStarted(task: task, attempt: 1, host: download.host))
      add(
        connected,
        AttemptConnectionAcquired(
          task: task, attempt: 1, transaction: 1, connection: CorrelationID(random.next()), reused: false, host: download.host,
          nameLookupTime: .milliseconds(12), connectTime: .milliseconds(18), secureTime: .milliseconds(secure)))
      add(connected, AttemptRequestSent(task: task, attempt: 1, method: "GET"))
      add(responded, AttemptResponseReceived(task: task, attempt: 1, status: status, expected: 1000))
      add(end, AttemptEnded(task: task, attempt: 1, end: .finished, received: 1000))
      add(end, TaskTransferred(task: task, received: 1000, sent: 0, status: status))
      if download.ending == .lost { continue }
      let id = DeliveryID(random.next())
      add(end, DeliverySent(task: task, delivery: id, callback: .didComplete))
      add(end, DeliveryReceived(task: task, delivery: id, callback: .didComplete))
      add(end + 5, DeliveryEntered(task: task, delivery: id, callback: .didComplete))
      add(end + 6, DeliveryLeft(task: task, delivery: id, callback: .didComplete))
      add(end + 6, TaskCompleted(task: task, delivery: id, received: 1000, sent: 0, status: status))
    }
    for (time, _, event) in events.sorted(by: { ($0.time, $0.order) < ($1.time, $1.order) }) { log.emit(at: time, event) }
    log.close()
    return log.path
  }

  private static func document(_ arguments: String...) throws -> [String: Any] {
    let run = try ToolRun.xferlog(["diff", "-o", "json"] + arguments)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any], "\(run.standardError)")
  }

  @Test(arguments: [(1, 2), (3, 4), (5, 6), (7, 8)] as [(UInt64, UInt64)])
  func `Two runs with other ids, ports, order and clocks have no difference`(_ seeds: (UInt64, UInt64)) throws {
    let directory = TemporaryDirectory()
    // The downloads whose paths only the run knows are aligned by their order, so they must be equal.
    let secret = { (download: inout Download) in
      if download.number > 25 { (download.path, download.body) = ("/users/*/inbox", 100) }
    }
    let logs = try [seeds.0, seeds.1].map { try Self.run(directory, seed: $0, secret) }
    let run = try ToolRun.xferlog(["diff"] + logs)
    #expect(run.status == 0 && run.standardError == "", "\(run.text)\(run.standardError)")
    #expect(run.lines.last == "no difference: 30 tasks aligned", "\(run.text)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `A lost completion and a slow TLS handshake are exactly two differences`(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let before = try Self.run(directory, seed: seed)
    let after = try Self.run(directory, seed: seed + 10) { download in
      if download.number == 6 { download.ending = .lost }
      if download.number == 10 { download.secure = 1300 }
    }
    let document = try Self.document(before, after)
    #expect(document["schema"] as? String == "xferlog.diff/1" && document["differences"] as? Int == 2, "\(document)")
    let tasks = try #require(document["tasks"] as? [[String: Any]])
    let (lost, slow) = try (
      #require(tasks.first { $0["outcomeChanged"] as? Bool == true }),
      #require(tasks.first { $0["outcomeChanged"] as? Bool == false })
    )
    #expect((lost["second"] as? [String: Any])?["outcome"] as? String == "lost")
    #expect(lost["lostStates"] as? [String] == ["completion called", "completed"])
    #expect((lost["findings"] as? [[String: Any]])?.compactMap { $0["rule"] as? String } == ["lost-completion"])
    #expect((slow["times"] as? [[String: Any]])?.compactMap { $0["stage"] as? String } == ["tls"])
    #expect((slow["findings"] as? [Any])?.isEmpty == true && (slow["newStates"] as? [Any])?.isEmpty == true)
    let run = try ToolRun.xferlog("diff", before, after)
    #expect(run.status == 1 && run.standardError.contains("exit 1 (findings): 2 differences; 30 tasks aligned"))
    #expect(run.lines.contains { $0.hasPrefix("  outcome     succeeded → lost") }, "\(run.text)")
    #expect(
      run.lines.contains { $0.hasPrefix("  tls         ") && $0.contains("→ 1.3") && $0.contains("noise ±100ms") }, "\(run.text)")
    // In the other direction, the same tasks differ.
    #expect(try Self.document(after, before)["differences"] as? Int == 2)
    // A wider noise band hides the handshake, but not the outcome.
    #expect(try Self.document("--noise", "5s", before, after)["differences"] as? Int == 1)
    #expect(try Self.document("--no-times", before, after)["differences"] as? Int == 1)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `Equal requests are aligned by the role of their session and by the intent`(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let logs = try [seed, seed + 10].map { run in
      try Self.run(directory, seed: run, count: 4) { download in
        download.path = "/shared/*"
        switch download.number {
        case 0: (download.session, download.body) = ("com.example.maps.\(run)", 100)
        case 1: (download.session, download.body) = ("default", 4000)
        case 2: (download.session, download.body, download.intent) = ("default", 9000, "tiles")
        default: (download.session, download.body, download.intent) = ("default", 16_000, "names")
        }
      }
    }
    let run = try ToolRun.xferlog(["diff"] + logs)
    #expect(run.lines.last == "no difference: 4 tasks aligned", "\(run.text)")
  }

  @Test func `A wait is a difference unless other tasks or the moment cause it`() throws {
    let directory = TemporaryDirectory()
    let before = try Self.run(directory, seed: 1)
    let after = try Self.run(directory, seed: 2) { download in
      switch download.number {
      case 1: download.hold = .hostSlots
      case 2: download.hold = .sessionSlots
      case 3: download.hold = .discretionary
      case 4: download.hold = .protectedData
      default: break
      }
    }
    let tasks = try #require(Self.document(before, after)["tasks"] as? [[String: Any]])
    #expect(tasks.map { $0["newStates"] as? [String] } == [["held: protectedData"]], "\(tasks)")
  }

  @Test func `Another reason for the same outcome is a difference`() throws {
    let directory = TemporaryDirectory()
    let before = try Self.run(directory, seed: 1) { if $0.number == 4 { $0.ending = .notFound } }
    let after = try Self.run(directory, seed: 2) { if $0.number == 4 { $0.ending = .unavailable } }
    let tasks = try #require(Self.document(before, after)["tasks"] as? [[String: Any]])
    let reasons = tasks.map { task in ["first", "second"].map { (task[$0] as? [String: Any])?["reason"] as? String } }
    #expect(reasons == [["status 404", "status 503"]] && tasks[0]["outcomeChanged"] as? Bool == true, "\(tasks)")
  }

  @Test func `Tasks of one run only, and other outcomes, are differences`() throws {
    let directory = TemporaryDirectory()
    let before = try Self.run(directory, seed: 1)
    var added = Download(99)
    added.path = "/login"
    let after = try Self.run(directory, seed: 2, more: [added]) { download in
      if download.number == 4 { download.ending = .notFound }
      if download.number == 5 { download.host = "staging.example.com" }
    }
    let document = try Self.document(before, after)
    let tasks = try #require(document["tasks"] as? [[String: Any]])
    #expect(tasks.compactMap { $0["kind"] as? String } == ["changed", "onlyInSecond"], "\(tasks)")
    #expect((tasks[0]["second"] as? [String: Any])?["reason"] as? String == "status 404")
    #expect((tasks[1]["second"] as? [String: Any])?["request"] as? String == "GET tiles.example.com/login")
    let reversed = try #require(Self.document(after, before)["tasks"] as? [[String: Any]])
    #expect(reversed.compactMap { $0["kind"] as? String } == ["changed", "onlyInFirst"])
  }

  @Test func `If all tasks became slower in a stage, that is one difference`() throws {
    let directory = TemporaryDirectory()
    let before = try Self.run(directory, seed: 1)
    let after = try Self.run(directory, seed: 2) { $0.body += 2000 }
    let document = try Self.document(before, after)
    #expect(document["differences"] as? Int == 1 && (document["tasks"] as? [Any])?.isEmpty == true, "\(document)")
    let shifts = try #require(document["shifts"] as? [[String: Any]])
    #expect(shifts.compactMap { $0["stage"] as? String } == ["body"] && shifts[0]["tasks"] as? Int == 30)
  }

  /// Writes the log of an app that is launched and woken for one session several times, and never calls the completion handler.
  ///
  /// - Parameters:
  ///   - made: the number of launches that recreate the session. In the others, that explains the missing call.
  private static func wakes(_ directory: TemporaryDirectory, seed: UInt64, _ count: Int, made: Int) throws -> String {
    let (name, session) = ("wakes-\(seed).xlog", "com.example.maps")
    for number in 0..<count {
      let (start, wake) = (Int64(number) * 200_000, HandlerID(seed * 100 + UInt64(number)))
      let log = try RecordedLog(
        in: directory, name: name, seed: seed * 100 + UInt64(number), pid: Int32(4000 + number), role: .app,
        startReason: .transfer,
        at: start)
      log.emit(at: start + 10, WakeDelivered(session: session, handler: wake))
      if number < made {
        let instance = CorrelationID(wake.rawValue)
        log.emit(at: start + 11, SessionCreated(session: session, instance: instance, sessionKind: .background))
        log.emit(at: start + 12, SessionEventsFinished(session: session, instance: instance, handler: wake))
        log.emit(at: start + 13, WakeHandlerReleased(session: session, handler: wake))
      }
      log.emit(at: start + 90_000, LogHeartbeatWritten())
      log.close()
    }
    return directory.path(name)
  }

  @Test(
    arguments: [
      ((1, 1), (1, 1), []), ((1, 1), (2, 2), []), ((2, 2), (1, 1), []),
      // The call that is missing because the session was not recreated is not a difference of its own.
      ((1, 1), (2, 1), ["second session-not-recreated-after-relaunch"]),
      ((2, 1), (1, 1), ["first session-not-recreated-after-relaunch"]),
    ] as [((Int, Int), (Int, Int), [String])])
  func `Other problems of the app are differences, and repeated ones and their consequences are not`(
    _ before: (count: Int, made: Int), _ after: (count: Int, made: Int), _ expected: [String]
  ) throws {
    let directory = TemporaryDirectory()
    let document = try Self.document(
      Self.wakes(directory, seed: 1, before.count, made: before.made),
      Self.wakes(directory, seed: 2, after.count, made: after.made))
    let findings = try #require(document["findings"] as? [[String: Any]])
    let changes = findings.map { "\($0["run"] as? String ?? "") \($0["rule"] as? String ?? "")" }
    #expect(changes == expected && document["differences"] as? Int == expected.count, "\(document)")
  }

  @Test func `In Markdown, a path cannot end a cell or contain markup`() throws {
    let directory = TemporaryDirectory()
    let before = try Self.run(directory, seed: 1, count: 3)
    let after = try Self.run(directory, seed: 2, count: 3) { download in
      if download.number == 1 { download.path = "/a|b`c`<img src=x>" }
    }
    let run = try ToolRun.xferlog("diff", "-o", "markdown", before, after)
    #expect(run.status == 1)
    let rows = run.lines.filter { $0.hasPrefix("| only") }
    #expect(rows.count == 2, "\(run.text)")
    for row in rows { #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 5, "\(row)") }
    #expect(rows.contains { $0.contains("`` GET tiles.example.com/a\\|b`c`<img src=x> ``") }, "\(rows)")
    #expect(run.text.hasPrefix("**2 differences; 2 tasks aligned**\n"))
  }

  @Test func `In Markdown, names of sessions and logs and texts of findings are not markup`() throws {
    let directory = TemporaryDirectory()
    let before = try Self.run(directory, seed: 1, count: 3)
    let session = "a|b`c* <i>@team"
    let after = try Self.run(directory, seed: 2, count: 4) { download in
      if download.number == 3 { (download.session, download.ending) = (session, .lost) }
    }
    // A log whose name is markup, and which was not closed.
    let odd = directory.path("x|`y`*<i>@team.xlog")
    try FileManager.default.moveItem(atPath: after, toPath: odd)
    let run = try ToolRun.xferlog("diff", "-o", "markdown", before, odd)
    #expect(run.status == 1)
    let row = try #require(run.lines.first { $0.hasPrefix("| only in B") }, "\(run.text)")
    // The labels are code, and the text of the finding is plain.
    #expect(row.contains("`` a\\|b`c* <i>@team/1 ``"), "\(row)")
    #expect(row.contains("a\\|b\\`c\\* &lt;i><span>@</span>team/1"), "\(row)")
    let name = try #require(run.lines.first { $0.hasPrefix("- B: ") })
    #expect(name.contains("x|`y`*<i>@team.xlog ``"), "\(name)")
    for line in run.lines {
      let outside = line.replacing(/(`+) .*? \1|`[^`]*`/, with: "")
      #expect(!outside.contains("<i>") && !outside.contains("@team"), "\(line)")
      if line.hasPrefix("|") { #expect(line.replacing("\\|", with: "").count { $0 == "|" } == 5, "\(line)") }
    }
  }

  @Test func `Wrong usage and missing logs are reported`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.run(directory, seed: 1, count: 2)
    for (arguments, code, remark) in [
      (["diff", log], 2, "Missing expected argument '<second>'"),
      (["diff", "-", "-"], 2, "standard input has only one log"),
      (["diff", "--noise-ratio", "-1", log, log], 2, "--noise-ratio"),
      (["diff", "--noise", "soon", log, log], 2, "--noise"),
      (["diff", log, directory.path("nowhere.xlog")], 3, "does not exist"),
      (["diff", log, log], 0, ""),
    ] as [([String], Int32, String)] {
      let run = try ToolRun.xferlog(arguments)
      #expect(run.status == code && (remark.isEmpty || run.standardError.contains(remark)), "\(arguments): \(run.standardError)")
    }
  }

  @Test func `A slow redirect is a difference of its own stage`() throws {
    // The name of an archive is that of its session, so both have the same.
    let directories = [TemporaryDirectory(), TemporaryDirectory()]
    func run(_ directory: TemporaryDirectory, firstHop milliseconds: Int) throws -> String {
      func entry(_ path: String, at time: String, _ milliseconds: Int, _ response: String) -> String {
        #"{"startedDateTime":"2026-11-24T10:00:\#(time)Z","time":\#(milliseconds),"request":{"method":"GET","#
          + #""url":"https://a.example\#(path)"},"response":{\#(response),"bodySize":3,"content":{"size":3}},"#
          + #""timings":{"send":0,"wait":\#(milliseconds),"receive":0}}"#
      }
      let second = String(format: "%06.3f", Double(milliseconds) / 1000)
      let entries = [
        entry("/start", at: "00.000", milliseconds, #""status":302,"redirectURL":"/end""#),
        entry("/end", at: second, 20, #""status":200,"redirectURL":"""#),
      ]
      let text = #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[\#(entries.joined(separator: ","))]}}"#
      return try directory.write(Array(text.utf8), to: "run.har")
    }
    let (quick, slow) = try (run(directories[0], firstHop: 20), run(directories[1], firstHop: 9000))
    #expect(try ToolRun.xferlog("diff", quick, quick).status == 0)
    let diff = try ToolRun.xferlog("diff", quick, slow)
    #expect(diff.status == 1 && diff.text.contains("redirects"), "\(diff.text)\(diff.standardError)")
    #expect(!diff.text.contains("connect") && !diff.text.contains("first byte"), "\(diff.text)")
  }
}
