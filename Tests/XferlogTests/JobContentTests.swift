import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferReport

/// The contents of the files for CI services: places, merged shards, and texts from logs that must have no effect.
@Suite struct JobContentTests {
  private let directory = TemporaryDirectory()

  private func replay(_ arguments: [String]) throws -> ToolRun {
    try ToolRun(ToolRun.tool, ["replay"] + arguments, environment: ["XFERLOG_CONFIG": "-"], in: directory.path)
  }

  private func replay(_ arguments: String...) throws -> ToolRun { try replay(arguments) }

  // MARK: Places

  @Test func `Findings are shown at the anchor, relative to the checkout`() throws {
    let log = try JobLog(in: directory, ["error": 1])
    let below = directory.path("below")
    try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
    let sarif = directory.path("s.sarif")
    for (anchor, root, place) in [
      ("x y/ü.sh:12", directory.path, "below/x%20y/%C3%BC.sh:12"), ("../Tests/run", directory.path, "Tests/run:1"),
      ("Tests/run:9", "/nowhere", "Tests/run:9"), (below + "/a:b", directory.path, "below/a%3Ab:1"),
    ] {
      let run = try ToolRun(
        ToolRun.tool, ["replay", "--rules", log.rules, "--sarif", sarif, "--anchor", anchor, log.path],
        environment: ["GITHUB_WORKSPACE": root, "XFERLOG_CONFIG": "-"], in: below)
      #expect(run.status == 1, "\(run.standardError)")
      let document = try JobResult.object(sarif)
      let results = (document["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]] ?? []
      let location = (results.first?["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
      let uri = (location?["artifactLocation"] as? [String: Any])?["uri"] as? String ?? ""
      let line = (location?["region"] as? [String: Any])?["startLine"] as? Int ?? 0
      #expect("\(uri):\(line)" == place)
    }
  }

  @Test func `Without an anchor, a finding is shown at the line of a foreign log`() throws {
    let source = ToolRun.checkout + "/Samples/ForeignLogs"
    let all = FileManager.default.enumerator(atPath: source)?.compactMap { $0 as? String } ?? []
    var places = 0
    for name in all.sorted() where name.hasSuffix(".har") || name.hasSuffix(".txt") || name.hasSuffix(".log") {
      let copy = directory.path("logs/\(URL(fileURLWithPath: name).lastPathComponent)")
      try? FileManager.default.createDirectory(atPath: directory.path("logs"), withIntermediateDirectories: true)
      try? FileManager.default.copyItem(atPath: "\(source)/\(name)", toPath: copy)
      let sarif = directory.path("s.sarif")
      _ = try replay("--sarif", sarif, copy)
      let seen = try JobResult.sarif(sarif)
      for place in seen["places"] as? [String] ?? [] where !place.hasSuffix(":1") {
        #expect(place.hasPrefix("logs/\(URL(fileURLWithPath: copy).lastPathComponent)"), "\(place)")
        places += 1
      }
    }
    #expect(places > 0)
  }

  // MARK: Shards

  @Test func `The logs of several shards give one result, and a category tells jobs apart`() throws {
    let shards = try (1...3).map { try JobLog(in: directory, name: "shard-\($0).xlog", seed: UInt64($0), ["error": $0]) }
    let (sarif, junit) = (directory.path("s.sarif"), directory.path("j.xml"))
    let run = try replay(
      "--rules", shards[0].rules, "--sarif", sarif, "--junit", junit, "--category", "transfers/all",
      directory.path("shard-*.xlog"))
    #expect(run.status == 1 && run.standardError.contains("6 findings: noted-error"))
    #expect(try JobResult.sarif(sarif)["results"] as? Int == 6)
    let report = try JobResult.junit(junit)
    #expect(report.suite["failures"] as? Int == 6 && report.distinct == 7 && report.suite["name"] as? String == "transfers/all")
    let runs = try JobResult.object(sarif)["runs"] as? [[String: Any]] ?? []
    #expect((runs[0]["automationDetails"] as? [String: Any])?["id"] as? String == "transfers/all/")
  }

  @Test func `Results are the same in every run`() throws {
    let log = try JobLog(in: directory, ["critical": 2, "warning": 3])
    let names = ["--junit": "j", "--sarif": "s", "--markdown": "m", "--json": "r", "--code-quality": "q"]
    var contents: [[Data]] = []
    for _ in 0..<2 {
      let options = names.sorted(by: <).flatMap { [$0, directory.path($1)] }
      _ = try ToolRun.xferlog(["replay", "--rules", log.rules] + options + [log.path])
      contents.append(try names.values.sorted().map { try Data(contentsOf: URL(fileURLWithPath: directory.path($0))) })
    }
    #expect(contents[0] == contents[1])
    // The JSON file is what standard output would have been.
    let run = try ToolRun.xferlog("replay", "--rules", log.rules, "-o", "json", log.path)
    #expect(contents[0][names.values.sorted().firstIndex(of: "r")!] == Data(run.standardOutput))
  }

  // MARK: Hostile texts

  static let texts =
    HostileTextTests.texts + [
      "%0A::error::owned", "\n::error::owned", "::error title=owned::x", "  ::add-mask::e", "\u{a0}::error::x",
      "\u{3000}::stop-commands::x",
      "##[error]owned", "a ##[add-mask]e", "##vso[task.complete result=Succeeded;]", "a##VSO[task.setvariable variable=x]y",
      "##teamcity[buildStatus]", "####[error]", "]]>", "<![CDATA[x]]>", "</failure><failure>", "\"><x y=\"", "&lt;&#0;&#x1b;",
      "\u{fffe}\u{ffff}", "\u{1}\u{8}\u{b}\u{c}\u{e}\u{1f}", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
      "</code></summary></details><h1>x", "```\n# x", "````````", "~~~", "| a | b |", "a|\u{301}b", "[x](javascript:alert(1))",
      "![x](https://example.com/x.png)", "<!-- x", "@everyone", "#1", "*x* _y_ `z`", "{0} {{1}}", "[a](1)", "\\", "\\]", "%AZP25",
      "section_start:1:x\r\u{1b}[0K", "𝕏 ünïcödé 下载",
    ]

  /// Whether a word is a URL, which results of jobs do not contain because it may be private.
  private static func isURL(_ word: String) -> Bool { word.contains("://") }

  @Test(arguments: ["GITHUB_ACTIONS", "TF_BUILD", "GITLAB_CI"])
  func `A text from a log has no effect in the output of a job`(_ service: String) throws {
    // A service shows ten annotations of a kind.
    for start in stride(from: 0, to: Self.texts.count, by: 9) {
      let texts = Array(Self.texts[start..<min(start + 9, Self.texts.count)])
      let log = try JobLog(in: directory, name: "job-\(start).xlog", ["error": 1], texts: texts)
      let run = try ToolRun(
        ToolRun.tool, ["replay", "--ci", "--width", "none", "--rules", log.rules, log.path],
        environment: [service: "true", "XFERLOG_CONFIG": "-"], in: directory.path)
      #expect(run.status == 1, "\(run.standardError)")
      // Exactly the annotations of the findings are commands.
      let lines = (run.text + run.standardError).split(separator: "\n").map(String.init)
      let commands = lines.filter { line in
        let start = line.drop { $0.isWhitespace }
        return start.hasPrefix("::") || line.contains("##[") || line.lowercased().contains("##vso[")
          || line.contains("##teamcity[")
      }
      #expect(commands.count == (service == "GITLAB_CI" ? 0 : texts.count), "\(commands)")
      // What the service reads is the text of the finding, on one line.
      let prefix =
        service == "GITHUB_ACTIONS"
        ? "::error title=noted-error (error%2C certain)::" : "##vso[task.logissue type=error;]noted-error (error, certain): "
      for (command, text) in zip(commands, texts) {
        #expect(command.hasPrefix(prefix), "\(command)")
        #expect(!command.dropFirst(6).lowercased().contains("##vso["), "\(command)")
        let read = Self.decoded(String(command.dropFirst(prefix.count)), service)
        let shown = Self.isURL(text) ? "<private>" : TerminalText.withoutCommands(TerminalText.escaped(text))
        #expect(read == "\(shown) Do not note it.", "\(command)")
      }
    }
  }

  /// Findings with every text and every payload, in a log with a hostile name, at a hostile anchor, accepted for a hostile reason.
  @Test func `A text has no effect in any file`() throws {
    let texts = Self.texts + HostileLog.texts + ReportHostileTests.payloads
    let shown = texts.map { TerminalText.escaped(Self.withoutURLs($0)) }
    let log = try JobLog(in: directory, name: HostileLog.name, ["error": 1], texts: texts)
    let known = try JobLog(in: directory, name: "known.xlog", seed: 2, ["critical": 1], texts: [HostileLog.mixture])
    let tasks = try RecordedLog(in: directory, name: "tasks.xlog", seed: 3)
    let (session, task) = (
      HostileLog.mixture, TaskIdentity(uid: TaskUID(high: 1, low: 1), session: HostileLog.mixture, number: 1)
    )
    tasks.emit(at: 800_001, TaskCreated(task: task, type: .data, method: session, scheme: "https", host: session, path: "/"))
    tasks.emit(at: 800_002, AppNoted(task: task, message: "task"))
    tasks.emit(at: 800_003, AppNoted(message: "hostile"))
    tasks.close()
    let rules = directory.path("rules.yaml")
    let ruleText = try JobResult.text(log.rules) + HostileLog.moreRules
    try Data(ruleText.utf8).write(to: URL(fileURLWithPath: rules))
    let garbage = directory.path("garbage" + HostileLog.name)
    try Data("not a log".utf8).write(to: URL(fileURLWithPath: garbage))
    let document =
      try JSONSerialization.jsonObject(
        with: Data(replay("--rules", rules, "-o", "json", known.path).standardOutput)) as? [String: Any]
    let fingerprint = try #require((document?["findings"] as? [[String: Any]])?.first?["fingerprint"] as? String)
    let reason = HostileLog.mixture.filter { $0 != "\0" }
    let suppressions = directory.path("s" + HostileLog.name)
    try Data("version: 1\nfindings:\n  - {fingerprint: '\(fingerprint)', reason: \(HostileLog.yaml(reason))}\n".utf8)
      .write(to: URL(fileURLWithPath: suppressions))
    let anchor = "tests/\(HostileLog.name)"
    let files = [
      ("--junit", "xml"), ("--sarif", "sarif"), ("--markdown", "markdown"), ("--json", "json"), ("--code-quality", "json"),
    ]
    let arguments = files.flatMap { [$0.0, directory.path($0.0)] } + ["--rules", rules, "--suppressions", suppressions]
    let run = try ToolRun(
      ToolRun.tool,
      ["replay"] + arguments + [
        "--category", HostileLog.name, "--anchor", anchor + ":7", log.path, tasks.path, known.path, garbage,
      ],
      environment: ["XFERLOG_CONFIG": "-"], in: directory.path)
    #expect(run.status == 1, "\(run.standardError)")
    let read = try ToolRun(
      ExportTools.python, [ExportTools.script("read-output")] + files.flatMap { [$0.1, directory.path($0.0)] })
    try #require(read.lines.count == files.count, "\(read.standardError)")
    let seen = try read.lines.map(VisitedReport.object)
    for (file, seen) in zip(files, seen) { #expect(seen["problems"] as? [String] == [], "\(file)") }
    let (xml, sarif, markdown) = (seen[0], seen[1], seen[2])
    // The findings of the texts, then at least two about the other log, then an accepted one.
    let elements = xml["elements"] as? [String: Int] ?? [:]
    let failures = elements["failure"] ?? 0
    #expect(failures >= texts.count + 2)
    let (name, why) = (TerminalText.escaped(HostileLog.name), TerminalText.escaped(reason))

    // JUnit: every text is one attribute value of a case. The accepted finding comes last.
    let xmlShown = shown.map { $0.replacing("\u{fffe}", with: #"\ufffe"#).replacing("\u{ffff}", with: #"\uffff"#) }
    let values = Set(xml["strings"] as? [String] ?? [])
    #expect(xmlShown.allSatisfy(values.contains))
    #expect(values.contains(name) && values.contains("\(name).noted-error") && values.contains("tests/\(name)"))
    #expect(values.contains { $0.hasPrefix("accepted by ") && $0.hasSuffix(": \(why)") && $0.contains("s\(name):") })
    #expect(
      elements == [
        "testsuites": 1, "testsuite": 1, "testcase": failures + 2, "failure": failures, "skipped": 1, "system-out": 1,
      ])
    let report = try JobResult.junit(directory.path("--junit"))
    #expect(report.suite["failures"] as? Int == failures && report.distinct == failures + 2)

    // SARIF: every text is the message of a result.
    let messages = sarif["results"] as? [String] ?? []
    #expect(messages.prefix(texts.count) == shown.map { "\($0) Do not note it." }[...])
    let uri = anchor.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: "-._~/").union(.plainASCII))
    #expect(Set(sarif["places"] as? [String] ?? []) == [uri ?? ""])
    let justified = try #require(JobResult.object(directory.path("--sarif"))["runs"] as? [[String: Any]])
    let results = justified[0]["results"] as? [[String: Any]] ?? []
    let acceptances = results.compactMap { ($0["suppressions"] as? [[String: Any]])?.first?["justification"] as? String }
    #expect(acceptances == [reason] && messages.count == failures + 1)
    #expect(try JobResult.sarif(directory.path("--sarif"))["results"] as? Int == failures + 1)

    // Markdown: every text is code in the summary of its finding, and a line of its block.
    let summaries = markdown["summaries"] as? [String] ?? []
    #expect(summaries.count == failures + 1)
    for (summary, text) in zip(summaries, shown) { #expect(summary == "error noted-error (certain): \(text)") }
    let blocks = markdown["blocks"] as? [String] ?? []
    for (block, text) in zip(blocks, shown) { #expect(block.contains("    \(text)\n"), "\(block)") }
    let codes = markdown["codes"] as? [String] ?? []
    // A code span has no line breaks and no doubled spaces at its ends.
    #expect(
      codes.contains { $0.hasSuffix("garbage\(name)") } && codes.contains { $0.hasSuffix("/\(name)") }, "\(codes.prefix(9))")
    #expect(codes.contains { $0.contains("s\(name):") && $0.hasSuffix(": \(why)") })
    #expect(Set(markdown["rows"] as? [Int] ?? []) == [5])
    #expect((markdown["strings"] as? [String] ?? []).contains { $0.contains("exit 1 (findings)") })
    let plain = markdown["plain"] as? String ?? ""
    #expect(plain.contains("Transfers (\(name)):"), "\(plain.prefix(300))")

    // Code Quality: every text is a description.
    let quality = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: directory.path("--code-quality"))))
    let entries = try #require(quality as? [[String: Any]])
    #expect(entries.prefix(texts.count).map { $0["description"] as? String } == shown.map { "noted-error: \($0)" })
    #expect(Set(entries.compactMap { ($0["location"] as? [String: Any])?["path"] as? String }) == [anchor])

    // The reason of a run without a log has the name of its input.
    let failed = try ToolRun(
      ToolRun.tool, ["replay"] + files.flatMap { [$0.0, directory.path($0.0)] } + [garbage], environment: ["XFERLOG_CONFIG": "-"],
      in: directory.path)
    #expect(failed.status == 2, "\(failed.standardError)")
    let reasons = try ToolRun(
      ExportTools.python, [ExportTools.script("read-output")] + files.flatMap { [$0.1, directory.path($0.0)] })
    for (file, line) in zip(files, reasons.lines) {
      let seen = try VisitedReport.object(line)
      #expect(seen["problems"] as? [String] == [], "\(file)")
      let shown = "garbage\(name)"
      let strings = seen["strings"] as? [String] ?? []
      #expect(file.1 == "json" || strings.contains { $0.contains(shown) }, "\(file)")
    }
  }

  /// Returns a text without the words that are URLs, which results of jobs do not contain because they may be private.
  private static func withoutURLs(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { isURL(String($0)) ? "<private>" : $0 }.joined(
      separator: " ")
  }

  /// Returns the properties of a command as the service's runner reads them.
  private static func properties(_ command: String, _ service: String) throws -> [String: String] {
    let isGitHub = service == "GITHUB_ACTIONS"
    let pattern = isGitHub ? /^::error (.*?)::/ : /^##vso\[task\.logissue (.*?)\]/
    let list = try #require(command.firstMatch(of: pattern)?.1)
    let codes =
      isGitHub
      ? [("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")] : [("%3B", ";"), ("%5D", "]"), ("%AZP25", "%")]
    var properties: [String: String] = [:]
    for pair in list.split(separator: isGitHub ? "," : ";") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try #require(parts.count == 2, "\(pair)")
      properties[String(parts[0])] = codes.reduce(String(parts[1])) { $0.replacing($1.0, with: $1.1) }
    }
    return properties
  }

  @Test(arguments: ["GITHUB_ACTIONS", "TF_BUILD"])
  func `A file name has no effect in an annotation`(_ service: String) throws {
    let log = try JobLog(in: directory, ["error": 2])
    let name = "%3A%3B;]=" + HostileLog.name
    let run = try ToolRun(
      ToolRun.tool, ["replay", "--ci", "--rules", log.rules, "--anchor", name + ":3", log.path],
      environment: [service: "true", "XFERLOG_CONFIG": "-"], in: directory.path)
    #expect(run.status == 1, "\(run.standardError)")
    let commands = run.lines.filter { $0.hasPrefix("::error ") || $0.hasPrefix("##vso[") }
    #expect(commands.count == 2)
    for command in commands {
      let properties = try Self.properties(command, service)
      #expect(properties[service == "TF_BUILD" ? "sourcepath" : "file"] == TerminalText.escaped(name), "\(command)")
      #expect(properties[service == "TF_BUILD" ? "linenumber" : "line"] == "3", "\(command)")
      #expect(
        Set(properties.keys) == (service == "TF_BUILD" ? ["type", "sourcepath", "linenumber"] : ["file", "line", "title"]))
    }
    // A problem of the run itself, whose text names a file.
    let missing = try ToolRun(
      ToolRun.tool, ["replay", "--ci", name + ".missing"], environment: [service: "true", "XFERLOG_CONFIG": "-"],
      in: directory.path)
    #expect(missing.status == 3)
    let lines = (missing.text + missing.standardError).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::") || $0.contains("##vso[") || $0.contains("##[") } == 1, "\(lines)")
  }

  /// Returns a message as the service's runner decodes it.
  private static func decoded(_ text: String, _ service: String) -> String {
    let percent = service == "GITHUB_ACTIONS" ? "%25" : "%AZP25"
    return text.replacing("%0D", with: "\r").replacing("%0A", with: "\n").replacing(percent, with: "%")
  }
}

extension CharacterSet {
  /// The letters and digits of ASCII.
  fileprivate static let plainASCII = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
}
