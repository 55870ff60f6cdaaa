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
  }
}
