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

  @Test func `A text from a log has no effect in any file`() throws {
    let log = try JobLog(in: directory, ["error": 2], texts: Self.texts)
    let files = ["--junit": "j", "--sarif": "s", "--markdown": "m", "--json": "r", "--code-quality": "q"]
    let run = try replay(["--rules", log.rules] + files.flatMap { [$0, directory.path($1)] } + [log.path])
    #expect(run.status == 1, "\(run.standardError)")
    let count = 2 * Self.texts.count
    // XML, as another parser reads it.
    let report = try JobResult.junit(directory.path("j"))
    #expect(report.suite["failures"] as? Int == count && report.distinct == count + 1 && report.cases.count == count + 1)
    for (place, text) in Self.texts.enumerated() {
      var shown = text.unicodeScalars.contains { $0.value == 0xFFFE } ? #"\ufffe\uffff"# : TerminalText.escaped(text)
      if Self.isURL(text) { shown = "<private>" }
      for line in report.cases[(1 + 2 * place)...(2 + 2 * place)] {
        let results = try #require(line["results"] as? [[String: Any]])
        #expect(results.count == 1 && results[0]["message"] as? String == shown, "\(results)")
        #expect((results[0]["text"] as? String)?.contains("    \(shown)\n") == true, "\(results)")
      }
    }
    #expect(try JobResult.sarif(directory.path("s"))["results"] as? Int == count)
    try Self.checkMarkdown(JobResult.text(directory.path("m")), findings: count)
    for name in files.values where name != "j" {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.path(name)))
      #expect(bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 10 })
    }
  }

  /// Returns a message as the service's runner decodes it.
  private static func decoded(_ text: String, _ service: String) -> String {
    let percent = service == "GITHUB_ACTIONS" ? "%25" : "%AZP25"
    return text.replacing("%0D", with: "\r").replacing("%0A", with: "\n").replacing(percent, with: "%")
  }

  /// Checks that the texts stand only within code blocks and within `code` elements, and end neither.
  private static func checkMarkdown(_ markdown: String, findings: Int) throws {
    var fence: String?
    var outside: [String] = []
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if let open = fence {
        // A fence ends at a line of at least as many backticks.
        if line.allSatisfy({ $0 == "`" }), line.count >= open.count { fence = nil }
      } else if line.hasPrefix("```") {
        fence = String(line.prefix { $0 == "`" })
      } else {
        outside.append(String(line))
      }
    }
    #expect(fence == nil)
    let summaries = outside.filter { $0.contains("<summary>") }
    #expect(summaries.count == findings)
    for summary in summaries {
      // Everything but our own elements is escaped.
      let elements = summary.components(separatedBy: "<").dropFirst().map { $0.prefix { $0 != ">" } }
      #expect(elements == ["details open", "summary", "code", "/code", "code", "/code", "/summary"], "\(summary)")
    }
    for line in outside where !line.contains("<summary>") {
      #expect(!line.contains("<") || line == "</details>", "\(line)")
    }
  }
}
