import Foundation
import LogTestSupport
import Testing

/// The rules, limits and accepted findings in a bundle, which decide its verdict on every machine.
@Suite struct BundleVerdictTests {
  private let directory = TemporaryDirectory()
  private static let clean = ToolRun.checkout + "/Samples/clean-run/log.xlog"
  private static let faulty = ToolRun.checkout + "/Samples/killed-before-delivery/log.xlog"

  /// A rule that reports every completed task.
  private static func rule(_ id: String, summary: String = "{task} was completed") -> String {
    """
      - id: \(id)
        severity: error
        summary: "\(summary)"
        explanation: No task of this test may end.
        remedy: Do not end it.
        per: task
        when: task.created
        never: task.completed
        reports:
          - name: completed
            events:
              - {at: 0, event: task.created}
              - {at: 1s, event: task.completed, evidence: true}
        stays-silent:
          - name: open
            events:
              - {at: 0, event: task.created}

    """
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let path = directory.path(name)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func run(_ arguments: [String], in folder: String = ".", _ variables: [String: String] = [:]) throws -> ToolRun {
    let environment = ["XDG_STATE_HOME": directory.path("state"), "HOME": directory.path("home"), "XDG_CONFIG_HOME": ""]
    return try ToolRun(
      ToolRun.tool, arguments, environment: environment.merging(variables) { $1 }, in: directory.path(folder))
  }

  /// Collects a log, and moves the bundle to a directory without any other file.
  private func collect(_ arguments: [String], in folder: String = ".") throws {
    let made = try run(["collect", "-o", directory.path("run.zip"), "--overwrite"] + arguments, in: folder)
    try #require(made.status == 0, "\(made.text)\(made.standardError)")
    try #require(!made.standardError.contains("differs"), "\(made.standardError)")
    try? FileManager.default.removeItem(atPath: directory.path("elsewhere"))
    try FileManager.default.createDirectory(atPath: directory.path("elsewhere"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: directory.path("run.zip"), toPath: directory.path("elsewhere/run.zip"))
  }

  /// Replays the bundle with another time zone, locale and home.
  private func replayElsewhere(_ options: String..., log: String = "run.zip") throws -> ToolRun {
    let variables = ["TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8", "HOME": "/nonexistent", "XDG_STATE_HOME": "/dev/null"]
    return try run(["replay", "-o", "json", log] + options, in: "elsewhere", variables)
  }

  /// A verdict with its findings.
  private struct Verdict: Equatable {
    var status: Int32
    var word = ""
    var isComplete = false
    var findings: [String] = []

    init(_ run: ToolRun) throws {
      status = run.status
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any], "\(run.standardError)")
      word = document["verdict"] as? String ?? ""
      isComplete = document["complete"] as? Bool ?? false
      let findings = document["findings"] as? [[String: Any]] ?? []
      self.findings = findings.map { finding in
        let accepted = finding["accepted"] is [String: Any] ? " accepted" : ""
        return ["rule", "severity", "certainty", "fingerprint", "summary", "time"].map { "\(finding[$0] ?? "")" }
          .joined(separator: " ") + accepted
      }.sorted()
    }
  }

  private func suppressions(of rules: String, expires: String? = nil) throws -> String {
    let found = try run(["replay", "-o", "json", "--rules", rules, Self.clean])
    let document = try #require(try JSONSerialization.jsonObject(with: Data(found.standardOutput)) as? [String: Any])
    let findings = try #require(document["findings"] as? [[String: Any]])
    let entries = Set(findings.compactMap { $0["fingerprint"] as? String }).sorted().map { fingerprint in
      "  - {fingerprint: \"\(fingerprint)\", reason: known\(expires.map { ", expires: \($0)" } ?? "")}\n"
    }
    try #require(!entries.isEmpty)
    return try file("known.yaml", "version: 1\nfindings:\n" + entries.joined())
  }

  // MARK: The same verdict

  @Test func `A finding of a user's rule alone fails the replay of the bundle elsewhere`() throws {
    let rules = try file("mine.yaml", "rules:\n" + Self.rule("no-task-may-end"))
    let original = try Verdict(run(["replay", "-o", "json", "--rules", rules, Self.clean]))
    #expect(original.status == 1 && !original.findings.isEmpty)
    #expect(try run(["replay", Self.clean]).status == 0)
    try collect(["--rules", rules, Self.clean])
    let replay = try replayElsewhere()
    #expect(try Verdict(replay) == original)
    #expect(replay.standardError.contains("run.zip: applied its 1 rule file\n"))
    // Other commands know the rule, too.
    let found = try run(["query", "rule=no-task-may-end", "--exists", "run.zip"], in: "elsewhere")
    #expect(found.status == 0, "\(found.standardError)")
    #expect(try run(["diff", "run.zip", Self.clean], in: "elsewhere").status == 0)
  }

  @Test func `A suppression decides the verdict of the bundle elsewhere, and a baseline does`() throws {
    let rules = try file("mine.yaml", "rules:\n" + Self.rule("no-task-may-end"))
    let known = try suppressions(of: rules)
    let options = ["--rules", rules, "--suppressions", known]
    let original = try Verdict(run(["replay", "-o", "json"] + options + [Self.clean]))
    #expect(original.status == 0 && original.findings.allSatisfy { $0.hasSuffix(" accepted") })
    try collect(options + [Self.clean])
    let replay = try replayElsewhere()
    #expect(try Verdict(replay) == original)
    #expect(replay.standardError.contains("run.zip/suppressions-1.yaml: accepts findings, because it is in the bundle\n"))
    // Without the suppressions, the same rules fail.
    try collect(["--rules", rules, Self.clean])
    #expect(try replayElsewhere().status == 1)

    let baseline = directory.path("baseline.yaml")
    #expect(try run(["baseline", "update", "--baseline", baseline, Self.faulty]).status == 0)
    let accepted = try Verdict(run(["replay", "-o", "json", "--baseline", baseline, Self.faulty]))
    try collect(["--baseline", baseline, Self.faulty])
    #expect(try Verdict(replayElsewhere()) == accepted)
    #expect(accepted.status == 0)
  }

  @Test func `The rules and limits of configuration files are in the bundle, their settings are not`() throws {
    _ = try file("work/team/more.yaml", "rules:\n" + Self.rule("from-the-team"))
    _ = try file(
      "work/.xferlog.yaml",
      """
      color: never
      queries:
        private: host=secret.example
        other:
          took>10s
      rules:
        - team/more.yaml
      \(Self.rule("from-the-project"))
      limits:
        lost-completion: {patience: 45s}
      pager: less -secretly
      """)
    let original = try Verdict(run(["replay", "-o", "json", Self.clean], in: "work"))
    #expect(original.findings.contains { $0.hasPrefix("from-the-team ") })
    #expect(original.findings.contains { $0.hasPrefix("from-the-project ") })
    try collect([Self.clean], in: "work")
    #expect(try Verdict(replayElsewhere()) == original)
    let rules = try ToolRun("/usr/bin/unzip", ["-p", directory.path("elsewhere/run.zip"), "rules-*"]).text
    #expect(!rules.contains("secret") && !rules.contains("took") && !rules.contains("team/"), "\(rules)")
    let manifest = try ToolRun("/usr/bin/unzip", ["-p", directory.path("elsewhere/run.zip"), "xferlog-bundle.json"]).text
    #expect(manifest.contains("lost-completion.patience=45s"))
    // The configuration of another machine does not change the verdict, unless an option names it.
    let other = try file("elsewhere/.xferlog.yaml", "rules:\n" + Self.rule("of-another-machine"))
    #expect(try Verdict(replayElsewhere()) == original)
    #expect(try replayElsewhere("--config", other).text.contains("of-another-machine"))
    #expect(try run(["replay", "-o", "json", "run.zip", Self.clean], in: "elsewhere").text.contains("of-another-machine"))
  }

  @Test func `Rules that share lines with settings are refused with advice`() throws {
    let rule =
      "id: a, severity: error, summary: s, explanation: e, remedy: r, per: task, when: task.created, never: task.completed"
    _ = try file("work/.xferlog.yaml", "{color: never, rules: [{\(rule)}]}\n")
    let refused = try run(["collect", Self.clean, "-o", "run.zip"], in: "work")
    #expect(refused.status == 2)
    #expect(
      refused.standardError.contains(".xferlog.yaml: its rules cannot be separated from its settings"), "\(refused.standardError)"
    )
  }

  @Test func `A suppression with a date is judged on the day of the bundle`() throws {
    let rules = try file("mine.yaml", "rules:\n" + Self.rule("no-task-may-end"))
    let known = try suppressions(of: rules, expires: "2999-01-31")
    try collect(["--rules", rules, "--suppressions", known, Self.clean])
    let unpacked = directory.path("elsewhere/run")
    #expect(try ToolRun("/usr/bin/unzip", ["-q", "-d", unpacked, directory.path("elsewhere/run.zip")]).status == 0)
    let manifest = "\(unpacked)/xferlog-bundle.json"
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    let day = try #require(text.firstMatch(of: /"suppressions-1.yaml": "(\d{4}-\d\d-\d\d)"/)?.1)
    let entries = try String(contentsOfFile: "\(unpacked)/suppressions-1.yaml", encoding: .utf8)
    // The entry expires after the day of the bundle, long ago.
    try entries.replacing("2999-01-31", with: "2001-01-31").write(
      toFile: "\(unpacked)/suppressions-1.yaml", atomically: true, encoding: .utf8)
    for (judged, status) in [("2001-01-31", 0), ("2001-02-01", 1), (String(day), 1), ("9999-12-31", 1)] as [(String, Int32)] {
      try text.replacing("\"\(day)\"", with: "\"\(judged)\"").write(toFile: manifest, atomically: true, encoding: .utf8)
      #expect(try replayElsewhere(log: "run").status == status, "\(judged)")
    }
  }

  @Test func `A bundle of a bundle has what decided the verdict of the first`() throws {
    let rules = try file("mine.yaml", "rules:\n" + Self.rule("no-task-may-end"))
    try collect([
      "--rules", rules, "--suppressions", suppressions(of: rules), "--limit", "lost-completion.patience=45s", Self.clean,
    ])
    let first = try Verdict(replayElsewhere())
    try FileManager.default.moveItem(atPath: directory.path("elsewhere/run.zip"), toPath: directory.path("first.zip"))
    try collect([directory.path("first.zip")])
    #expect(try Verdict(replayElsewhere()) == first)
    let manifest = try ToolRun("/usr/bin/unzip", ["-p", directory.path("elsewhere/run.zip"), "xferlog-bundle.json"]).text
    #expect(manifest.contains("lost-completion.patience=45s") && manifest.contains("suppressions-1.yaml"))
  }

  // MARK: Options

  @Test func `Options add to what is in a bundle and take precedence`() throws {
    let rules = try file("mine.yaml", "rules:\n" + Self.rule("no-task-may-end"))
    try collect(["--rules", rules, "--suppressions", suppressions(of: rules), Self.clean])
    let other = try file("other.yaml", "rules:\n" + Self.rule("no-task-may-end", summary: "changed") + Self.rule("another-rule"))
    let replay = try replayElsewhere("--rules", other)
    #expect(replay.status == 1)
    #expect(replay.text.contains("\"changed\"") && replay.text.contains("another-rule"))
    #expect(replay.standardError.contains("the rule no-task-may-end of \(other) replaces that of run.zip/rules-1.yaml"))
    // A baseline on the command line replaces that of the bundle.
    let baseline = directory.path("baseline.yaml")
    _ = try run(["baseline", "update", "--baseline", baseline, Self.faulty])
    try collect(["--baseline", baseline, Self.faulty])
    #expect(try replayElsewhere().status == 0)
    let empty = try file("empty.yaml", "version: 1\nfindings: []\n")
    #expect(try replayElsewhere("--baseline", empty).status == 1)
    #expect(try replayElsewhere("--suppressions", empty).status == 0)
  }

  // MARK: Hostile bundles

  @Test func `A bundle cannot name files outside of it, and a missing file is named`() throws {
    let rules = try file("mine.yaml", "rules:\n" + Self.rule("no-task-may-end"))
    try collect(["--rules", rules, Self.clean])
    let unpacked = directory.path("elsewhere/run")
    #expect(try ToolRun("/usr/bin/unzip", ["-q", "-d", unpacked, directory.path("elsewhere/run.zip")]).status == 0)
    let manifest = "\(unpacked)/xferlog-bundle.json"
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    _ = try file("elsewhere/secret.yaml", "a secret\n")
    for name in ["../secret.yaml", directory.path("elsewhere/secret.yaml"), "./../secret.yaml"] {
      try text.replacing("\"rules-1.yaml\"", with: "\"\(name)\"").write(toFile: manifest, atomically: true, encoding: .utf8)
      let replay = try replayElsewhere(log: "run")
      #expect(replay.status == 0 && !replay.standardError.contains("secret.yaml: "), "\(replay.standardError)")
    }
    try text.write(toFile: manifest, atomically: true, encoding: .utf8)
    for make in ["rm", "ln -sf ../secret.yaml", "rm rules-1.yaml; mkfifo"] {
      #expect(try ToolRun.bash("cd \"$run\" && \(make) rules-1.yaml", environment: ["run": unpacked]).status == 0)
      let replay = try replayElsewhere(log: "run")
      #expect(replay.status == 2)
      #expect(replay.standardError.contains("run/rules-1.yaml: the bundle names this file, but does not have it"))
      _ = try ToolRun.bash("cd \"$run\" && rm -f rules-1.yaml && touch rules-1.yaml", environment: ["run": unpacked])
    }
    try "rules: 7\n".write(toFile: "\(unpacked)/rules-1.yaml", atomically: true, encoding: .utf8)
    let broken = try replayElsewhere(log: "run")
    #expect(broken.status == 2 && broken.standardError.contains("run/rules-1.yaml:1"), "\(broken.standardError)")
    try text.replacing("\"limits\": []", with: "\"limits\": [\"nonsense\"]").write(
      toFile: manifest, atomically: true, encoding: .utf8)
    try "rules: []\n".write(toFile: "\(unpacked)/rules-1.yaml", atomically: true, encoding: .utf8)
    #expect(try replayElsewhere(log: "run").standardError.contains("run/xferlog-bundle.json: 'nonsense' is not a limit"))
  }
}
