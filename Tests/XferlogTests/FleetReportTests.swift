import Foundation
import LogTestSupport
import Testing

/// `xferlog fleet report`: the findings in the logs of many devices, by fingerprint.
@Suite struct FleetReportTests {
  private let directory = TemporaryDirectory()

  private func row(_ kind: String, _ log: String?, _ members: [String: Any], final: Bool = true) throws -> String {
    var all: [String: Any] = ["schema": "xferlog.verdicts/1", "kind": kind, "final": final]
    all["log"] = log
    all.merge(members) { $1 }
    return String(decoding: try JSONSerialization.data(withJSONObject: all, options: .sortedKeys), as: UTF8.self)
  }

  /// The rows of a log with one task, and a finding if a fingerprint is given.
  private func log(
    _ name: String, version: String = "1.0", os: String = "iOS 18", fingerprint: String? = nil, rule: String = "lost-completion",
    severity: String = "critical", minute: Int = 10, final: Bool = true
  ) throws -> [String] {
    let program = ["program": "maps", "version": version, "os": os]
    var rows = [try row("task", name, program.merging(["session": "s", "outcome": "succeeded"]) { $1 }, final: final)]
    if let fingerprint {
      let finding: [String: Any] = [
        "rule": rule, "severity": severity, "certainty": "certain", "counted": true, "fingerprint": fingerprint, "session": "s",
        "number": 1, "time": "2026-11-20T14:\(minute):00.000000000Z", "summary": "Task s/1 of \(name) is lost.",
        "host": "a.example.com",
      ]
      rows.append(try row("finding", name, finding.merging(program) { $1 }, final: final))
    }
    let verdict: [String: Any] = [
      "verdict": fingerprint == nil ? "clean" : "findings", "exitCode": 0, "events": 5, "tasks": 1, "findings": 1,
    ]
    rows.append(try row("log", name, verdict.merging(program) { $1 }, final: final))
    return rows
  }

  private func report(_ rows: [String], _ options: String...) throws -> ToolRun {
    try ToolRun.xferlog(["fleet", "report", "-"] + options, input: Array(rows.joined(separator: "\n").utf8))
  }

  private func document(_ rows: [String], _ options: String...) throws -> [String: Any] {
    let run = try ToolRun.xferlog(
      ["fleet", "report", "-", "-o", "json"] + options, input: Array(rows.joined(separator: "\n").utf8))
    #expect(run.status == 0, "\(run.standardError)")
    let schema = try directory.write(ToolRun.xferlog("schema", "--document", "fleet").standardOutput, to: "fleet.json")
    let file = try directory.write(run.standardOutput, to: "document.json")
    let check = try ToolRun(ExportTools.python, [ExportTools.script("validate-json"), schema, file])
    #expect(check.status == 0, "\(check.text)\(check.standardError)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
  }

  private func problems(_ document: [String: Any]) -> [[String: Any]] { document["problems"] as? [[String: Any]] ?? [] }

  @Test func `Rates have Wilson's interval, by version and by system`() throws {
    let rows = try (0..<100).flatMap { number in
      try log(
        "d\(number)", version: number < 50 ? "4.9" : "4.10", os: number % 2 == 0 ? "iOS 18" : "iOS 17",
        fingerprint: number < 8 ? "1:a" : nil, minute: 20 - number % 10)
    }
    let summary = try document(rows)
    #expect(summary["logs"] as? Int == 100 && summary["cleanLogs"] as? Int == 92 && summary["tasks"] as? Int == 100)
    #expect(summary["release"] as? String == "4.10")
    let problem = try #require(problems(summary).first)
    // The intervals of 8 of 100 and of 0 of 50 were computed by another program from the formula.
    #expect(problem["logs"] as? Int == 8 && problem["of"] as? Int == 100 && problem["ratePerMillion"] as? Int == 80_000)
    #expect(problem["lowPerMillion"] as? Int == 41_093 && problem["highPerMillion"] as? Int == 149_981, "\(problem)")
    let versions = problem["versions"] as? [[String: Any]] ?? []
    #expect(versions.map { $0["name"] as? String } == ["4.10", "4.9"])
    #expect(versions.map { $0["logs"] as? Int } == [0, 8] && versions.map { $0["of"] as? Int } == [50, 50])
    #expect(versions[0]["lowPerMillion"] as? Int == 0 && versions[0]["highPerMillion"] as? Int == 71_348, "\(versions)")
    let systems = problem["systems"] as? [[String: Any]] ?? []
    #expect(systems.map { $0["name"] as? String } == ["iOS 18", "iOS 17"] && systems.map { $0["logs"] as? Int } == [4, 4])
    // The example is the first one in time.
    #expect(problem["exampleLog"] as? String == "d7" && problem["firstSeen"] as? String == "2026-11-20T14:13:00.000000000Z")
    #expect(problem["new"] as? Bool == false)
  }

  @Test func `A problem that is new in a release comes first, and can fail a job`() throws {
    var rows = try (0..<20).flatMap { try log("old\($0)", version: "4.9", fingerprint: $0 < 10 ? "1:old" : nil) }
    rows += try (0..<20).flatMap { number in
      try log(
        "new\(number)", version: "4.10", fingerprint: number < 2 ? "1:new" : number < 12 ? "1:old" : nil,
        rule: number < 2 ? "crash-mid-transfer" : "lost-completion", severity: number < 2 ? "warning" : "critical")
    }
    let summary = try document(rows)
    #expect(problems(summary).map { $0["fingerprint"] as? String } == ["1:new", "1:old"])
    #expect(problems(summary).map { $0["new"] as? Bool } == [true, false])
    let text = try report(rows)
    #expect(
      text.status == 0 && text.lines.contains("NEW in 4.10  warning  crash-mid-transfer (certain): at a.example.com"),
      "\(text.text)")
    let failed = try report(rows, "--fail-on-new")
    #expect(failed.status == 1 && failed.standardError.contains("1 problem is new in 4.10: crash-mid-transfer"))
    // In the earlier release, nothing is new.
    let earlier = try report(rows, "--release", "4.9", "--fail-on-new")
    #expect(earlier.status == 0 && !earlier.text.contains("NEW"))
    #expect(try report(rows, "--release", "5").status == 2)
    // If all logs are of one release, nothing is known to be new.
    #expect(try !report(rows.filter { $0.contains("4.10") }).text.contains("NEW"))
  }

  @Test func `Rows that come twice count once, and final rows replace interim ones`() throws {
    let once = try log("a", fingerprint: "1:x") + log("b")
    #expect(try report(once + once).text == report(once).text)
    let interim = try log("b", fingerprint: "1:y", final: false)
    for rows in [interim + once, once + interim] { #expect(try report(rows).text == report(once).text) }
    #expect(try problems(document(interim)).count == 1)
  }

  @Test func `Missing rows are reported, and bad ones are refused`() throws {
    let rows = try log("a", fingerprint: "1:x")
    let whole = rows + [try row("end", nil, ["rows": 3, "logs": 1])]
    #expect(try report(whole, "--strict").status == 0)
    let cut = try report(Array(whole.dropFirst()), "--strict")
    #expect(cut.status == 4 && cut.standardError.contains("the last rows count 3 rows, and there are 2"))
    #expect(try report(Array(whole.dropFirst())).text.contains("Rows may be missing"))
    let endless = try report(rows, "--strict")
    #expect(endless.status == 4 && endless.standardError.contains("no last row counts the rows"))
    let faulty = ToolRun.checkout + "/Samples/killed-before-delivery/log.xlog"
    let printed = try ToolRun.xferlog("replay", "--paths-from", "-", input: Array("\(faulty)\n".utf8)).lines
    #expect(try report(printed, "--strict").status == 0)
    let edited = try report(printed.map { $0.replacing("\"counted\":true", with: "\"counted\":false") }, "--strict")
    #expect(edited.status == 4 && edited.standardError.contains("does not match its rows, which were changed"))
    #expect(
      try report(Array(rows.dropLast()) + [row("end", nil, ["rows": 2])], "--allow-empty").text
        .contains("1 log has rows, but no verdict"))
    for bad in ["x", "{}", "{\"schema\":\"xferlog.verdicts/1\",\"kind\":\"log\",\"log\":\"a\"}", rows[0] + "x"] {
      let run = try report(rows + [bad])
      #expect(run.status == 2 && run.standardError.contains("line 4 of standard input is not a verdict"), "\(run.standardError)")
    }
    #expect(try report([]).status == 3 && report([], "--allow-empty").status == 0)
    #expect(try ToolRun.xferlog("fleet", "report", directory.path("missing")).status == 3)
  }

  @Test func `The page has no scripts, and hostile text stays text`() throws {
    let rows = try log("<script>alert(1)</script>", version: "2\u{202E}\"'", fingerprint: "1:<b>") + log("b", version: "1")
    let page = try report(rows, "-o", "html").text
    #expect(page.hasPrefix("<!DOCTYPE html>") && !page.contains("<script") && !page.contains("<b>") && !page.contains("\u{202E}"))
    #expect(page.contains("default-src 'none'") && page.contains("&lt;script>alert(1)&lt;/script>"))
    #expect(page.contains("1 of 2") && page.contains("class=\"new\""))
    let text = try report(rows).text
    #expect(!text.contains("\u{202E}"))
  }

  @Test func `The metrics have bounded labels`() throws {
    let rows = try log("d1", version: "1", fingerprint: "1:x") + log("d2", version: "2", fingerprint: "1:y")
    let text = try report(rows, "-o", "metrics").text
    for line in [
      "xferlog_fleet_logs 2", "xferlog_fleet_version_logs{version=\"2\"} 1",
      "xferlog_fleet_problem_new{rule=\"lost-completion\",fingerprint=\"1:y\",severity=\"critical\",version=\"2\"} 1",
      "xferlog_fleet_problem_ratio{rule=\"lost-completion\",fingerprint=\"1:x\",severity=\"critical\",bound=\"rate\"} 0.5",
    ] { #expect(text.contains(line + "\n"), "\(line)\n\(text)") }
    #expect(!text.contains("d1") && !text.contains("d2"))
    let many = try (0..<300).flatMap { try log("d\($0)", version: "1.\($0)", fingerprint: "1:\($0)") }
    #expect(try report(many, "-o", "metrics").lines.count < 100 * 24 + 50)
  }

  @Test func `The report of real verdicts has their findings`() throws {
    let samples = try VerdictRows.samples
    let verdicts = try ToolRun.xferlog("replay", "--paths-from", "-", input: Array(samples.joined(separator: "\n").utf8))
    let rows = try VerdictRows(verdicts)
    let summary = try document(rows.lines)
    #expect(summary["logs"] as? Int == samples.count && summary["complete"] as? Bool == true)
    #expect(summary["tasks"] as? Int == rows.of("task").count)
    #expect(
      Set(problems(summary).map { $0["fingerprint"] as? String }) == Set(rows.of("finding").map { $0["fingerprint"] as? String }))
    #expect(problems(summary).reduce(0) { $0 + ($1["findings"] as? Int ?? 0) } == rows.of("finding").count)
  }
}
