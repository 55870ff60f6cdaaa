import Foundation
import LogTestSupport
import Testing
import XferEvents

/// The SQLite index, which has the figures of `xferlog stats` and never changes a result.
@Suite struct IndexTests {
  /// Values as text; nested ones as JSON with sorted keys.
  private typealias Row = [String: String]

  private static func row(_ object: [String: Any]) throws -> Row {
    try object.mapValues { value in
      if value is NSNull { return "null" }
      guard value is [String: Any] || value is [Any] else { return "\(value)" }
      return String(decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
    }
  }

  private static func sql(_ log: String, _ statement: String, cache: String) throws -> [Row] {
    let run = try ToolRun.xferlog("sql", "-o", "json", log, statement, environment: ["XDG_CACHE_HOME": cache])
    try #require(run.status == 0, "\(run.standardError)")
    let document = try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any]
    return try #require(document?["rows"] as? [[String: Any]]).map(row)
  }

  private static func statistics(_ log: String) throws -> [String: Any] {
    let run = try ToolRun.xferlog("stats", "-o", "json", log)
    return try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
  }

  /// Returns rows with their columns renamed from the document's names to those of a view.
  private static func renamed(_ rows: Any?, _ names: [String: String] = [:]) throws -> [Row] {
    try #require(rows as? [[String: Any]]).map(row).map { row in
      Row(uniqueKeysWithValues: row.map { (names[$0] ?? $0, $1) })
    }
  }

  private static let checkout = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func logs(in directory: TemporaryDirectory) throws -> [String] {
    let golden = checkout.appendingPathComponent("Samples/Formats/v1/everything.xlog/000001.seg").path
    return try [
      CrowdedLog(in: directory, name: "one.xlog", tasks: 1, seed: 11).path,
      CrowdedLog(in: directory, name: "ten.xlog", tasks: 10, seed: 12).path,
      CrowdedLog(in: directory, name: "many.xlog", tasks: 2500, seed: 13).path,
      DamagedLog.flipped(in: directory), RecordedLog.sample(in: directory), golden,
    ]
  }

  @Test(arguments: 0..<6)
  func `Every view gives the figures of stats`(log place: Int) throws {
    let directory = TemporaryDirectory()
    try Self.expectViews(of: Self.logs(in: directory)[place], cache: "\(directory.path)/cache")
  }

  @Test func `Every view gives the figures of stats for the samples`() throws {
    let directory = TemporaryDirectory()
    let samples = Self.checkout.appendingPathComponent("Samples").path
    let logs = try FileManager.default.contentsOfDirectory(atPath: samples).map { "\(samples)/\($0)/log.xlog" }
      .filter { FileManager.default.fileExists(atPath: $0) }.sorted()
    #expect(logs.count >= 7)
    for log in logs { try Self.expectViews(of: log, cache: "\(directory.path)/cache") }
    try Self.expectViews(of: samples + "/*/log.xlog", cache: "\(directory.path)/cache")
  }

  private static func expectViews(of log: String, cache: String) throws {
    let document = try statistics(log)
    func view(_ name: String) throws -> [Row] { try sql(log, "SELECT * FROM \(name)", cache: cache) }

    var totals = try #require(try view("totals").first)
    let findings = (document["findings"] as? [[String: Any]] ?? []).reduce(0) { $0 + ($1["findings"] as? Int ?? 0) }
    #expect(totals.removeValue(forKey: "tasks") == "\(document["tasks"] as? Int ?? -1)")
    #expect(totals.removeValue(forKey: "findings") == "\(findings)")
    #expect(try [totals] == renamed([document["events"]], ["count": "events"]))
    #expect(try view("tasks_by_outcome") == renamed(document["outcomes"]), "\(log)")
    #expect(try view("tasks_by_state") == renamed(document["states"]), "\(log)")
    #expect(try view("bytes") == renamed([document["bytes"]]), "\(log)")
    let times = ["p50": "p50_ns", "p90": "p90_ns", "max": "max_ns"]
    #expect(try view("stage_percentiles") == renamed(document["stages"], times), "\(log)")
    #expect(try view("findings_by_rule") == renamed(document["findings"]), "\(log)")
    #expect(try view("rules") == renamed(document["rules"], ["inFlight": "in_flight"]), "\(log)")
    #expect(try view("undecided") == renamed(document["undecided"]), "\(log)")
    #expect(try view("hosts") == renamed(document["hosts"], times), "\(log)")
  }

  @Test func `The events table equals the output of show`() throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 20, seed: 21).path
    let shown = try ToolRun.xferlog("show", "-o", "ndjson", log).lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let rows = try Self.sql(log, "SELECT * FROM event_writers ORDER BY id", cache: "\(directory.path)/cache")
    #expect(rows.count == shown.count)
    for (row, event) in zip(rows, try shown.map(Self.row)) {
      for name in ["event", "time", "level", "launch", "pid", "role"] { #expect(row[name] == event[name]) }
      #expect(row["mono_ns"] == event["mono"])
      #expect(Self.object(event["source"]) == row.filter { ["segment", "lane", "seq"].contains($0.key) })
      let task = Self.object(event["task"])
      #expect(row["task"] == task["uid"] ?? "null")
      #expect(row["number"] == task["number"] ?? "null")
      var fields = Self.object(event["fields"])
      for column in ["session", "host"] {
        if let value = fields.removeValue(forKey: column) { #expect(row[column] == value) }
      }
      #expect(Self.object(row["fields"]) == fields)
    }
    #expect(rows.allSatisfy { $0["task"] == "null" || $0["host"] != "null" }, "an event of a task has the task's host")
  }

  private static func object(_ json: String?) -> Row {
    (try? JSONSerialization.jsonObject(with: Data((json ?? "").utf8)) as? [String: Any]).flatMap { try? row($0) } ?? [:]
  }

  @Test func `Each delivery has the durations of its steps`() throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 50, seed: 22)
    let rows = try Self.sql(
      log.path,
      """
      SELECT tasks.number, wait_ns, run_ns, delivery_ns, callback FROM deliveries JOIN tasks ON tasks.uid = deliveries.task
      ORDER BY 1
      """, cache: "\(directory.path)/cache")
    let delivered = log.plans.filter(\.isDelivered)
    #expect(rows.map { $0["number"] } == delivered.map { "\($0.task.number)" })
    #expect(rows.map { $0["wait_ns"] } == delivered.map { "\($0.delivery * 1_000_000)" })
    #expect(rows.allSatisfy { $0["wait_ns"] == $0["delivery_ns"] && $0["run_ns"] == "1000000" })
    #expect(rows.allSatisfy { $0["callback"] == "didComplete" })
  }

  @Test func `A dropped delivery has the time and reason of the drop`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let rows = try Self.sql(
      log, "SELECT delivery, session, sent, entered, dropped, drop_reason FROM deliveries", cache: "\(directory.path)/cache")
    #expect(
      rows == [
        [
          "delivery": "77", "session": "docs", "sent": "null", "entered": "null", "dropped": "2026-11-20T14:02:10.500000000Z",
          "drop_reason": "noConsumer",
        ]
      ])
  }

  // MARK: Cache

  @Test func `An index is reused until the log grows, and deleting it changes no result`() throws {
    let directory = TemporaryDirectory()
    let cache = "\(directory.path)/cache"
    let log = try RecordedLog(in: directory)
    func count() throws -> String? {
      let statement = "SELECT count(*) AS n FROM events WHERE json_extract(fields, '$.message') IN ('one', 'two')"
      return try Self.sql(log.path, statement, cache: cache).first?["n"]
    }
    func index() throws -> (path: String, number: UInt64) {
      // Without --no-seal, the segment would be sealed, because the process that the log names as its writer does not exist.
      let run = try ToolRun.xferlog("index", "--no-seal", log.path, environment: ["XDG_CACHE_HOME": cache])
      let path = try #require(run.lines.first)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (path, try #require(attributes[.systemFileNumber] as? UInt64))
    }
    log.emit(at: 1, AppNoted(message: "one"))
    #expect(try count() == "1")
    let first = try index()
    #expect(first.path.hasPrefix(cache))
    #expect(try index() == first)
    // The writer is still open. Its writes through the mapping change neither the size nor the time of the file.
    log.emit(at: 2, AppNoted(message: "two"))
    #expect(try count() == "2")
    let second = try index()
    #expect(second.path == first.path)
    #expect(second.number != first.number)
    log.close()
    #expect(try count() == "2")
    let answer = try Self.sql(log.path, "SELECT * FROM events", cache: cache)
    try FileManager.default.removeItem(atPath: first.path)
    #expect(try Self.sql(log.path, "SELECT * FROM events", cache: cache) == answer)
    // A corrupted index is replaced as well.
    try Data("no index".utf8).write(to: URL(fileURLWithPath: first.path))
    #expect(try Self.sql(log.path, "SELECT * FROM events", cache: cache) == answer)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(cache)/xferlog").count == 1)
  }

  @Test func `Without a cache, an index is temporary and nothing is written beside the log`() throws {
    let directory = TemporaryDirectory()
    let spare = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let before = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    // A file occupies the path of the cache's directory.
    let blocked = try spare.write([], to: "blocked")
    let environment = ["XDG_CACHE_HOME": blocked, "TMPDIR": spare.path]
    let run = try ToolRun.xferlog("sql", log, "SELECT count(*) FROM tasks", environment: environment)
    #expect(run.status == 0, "\(run.standardError)")
    #expect(run.lines.last?.trimmingCharacters(in: .whitespaces) == "2")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(log)/000001.seg"))
    let piped = try ToolRun.xferlog("sql", "-", "SELECT count(*) FROM tasks", input: Array(bytes), environment: environment)
    #expect(piped.status == 0, "\(piped.standardError)")
    #expect(piped.lines == run.lines)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: directory.path) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: spare.path) == ["blocked"])
  }

  @Test func `--to writes an index that only its owner can read, and never overwrites other files`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try ToolRun.xferlog("index", log, "--to", "\(directory.path)/my.sqlite")
    #expect(run.status == 0)
    #expect(run.lines == ["\(directory.path)/my.sqlite"])
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory.path)/my.sqlite")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let letter = try directory.write(Array("dear diary".utf8), to: "diary.txt")
    let refused = try ToolRun.xferlog("index", log, "--to", letter)
    #expect(refused.status == 2)
    #expect(refused.standardError.contains("exists and is not an xferlog index"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: letter)) == Data("dear diary".utf8))
    #expect(try ToolRun.xferlog("index", log, "--to", "\(directory.path)/none/my.sqlite").status == 2)
  }

  @Test func `An index of two logs tells their events apart`() throws {
    let directory = TemporaryDirectory()
    let (first, second) = try (
      RecordedLog.sample(in: directory, name: "a.xlog"), CrowdedLog(in: directory, name: "b.xlog", tasks: 3, seed: 1).path
    )
    let run = try ToolRun.xferlog(
      "sql", first, second, "SELECT log, count(*) FROM events JOIN sources ON sources.id = source GROUP BY log", "-o", "csv",
      environment: ["XDG_CACHE_HOME": "\(directory.path)/cache"])
    let counts = try [first, second].map { try ToolRun.xferlog("show", "--all", $0).lines.count }
    #expect(run.lines == ["log,count(*)", "\(first),\(counts[0])", "\(second),\(counts[1])"])
  }

  @Test func `The evidence of two logs refers to the events of the right one`() throws {
    let logs = ["killed-before-delivery", "missed-completion-handler"].map { "\(ToolRun.checkout)/Samples/\($0)/log.xlog" }
    let directory = TemporaryDirectory()
    func ask(_ statement: String) throws -> String? {
      let run = try ToolRun.xferlog(
        ["sql", "-o", "csv"] + logs + [statement], environment: ["XDG_CACHE_HOME": "\(directory.path)/cache"])
      return run.lines.last
    }
    let joined = "SELECT count(*) FROM evidence JOIN events USING (source, segment, lane, seq)"
    let all = try ask("SELECT count(*) FROM evidence WHERE NOT missing")
    #expect(all == "6")
    #expect(try ask(joined) == all)
    #expect(try ask("\(joined) WHERE events.event = evidence.event AND events.time = evidence.time") == all)
    // Without the source, events of both logs have the place.
    #expect(try ask(joined.replacingOccurrences(of: "source, ", with: "")) != all)
    let text = try ToolRun.xferlog(["replay"] + logs).text
    #expect(text.contains("task.transferred  1/2/19 of \(logs[0])") && text.contains("wake.delivered  3/1/4 of \(logs[1])"))
    let json = try ToolRun.xferlog(["replay", "-o", "json"] + logs)
    let document = try #require(JSONSerialization.jsonObject(with: Data(json.standardOutput)) as? [String: Any])
    let findings = try #require(document["findings"] as? [[String: Any]])
    let sources = findings.flatMap { $0["evidence"] as? [[String: Any]] ?? [] }.compactMap { $0["source"] as? [String: Int] }
    #expect(sources.compactMap { $0["log"] } == [1, 1, 1, 1] && sources.count == 6)
  }

  @Test func `A log is sealed only on request`() throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 40, seed: 41).path
    let before = try DamagedLog.files(log)
    let cache = ["XDG_CACHE_HOME": directory.path("cache")]
    let run = try ToolRun.xferlog("index", log, environment: cache)
    #expect(run.status == 0 && run.standardError == "")
    #expect(try DamagedLog.files(log) == before)
    let sealed = try ToolRun.xferlog("index", "--seal", log, environment: cache)
    #expect(sealed.status == 0 && sealed.standardError.contains(" in \(log): "))
    #expect(try DamagedLog.files(log) != before)
  }

  @Test func `Indexes that are old or too much for the cache are removed, and no other file`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let cache = directory.path("cache/xferlog")
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
    func put(_ name: String, days: Double, size: UInt64 = 10) throws {
      try Data().write(to: URL(fileURLWithPath: "\(cache)/\(name)"))
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(cache)/\(name)"))
      // Files with holes take no room.
      try handle.truncate(atOffset: size)
      try handle.close()
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)], ofItemAtPath: "\(cache)/\(name)")
    }
    try put("index-0000000000000001.sqlite", days: 31)
    try put("index-0000000000000002.sqlite", days: 29)
    try put("index-0000000000000003.sqlite", days: 3, size: 700 << 20)
    try put("index-0000000000000004.sqlite", days: 2, size: 700 << 20)
    try put("index-0000000000000005.sqlite.Ab3dEf", days: 31)
    try put("notes.sqlite", days: 400, size: 2 << 30)
    let run = try ToolRun.xferlog("index", log, environment: ["XDG_CACHE_HOME": directory.path("cache")])
    #expect(run.status == 0, "\(run.standardError)")
    let made = String(run.lines[0].split(separator: "/").last ?? "")
    let kept = Set(try FileManager.default.contentsOfDirectory(atPath: cache))
    #expect(kept == [made, "index-0000000000000002.sqlite", "index-0000000000000004.sqlite", "notes.sqlite"], "\(kept)")
    // A use makes an index young again.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -40 * 86_400)], ofItemAtPath: "\(cache)/\(made)")
    let asked = try ToolRun.xferlog("sql", log, "SELECT 1", environment: ["XDG_CACHE_HOME": directory.path("cache")])
    #expect(asked.status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(cache)/\(made)")
    #expect(Date().timeIntervalSince(attributes[.modificationDate] as? Date ?? .distantPast) < 3600)
  }

  @Test func `The sqlite3 command gives the same answers`() throws {
    let directory = TemporaryDirectory()
    let log = try CrowdedLog(in: directory, tasks: 100, seed: 31).path
    let index = "\(directory.path)/index.sqlite"
    _ = try ToolRun.xferlog("index", log, "--to", index)
    let views = try Self.sql(log, "SELECT name FROM sqlite_master WHERE type = 'view'", cache: "\(directory.path)/cache")
    #expect(views.count >= 9)
    for view in views.compactMap({ $0["name"] }) {
      let statement = "SELECT * FROM \(view)"
      let ours = try ToolRun.xferlog(
        "sql", "-o", "csv", "--csv-raw", log, statement, environment: ["XDG_CACHE_HOME": "\(directory.path)/cache"])
      let theirs = try ToolRun(
        "/usr/bin/env", ["sqlite3", "-readonly", "-csv", "-header", index, statement], input: nil, environment: [:])
      #expect(theirs.status == 0, "\(theirs.standardError)")
      // sqlite3 ends lines with CRLF (RFC 4180) and quotes more texts than necessary.
      #expect(theirs.lines.count == ours.lines.count, "\(view)")
      #expect(theirs.text.replacing("\r", with: "").replacing("\"", with: "") == ours.text.replacing("\"", with: ""), "\(view)")
    }
  }

  /// Dashboards/check runs what the blocks marked `sh` start, which needs other programs.
  @Test func `Every command in Dashboards/README.md works`() throws {
    let directory = TemporaryDirectory()
    let page = try String(contentsOf: Self.checkout.appendingPathComponent("Dashboards/README.md"), encoding: .utf8)
    let blocks = page.matches(of: /(?ms)^```(\w*)\n(.*?)^```\n/).filter { $0.1.isEmpty }.map { String($0.2) }
    #expect(blocks.count >= 6)
    let log = Self.checkout.appendingPathComponent("Samples/killed-before-delivery/log.xlog").path
    let tools = URL(fileURLWithPath: ToolRun.tool).deletingLastPathComponent().path
    for block in blocks {
      let command = block.hasPrefix("SELECT") ? "xferlog sql run.xlog \"$statement\"" : block
      let run = try ToolRun.bash(
        command.replacing("run.xlog", with: log),
        environment: [
          "statement": block, "PATH": "\(tools):/usr/bin:/bin", "XDG_CACHE_HOME": "\(directory.path)/cache",
        ])
      #expect(run.status == 0, "\(run.standardError)")
      #expect(run.lines.count >= 2, "\(block)")
    }
  }
}
