import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferReading

@testable import xferlog

/// Baselines and suppressions: known findings do not fail a job, and entries that are stale are reported.
@Suite struct BaselineTests {
  private let directory = TemporaryDirectory()

  private func run(_ arguments: String...) throws -> ToolRun {
    try ToolRun(ToolRun.tool, arguments, environment: ["XFERLOG_CONFIG": "-"], in: directory.path)
  }

  /// Writes the log of an app that loses completions, with ids, numbers, paths and a time of its own.
  private func log(_ seed: UInt64, sessions: [String] = ["photos"], tasks: Int = 1) throws -> String {
    let log = try RecordedLog(
      in: directory, name: "run-\(seed).xlog", seed: seed, pid: Int32(100 + seed), at: Int64(seed) * 1000)
    var random = SeededRandom(seed: seed)
    let start = Int64(seed) * 1000
    for session in sessions {
      for number in 1...tasks {
        let task = TaskIdentity(uid: TaskUID(using: &random), session: session, number: UInt32(number) + UInt32(seed))
        log.emit(
          at: start + 1,
          TaskCreated(
            task: task, type: .download, method: "GET", scheme: "https", host: "cdn.example.com", path: "/\(random.next())"))
        log.emit(at: start + 2, TaskResumed(task: task))
        log.emit(at: start + 10, TaskTransferred(task: task, received: 10, status: 200))
      }
    }
    log.emit(at: start + 70_000, LogHeartbeatWritten())
    log.close()
    return log.path
  }

  private func write(_ name: String, _ entries: [String]) throws -> String {
    let text = entries.isEmpty ? "version: 1\nfindings: []\n" : "version: 1\nfindings:\n" + entries.joined()
    return try directory.write(Array(text.utf8), to: name)
  }

  private func fingerprint(of log: String) throws -> String {
    let document = try run("replay", "-o", "json", log)
    let object = try JSONSerialization.jsonObject(with: Data(document.standardOutput)) as? [String: Any]
    return try #require((object?["findings"] as? [[String: Any]])?.first?["fingerprint"] as? String)
  }

  @Test func `After a freeze, a run with other ids, paths and times has no new finding, but a new problem fails the job`() throws
  {
    let first = try log(1)
    #expect(try run("replay", first).status == 1)
    let update = try run("baseline", "update", "--baseline", "known.yaml", first)
    #expect(update.status == 0 && update.text == "known.yaml: 1 added, 0 kept, 0 removed\n", "\(update.standardError)")
    for seed in UInt64(2)...4 {
      let again = try run("replay", "--baseline", "known.yaml", "--strict", log(seed, tasks: Int(seed)))
      #expect(again.status == 0, "\(again.text)\(again.standardError)")
      #expect(
        again.lines.contains { $0.hasPrefix("accepted: \(seed) finding") && $0.hasSuffix("in the baseline, not shown above") })
      #expect(again.lines.last == "verdict: clean" && !again.text.contains("lost-completion ("))
    }
    let new = try run("replay", "--baseline", "known.yaml", "-o", "json", log(5, sessions: ["photos", "music"]))
    #expect(new.status == 1)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(new.standardOutput)) as? [String: Any])
    let findings = try #require(document["findings"] as? [[String: Any]])
    let accepted = findings.map { ($0["accepted"] as? [String: Any])?["by"] as? String }
    #expect(
      Set(zip(findings.map { $0["session"] as? String ?? "" }, accepted).map { "\($0) \($1 ?? "-")" }) == [
        "photos baseline", "music -",
      ])
    let acceptance = try #require(document["acceptance"] as? [String: Any])
    #expect(acceptance["known"] as? Int == 1 && acceptance["suppressed"] as? Int == 0)
  }

  @Test func `An update adds findings, keeps reasons, prunes on request and writes the same bytes again`() throws {
    _ = try run("baseline", "update", "--baseline", "known.yaml", log(1, sessions: ["a", "b"]))
    let path = directory.path("known.yaml")
    let written = try JobResult.text(path)
    // A second update changes nothing.
    #expect(
      try run("baseline", "update", "--baseline", "known.yaml", log(2, sessions: ["a", "b"])).text
        == "known.yaml: 0 added, 2 kept, 0 removed\n")
    #expect(try JobResult.text(path) == written)
    let owned = written.replacing(
      "    rule: \"lost-completion\"\n",
      with: "    rule: lost-completion\n    reason: 'old: server'\n    owner: tiles\n    expires: 2999-01-31\n")
    try Data(owned.utf8).write(to: URL(fileURLWithPath: path))
    #expect(
      try run("baseline", "update", "--baseline", "known.yaml", log(3, sessions: ["a", "c"])).text
        == "known.yaml: 1 added, 2 kept, 0 removed\n")
    let pruned = try run("baseline", "update", "--prune", "--baseline", "known.yaml", log(4, sessions: ["a"]))
    #expect(pruned.text == "known.yaml: 0 added, 1 kept, 2 removed\n")
    let text = try JobResult.text(path)
    #expect(
      text.contains("reason: \"old: server\"") && text.contains("owner: \"tiles\"") && text.contains("expires: \"2999-01-31\""))
    // An unusable baseline is not overwritten.
    try Data("version: 2\nfindings: []\n".utf8).write(to: URL(fileURLWithPath: path))
    let newer = try run("baseline", "update", "--baseline", "known.yaml", log(5))
    #expect(newer.status == 2 && newer.standardError.contains("known.yaml:1:10: unknown version `2`"), "\(newer.standardError)")
    #expect(try JobResult.text(path) == "version: 2\nfindings: []\n")
  }

  @Test func `An entry is in force until the end of its last day`() throws {
    let log = try log(1)
    let fingerprint = try fingerprint(of: log)
    // The commands of these tests run at `RecordedLog.begin`, 2026-11-20.
    for (expires, status) in [
      ("2026-11-21", 0), ("2026-11-20", 0), ("2026-11-19", 1), ("2025-12-31", 1), ("2026-02-30", 1), ("soon", 1), ("20261231", 1),
    ] {
      let file = try write("s-\(expires).yaml", ["  - {fingerprint: '\(fingerprint)', reason: known, expires: \(expires)}\n"])
      let run = try CommandRun(["replay", "--suppressions", file, log])
      #expect(run.exit?.status.code ?? 0 == Int32(status), "\(expires): \(run.text)")
      #expect(run.text.contains("lost-completion (") == (status == 1))
    }
  }

  @Test func `An expired or unreadable date makes the finding return, with a warning at the entry`() throws {
    let log = try log(1)
    let fingerprint = try fingerprint(of: log)
    for (expires, warning) in [
      ("2020-01-31", "lost-completion (\(fingerprint)) expired on 2020-01-31; its 1 finding counts again"),
      (
        "31.1.2999",
        "`expires` of lost-completion (\(fingerprint)) is '31.1.2999', which is not a date such as 2027-01-31; its 1 finding counts again"
      ),
    ] {
      let file = try write(
        "base.yaml", ["  - fingerprint: '\(fingerprint)'\n    rule: lost-completion\n    expires: \(expires)\n"])
      for command in [["replay"], ["baseline", "check"]] {
        let run = try ToolRun.xferlog(command + ["--baseline", file, log])
        #expect(run.status == 1 && run.standardError.contains("\(file):3: \(warning)"), "\(run.standardError)")
      }
      // An update does not renew the entry.
      let update = try run("baseline", "update", "--baseline", file, log)
      #expect(
        update.text.contains("0 added, 1 kept") && update.standardError.contains("is not in force"), "\(update.standardError)")
      #expect(try run("replay", "--baseline", file, log).status == 1)
    }
  }

  @Test func `Unused entries are a warning, and with --strict a failure`() throws {
    let log = try log(1)
    let file = try write(
      "base.yaml",
      ["  - fingerprint: '\(try fingerprint(of: log))'\n", "  - fingerprint: 1:00000000000000aa\n    rule: disk-full\n"])
    let run = try run("replay", "--baseline", file, log)
    #expect(run.status == 0)
    #expect(run.standardError == "xferlog: \(file):4: unused entry: no finding is disk-full (1:00000000000000aa)\n")
    let strict = try self.run("replay", "--strict", "--baseline", file, log)
    #expect(strict.status == 1 && strict.standardError.hasSuffix("exit 1 (findings): 1 unused entry of accepted findings\n"))
    // A part of the log does not tell whether an entry is used.
    let part = try self.run("replay", "--strict", "--baseline", file, "--session", "photos", log)
    #expect(part.status == 0 && part.standardError.isEmpty, "\(part.standardError)")
    let many = try write("many.yaml", (0..<50).map { "  - fingerprint: 1:00000000000000\(10 + $0)\n" })
    let warnings = try self.run("replay", "--baseline", many, log).standardError.split(separator: "\n")
    #expect(warnings.count == 22 && warnings[20].contains("30 more warnings"), "\(warnings)")
  }

  @Test func `An entry that names another rule than its finding is a warning`() throws {
    let log = try log(1)
    let mark = try fingerprint(of: log)
    let file = try write("base.yaml", ["  - fingerprint: '\(mark)'\n    rule: disk-full\n"])
    let run = try run("replay", "--baseline", file, log)
    #expect(run.status == 0)
    #expect(
      run.standardError
        == "xferlog: \(file):3: the entry names the rule disk-full, but \(mark) is a finding of lost-completion\n")
  }

  @Test func `Suppressions and results agree`() throws {
    let log = try log(1, sessions: ["photos", "music", "maps"])
    _ = try run("baseline", "update", "--baseline", "base.yaml", self.log(2, sessions: ["music"]))
    let file = try write(
      "s.yaml", ["  - fingerprint: '\(try fingerprint(of: self.log(3)))'\n    reason: 'a <known> problem'\n    owner: team\n"])
    let (sarif, junit) = (directory.path("s.sarif"), directory.path("j.xml"))
    let run = try run(
      "replay", "--ci", "--annotations", "github", "--baseline", "base.yaml", "--suppressions", file, "--sarif", sarif, "--junit",
      junit,
      "--code-quality", "q.json", "--markdown", "m.md", log)
    #expect(run.status == 1 && run.standardError.hasSuffix("1 finding: lost-completion\n"))
    #expect(run.lines.filter { $0.hasPrefix("::") }.count == 1)
    #expect(run.lines.contains("accepted: 1 finding in the baseline, 1 finding suppressed, not shown above"))
    let report = try JobResult.junit(junit)
    #expect(report.suite["failures"] as? Int == 1 && report.suite["skipped"] as? Int == 2)
    let skipped = report.cases.flatMap { $0["results"] as? [[String: Any]] ?? [] }.compactMap { $0["message"] as? String }
    #expect(skipped.contains("accepted by \(file):3: a <known> problem"), "\(skipped)")
    _ = try JobResult.sarif(sarif)
    let runs = try JobResult.object(sarif)["runs"] as? [[String: Any]]
    let results = try #require(runs?[0]["results"] as? [[String: Any]])
    #expect(results.map { $0["baselineState"] as? String } == ["new", "new", "unchanged"] || results.count == 3)
    #expect(results.filter { $0["baselineState"] as? String == "unchanged" }.count == 1)
    let suppressions = results.compactMap { ($0["suppressions"] as? [[String: Any]])?.first?["justification"] as? String }
    #expect(suppressions == ["a <known> problem"])
    let issues =
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: directory.path("q.json")))) as? [Any]
    #expect(issues?.count == 1)
    #expect(try JobResult.text(directory.path("m.md")).contains("| critical | `lost-completion` | 3 | 1 | 2 |"))
  }

  @Test func `A check lists new, known, suppressed, returned and unused entries`() throws {
    let log = try log(1, sessions: ["photos", "music"])
    let known = try fingerprint(of: self.log(2, sessions: ["music"]))
    let file = try write("base.yaml", ["  - fingerprint: '\(known)'\n", "  - fingerprint: 1:aa\n    rule: disk-full\n"])
    let run = try run("baseline", "check", "--baseline", file, log)
    #expect(run.status == 1 && run.standardError.hasSuffix("1 finding that the baseline does not accept\n"))
    #expect(run.lines.map { String($0.prefix { $0 != " " }) } == ["new", "known", "unused", "1"], "\(run.text)")
    #expect(run.lines.last == "1 new, 0 returned, 1 known, 0 suppressed, 0 minor, 1 unused")
    #expect(try self.run("baseline", "check", "--fail-on", "never", "--baseline", file, log).status == 0)
    #expect(try self.run("baseline", "check", "--strict", "--fail-on", "never", "--baseline", file, log).status == 1)
    #expect(try self.run("baseline", "check", "--baseline", "absent.yaml", log).status == 2)
    #expect(try self.run("baseline", "check", "--baseline", file, directory.path("none.xlog")).status == 3)
  }

  @Test func `An explanation names the parts of a fingerprint, its entry and its findings`() throws {
    let log = try log(1, sessions: ["photos-17"], tasks: 12)
    let fingerprint = try fingerprint(of: log)
    let file = try write("base.yaml", ["  - {fingerprint: '\(fingerprint)', reason: slow, owner: me, expires: 2020-02-01}\n"])
    let run = try run("baseline", "explain", "--baseline", file, String(fingerprint.prefix(6)), log)
    #expect(run.status == 0, "\(run.standardError)")
    for line in [
      "fingerprint \(fingerprint)", "    rule: lost-completion", "    session or name: photos-#", "    method: GET",
      "    host: cdn.example.com",
      "baseline at \(file):3", "    reason: slow", "    owner: me", "    state: expired, so its findings count", "12 findings",
      "    … 2 more",
    ] {
      #expect(run.lines.contains(line), "\(line)\n\(run.text)")
    }
    #expect(try self.run("baseline", "explain", "--baseline", file, "9:", log).status == 3)
    let two = try self.run("baseline", "explain", "1:", self.log(2, sessions: ["a", "b"]))
    #expect(two.status == 2 && two.standardError.contains("2 fingerprints begin with 1:"), "\(two.standardError)")
  }

  @Test(arguments: [
    ("", "the file is empty"), ("findings: []\n", "lacks `version`"), ("version: 1\n", "lacks `findings`"),
    ("version: 1\nfindings:\n  - {rule: x}\n", "lacks `fingerprint`"),
    ("version: 1\nfindings:\n  - {fingerprint: abc}\n", "`abc` is not a fingerprint"),
    ("version: 1\nfindings:\n  - {fingerprint: '1:xyz', reason: x}\n", "`1:xyz` is not a fingerprint"),
    ("version: 1\nfindings:\n  - {fingerprint: '1:ab', reason: x, until: 2027-01-01}\n", "has no key `until`"),
    ("version: 1\nfindings:\n  - {fingerprint: '1:ab', reason: '  '}\n", "has no `reason`"),
    ("version: 1\nfindings: [\n", "invalid YAML"),
  ])
  func `A file that cannot be read names the place and the problem`(text: String, problem: String) throws {
    let log = try log(1)
    let path = try directory.write(Array(text.utf8), to: "s.yaml")
    let run = try run("replay", "--suppressions", path, log)
    #expect(
      run.status == 2 && run.standardError.contains("\(path):") && run.standardError.contains(problem), "\(run.standardError)")
    #expect(run.text.isEmpty)
  }

  @Test func `A JSON file is accepted, and an entry of a newer version accepts nothing`() throws {
    let log = try log(1)
    let fingerprint = try fingerprint(of: log)
    let json = try directory.write(
      Array(#"{"version": 1, "findings": [{"fingerprint": "\#(fingerprint)", "reason": "x"}]}"#.utf8), to: "s.json")
    #expect(try run("replay", "--suppressions", json, log).status == 0)
    let newer = try write("n.yaml", ["  - fingerprint: '9:\(fingerprint.dropFirst(2))'\n"])
    let run = try run("replay", "--baseline", newer, log)
    #expect(
      run.status == 1 && run.standardError.contains("has a version that this xferlog does not know"), "\(run.standardError)")
  }
}
