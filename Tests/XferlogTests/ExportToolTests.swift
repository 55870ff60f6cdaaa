import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Exports, read by tools of other projects.
@Suite struct ExportToolTests {
  private let directory = TemporaryDirectory()

  @Test func `haralyzer reads an HTTP Archive`() throws {
    let log = try ExportSample.write(in: directory)
    let seen = try ExportTools.read("har", "har", of: log, in: directory)
    let entries = try #require(seen["entries"] as? [[String: Any]])
    #expect(seen["version"] as? String == "1.2")
    #expect(seen["pages"] as? [String] == ["img", "docs"])
    #expect(seen["failed"] as? Int == 1)
    // One entry for each request: the lost attempt, the redirect and its target, the 404 and the open upload.
    #expect(entries.map { $0["status"] as? Int } == [0, 302, 200, 404, 0])
    #expect(entries.map { $0["method"] as? String } == ["GET", "GET", "GET", "HEAD", "PUT"])
    #expect(
      entries.map { $0["url"] as? String } == [
        "https://img.example.com:8443/album/canary.jpg?size=2", "https://img.example.com:8443/album/canary.jpg?size=2",
        "https://img.example.com:8443/album/2", "http://docs.example.com/=formula", "http://docs.example.com/new",
      ])
    #expect(entries.map { $0["time"] as? Double } == [50, 27, 43, 20, 49])
    for entry in entries { #expect(entry["time"] as? Double == entry["parts"] as? Double) }
    #expect(entries[2]["received"] as? Int == 5000)
    #expect(entries[2]["mime"] as? String == "image/jpeg")
    #expect((entries[0]["start"] as? String)?.hasPrefix("2026-11-20T14:02:07.010") == true)
  }

  @Test func `Perfetto's message classes read a trace`() throws {
    let log = try ExportSample.write(in: directory)
    let seen = try ExportTools.read("perfetto", "perfetto", of: log, in: directory)
    #expect(seen["problems"] as? [String] == [])
    #expect(seen["processes"] as? [Int] == [4001])
    let slices = try #require(seen["slices"] as? [[String: Any]])
    func named(_ category: String) -> [String] {
      slices.filter { $0["category"] as? String == category }.compactMap { $0["name"] as? String }
    }
    #expect(named("task").sorted() == ["docs/1", "docs/2", "img/7"])
    #expect(named("attempt") == ["attempt 1", "attempt 2", "attempt 1", "attempt 1"])
    let first = try #require(slices.first { $0["name"] as? String == "tls" })
    #expect(first["depth"] as? Int == 1)
    #expect((first["end"] as? Int ?? 0) - (first["start"] as? Int ?? 0) == 15_000_000)
    let photo = try #require(slices.first { $0["name"] as? String == "img/7" })
    #expect(photo["start"] as? Int == Int(RecordedLog.begin))
    #expect(photo["end"] as? Int == Int(RecordedLog.begin) + 232_000_000)
    #expect((photo["details"] as? [String: Any])?["status"] as? Int == 200)
  }

  @Test func `A Chrome trace has balanced tasks and attempts`() throws {
    let log = try ExportSample.write(in: directory)
    let seen = try ExportTools.read("chrome", "chrome", of: log, in: directory)
    #expect(seen["problems"] as? [String] == [])
    let slices = try #require(seen["slices"] as? [[String: Any]])
    let tasks = slices.filter { $0["category"] as? String == "task" }
    #expect(Set(tasks.compactMap { $0["name"] as? String }) == ["docs/1", "docs/2", "img/7"])
    #expect(tasks.first { $0["name"] as? String == "img/7" }?["duration"] as? Double == 232_000)
    #expect(slices.filter { ($0["name"] as? String)?.hasPrefix("attempt") == true }.count == 4)
    #expect((seen["other"] as? [String: Any])?["origin"] as? String == "2026-11-20T14:02:07.000000000Z")
  }

  @Test func `OpenXES for Python reads an event log`() throws {
    let log = try ExportSample.write(in: directory)
    let seen = try ExportTools.read("xes", "xes", of: log, in: directory)
    let traces = try #require(seen["traces"] as? [[String: Any]])
    #expect(traces.map { $0["name"] as? String } == ["img/7", "docs/1", "docs/2"])
    let shown = try ToolRun.xferlog("show", "-o", "csv", "-t", "img/7", log).lines.dropFirst()
    let events = try #require(traces[0]["events"] as? [[String: Any]])
    #expect(
      events.compactMap { $0["name"] as? String }
        == shown.map { $0.split(separator: ",", omittingEmptySubsequences: false)[3] }
        .map(String.init))
    #expect(events.last?["status"] as? String == "200")
    #expect(events.last?["time"] as? String == "2026-11-20 14:02:07.232000+00:00")
    #expect(Set(seen["extensions"] as? [String] ?? []).isSuperset(of: ["Concept", "Time"]))
  }

  @Test func `Google's protobuf accepts OTLP's JSON`() throws {
    let log = try ExportSample.write(in: directory)
    let logs = try ExportTools.read("otlp", "otlp-logs", of: log, in: directory)
    let spans = try ExportTools.read("otlp", "otlp-spans", of: log, in: directory)
    let all = try ToolRun.xferlog("show", "-o", "csv", "--all", log).lines.count - 1
    #expect((logs["records"] as? [Any])?.count == all)
    let records = try #require(spans["records"] as? [[String: Any]])
    #expect(records.map { $0["name"] as? String } == ["GET", "GET", "HEAD", "PUT"])
    #expect(records.allSatisfy { $0["kind"] as? Int == 3 })
    #expect(records.map { ($0["status"] as? [String: Any])?["code"] as? Int } == [2, nil, 2, nil])
    func attributes(_ record: [String: Any]) -> [String: String] {
      var found: [String: String] = [:]
      for attribute in record["attributes"] as? [[String: Any]] ?? [] {
        let value = (attribute["value"] as? [String: Any])?.values.first
        found[attribute["key"] as? String ?? ""] = "\(value ?? "")"
      }
      return found
    }
    let first = attributes(records[0])
    #expect(first["http.request.method"] == "GET")
    #expect(first["server.address"] == "img.example.com")
    #expect(first["server.port"] == "8443")
    #expect(first["url.full"] == "https://img.example.com:8443/album/canary.jpg?size=2")
    #expect(first["error.type"] == "networkConnectionLost")
    #expect(first["http.request.resend_count"] == nil)
    #expect(first["network.protocol.version"] == "2")
    let second = attributes(records[1])
    #expect(second["http.request.resend_count"] == "1")
    #expect(second["http.response.status_code"] == "200")
    #expect(second["error.type"] == nil)
    #expect(second["http.response.body.size"] == "5000")
    #expect(attributes(records[2])["error.type"] == "404")
    // The attempts of a task are one trace with a span for each.
    #expect(records[0]["traceId"] as? String == records[1]["traceId"] as? String)
    #expect(Set(records.compactMap { $0["spanId"] as? String }).count == 4)
    #expect(records.compactMap { ($0["spanId"] as? String)?.utf8.count } == [16, 16, 16, 16])
  }

  /// The ranges of OpenTelemetry's log data model: 5–8 debug, 9–12 info, 13–16 warn, 17–20 error, 21–24 fatal.
  @Test func `A log record of OTLP has the severity of its event's level`() throws {
    let log = try ExportSample.write(in: directory)
    let exported = try ToolRun.bash(
      "$xferlog export --debug --format otlp-logs \(log) | jq -r '.resourceLogs[].scopeLogs[].logRecords[] | "
        + "[.severityText, .severityNumber] | @csv' | sort -u"
    ).lines
    let levels = try ToolRun.bash("$xferlog show --all --debug -o ndjson \(log) | jq -r .level | sort -u").lines
    let ranges = ["debug": 5...8, "info": 9...12, "default": 9...16, "error": 17...20, "fault": 21...24]
    #expect(exported.count == levels.count && levels.count > 1, "\(exported) \(levels)")
    for line in exported {
      let parts = line.split(separator: ",")
      let level = parts[0].filter(\.isLetter).lowercased()
      #expect(levels.contains(level) && Int(parts[1]).map { ranges[level]?.contains($0) ?? false } == true, "\(line)")
    }
  }

  @Test func `The dashboards have the definition of lnav's format that the program writes`() throws {
    let run = try ToolRun.xferlog("export", "--format", "lnav-format")
    #expect(run.text == (try String(contentsOfFile: ToolRun.checkout + "/Dashboards/lnav/xferlog.lnav.json", encoding: .utf8)))
  }

  @Test func `lnav loads the format and answers SQL over an export`() throws {
    let log = try ExportSample.write(in: directory)
    let home = directory.path("home")
    let formats = "\(home)/.config/lnav/formats/installed"
    try FileManager.default.createDirectory(atPath: formats, withIntermediateDirectories: true)
    #expect(try ToolRun.xferlog("export", "--format", "lnav-format", "-o", "\(formats)/xferlog.json").status == 0)
    let lines = directory.path("run.lnav.ndjson")
    #expect(try ToolRun.xferlog("export", "--format", "lnav", "-o", lines, log).status == 0)
    let environment = ["HOME": home, "XDG_CONFIG_HOME": "\(home)/.config", "TERM": "dumb"]
    let check = try ToolRun("/usr/bin/lnav", ["-C"], environment: environment)
    #expect(check.status == 0, "\(check.text) \(check.standardError)")
    let query = ";SELECT log_level, count(*) AS events FROM xferlog_log GROUP BY log_level ORDER BY 1"
    let run = try ToolRun(
      "/usr/bin/lnav", ["-n", "-c", query, "-c", ":write-csv-to -", lines], environment: environment)
    #expect(run.status == 0, "\(run.standardError)")
    var counts: [String: Int] = [:]
    for line in run.lines.dropFirst() {
      let cells = line.split(separator: ",")
      if cells.count == 2 { counts[String(cells[0])] = Int(cells[1]) }
    }
    var expected: [String: Int] = [:]
    for line in try ToolRun.xferlog("show", "-o", "csv", "--all", log).lines.dropFirst() {
      let level = String(line.split(separator: ",", omittingEmptySubsequences: false)[2])
      expected[["default": "notice", "fault": "critical"][level] ?? level, default: 0] += 1
    }
    #expect(counts == expected)
  }

  @Test func `sqlite3 reads an exported database, whose events follow the filter`() throws {
    let log = try ExportSample.write(in: directory)
    let path = directory.path("run.sqlite")
    #expect(try ToolRun.xferlog("export", "--format", "sqlite", "-o", path, "-p", "status>=400", log).status == 0)
    let run = try ToolRun(
      "/usr/bin/sqlite3", [path, "SELECT count(*) FROM events; SELECT count(*) FROM tasks; PRAGMA integrity_check"])
    #expect(run.lines == ["2", "3", "ok"])
    // `xferlog index` must not take the database for an index of all events.
    #expect(try ToolRun.xferlog("index", "--to", path, log).status == 0)
    #expect(try ToolRun("/usr/bin/sqlite3", [path, "SELECT count(*) > 2 FROM events"]).lines == ["1"])
  }

  /// lnav's lines also have lines for gaps, of which the sample has none.
  @Test func `The thread of an event is in the lines for lnav, and is read again from JSON lines`() throws {
    let log = try ExportSample.write(in: directory)
    let shown = try ToolRun.bash("$xferlog show --all -o ndjson \(log) | jq '.thread // 0'").lines
    #expect(!shown.allSatisfy { $0 == "0" })
    #expect(try ToolRun.bash("$xferlog export --format lnav \(log) | jq '.thread // 0'").lines == shown)
    let again = "$xferlog export --format ndjson \(log) | $xferlog show --all -o ndjson - | jq '.thread // 0'"
    #expect(try ToolRun.bash(again).lines == shown)
  }

  @Test func `jq reads Apple's keys`() throws {
    let log = try ExportSample.write(in: directory)
    let run = try ToolRun.bash(
      "$xferlog export --format apple-ndjson \(log) | jq -r 'select(.subsystem == \"com.example\") | [.timestamp, .messageType, "
        + ".eventType, .category, .eventMessage, .processID, .processImagePath] | @csv'")
    #expect(
      run.lines == [#""2026-11-20 14:02:07.233000+0000","Error","logEvent","photos","stored 1",4001,"sample""#],
      "\(run.standardError)")
    let threads = try ToolRun.bash("$xferlog export --format apple-ndjson \(log) | jq 'select(.eventMessage) | .threadID'").lines
    let shown = try ToolRun.bash("$xferlog show --all -o ndjson \(log) | jq '.thread // 0'").lines
    #expect(threads == shown && !threads.allSatisfy { $0 == "0" }, "\(threads)")
    let trailer = try ToolRun.bash("$xferlog export --format apple-ndjson \(log) | tail -n 1 | jq .count")
    #expect(Int(trailer.lines[0]) == (try ToolRun.xferlog("show", "-o", "csv", "--all", log).lines.count) - 1)
  }
}
