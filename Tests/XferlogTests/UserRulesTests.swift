import Foundation
import LogTestSupport
import Testing
import XferDiagnosis
import XferEvents

/// User rules, limits and configuration files with every command that applies rules.
struct UserRulesTests {
  /// A rule that reports the sample's download, which was transferred but not completed within a minute.
  private static let rule = """
    rules:
      - id: not-taken-over
        severity: warning
        summary: "{task} from {host} has {received} and {status}: {path}"
        explanation: Somebody waits for it.
        remedy: Ask for it again.
        per: task
        when: [task.created, task.transferred]
        expect: task.completed
        within: 1m
        reports:
          - name: never
            certainty: probable
            events:
              - {at: 0, event: task.created, evidence: true}
              - {at: 1s, event: task.transferred, evidence: true}
              - {at: 90s, event: log.heartbeatWritten}
        stays-silent:
          - name: soon
            events:
              - {at: 0, event: task.created}
              - {at: 1s, event: task.transferred}
              - {at: 2s, event: task.completed}

    """

  private static func file(_ text: String, _ name: String = "rules.yaml", in directory: TemporaryDirectory) throws -> String {
    let path = directory.path(name)
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private static func json(_ run: ToolRun) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
  }

  // MARK: rules test

  @Test func `Passing examples are listed with totals, and the exit code is 0`() throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("rules", "test", Self.file(Self.rule, in: directory))
    #expect(
      run.text == """
        pass  not-taken-over  reports       never
        pass  not-taken-over  stays silent  soon
        1 rule, 2 of 2 examples passed

        """)
    #expect(run.status == 0 && run.standardError.isEmpty)
  }

  @Test func `A failing example or a rule without a near miss ends with 1`() throws {
    let directory = TemporaryDirectory()
    let broken = Self.rule.replacing("{at: 2s, event: task.completed}", with: "{at: 99s, event: task.completed}")
    let path = try Self.file(broken, in: directory)
    let run = try ToolRun.xferlog("rules", "test", path)
    #expect(run.status == 1)
    #expect(
      run.lines[1]
        == "fail  not-taken-over  stays silent  soon: reported (probable): default-1/7 from (unknown) has (unknown) and (unknown): (unknown)"
    )
    #expect(run.standardError == "xferlog: exit 1 (findings): 1 rule, 1 of 2 examples passed\n")
    let bare = try Self.file(
      String(Self.rule.prefix { $0 != "#" }).components(separatedBy: "    stays-silent:")[0], in: directory)
    let lonely = try ToolRun.xferlog("rules", "test", bare, "-o", "json")
    #expect(lonely.status == 1)
    let document = try Self.json(lonely)
    #expect(document["schema"] as? String == "xferlog.rule-trials/1")
    #expect(document["passed"] as? Int == 1 && document["failed"] as? Int == 1)
    let trials = try #require(document["trials"] as? [[String: Any]])
    #expect(trials.map { $0["expected"] as? String } == ["report", "silence"])
    #expect(trials[1]["problem"] as? String == "there is no near miss")
    #expect(trials[1]["example"] is NSNull)
  }

  @Test func `A file without rules ends with 3, an unusable file with 2`() throws {
    let directory = TemporaryDirectory()
    #expect(try ToolRun.xferlog("rules", "test", Self.file("rules: []\n", in: directory)).status == 3)
    let missing = try ToolRun.xferlog("rules", "test", directory.path("none.yaml"))
    #expect(missing.status == 2)
    #expect(missing.standardError.contains("none.yaml cannot be read: No such file or directory."))
    let path = try Self.file(Self.rule.replacing("expect: task.completed", with: "expect: task.complete"), in: directory)
    let broken = try ToolRun.xferlog("rules", "test", path)
    #expect(broken.status == 2 && broken.text.isEmpty)
    #expect(
      broken.standardError.hasPrefix(
        "xferlog: exit 2 (wrong usage): \(path):9:13: unknown event `task.complete`.\nDid you mean"))
  }

  @Test func `The examples and outputs in the article WritingRules are correct`() throws {
    let directory = TemporaryDirectory()
    let article = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/xferlog/xferlog.docc/WritingRules.md"), encoding: .utf8)
    let blocks = article.components(separatedBy: "```")
    let rules = try #require(blocks.first { $0.hasPrefix("yaml\nrules:\n  - id") }).dropFirst(5)
    let run = try ToolRun.xferlog("rules", "test", Self.file(String(rules), in: directory))
    #expect(run.status == 0)
    #expect(article.contains(run.text))
    let broken = Self.rule.replacing("expect: task.completed", with: "expect: task.complete")
    let refused = try ToolRun.xferlog("rules", "test", Self.file(broken, in: directory)).standardError
    #expect(article.contains(try #require(refused.components(separatedBy: "rules.yaml").last)))
  }

  // MARK: Applying rules

  @Test func `A replay applies the rules of --rules and lists them`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let path = try Self.file(Self.rule, in: directory)
    let run = try ToolRun.xferlog("replay", log, "--rules", path)
    #expect(run.status == 1)
    #expect(run.text.contains("warning not-taken-over (probable)\n"))
    #expect(run.text.contains("    img/7 from cdn.example.com has 33.1 MiB and 200: /files/o/31337/file.bin\n"))
    #expect(run.text.contains("    missing   task.completed, due by 14:03:12.470000000Z  +1m 5s\n"))
    #expect(!run.text.contains("xferlog rules test"))
    let document = try Self.json(ToolRun.xferlog("replay", log, "--rules", path, "-o", "json"))
    let rules = try #require(document["userRules"] as? [[String: String]])
    #expect(rules == [["id": "not-taken-over", "origin": "\(path):2"]])
    let findings = try #require(document["findings"] as? [[String: Any]])
    let mine = try #require(findings.first { $0["rule"] as? String == "not-taken-over" })
    #expect(mine["certainty"] as? String == "probable")
    #expect((mine["evidence"] as? [[String: Any]])?.map { $0["event"] as? String } == ["task.created", "task.transferred"])
    // Without --rules, the rule is not applied.
    let plain = try Self.json(ToolRun.xferlog("replay", log, "-o", "json"))
    #expect((plain["userRules"] as? [Any])?.isEmpty == true && (plain["limits"] as? [Any])?.isEmpty == true)
  }

  @Test func `A masked value stays masked in a summary`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory, mode: .hashed)
    let text = try ToolRun.xferlog("replay", log, "--rules", Self.file(Self.rule, in: directory)).text
    #expect(text.contains("and 200: <mask.hash: "))
    #expect(!text.contains("31337"))
  }

  @Test func `A summary cannot control the terminal`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    log.emit(at: 1, TaskCreated(task: RecordedLog.task, type: .data, host: "h", path: "/a\u{1B}[2Jb\nc"))
    log.emit(at: 2, TaskTransferred(task: RecordedLog.task, received: 1, status: 200))
    log.emit(at: 70_000, LogHeartbeatWritten())
    log.close()
    let path = try Self.file(Self.rule, in: directory)
    let commands = [["replay"], ["tail", "--findings"], ["why", "img/7"]]
    for command in commands {
      let run = try ToolRun.xferlog(command + [log.path, "--rules", path])
      #expect(run.text.contains("has 1 B and 200: /a"), "\(command)")
      #expect(!run.text.contains("\u{1B}") && !run.text.contains("/a\u{1B}[2Jb\nc"), "\(command)")
    }
  }

  @Test(arguments: [
    ["tail", "--findings", "-n", "all"], ["show", "--findings"], ["stats"], ["why", "img/7"],
    ["replay", "--step", "--keys", "f"],
  ])
  func `Every command with findings accepts --rules`(_ command: [String]) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let path = try Self.file(Self.rule, in: directory)
    let run = try ToolRun.xferlog(command + [log, "--rules", path])
    #expect(run.text.contains("not-taken-over"))
    #expect(try !ToolRun.xferlog(command + [log]).text.contains("not-taken-over"))
  }

  @Test func `Other rules make an index stale`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let path = try Self.file(Self.rule, in: directory)
    let environment = ["XDG_CACHE_HOME": directory.path("cache")]
    func count(_ options: [String]) throws -> String {
      try ToolRun.xferlog(
        ["sql", log, "-o", "csv", "SELECT count(*) FROM findings WHERE rule = 'not-taken-over' AND certainty = 'probable'"]
          + options,
        environment: environment
      ).lines.last ?? ""
    }
    #expect(try count([]) == "0")
    #expect(try count(["--rules", path]) == "1")
    #expect(try count(["--rules", path, "--limit", "not-taken-over.within=1h"]) == "0")
    #expect(try count([]) == "0")
  }

  @Test func `User rules are listed and explained like built-in ones`() throws {
    let directory = TemporaryDirectory()
    let path = try Self.file(Self.rule, in: directory)
    let list = try ToolRun.xferlog("rules", "list", "--rules", path)
    #expect(list.lines.count == RuleCatalogue.descriptions.count + 1)
    #expect(list.lines.last?.hasPrefix("not-taken-over ") == true)
    let explained = try ToolRun.xferlog("rules", "explain", "not-taken-over", "--rules", path)
    #expect(
      explained.text.contains(
        """
            severity    warning
            grade       own: defined by the user
            defined in  \(path):2

        Explanation
            Somebody waits for it.

        Remedy
            Ask for it again.

        Limits
            within = 1m: how long the rule waits after its trigger

        Reported
            never: probable
              ●     +0s  task.created
        """))
    let unknown = try ToolRun.xferlog("rules", "explain", "not-taken-ovr", "--rules", path)
    #expect(unknown.status == 2 && unknown.standardError.contains("Did you mean not-taken-over?"))
  }

  @Test func `A rule without a near miss is applied with a warning`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let path = try Self.file(Self.rule.components(separatedBy: "    stays-silent:")[0], in: directory)
    let run = try ToolRun.xferlog("replay", log, "--rules", path)
    let missing = "not-taken-over has no example under `stays-silent`, which `xferlog rules test` requires"
    #expect(run.remarks.first == "xferlog: \(path):2: \(missing)")
    #expect(run.text.contains("warning not-taken-over (probable)\n"))
  }

  // MARK: Limits

  /// The log of the sample covers 130 s after the last byte.
  @Test func `A limit on the command line overrides one in a file and is listed`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let path = try Self.file(
      Self.rule + "limits:\n  not-taken-over: {within: 10s}\n  lost-completion: {patience: 1h}\n", in: directory)
    let run = try ToolRun.xferlog("replay", log, "--rules", path, "--limit", "not-taken-over.within=20s")
    #expect(run.text.contains("    missing   task.completed, due by 14:02:32.470000000Z  +25.3s\n"))
    #expect(run.text.contains("    missing   delivery.sent, due by 15:02:12.470000000Z  +1h\n"))
    #expect(
      run.text.contains("limit: lost-completion.patience = 1h (default 1m)\nlimit: not-taken-over.within = 20s (default 1m)\n"))
    let document = try Self.json(ToolRun.xferlog("replay", log, "--limit", "lost-completion.patience=1h", "-o", "json"))
    let limits = try #require(document["limits"] as? [[String: Any]])
    #expect(limits.count == 1 && limits[0]["rule"] as? String == "lost-completion" && limits[0]["limit"] as? String == "patience")
    #expect(limits[0]["value"] as? Int == 3_600_000_000_000 && limits[0]["usual"] as? Int == 60_000_000_000)
  }

  @Test func `An explanation shows the limits in force`() throws {
    let run = try ToolRun.xferlog("rules", "explain", "lost-completion", "--limit", "lost-completion.patience=30s")
    #expect(run.text.contains("    patience = 30s (default 1m): how long a completion may take"))
    let document = try Self.json(
      ToolRun.xferlog("rules", "explain", "lost-completion", "--limit", "lost-completion.patience=30s", "-o", "json"))
    let limits = try #require((document["rules"] as? [[String: Any]])?.first?["limits"] as? [[String: Any]])
    #expect(limits[0]["value"] as? Int == 30_000_000_000 && limits[0]["usual"] as? Int == 60_000_000_000)
  }

  static let wrongLimits = [
    (
      "lost-completion",
      "'lost-completion' is not a limit; write --limit RULE.LIMIT=VALUE, for example lost-completion.patience=30s"
    ),
    ("lost-completon.patience=3s", "unknown rule `lost-completon`.\nDid you mean lost-completion or ghost-completion?"),
    ("lost-completion.patience=3", "`patience` of `lost-completion` cannot be a whole number.\nWrite a duration such as 30s."),
  ]

  @Test(arguments: wrongLimits)
  func `An invalid limit ends with 2`(_ limit: String, _ says: String) throws {
    let run = try ToolRun.xferlog("rules", "list", "--limit", limit)
    #expect(run.status == 2)
    #expect(run.standardError == "xferlog: exit 2 (wrong usage): \(says)\n")
  }

  // MARK: Configuration

  @Test func `Rules and limits are read from the project's and the user's configuration, or not at all with --config -`() throws {
    let directory = TemporaryDirectory()
    _ = try Self.file(Self.rule, "rules/mine.yaml", in: directory)
    _ = try Self.file("rules: [rules/mine.yaml]\nlimits: {not-taken-over: {within: 20s}}\n", ".xferlog.yaml", in: directory)
    _ = try Self.file(
      "limits: {lost-completion: {patience: 2h}, late-handler-attachment: {}}\n", "home/.config/xferlog/config.yaml",
      in: directory)
    func run(_ options: String...) throws -> String {
      try ToolRun(
        ToolRun.tool, ["rules", "explain", "lost-completion"] + options, environment: ["HOME": directory.path("home")],
        in: directory.path("")
      ).text
    }
    #expect(try run("not-taken-over").contains("    within = 20s (default 1m)"))
    #expect(try run().contains("    patience = 2h (default 1m)"))
    #expect(try run("--limit", "lost-completion.patience=3h").contains("    patience = 3h (default 1m)"))
    #expect(try run("--config", "-").contains("    patience = 1m: "))
    let other = try Self.file("limits: {lost-completion: {patience: 4h}}\n", "other.yaml", in: directory)
    #expect(try run("--config", other).contains("    patience = 4h (default 1m)"))
    let broken = try Self.file("rules: [nowhere.yaml]\n", "broken.yaml", in: directory)
    let failed = try ToolRun.xferlog("rules", "list", "--config", broken)
    #expect(failed.status == 2)
    #expect(failed.standardError.contains("\(broken):1:9: \(directory.path("nowhere.yaml")) cannot be read"))
  }
}
