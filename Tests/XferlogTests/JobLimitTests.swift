import Foundation
import LogTestSupport
import Testing
import XferEvents

/// The limits of CI services: what is cut, is cut by severity, and every output says so.
@Suite(.timeLimit(.minutes(4))) struct JobLimitTests {
  private let directory = TemporaryDirectory()

  private func replay(_ log: JobLog, _ options: String..., environment: [String: String] = [:]) throws -> ToolRun {
    try ToolRun(
      ToolRun.tool, ["replay", "--rules", log.rules] + options + [log.path],
      environment: ["XFERLOG_CONFIG": "-"].merging(environment) { $1 }, in: directory.path)
  }

  private static func notifications(_ path: String) throws -> [String] {
    let runs = try JobResult.object(path)["runs"] as? [[String: Any]] ?? []
    let invocation = (runs.first?["invocations"] as? [[String: Any]])?.first
    let notes = invocation?["toolExecutionNotifications"] as? [[String: Any]] ?? []
    return notes.compactMap { ($0["message"] as? [String: Any])?["text"] as? String }
  }

  @Test(arguments: [(5000, 0), (5001, 1), (25_001, 20_001)])
  func `Of more than 5,000 results, SARIF keeps the most severe`(count: Int, cut: Int) throws {
    let severe = ["critical": 3, "error": 40, "warning": 100]
    let log = try JobLog(in: directory, severe.merging(["notice": count - 143]) { $1 })
    let (sarif, junit) = (directory.path("s.sarif"), directory.path("j.xml"))
    let run = try replay(log, "--sarif", sarif, "--junit", junit, "--code-quality", directory.path("q.json"))
    #expect(run.status == 1)
    let seen = try JobResult.sarif(sarif)
    #expect(seen["results"] as? Int == count - cut)
    #expect(seen["bySeverity"] as? [String: Int] == ["error": 43, "warning": 100, "note": count - cut - 143, "none": 0])
    let sentence = "5000 of \(count) findings, because GitHub shows at most 5,000 results; left out by severity: \(cut) notice"
    #expect(run.standardError.contains("\(sarif) has \(sentence)") == (cut > 0), "\(run.standardError)")
    #expect(try Self.notifications(sarif) == (cut > 0 ? ["The file has \(sentence)."] : []))
    // The other formats have room for all findings.
    let report = try JobResult.junit(junit)
    #expect(report.suite["tests"] as? Int == count + 1 && report.distinct == count + 1)
    #expect(report.suite["failures"] as? Int == 143)
    let quality = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: directory.path("q.json"))))
    let issues = try #require(quality as? [[String: Any]])
    #expect(issues.count == count && Set(issues.compactMap { $0["fingerprint"] as? String }).count == count)
  }

  @Test func `A SARIF file fits into 10 MB after compression`() throws {
    var random = SeededRandom(seed: 7)
    // Texts that cannot be compressed well. One finding has one text, so each text has its own log.
    let path = directory.path("big.xlog")
    let recorded = try RecordedLog(in: directory, name: "big.xlog")
    for place in 0..<2400 {
      let noise = (0..<500).map { _ in String(random.next(), radix: 36) }.joined()
      recorded.emit(at: Int64(place), AppNoted(intent: noise, message: place < 30 ? "notice" : "warning"))
    }
    recorded.close()
    let rules = try JobLog(in: directory, name: "unused.xlog", [:]).rules
    let sarif = directory.path("s.sarif")
    let run = try ToolRun.xferlog("replay", "--rules", rules, "--sarif", sarif, path)
    let seen = try JobResult.sarif(sarif)
    let kept = try #require(seen["results"] as? Int)
    #expect(kept > 500 && kept < 2370, "\(kept)")
    #expect(seen["bySeverity"] as? [String: Int] == ["error": 0, "warning": kept, "note": 0, "none": 0])
    #expect(run.standardError.contains("\(kept) of 2400 findings, because GitHub accepts at most 10 MB after compression"))
    let size = try ToolRun.bash("gzip -c \(sarif) | wc -c")
    let bytes = try #require(Int(size.lines[0].filter { $0 != " " }))
    // Not far below the limit either.
    #expect(bytes <= 10_000_000 && bytes > 7_000_000, "\(bytes)")
  }

  @Test func `A job summary stays below 1 MiB, together with what the step wrote before`() throws {
    let log = try JobLog(in: directory, ["critical": 2, "warning": 10, "notice": 9000])
    for used in [400_000, 1_048_000] {
      let path = directory.path("summary-\(used).md")
      try Data(repeating: UInt8(ascii: "x"), count: used).write(to: URL(fileURLWithPath: path))
      let run = try replay(log, "--ci", environment: ["GITHUB_STEP_SUMMARY": path])
      #expect(run.status == 1)
      let text = try JobResult.text(path)
      #expect(text.utf8.count <= max(1 << 20, used), "\(text.utf8.count)")
      #expect(run.standardError.contains("the job summary has "), "\(run.standardError)")
      guard used < 1_000_000 else { continue }
      // Not far below the limit.
      #expect(text.utf8.count > 1 << 20 - 4096)
      let kept = text.components(separatedBy: "<details").count - 1
      #expect(
        text.components(separatedBy: "<summary>critical").count == 3
          && text.components(separatedBy: "<summary>warning").count == 11)
      let sentence =
        "\(kept) of 9012 findings, because GitHub drops a summary of more than 1,024 KiB; left out by severity: \(9012 - kept) notice"
      #expect(text.hasSuffix("**Cut:** this summary has \(sentence).\n"))
      #expect(run.standardError.contains("the job summary has \(sentence)"))
    }
  }

  @Test func `GitHub gets at most 10 annotations of a kind, the most severe first`() throws {
    let log = try JobLog(in: directory, ["critical": 4, "error": 56, "warning": 10, "notice": 11])
    let run = try replay(log, "--ci", environment: ["GITHUB_ACTIONS": "true"])
    func annotations(_ kind: String) -> [String] { run.lines.filter { $0.hasPrefix("::\(kind) ") } }
    #expect(annotations("error").count == 10 && annotations("warning").count == 10 && annotations("notice").count == 10)
    #expect(annotations("error").filter { $0.contains("title=noted-critical") }.count == 4)
    #expect(annotations("error")[9].contains("9 of 60 findings") && annotations("error")[9].contains("51 error"))
    #expect(annotations("warning").allSatisfy { $0.contains("title=noted-warning") })
    #expect(annotations("notice")[9].contains("9 of 11 findings"))
    #expect(
      run.standardError.contains(
        "annotations show 28 of 81 findings, because GitHub shows 10 annotations of a kind for a step, and 50 for a job; "
          + "left out by severity: 51 error, 2 notice"), "\(run.standardError)")
    // The text ends with the verdict.
    #expect(run.lines.last == "verdict: findings")
  }

  @Test func `Azure gets errors and warnings only`() throws {
    let log = try JobLog(in: directory, ["error": 11, "warning": 2, "notice": 3])
    let run = try replay(log, "--ci", "--anchor", "a b;c].sh:7", environment: ["TF_BUILD": "True"])
    let commands = run.lines.filter { $0.hasPrefix("##vso[") }
    #expect(commands.count == 12)
    #expect(
      commands[0].hasPrefix("##vso[task.logissue type=error;sourcepath=a b%3Bc%5D.sh;linenumber=7;]noted-error"), "\(commands[0])"
    )
    #expect(run.standardError.contains("left out by severity: 2 error, 3 notice"), "\(run.standardError)")
  }

  @Test func `GitLab gets a Code Quality report without being asked`() throws {
    let log = try JobLog(in: directory, ["critical": 1, "error": 1, "warning": 1, "notice": 1])
    let run = try replay(log, "--ci", "--anchor", "Tests/run:3", environment: ["GITLAB_CI": "true"])
    #expect(run.status == 1 && !run.text.contains("::"))
    let path = directory.path("gl-code-quality-report.json")
    let issues = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [[String: Any]])
    #expect(issues.compactMap { $0["severity"] as? String } == ["critical", "major", "minor", "info"])
    #expect(issues.compactMap { $0["check_name"] as? String } == JobLog.severities.map { "noted-\($0)" })
    for issue in issues {
      let location = try #require(issue["location"] as? [String: Any])
      #expect(location["path"] as? String == "Tests/run" && (location["lines"] as? [String: Int]) == ["begin": 3])
    }
  }

  @Test func `A JUnit report stays below 30 MB`() throws {
    let log = try JobLog(in: directory, ["critical": 1, "notice": 29_999], texts: [String(repeating: "&", count: 190)])
    let path = directory.path("j.xml")
    let run = try replay(log, "--junit", path)
    let report = try JobResult.junit(path)
    let kept = (report.suite["tests"] as? Int ?? 0) - 1
    let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
    #expect(size <= 30_000_000 && size > 28_000_000 && kept < 30_000, "\(size) \(kept)")
    let sentence =
      "\(kept) of 30000 findings, because GitLab accepts at most 30 MB; left out by severity: \(30_000 - kept) notice"
    #expect(run.standardError.contains(sentence), "\(run.standardError)")
    #expect((report.cases[0]["output"] as? String)?.contains("cut: this report has \(sentence)") == true)
  }

  @Test func `Annotations need text on standard output`() throws {
    let log = try JobLog(in: directory, ["error": 1])
    let asked = try replay(log, "--annotations", "github", "-o", "json")
    #expect(asked.status == 2 && asked.standardError.contains("needs -o text"))
    let detected = try replay(log, "--ci", "-o", "json", environment: ["GITHUB_ACTIONS": "true"])
    #expect(detected.status == 1)
    #expect(try JSONSerialization.jsonObject(with: Data(detected.standardOutput)) is [String: Any])
    // Without --ci and CI=true, nothing is detected.
    #expect(
      try !replay(log, environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": directory.path("s.md")]).text.contains("::")
    )
    #expect(!FileManager.default.fileExists(atPath: directory.path("s.md")))
    // CI=true has the effect of --ci, but no file is written into the folder unasked.
    func automatic(_ service: String, _ options: String...) throws -> ToolRun {
      try ToolRun(
        ToolRun.tool, ["replay", "--rules", log.rules] + options + [log.path],
        environment: ["XFERLOG_CONFIG": "-", "CI": "true", service: "true", "GITHUB_STEP_SUMMARY": directory.path("s.md")],
        in: directory.path)
    }
    #expect(try automatic("GITHUB_ACTIONS", "--no-ci").lines.allSatisfy { !$0.hasPrefix("::") })
    #expect(!FileManager.default.fileExists(atPath: directory.path("s.md")))
    #expect(try automatic("GITHUB_ACTIONS").lines.contains { $0.hasPrefix("::error ") })
    #expect(try JobResult.text(directory.path("s.md")).contains("noted-error"))
    #expect(try automatic("GITLAB_CI").status == 1)
    #expect(!FileManager.default.fileExists(atPath: directory.path("gl-code-quality-report.json")))
    #expect(
      try replay(log, "--ci", "--annotations", "none", environment: ["GITHUB_ACTIONS": "true"]).lines[0]
        == "error noted-error (certain)")
  }
}
