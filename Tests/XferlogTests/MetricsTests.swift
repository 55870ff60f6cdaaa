import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `xferlog metrics`. Dashboards/check compares the metrics with `xferlog stats` in a real Prometheus.
@Suite struct MetricsTests {
  /// The samples of an exposition by metric and labels, which may each occur only once.
  private static func samples(_ text: String) throws -> [String: Double] {
    var samples: [String: Double] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let space = try #require(line.lastIndex(of: " "))
      let value = try #require(Double(line[line.index(after: space)...]), "\(line)")
      #expect(samples.updateValue(value, forKey: String(line[..<space])) == nil, "twice: \(line)")
    }
    return samples
  }

  private static func stats(_ log: String) throws -> [String: Any] {
    let run = try ToolRun.xferlog("stats", "-o", "json", log)
    return try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
  }

  @Test(arguments: [0, 9, 200])
  func `A histogram counts the tasks up to each bound, and its other figures are those of stats`(tasks: Int) throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: tasks, seed: 4)
    let run = try ToolRun.xferlog("metrics", log.path)
    #expect(run.status == 0, "\(run.standardError)")
    let samples = try Self.samples(run.text)
    let bodies = log.plans.map(\.body)
    for (bound, milliseconds) in [
      ("0.001", 1), ("0.005", 5), ("0.05", 50), ("0.5", 500), ("1", 1000), ("5", 5000), ("10", 10_000), ("3600", 3_600_000),
    ] as [(String, Int64)] {
      let expected = bodies.count { $0 <= milliseconds }
      #expect(samples["xferlog_task_stage_seconds_bucket{stage=\"body\",le=\"\(bound)\"}"] == Double(expected), "\(bound)")
    }
    #expect(samples["xferlog_task_stage_seconds_bucket{stage=\"body\",le=\"+Inf\"}"] == Double(tasks))
    #expect(samples["xferlog_task_stage_seconds_count{stage=\"body\"}"] == Double(tasks))
    let sum = try #require(samples["xferlog_task_stage_seconds_sum{stage=\"body\"}"])
    #expect(abs(sum - Double(bodies.reduce(0, +)) / 1000) < 1e-6)

    let stats = try Self.stats(log.path)
    for row in stats["outcomes"] as? [[String: Any]] ?? [] {
      let (name, count) = (row["outcome"] as! String, row["tasks"] as! Int)
      #expect(samples["xferlog_tasks_total{outcome=\"\(name)\"}"] == Double(count), "\(name)")
    }
    for row in stats["rules"] as? [[String: Any]] ?? [] {
      let (name, severity, count) = (row["rule"] as! String, row["severity"] as! String, row["findings"] as! Int)
      #expect(samples["xferlog_findings{rule=\"\(name)\",severity=\"\(severity)\"}"] == Double(count), "\(name)")
    }
    #expect(samples["xferlog_log_complete"] == 1)
  }

  @Test func `Hosts with any text give one valid sample each, and the hosts beyond the limit are one`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let hosts = ["a\"b", "back\\slash", "new\nline", "other", "unknown", "a{b=\"c\"}", "ü", "plain.example.com"]
    log.emit(at: 1, SessionCreated(session: "img", instance: CorrelationID(9), sessionKind: .default))
    var taskCount = 0
    for (place, host) in hosts.enumerated() {
      for number in 0...hosts.count - place {
        taskCount += 1
        let uid = TaskUID(high: UInt64(place + 1), low: UInt64(number + 1))
        let task = TaskIdentity(uid: uid, session: "img", number: UInt32(place * 100 + number + 1))
        log.emit(
          at: 2,
          TaskCreated(task: task, type: .download, completion: .delegate, method: "GET", scheme: "https", host: host, path: "/"))
      }
    }
    log.close()
    for (limit, count) in [(0, 1), (3, 4), (100, hosts.count)] {
      let run = try ToolRun.xferlog("metrics", "--hosts", "\(limit)", log.path)
      #expect(run.status == 0, "\(run.standardError)")
      let lint = try ToolRun("/usr/bin/promtool", ["check", "metrics"], input: run.standardOutput)
      #expect(lint.status == 0, "\(lint.standardError)")
      let samples = try Self.samples(run.text).filter { $0.key.hasPrefix("xferlog_host_tasks_total") }
      #expect(samples.values.reduce(0, +) == Double(taskCount))
      #expect(samples.count == count, "\(samples)")
      if limit == 3 {
        #expect(samples[#"xferlog_host_tasks_total{host="a\"b"}"#] == 9)
        #expect(samples[#"xferlog_host_tasks_total{host="back\\slash"}"#] == 8)
        #expect(samples[#"xferlog_host_tasks_total{host="new\nline"}"#] == 7)
      }
    }
  }

  @Test func `A text file is replaced as a whole, and other users may read it`() throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 3, seed: 4)
    let file = directory.path("x.prom")
    try Data("old".utf8).write(to: URL(fileURLWithPath: file))
    chmod(file, 0o600)
    let run = try ToolRun.bash(
      #"umask 027; "$xferlog" metrics --label device=ipad --label os='26 "beta"' --textfile '\#(file)' '\#(log.path)'"#)
    #expect(run.status == 0 && run.text == "", "\(run.text)\(run.standardError)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains(#"xferlog_log_gaps{device="ipad",os="26 \"beta\""} 0"#))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["crowd.xlog", "x.prom"])

    // Without events, the last metrics stay.
    let empty = try ToolRun.xferlog("metrics", "--textfile", file, directory.path("nowhere.xlog"))
    #expect(empty.status == 3, "\(empty.standardError)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  @Test(arguments: [
    "--label device", "--label 9a=b", "--label __a=b", "--label a-b=c", "--label host=c", "--label =c", "--label a=b --label a=c",
    "--hosts -1", "--hosts 1001", "--hosts many", "--textfile /", "--textfile /nowhere/x.prom",
  ])
  func `Wrong options are refused before anything is written`(options: String) throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 1, seed: 4)
    let run = try ToolRun.xferlog(["metrics", log.path] + options.split(separator: " ").map(String.init))
    #expect(run.status == 2, "\(run.standardError)")
    #expect(run.text == "" && !run.standardError.isEmpty)
    if options == "--label host=c" {
      #expect(run.standardError.contains("the metrics have labels named host themselves; choose another name"))
    }
  }

  // MARK: Events, waits and handlers

  /// A log in which one task waits for the app, another one has stopped moving, and two of three completion handlers were called.
  private static func waiting(in directory: TemporaryDirectory) throws -> RecordedLog {
    let log = try RecordedLog(in: directory)
    log.emit(
      at: 1,
      SessionCreated(session: "img", instance: CorrelationID(9), sessionKind: .background, requestTimeout: .seconds(60)))
    for (number, latency) in [40, 7_000, nil].enumerated() {
      let (handler, start) = (HandlerID(UInt64(number + 1)), Int64(1_000 * number + 10))
      log.emit(at: start, WakeDelivered(session: "img", handler: handler))
      if let latency {
        log.emit(at: start + Int64(latency), WakeHandlerCalled(session: "img", handler: handler, onMainThread: true))
      }
    }
    log.emit(
      at: 20_000,
      TaskCreated(task: RecordedLog.task, type: .download, method: "GET", scheme: "https", host: "h.example", path: "/"))
    log.emit(at: 20_001, TaskResumed(task: RecordedLog.task, by: .app))
    log.emit(at: 20_002, AttemptStarted(task: RecordedLog.task, attempt: 1))
    log.emit(at: 20_003, AttemptResponseReceived(task: RecordedLog.task, attempt: 1, status: 200))
    return log
  }

  @Test func `Events are counted by level, and completion handlers by their latency`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.waiting(in: directory)
    log.close()
    let samples = try Self.samples(ToolRun.xferlog("metrics", log.path).text)
    let levels = try ToolRun.xferlog("show", "--all", "-o", "ndjson", log.path).lines.compactMap { line in
      try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["level"] as? String
    }
    #expect(levels.count > 10)
    for level in ["debug", "info", "default", "error", "fault"] {
      #expect(samples["xferlog_events_total{level=\"\(level)\"}"] == Double(levels.count { $0 == level }), "\(level)")
    }
    for (bound, count) in [("0.01", 0), ("0.05", 1), ("5", 1), ("10", 2), ("+Inf", 2)] {
      #expect(samples["xferlog_handler_latency_seconds_bucket{le=\"\(bound)\"}"] == Double(count), "\(bound)")
    }
    #expect(samples["xferlog_handler_latency_seconds_sum"] == 7.04)
    #expect(samples["xferlog_handler_latency_seconds_count"] == 2)
  }

  @Test func `A running task is overdue once its request timeout has passed without a byte`() throws {
    for (milliseconds, count) in [(79_000, 0), (81_000, 1)] as [(Int64, Double)] {
      let directory = TemporaryDirectory()
      let log = try Self.waiting(in: directory)
      log.emit(at: milliseconds, PowerChanged(charging: true))
      // The task would be lost with its process if the log were closed.
      #expect(try Self.samples(ToolRun.xferlog("metrics", log.path).text)["xferlog_overdue_tasks"] == count)
      log.close()
    }
  }

  // MARK: Serving

  /// A running `xferlog metrics --listen`.
  private final class Server {
    let follower: Follower
    let url: String
    var port: Int { Int(url.dropFirst("http://127.0.0.1:".count).prefix { $0 != "/" }) ?? 0 }

    init(_ arguments: String...) throws {
      follower = try Follower(["metrics", "--listen"] + arguments)
      url = try #require(follower.lines { !$0.isEmpty }.first, "\(follower.remark())")
    }

    func curl(_ arguments: String..., path: String = "/metrics") throws -> (status: Int, head: String, body: String) {
      let run = try ToolRun(
        "/usr/bin/curl",
        ["-s", "-m", "30", "-D", "/dev/stderr", "-H", "Expect:"] + arguments + ["http://127.0.0.1:\(port)\(path)"])
      return (run.standardError.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0, run.standardError, run.text)
    }
  }

  @Test func `Each scrape gets the metrics of the log as it is then`() throws {
    let directory = TemporaryDirectory()
    // The log appears after the server has started.
    let server = try Server("0", directory.path("run.xlog"))
    #expect(server.url.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/metrics/) != nil)
    let none = try Self.samples(server.curl().body)
    #expect(none["xferlog_events_total{level=\"default\"}"] == 0 && none["xferlog_log_complete"] == 0)
    let log = try Self.waiting(in: directory)
    let first = try server.curl()
    #expect(first.status == 200 && first.head.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
    let lint = try ToolRun("/usr/bin/promtool", ["check", "metrics"], input: Array(first.body.utf8))
    #expect(lint.status == 0, "\(lint.standardError)")
    let before = try Self.samples(first.body)
    #expect(before["xferlog_handler_latency_seconds_count"] == 2)
    // By the clock, all tasks of an old log are overdue. The log's own time is used without --listen.
    #expect(before["xferlog_overdue_tasks"] == (Date().timeIntervalSince1970 > 1_795_183_407 ? 1 : 0))
    log.emit(at: 30_000, WakeHandlerCalled(session: "img", handler: HandlerID(3), onMainThread: true))
    // The scrape may come so early that it gets the metrics of the last one.
    var after: [String: Double] = [:]
    for _ in 0..<50 where after["xferlog_handler_latency_seconds_count"] != 3 { after = try Self.samples(server.curl().body) }
    #expect(after["xferlog_handler_latency_seconds_count"] == 3)
    log.close()
    #expect(try server.curl("-I").head.contains("Content-Length: "))
    server.follower.end()
    #expect(server.follower.status == 128 + SIGTERM)
  }

  @Test func `A served log that cannot be read is a failed scrape`() throws {
    let directory = TemporaryDirectory()
    try Data("no log".utf8).write(to: URL(fileURLWithPath: directory.path("000001.seg")))
    let server = try Server("0", directory.path("000001.seg"))
    let answer = try server.curl()
    #expect(answer.status == 503 && answer.body.contains("000001.seg"), "\(answer)")
  }

  @Test func `Requests that no scraper makes are refused`() throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 1, seed: 4)
    let server = try Server("127.0.0.1:0", log.path)
    let rows: [(arguments: [String], path: String, status: Int, text: String)] = [
      (["-H", "Host: localhost:\(server.port)"], "/metrics?x=1", 200, "# HELP"), ([], "/", 404, "The metrics are at /metrics."),
      (["-H", "Host: attacker.example:\(server.port)"], "/metrics", 421, "This server answers only to"),
      (["-X", "POST"], "/metrics", 405, "This server only answers GET and HEAD."),
      (["-X", "GET", "-d", "x"], "/metrics", 413, "This server accepts no request bodies."),
      (["-H", "Sec-Fetch-Site: cross-site"], "/metrics", 403, "Another site made this request."),
      (["-H", "X: " + String(repeating: "x", count: 40_000)], "/metrics", 0, ""),
    ]
    for row in rows {
      let run = try ToolRun(
        "/usr/bin/curl",
        ["-s", "-m", "20", "-H", "Expect:", "-w", "\n%{http_code}"] + row.arguments
          + ["http://127.0.0.1:\(server.port)\(row.path)"])
      #expect(run.text.hasSuffix("\n\(row.status == 0 ? "000" : "\(row.status)")"), "\(row.path): \(run.text.suffix(20))")
      #expect(run.text.hasPrefix(row.text), "\(row.path): \(run.text.prefix(80))")
    }
  }

  @Test(arguments: [
    ("x", "invalid"), ("70000", "invalid"), ("example.com:80", "invalid"), (":80", "invalid"), ("[1.2.3.4]:80", "invalid"),
    ("192.0.2.1:0", "cannot be used"), ("0 --textfile x.prom", "leave out --textfile"), ("0 --hosts 1001", "--hosts 1001"),
  ])
  func `Addresses that cannot be listened on are refused`(options: String, text: String) throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 1, seed: 4)
    let run = try ToolRun.xferlog(["metrics", "--listen"] + options.split(separator: " ").map(String.init) + [log.path])
    #expect(run.status == 2 && run.standardError.contains(text) && run.text == "", "\(run.standardError)")
  }
}
