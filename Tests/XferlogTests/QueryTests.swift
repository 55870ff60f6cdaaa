import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `xferlog query`: its stages, its outputs and its errors. The expected figures are computed from the plan of the log.
@Suite struct QueryTests {
  private let directory = TemporaryDirectory()

  private func crowd(_ tasks: Int = 120, seed: UInt64 = 5) throws -> CrowdedLog {
    try CrowdedLog(in: directory, tasks: tasks, seed: seed)
  }

  /// Returns the rows of a query as JSON objects.
  private func rows(_ query: String, _ log: String, _ options: [String] = []) throws -> [[String: Any]] {
    let run = try ToolRun.xferlog(["query", query, log, "-o", "json"] + options)
    #expect(run.status == 0, "\(query): \(run.standardError)")
    let document = try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any]
    #expect(document?["schema"] as? String == "xferlog.query/1")
    return try #require(document?["rows"] as? [[String: Any]])
  }

  /// Returns the names of the events that a query selects, with their tasks' numbers.
  private func events(_ query: String, _ log: String) throws -> [String] {
    let run = try ToolRun.xferlog("query", query, log, "-o", "ndjson", "--allow-empty")
    #expect(run.status == 0, "\(query): \(run.standardError)")
    return try run.lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      let task = object["task"] as? [String: Any]
      return "\(object["event"] ?? "")" + (task.map { " \($0["number"]!)" } ?? "")
    }
  }

  // MARK: Stages

  @Test func `Tasks are counted by outcome and host, with percentiles, sums and extremes`() throws {
    let crowd = try crowd()
    let outcomes = try rows("* | tasks | stats count by outcome", crowd.path)
    let expected = [
      "succeeded": crowd.count(.succeeded), "failed": crowd.count(.notFound, .reset), "cancelled": crowd.count(.cancelled),
      "lost": crowd.count(.lost),
    ]
    #expect(Dictionary(uniqueKeysWithValues: outcomes.map { ($0["outcome"] as! String, $0["count"] as! Int) }) == expected)
    // The greatest count comes first.
    #expect(outcomes.map { $0["count"] as! Int } == expected.values.sorted(by: >))

    let query =
      "event=task.created | tasks | where outcome != lost | stats count, p50(took), p90(took) as slow, max(received), sum(sent), avg(attempts) by host"
    for row in try rows(query, crowd.path) {
      let plans = crowd.plans.filter { $0.host == row["host"] as? String && $0.ending != .lost }
      #expect(row["count"] as? Int == plans.count)
      #expect(row["p50Took"] as? Int64 == CrowdedLog.percentile(50, plans.map(\.total)))
      #expect(row["slow"] as? Int64 == CrowdedLog.percentile(90, plans.map(\.total)))
      #expect(row["maxReceived"] as? Int64 == plans.map(\.received).max())
      #expect(row["sumSent"] as? Int64 == plans.reduce(0) { $0 + $1.sent })
      #expect(row["avgAttempts"] as? Double == 1)
    }
  }

  @Test func `Events are counted in slices of time, the earliest first`() throws {
    let crowd = try crowd()
    var expected: [Int64: Int] = [:]
    for plan in crowd.plans { expected[(RecordedLog.begin / 1_000_000 + plan.start) / 5000 * 5000, default: 0] += 1 }
    let slices = try rows("event=task.created | slice 5s | stats count, distinct(session)", crowd.path)
    #expect(slices.map { $0["count"] as! Int } == expected.sorted { $0.key < $1.key }.map(\.value))
    let first = WallTime(nanoseconds: expected.keys.min()! * 1_000_000)
    #expect(slices.first?["slice"] as? String == "\(first)")
    #expect(slices.allSatisfy { $0["distinctSession"] as? Int == 1 })
    #expect(
      try rows("event=task.created | slice 5s", crowd.path).map { $0["count"] as! Int } == slices.map { $0["count"] as! Int })
  }

  @Test func `The greatest values, an order, some fields and a limit`() throws {
    let crowd = try crowd()
    let run = try ToolRun.xferlog(
      "query", "event=task.transferred | top 5 by received | fields number, received", crowd.path, "-o", "csv")
    let transferred = crowd.plans.filter { [.succeeded, .notFound, .lost].contains($0.ending) }.sorted {
      $0.received > $1.received
    }
    #expect(run.lines == ["number,received"] + transferred.prefix(5).map { "\($0.task.number),\($0.received)" })
    let created = try rows("event=task.created | sort task.host desc, -number | fields task.host, number | limit 7", crowd.path)
    let sorted = crowd.plans.sorted { ($1.host, $1.task.number) < ($0.host, $0.task.number) }.prefix(7)
    #expect(created.map { "\($0["host"]!) \($0["number"]!)" } == sorted.map { "\($0.host) \($0.task.number)" })
    // Missing values come last in both directions.
    let ascending = try rows("event=task.created or event=task.transferred | sort received | fields received", crowd.path)
    #expect(ascending.last?["received"] is NSNull && !(ascending.first?["received"] is NSNull))
    let missing = try rows("event=task.created or event=task.transferred | sort -received | fields received", crowd.path)
    #expect(missing.last?["received"] is NSNull && !(missing.first?["received"] is NSNull))
  }

  @Test func `The events around a match are those of the same task, or of the whole log`() throws {
    let log = try RecordedLog.sample(in: directory)
    #expect(
      try events("event=attempt.started | context 1", log) == [
        "task.resumed 7", "attempt.started 7", "attempt.responseReceived 7",
      ])
    #expect(
      try events("event=delivery.dropped | context 1 by log", log) == [
        "attempt.bytesReceived 7", "delivery.dropped 1", "task.transferred 7",
      ])
    #expect(
      try events("event=wake.delivered | context 1 by session", log) == ["task.transferred 7", "wake.delivered"])
    // Overlapping surroundings are printed once.
    #expect(
      try events("host=cdn.example.com | context 1", log).count == Set(try events("host=cdn.example.com | context 1", log)).count)
  }

  @Test func `Tasks and findings are those of a replay`() throws {
    let crowd = try crowd()
    let tasks = try rows("task.outcome=lost | tasks", crowd.path)
    #expect(Set(tasks.map { $0["number"] as! Int }) == Set(crowd.plans.filter { $0.ending == .lost }.map { Int($0.task.number) }))
    #expect(tasks.allSatisfy { $0["outcome"] as? String == "lost" && $0["session"] as? String == "img" })
    let replay = try ToolRun.xferlog("replay", crowd.path, "-o", "json", "--fail-on", "never")
    let document = try JSONSerialization.jsonObject(with: Data(replay.standardOutput)) as? [String: Any]
    let expected = (document?["findings"] as? [[String: Any]] ?? []).filter { $0["task"] as? String != nil }
    let found = try rows("task.number>0 | findings | where exists(task)", crowd.path)
    #expect(!found.isEmpty)
    for key in ["rule", "severity", "certainty", "task", "summary", "fingerprint"] {
      #expect(found.map { $0[key] as? String } == expected.map { $0[key] as? String }, "\(key)")
    }
    let rules = try rows("finding.severity>=warning | stats count by rule", crowd.path)
    #expect(Set(rules.map { $0["rule"] as! String }).isSubset(of: expected.map { $0["rule"] as! String }))
  }

  @Test func `A sequence is found within its time, task by task`() throws {
    let crowd = try crowd()
    for (limit, text) in [(2000, "within 2s"), (Int64.max, "")] as [(Int64, String)] {
      let found = try rows("| seq task.resumed then attempt.responseReceived then task.completed \(text)", crowd.path)
      let expected = crowd.plans.filter { $0.isDelivered && $0.total <= limit }
      #expect(Set(found.map { $0["number"] as! Int }) == Set(expected.map { Int($0.task.number) }), "\(text)")
      for row in found {
        let plan = crowd.plans[(row["number"] as! Int) - 1]
        #expect(row["took"] as? Int64 == plan.total * 1_000_000)
        #expect(row["place3"] as? String != nil)
      }
    }
  }

  @Test func `A repeated first step begins a sequence again, and order matters`() throws {
    let log = try RecordedLog(in: directory, name: "order.xlog")
    for (time, step) in [(0, 1), (10, 1), (15, 2), (40, 2), (50, 1), (100, 2)] as [(Int64, Int)] {
      if step == 1 {
        log.emit(at: time, TaskResumed(task: RecordedLog.task, by: .app))
      } else {
        log.emit(at: time, TaskSuspended(task: RecordedLog.task, by: .app))
      }
    }
    log.close()
    #expect(try rows("| seq task.resumed then task.suspended", log.path).map { $0["took"] as! Int } == [5_000_000, 50_000_000])
    #expect(try rows("| seq task.resumed then task.suspended within 20ms", log.path).map { $0["took"] as! Int } == [5_000_000])
    #expect(
      try rows("| seq task.suspended then task.resumed within 20ms by log", log.path).map { $0["took"] as! Int } == [10_000_000])
  }

  @Test func `A sequence whose time is over makes room for the next one`() throws {
    let log = try RecordedLog(in: directory, name: "expired.xlog")
    for start in [0, 3_600_000] as [Int64] {
      log.emit(at: start, TaskResumed(task: RecordedLog.task, by: .app))
      log.emit(at: start + 1, TaskSuspended(task: RecordedLog.task, by: .app))
    }
    log.emit(at: 3_600_002, TaskCancelRequested(task: RecordedLog.task, by: .app))
    log.close()
    let found = try rows("| seq task.resumed then task.suspended then task.cancelRequested within 5s", log.path)
    #expect(found.map { $0["took"] as! Int } == [2_000_000])
  }

  /// Each sequence is compared with a search for the latest first event from which the other steps can be met.
  @Test(arguments: [[1, 2, 3], [1, 1, 2], [1, 2, 1], [1, 2]])
  func `A sequence is found although an earlier one began and took too long`(steps: [Int]) throws {
    let kinds = [1: "task.resumed", 2: "task.suspended", 3: "task.cancelRequested"]
    var random = SeededRandom(seed: UInt64(steps.reduce(0) { $0 * 4 + $1 }))
    let log = try RecordedLog(in: directory, name: "overlap.xlog")
    var events: [(time: Int64, task: UInt32, kind: Int)] = []
    var time: Int64 = 0
    for _ in 0..<1500 {
      time += Int64.random(in: 1...400, using: &random)
      let event = (time, UInt32.random(in: 1...30, using: &random), Int.random(in: 1...3, using: &random))
      events.append(event)
      let task = TaskIdentity(uid: TaskUID(high: 1, low: UInt64(event.1)), session: "s", number: event.1)
      switch event.2 {
      case 1: log.emit(at: time, TaskResumed(task: task, by: .app))
      case 2: log.emit(at: time, TaskSuspended(task: task, by: .app))
      default: log.emit(at: time, TaskCancelRequested(task: task, by: .app))
      }
    }
    log.close()

    for limit in [10_000, 30_000] as [Int64] {
      var expected: [[Int64]] = []
      for task in UInt32(1)...30 {
        let own = events.filter { $0.task == task }
        var free = 0
        for (end, last) in own.enumerated() where last.kind == steps.last {
          let start = own[free..<end].indices.last { start in
            guard own[start].kind == steps[0], last.time - own[start].time <= limit else { return false }
            var place = start
            for step in steps[1..<(steps.count - 1)] {
              guard let next = own[(place + 1)..<end].firstIndex(where: { $0.kind == step }) else { return false }
              place = next
            }
            return true
          }
          if let start {
            expected.append([last.time, Int64(task), last.time - own[start].time])
            free = end + 1
          }
        }
      }
      let text = steps.map { kinds[$0]! }.joined(separator: " then ")
      let found = try rows("| seq \(text) within \(limit / 1000)s", log.path)
      #expect(expected.count > 20)
      #expect(
        found.map { [Int64($0["number"] as! Int), Int64($0["took"] as! Int) / 1_000_000] }
          == expected.sorted { $0[0] < $1[0] }.map { Array($0.dropFirst()) }, "\(text) within \(limit) ms")
    }
  }

  @Test func `An absence is reported when the log covers the time limit, and counted as undecided otherwise`() throws {
    let crowd = try crowd()
    let last = crowd.plans.map { $0.isDelivered ? $0.completed : $0.wireEnd }.max()!
    let lost = crowd.plans.filter { $0.ending == .lost }
    let decided = lost.filter { last - $0.wireEnd > 15_000 }
    #expect(decided.count > 2 && decided.count < lost.count)
    let query = "| absent task.completed within 15s after task.transferred by task"
    let run = try ToolRun.xferlog("query", query, crowd.path, "-o", "ndjson")
    let rows = try run.lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
    #expect(
      rows.map { $0["number"] as! Int }
        == decided.sorted { ($0.wireEnd, $0.task.number) < ($1.wireEnd, $1.task.number) }.map { Int($0.task.number) })
    #expect(rows.allSatisfy { $0["schema"] as? String == "xferlog.queryRow/1" && $0["event"] as? String == "task.transferred" })
    let open = lost.count - decided.count
    #expect(run.standardError.contains(open == 1 ? "1 event is undecided" : "\(open) events are undecided"))
    // A late answer is a missing one.
    let late = try self.rows("| absent task.completed within 1ms after task.transferred", crowd.path)
    #expect(
      late.count
        == crowd.plans.filter {
          [.succeeded, .notFound, .lost].contains($0.ending)
            && ($0.isDelivered ? $0.completed - $0.wireEnd > 1 : last - $0.wireEnd > 1)
        }.count)
  }

  @Test func `A table can be filtered, grouped and sorted again, and a stage that needs events says so`() throws {
    let crowd = try crowd()
    let busiest = try rows("event=task.created | stats count by task.host | sort count desc | limit 1", crowd.path)
    let hosts = Dictionary(grouping: crowd.plans, by: \.host).mapValues(\.count)
    #expect(busiest.first?["count"] as? Int == hosts.values.max())
    #expect(try rows("* | tasks | stats p50(took) by host | top 1 by p50(took)", crowd.path).count == 1)
    let run = try ToolRun.xferlog("query", "* | stats count | tasks", crowd.path)
    #expect(run.status == 2 && run.standardError.contains("`tasks` needs events, but an earlier stage has made a table"))
    let unknown = try ToolRun.xferlog("query", "* | stats count by host | where hots=1", crowd.path)
    #expect(
      unknown.status == 2 && unknown.standardError.contains("unknown field `hots`")
        && unknown.standardError.contains("Did you mean host?"))
  }

  @Test func `Figures without any event are zero or missing`() throws {
    let log = try RecordedLog.sample(in: directory)
    let rows = try rows(
      "host=nowhere | stats count, max(received), avg(status), sum(received), p50(received)", log, ["--allow-empty"])
    #expect(rows.count == 1 && rows[0]["count"] as? Int == 0)
    for key in ["maxReceived", "avgStatus", "sumReceived", "p50Received"] { #expect(rows[0][key] is NSNull, "\(key)") }
  }

  // MARK: Outputs

  @Test func `The result is available as text, JSON, NDJSON and CSV`() throws {
    let log = try RecordedLog.sample(in: directory)
    let query = "event=task.transferred | fields task, received, status, level, time"
    #expect(
      try ToolRun.xferlog("query", query, log).lines == [
        "task   received  status  level    time", "img/7  33.1 MiB     200  default  2026-11-20T14:02:12.470000000Z",
      ])
    #expect(
      try ToolRun.xferlog("query", query, log, "-o", "csv").lines == [
        "task,received,status,level,time", "img/7,34812723,200,default,2026-11-20T14:02:12.470000000Z",
      ])
    #expect(
      try ToolRun.xferlog("query", query, log, "-o", "ndjson").lines == [
        #"{"schema":"xferlog.queryRow/1","task":"img/7","received":34812723,"status":200,"level":"default","time":"2026-11-20T14:02:12.470000000Z"}"#
      ])
    let json = try ToolRun.xferlog("query", query, log, "-o", "json").text
    #expect(
      json.hasPrefix(
        #"{"schema":"xferlog.query/1","query":"event = task.transferred | fields task, received, status, level, time","columns":["#
      ))
    // Events are printed as `show` prints them.
    for form in [["-o", "json"], ["-o", "ndjson"], ["-o", "csv"]] {
      #expect(try ToolRun.xferlog(["query", "*", log] + form).text == ToolRun.xferlog(["show", log] + form).text)
    }
    #expect(try ToolRun.xferlog("query", "level>=error", log).text == ToolRun.xferlog("show", "--level", "error", log).text)
  }

  @Test(arguments: [
    ("+05:30", "2026-11-20T19:32:12.470000000+05:30"), ("America/New_York", "2026-11-20T09:02:12.470000000-05:00"),
    ("Asia/Tokyo", "2026-11-20T23:02:12.470000000+09:00"), ("utc", "2026-11-20T14:02:12.470000000Z"),
  ])
  func `Aligned columns have times in the zone that is asked for`(zone: String, time: String) throws {
    let log = try RecordedLog.sample(in: directory)
    let query = ["query", "event=task.transferred | fields time", log, "-Z", zone, "-o"]
    #expect(try ToolRun.xferlog(query + ["short"]).lines == ["time", time])
    #expect(try ToolRun.xferlog(query + ["wide"]).lines == ["time", time])
    #expect(try ToolRun.xferlog(query + ["csv"]).lines == ["time", "2026-11-20T14:02:12.470000000Z"])
  }

  @Test func `--explain prints the normalised query, the skipped blocks and the time`() throws {
    let crowd = try CrowdedLog(in: directory, tasks: 400, seed: 11)
    let live = try ToolRun.xferlog("query", "task=17 OR task=18", crowd.path, "--explain")
    #expect(live.remarks[0] == #"xferlog: query: task = "17" or task = "18""#)
    #expect(live.standardError.contains("blocks: 0 of 0 sealed blocks skipped"))
    let alternatives = [
      "level=debug or level=default", "level=fault or event=task.completed", "time<2026-11-20T14:02:09Z or task=17",
      "task=17 or task=img/300",
      "(task=17 level=default) or session=nowhere", "session=img or level=fault", "not (level=default)", "not level=fault",
      "number IN {3, 399}",
      "time BETWEEN {2026-11-20T14:02:10Z, 2026-11-20T14:02:11Z}", "task?=17", "task!=17", "session?=nowhere",
      "uid=x or number=5",
      "event IN {task.completed, task.created} or task=3", "level<=info or level>=error", "task=17 | context 1",
      "| absent task.completed within 1s after task.created | limit 3",
    ]
    func answers() throws -> [String] {
      try alternatives.map { try ToolRun.xferlog("query", $0, crowd.path, "-o", "csv", "--allow-empty").text }
    }
    let before = try answers()
    _ = try ToolRun.xferlog("index", "--seal", crowd.path, environment: ["XDG_CACHE_HOME": "\(directory.path)/cache"])
    for (query, mustSkip) in [
      ("task=17 OR task=18", true), ("time<2026-11-20T14:02:08Z", true), ("level=fault", true), ("session=nowhere", true),
      ("event=task.completed level=debug", true), ("not level>=debug", true), ("host=a.example.com", false),
      ("task=17 or status=200", false),
    ] {
      let run = try ToolRun.xferlog("query", query, crowd.path, "--explain", "--allow-empty")
      let blocks = try #require(run.remarks.first { $0.contains("blocks: ") })
      let counts = blocks.matches(of: /\d+/).compactMap { Int($0.output) }
      #expect(counts.count >= 2 && counts[1] > 3, "\(query): \(blocks)")
      #expect((counts[0] > 0) == mustSkip, "\(query): \(blocks)")
      #expect(run.remarks.contains { $0.hasPrefix("xferlog: time: ") } && run.remarks.contains { $0.contains(" read, ") })
    }
    #expect(try ToolRun.xferlog("query", "task=17 OR task=18", crowd.path).text == live.text)
    for ((query, one), other) in zip(zip(alternatives, before), try answers()) { #expect(one == other, "\(query)") }
  }

  private func seal(_ log: String) throws {
    let run = try ToolRun.xferlog("index", "--seal", log, environment: ["XDG_CACHE_HOME": "\(directory.path)/cache"])
    #expect(run.status == 0)
  }

  @Test func `--explain says why blocks were skipped, and which ones were read only in part`() throws {
    let crowd = try CrowdedLog(in: directory, tasks: 400, seed: 11)
    try seal(crowd.path)
    func blocks(_ query: String) throws -> String {
      let run = try ToolRun.xferlog("query", query, crowd.path, "--explain", "--allow-empty")
      return try #require(run.remarks.first { $0.contains("blocks: ") })
    }
    for (query, reason) in [
      ("time<2026-11-20T14:02:08Z", "by time"), ("level=fault", "by level"), ("session=nowhere", "by session"),
      ("task=17", "by task"), ("event=multipart.started", "by kind"),
    ] {
      let text = try blocks(query)
      #expect(text.range(of: "[1-9][0-9]* \(reason)", options: .regularExpression) != nil, "\(query): \(text)")
    }
    // Only kinds and times are decoded, and times alone are no reason to decode the rest.
    for query in ["* | stats count by level", "* | stats count, max(time) by event", "event=task.completed | slice 1m"] {
      let text = try blocks(query)
      let counts = text.matches(of: /\d+/).compactMap { Int($0.output) }
      #expect(text.contains("only in part") && counts.count > 4 && counts[2] > 3 && counts[2] == counts[4], "\(query): \(text)")
    }
    for query in ["* | stats max(received) by host", "exists(task) | stats count by uid"] {
      #expect(try !blocks(query).contains(", 0 of them only in part"), "\(query)")
    }
    #expect(try blocks("* | stats max(received), max(time) by host").contains(", 0 of them only in part"))
    // An order is needed, so nothing is read in any order.
    #expect(try !blocks("* | stats first(event)").contains("only in part"))
  }

  @Test func `Blocks without a match keep the events around a match`() throws {
    let crowd = try CrowdedLog(in: directory, tasks: 400, seed: 12)
    let shown = try ToolRun.xferlog("show", "--all", crowd.path, "-o", "ndjson").lines
    let all = try shown.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
    func task(_ event: [String: Any]) -> Int? { (event["task"] as? [String: Any])?["number"] as? Int }
    func surroundings(_ count: Int, sameTask: Bool, _ isMatch: ([String: Any]) -> Bool) -> [String] {
      var chosen = Set<Int>()
      for place in all.indices where isMatch(all[place]) {
        chosen.insert(place)
        for direction in [-1, 1] {
          var (other, left) = (place + direction, count)
          while left > 0, all.indices.contains(other) {
            if !sameTask || task(all[other]) == task(all[place]) {
              chosen.insert(other)
              left -= 1
            }
            other += direction
          }
        }
      }
      return chosen.sorted().map { shown[$0] }
    }
    let matches = all.indices.filter { task(all[$0]) == 17 && all[$0]["event"] as? String == "task.transferred" }
    #expect(matches.count == 1)
    let near = surroundings(700, sameTask: false) { task($0) == 17 && $0["event"] as? String == "task.transferred" }
    let own = surroundings(3, sameTask: true) { task($0) == 17 && $0["event"] as? String == "task.transferred" }
    func check(_ comment: Comment) throws {
      for (query, expected) in [
        ("task=17 event=task.transferred | context 700 by log", near), ("task=17 event=task.transferred | context 3", own),
      ] {
        #expect(try ToolRun.xferlog("query", query, crowd.path, "-o", "ndjson").lines == expected, comment)
      }
    }
    try check("as written")
    try seal(crowd.path)
    // The condition alone would skip most blocks.
    let skipping = try ToolRun.xferlog("query", "task=17 event=task.transferred", crowd.path, "--explain").standardError
    #expect(skipping.contains(#/[1-9]\d* by task/#))
    try check("sealed")
  }

  @Test func `A sealed log gives the same tables, also those that depend on the order of events`() throws {
    let crowd = try CrowdedLog(in: directory, tasks: 400, seed: 13)
    let composed = try RecordedLog(in: directory, name: "composed.xlog")
    // The second segment is larger than the first one, and threads begin with the largest.
    for number in 0..<9000 {
      // Both spellings of é are one text, and the first one is printed. The sum exceeds 64 bits.
      let intent = number % 7000 == 0 ? "caf\u{65}\u{301}" : number % 3 == 0 ? "caf\u{e9}" : "tea"
      composed.emit(at: Int64(number), AppNoted(task: RecordedLog.task, intent: intent))
      composed.emit(
        at: Int64(number),
        TaskTransferred(task: RecordedLog.task, received: .max - Int64(number), sent: Int64(number * 7919 % 9001)))
    }
    composed.close()
    let queries = [
      "* | stats count by level", "* | stats count by event, level", "* | stats first(event), last(event), first(number) by host",
      "event=task.transferred | stats p1(received), p37(received), median(received), p99(received), p100(received) by session",
      "* | stats count, distinct(task), min(time), max(mono), sum(received), avg(received), count(status) by event, session",
      "* | stats count by intent", "* | stats count, max(intent), min(intent)", "* | stats sum(received), avg(received) by task",
      "event=task.transferred | stats p1(sent), p50(sent), p99(sent), sum(sent), avg(sent)",
      "* | slice 5s | stats count by event",
      "level>=error | stats count by task", "exists(host) | stats count by host", "not exists(host) | stats count by family",
      "event=wake.delivered | stats count", "* | where exists(status) | stats count by status", "status>=400",
      "event=task.created | fields task, host | limit 9", "* | tasks | stats count by outcome",
      "| seq task.resumed then attempt.responseReceived then task.completed within 5s",
      "| absent task.completed within 15s after task.transferred", "host=a.example.com | sort received desc | limit 20",
      "received>1000 | top 10 by received", "* | stats count by process.role, launch",
    ]
    func answers(_ log: String) throws -> [String] {
      try queries.map { query in
        let run = try ToolRun.xferlog("query", query, log, "-o", "csv", "--allow-empty")
        #expect(run.status == 0, "\(query): \(run.standardError)")
        return run.text + run.standardError
      }
    }
    for log in [crowd.path, composed.path] {
      let live = try answers(log)
      try seal(log)
      for ((query, one), other) in zip(zip(queries, live), try answers(log)) { #expect(one == other, "\(query)") }
    }
    let intents = try rows("* | stats count by intent", composed.path).compactMap { $0["intent"] as? String }
    #expect(intents.contains { $0.utf8.elementsEqual("caf\u{65}\u{301}".utf8) })
    // Blocks are read in any order, and once more in theirs if the order shows in the result.
    for (query, isInAnyOrder) in [
      ("* | stats count by event", true), ("* | stats count by intent", false), ("* | stats max(intent)", false),
      ("* | stats sum(received)", false),
    ] {
      let said = try ToolRun.xferlog("query", query, composed.path, "--explain").standardError
      #expect(said.contains("read on ") == isInAnyOrder, "\(query): \(said)")
    }
    let sent = (0..<9000).map { $0 * 7919 % 9001 }.sorted()
    let row = try #require(try rows("event=task.transferred | stats p1(sent), p37(sent), p99(sent)", composed.path).first)
    for (key, percent) in [("p1Sent", 1), ("p37Sent", 37), ("p99Sent", 99)] {
      #expect(row[key] as? Int == sent[(percent * sent.count + 99) / 100 - 1], "\(key)")
    }
  }

  @Test func `The last event of a log decides about an absence, whatever its kind`() throws {
    let log = try RecordedLog(in: directory, name: "end.xlog")
    for number in 0..<1000 { log.emit(at: Int64(number), AttemptStarted(task: RecordedLog.task, attempt: number)) }
    log.emit(at: 1000, TaskTransferred(task: RecordedLog.task, received: 1, sent: 0, status: 200))
    for number in 0..<1000 { log.emit(at: 1000 + Int64(number), AttemptStarted(task: RecordedLog.task, attempt: number)) }
    log.emit(at: 31_000, AppNoted(task: RecordedLog.task, intent: "the end"))
    log.close()
    for _ in 0..<2 {
      #expect(try rows("| absent task.completed within 29s after task.transferred", log.path).count == 1)
      let open = try ToolRun.xferlog(
        "query", "| absent task.completed within 31s after task.transferred", log.path, "--explain", "--allow-empty")
      #expect(open.remarks.contains { $0.contains("1 event is undecided") } && open.lines.count <= 1)
      try seal(log.path)
    }
  }

  @Test func `--exists answers with the exit code alone`() throws {
    let crowd = try crowd()
    let cases =
      [
        ("task.outcome=lost", 0), ("host=nowhere", 1), ("| absent task.completed within 5s after task.transferred", 0),
        ("| absent task.created within 5s after log.opened by log | where number=999", 1), ("* | stats count", 0), ("level=", 2),
      ] as [(String, Int32)]
    for (query, code) in cases {
      let run = try ToolRun.xferlog("query", query, crowd.path, "--exists")
      #expect(run.status == code && run.text.isEmpty, "\(query): \(run.standardError)")
    }
    #expect(try ToolRun.xferlog("query", "host=nowhere", crowd.path, "--exists").standardError.contains("exit 1 (no match)"))
  }

  @Test func `A query that matches nothing exits with 3, unless that is allowed`() throws {
    let log = try RecordedLog.sample(in: directory)
    let run = try ToolRun.xferlog("query", "host=nowhere", log)
    #expect(run.status == 3 && run.standardError.contains("events matched the query\n"))
    let stage = try ToolRun.xferlog("query", "stats count by host", log)
    #expect(stage.status == 3 && stage.standardError.contains("matched the query; write | before `stats` to make it a stage"))
    #expect(try ToolRun.xferlog("query", "host=nowhere", log, "--allow-empty").status == 0)
  }

  // MARK: Errors and help

  @Test func `An error shows the query with carets below the faulty part`() throws {
    let log = try RecordedLog.sample(in: directory)
    let run = try ToolRun.xferlog("query", "level>=error statsu=500", log)
    #expect(run.status == 2)
    #expect(
      run.remarks == [
        "xferlog: exit 2 (wrong usage): unknown field `statsu`.", "  level>=error statsu=500", "               ^^^^^^",
        "Did you mean status or state? To search for the text, put it in quotation marks.",
      ])
    for (query, text) in [
      ("* | stat count", "Did you mean stats"), ("* | stats avg(host)", "needs numbers"), ("* | stats max", "needs a field"),
      ("* | top x by y", "expected a whole number"), ("* | slice x", "expected a duration"), ("* | seq a", "needs two to eight"),
      ("* | absent a after b", "expected `within`"), ("* | stats count | context 2", "must be the first stage"),
      ("* |", "expected a stage"), ("* | group by host", "Write | stats count by host, for example."),
      ("* | Tail 5", "Write | sort -time | limit 10"), ("* | fields time event", "unexpected `event` after the stage"),
      ("* | fields \(Array(repeating: "host", count: 70).joined(separator: ","))", "more than 64 fields"),
      ("\(String(repeating: "h", count: 20_000))=1", "unknown field `hhhh"),
      ("* | context 2 by host", "expected task, session, process or log"), ("@nosuch", "no query is saved as @nosuch"),
    ] {
      let run = try ToolRun.xferlog("query", query, log)
      #expect(run.status == 2 && run.standardError.contains(text), "\(query): \(run.standardError)")
    }
    let missing = try ToolRun.xferlog("query", log)
    #expect(missing.status == 2 && missing.standardError.contains("the query is missing"))
    #expect(try ToolRun.xferlog("query").status == 2)
  }

  @Test func `The help fits a screen and has examples, and all fields can be listed`() throws {
    let help = try ToolRun.xferlog("query", "--help")
    #expect(help.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 40)
    #expect(help.text.contains("A missing field makes a comparison"))
    let fields = try ToolRun.xferlog("query", "--list-fields")
    for name in ["eventMessage", "task.outcome", "finding.rule", "session.kind", "process.role", "received"] {
      #expect(fields.lines.contains { $0.hasPrefix(name + " ") }, "\(name)")
    }
  }

  // MARK: Saved queries

  @Test func `A query is saved under a name in the configuration file`() throws {
    let log = try RecordedLog.sample(in: directory)
    let folder = directory.path("config/xferlog")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = folder + "/config.yaml"
    try Data("queries:\n  errors: 'level>=error | stats count by event'\n  slow: took>10s\n".utf8).write(
      to: URL(fileURLWithPath: file))
    let environment = ["XDG_CONFIG_HOME": directory.path("config")]
    let direct = try ToolRun.xferlog("query", "level>=error | stats count by event", log)
    #expect(direct.lines.count > 1)
    #expect(try ToolRun.xferlog("query", "@errors", log, environment: environment).text == direct.text)
    #expect(try ToolRun.xferlog("query", "@errors", log, "--config", file).text == direct.text)
    let near = try ToolRun.xferlog("query", "@error", log, environment: environment)
    #expect(near.status == 2 && near.standardError.contains("Did you mean @errors?"))
    // Other commands accept the file.
    #expect(try ToolRun.xferlog("replay", log, "--fail-on", "never", environment: environment).status == 0)
    try Data("queries: [a]\n".utf8).write(to: URL(fileURLWithPath: file))
    let broken = try ToolRun.xferlog("query", "@errors", log, environment: environment)
    #expect(broken.status == 2 && broken.standardError.contains("`queries` must map names to queries"))
    // A rule file has no queries.
    #expect(try ToolRun.xferlog("replay", log, "--rules", file).standardError.contains("has no key `queries`"))
  }

  // MARK: Other commands

  @Test func `show and tail select events by a condition, also with other filters`() throws {
    let crowd = try crowd()
    for command in [["show"], ["tail", "-n", "all", "--no-findings"]] {
      let text = try ToolRun.xferlog(command + ["-p", "event=task.completed error!=28", "-o", "ndjson", crowd.path]).text
      #expect(
        try text == ToolRun.xferlog("query", "event=task.completed error!=28", crowd.path, "-o", "ndjson").text, "\(command)")
      let both = try ToolRun.xferlog(
        command + ["-p", "event=task.completed", "-p", "exists(error)", "-t", "3", "-o", "ndjson", crowd.path, "--allow-empty"])
      #expect(
        try both.text
          == ToolRun.xferlog("query", "event=task.completed exists(error) task=3", crowd.path, "-o", "ndjson", "--allow-empty")
          .text)
      let lost = try ToolRun.xferlog(command + ["-p", "task.outcome=lost", "-o", "ndjson", crowd.path])
      #expect(lost.lines.count > 10 && lost.status == 0)
    }
    let empty = try ToolRun.xferlog("show", "-p", "host=nowhere", crowd.path)
    #expect(empty.status == 3 && empty.standardError.contains("--predicate 'host=nowhere'"))
    let wrong = try ToolRun.xferlog("show", "-p", "hosst=a", crowd.path)
    #expect(wrong.status == 2 && wrong.standardError.contains("  hosst=a\n  ^^^^^\n"))
    // The end of a followed log is unknown.
    let followed = try ToolRun.xferlog("tail", "-f", "--timeout", "1ms", "-p", "task.outcome=lost", crowd.path)
    #expect(followed.status == 2 && followed.standardError.contains("is known only at the end of the log"))
    #expect(try ToolRun.xferlog("tail", "-f", "--timeout", "1ms", "-p", "process.role=engine", crowd.path).status == 5)
  }

  @Test func `Findings are shown with --predicate if one of their tasks matches`() throws {
    let crowd = try crowd()
    func findings(_ condition: String) throws -> Int {
      let run = try ToolRun.xferlog("show", "--findings", "-p", condition, crowd.path, "-o", "ndjson")
      return run.lines.count { $0.contains(#""finding":"#) }
    }
    #expect(try findings("task.outcome=lost") > 2)
    #expect(try findings("task.outcome=succeeded") < findings("task.outcome=lost"))
  }

  @Test func `stats counts the events that match, and their tasks`() throws {
    let crowd = try crowd()
    func stats(_ arguments: String...) throws -> [String: Any] {
      let run = try ToolRun.xferlog(["stats", crowd.path, "-o", "json"] + arguments)
      #expect(run.status == 0, "\(run.standardError)")
      return try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any] ?? [:]
    }
    let all = try stats()
    #expect(
      try (stats("-p", "*")["events"] as? [String: Any])?["count"] as? Int == (all["events"] as? [String: Any])?["count"] as? Int)
    let host = "a.example.com"
    let some = try stats("-p", "event=task.created host=\(host)")
    let plans = crowd.plans.filter { $0.host == host }
    #expect((some["events"] as? [String: Any])?["count"] as? Int == plans.count)
    let hosts = some["hosts"] as? [[String: Any]] ?? []
    #expect(hosts.count == 1 && hosts.first?["host"] as? String == host && hosts.first?["tasks"] as? Int == plans.count)
    #expect(try ToolRun.xferlog("stats", "-p", "host=nowhere", crowd.path).status == 3)
  }

  // MARK: Masked values

  @Test func `A comparison with a masked value is neither true nor false, except with its hash`() throws {
    let log = try RecordedLog.sample(in: directory, mode: .hashed)
    for query in [#"path="/files/o/31337/file.bin""#, #"path!="/a""#, #"path CONTAINS "file""#] {
      let run = try ToolRun.xferlog("query", query, log)
      #expect(run.status == 3 && run.text.isEmpty, "\(query)")
      #expect(
        run.standardError.contains("2 events could not be compared, because values are masked, truncated or lost"),
        "\(run.standardError)")
    }
    #expect(try events("exists(path)", log) == ["task.created 7", "task.created 1"])
    #expect(try events("event=task.created not path=x", log) == [])
    let masks = try rows("exists(path) | fields path", log).compactMap { $0["path"] as? String }
    #expect(masks.count == 2 && masks.allSatisfy { $0.hasPrefix("<mask.hash: ") })
    #expect(try events("path=\"\(masks[0])\"", log) == ["task.created 7"])
    #expect(try events("path!=\"\(masks[0])\"", log) == ["task.created 1"])
    // A value that decides otherwise is enough.
    #expect(try events("host=cdn.example.com or path=x", log).count == 3)
    let redacted = try RecordedLog.sample(in: directory, name: "redacted.xlog", mode: .redacted)
    #expect(try ToolRun.xferlog("query", #"path="<private>""#, redacted).status == 3)
  }

  @Test func `The options in brackets ignore case and diacritical marks`() throws {
    let log = try RecordedLog(in: directory, name: "marks.xlog")
    for (place, session) in ["Café", "cafe\u{301}", "CAFE", "Việt", "Ωμέγα", "naïve", "Æther", "ΣΊΣΥΦΟΣ"].enumerated() {
      log.emit(at: Int64(place), SessionCreated(session: session, instance: CorrelationID(UInt64(place)), sessionKind: .default))
    }
    log.close()
    for (condition, count) in [
      (#"session =[c] "σίσυφος""#, 1), (#"session CONTAINS[c] "σίσυφοσ""#, 1),
      (#"session = "cafe""#, 0), (#"session =[c] "cafe""#, 1), (#"session =[d] "cafe""#, 1), (#"session =[cd] "CAFÉ""#, 3),
      (#"session = "café""#, 1), (#"session =[c] "CAFÉ""#, 2), (#"session CONTAINS[d] "Viet""#, 1),
      (#"session BEGINSWITH[cd] "ωμε""#, 1),
      (#"session LIKE[d] "na?ve""#, 1), (#"session MATCHES[cd] "CAFE""#, 3), (#"session ENDSWITH[c] "ÆTHER""#, 1),
      (#"session IN[cd] {"cafe", "NAIVE"}"#, 4), (#"session ~[d] "^nai""#, 1),
    ] {
      #expect(try events(condition, log.path).count == count, "\(condition)")
    }
  }

  @Test func `A missing field makes a comparison false, and its negation true`() throws {
    let log = try RecordedLog.sample(in: directory)
    let all = try events("*", log).count
    let (equal, unequal) = (try events("status=200", log).count, try events("status!=200", log).count)
    #expect(equal == 2 && unequal == 0)
    #expect(try events("not status=200", log).count == all - 2)
    #expect(try events("status?=200", log).count == all)
    #expect(try events("status?=404", log).count == all - 2)
    #expect(try events("exists(status)", log).count == 2)
  }
}
