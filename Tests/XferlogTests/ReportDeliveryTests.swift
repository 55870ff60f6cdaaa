import Foundation
import LogTestSupport
import Testing

/// Reports in several files for servers with a strict content security policy, and the page in browsers without `DecompressionStream`.
@Suite struct ReportDeliveryTests {
  private let directory = TemporaryDirectory()
  private static let log = VisitedReport.sample("killed-before-delivery")
  private static let names = ["data.js", "index.html", "report.css", "report.js"]

  private func report(_ arguments: String...) throws -> ToolRun {
    try ToolRun(ToolRun.tool, ["report"] + arguments, in: directory.path("."))
  }

  private func listing(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path(folder)).sorted()
  }

  /// Starts a server that sends a content security policy with every file.
  private func server(_ policy: String) throws -> WebServer {
    try WebServer(
      root: directory.path("."),
      directives: """
        types { text/html html; text/css css; text/javascript js; }
        add_header Content-Security-Policy "\(policy)" always;
        add_header X-Content-Type-Options nosniff always;
        """)
  }

  // MARK: Several files

  @Test func `A report in several files shows the same under a policy without inline code, and from the disk`() throws {
    #expect(try report("--split", "-o", "split", Self.log).text == "split: 88 events, 1 finding\n")
    #expect(try report("-o", "single.html", Self.log).status == 0)
    let strict = try server("default-src 'none'; script-src 'self'; style-src 'self'")
    // The default policy of Jenkins allows no script at all.
    let sandbox = try server("sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self'")
    let seen = try VisitedReport.lines(
      [
        VisitedReport.Visit(scenario: "content", path: directory.path("single.html")),
        VisitedReport.Visit(scenario: "content", path: strict.url("/split/index.html")),
        VisitedReport.Visit(scenario: "content", path: directory.path("split/index.html")),
        VisitedReport.Visit(scenario: "sandboxed", path: sandbox.url("/split/index.html")),
      ], home: directory
    ).map(VisitedReport.object)
    let single = try #require(seen[0]["text"] as? String)
    #expect(single.contains("Task maps/2 finished, but its completion was never sent."))
    for split in seen[1...2] {
      #expect(split["state"] as? String == "ready")
      #expect(split["console"] as? [String] == [])
      #expect(split["violations"] as? [String] == [])
      #expect(split["files"] as? [String] == Self.names)
      #expect(split["inline"] as? Int == 0)
      #expect(split["dataIsGone"] as? Bool == true)
      #expect(split["font"] as? String == seen[0]["font"] as? String)
      // The time at which the reports were made differs.
      func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { !$0.hasPrefix("Made by xferlog ") }
      }
      #expect(lines(try #require(split["text"] as? String)) == lines(single))
    }
    let summary = try #require(seen[3]["text"] as? String)
    #expect(summary.contains("Verdict: findings. Exit code 1 (findings)."))
    #expect(seen[3]["font"] as? String == seen[0]["font"] as? String)
  }

  @Test func `A report in several files is replayed like one in a single file`() throws {
    #expect(try report("--split", Self.log).text == "log-report: 88 events, 1 finding\n")
    #expect(try listing("log-report") == Self.names)
    let expected = try ToolRun.xferlog("show", "--all", "-o", "ndjson", Self.log).lines.count
    let page = directory.path("log-report/index.html")
    #expect(try ToolRun.xferlog("show", "--all", "-o", "ndjson", page).lines.count == expected)
    #expect(try ToolRun.xferlog("replay", page).status == 1)
    // The page may be in an archive with its files.
    let zipped = try ToolRun.bash(
      "cd \"$work\" && /usr/bin/zip -qr report.zip log-report && \"$xferlog\" replay report.zip",
      environment: ["work": directory.path])
    #expect(zipped.status == 1 && zipped.text.contains("88 events"), "\(zipped.text)\(zipped.standardError)")
    // Data that is missing, cut off or not a file is named.
    let data = directory.path("log-report/data.js")
    let text = try String(contentsOfFile: data, encoding: .utf8)
    try String(text.prefix(4000)).write(toFile: data, atomically: true, encoding: .utf8)
    let cut = try ToolRun.xferlog("replay", "--strict", "--fail-on", "never", page)
    #expect(cut.status == 4 && cut.standardError.contains("its data ends too early"), "\(cut.standardError)")
    for make in ["rm", "rm data.js; mkfifo", "rm data.js; mkdir"] {
      #expect(
        try ToolRun.bash("cd \"$work\" && \(make) data.js", environment: ["work": directory.path("log-report")]).status == 0)
      let missing = try ToolRun.xferlog("replay", page)
      #expect(missing.status == 2 && missing.standardError.contains("its data is in the file data.js, which is not beside it"))
    }
  }

  @Test func `Only the directory of a report is written into, and nothing is left of a report that fails`() throws {
    #expect(try report("--split", "-o", "split", Self.log).status == 0)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: directory.path("split/notes.txt")))
    #expect(try report("--split", "-o", "split/", VisitedReport.sample("clean-run")).text == "split/: 137 events, 0 findings\n")
    #expect(try listing("split") == ["data.js", "index.html", "notes.txt", "report.css", "report.js"])
    #expect(try ToolRun.xferlog("replay", directory.path("split/index.html")).status == 0)

    try FileManager.default.createDirectory(atPath: directory.path("foreign"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: directory.path("empty"), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: directory.path("foreign/index.html")))
    let refused = try report("--split", "-o", "foreign", Self.log)
    #expect(refused.status == 2)
    #expect(refused.standardError.contains("foreign already exists and has no report; nothing was written."))
    #expect(try listing("foreign") == ["index.html"])
    #expect(try report("--split", "-o", "foreign", "--overwrite", Self.log).status == 0)
    #expect(try listing("foreign") == Self.names)
    #expect(try report("--split", "-o", "empty", Self.log).status == 0)

    #expect(try report("--split", "-o", "-", Self.log).status == 2)
    #expect(try report("--split", "-o", "foreign/index.html", Self.log).status == 2)
    #expect(try report("--split", "-o", "nowhere/split", Self.log).status == 2)
    let before = try listing(".")
    #expect(try report("--split", "-o", "new", directory.path("missing.xlog")).status == 3)
    // A log without events gives no report, and no directory.
    try Data("{}\n".utf8).write(to: URL(fileURLWithPath: directory.path("no-log.json")))
    #expect(try report("--split", "-o", "new", "no-log.json").status != 0)
    #expect(try listing(".") == (before + ["no-log.json"]).sorted())
    _ = try report("--split", "-o", "new", "--rules", "missing.yaml", Self.log)
    #expect(try !listing(".").contains("new"))
  }

  // MARK: Old browsers

  @Test func `A browser without DecompressionStream shows the same`() throws {
    let paths = try ["killed-before-delivery", "hundred-tasks-five-at-a-time"].map { name in
      let path = directory.path("\(name).html")
      try VisitedReport.write(VisitedReport.sample(name), to: path)
      return path
    }
    let visits = paths.flatMap { path in ["content", "old"].map { VisitedReport.Visit(scenario: $0, path: path) } }
    let seen = try VisitedReport.lines(visits, home: directory).map(VisitedReport.object)
    for place in [0, 2] {
      let (new, old) = (seen[place], seen[place + 1])
      #expect(new["isOld"] as? String == "function" && old["isOld"] as? String == "undefined")
      #expect(old["state"] as? String == "ready")
      #expect(old["console"] as? [String] == [])
      #expect(old["text"] as? String == new["text"] as? String)
    }
  }

  @Test func `Damaged data is recognised without DecompressionStream, at once`() throws {
    let path = directory.path("page.html")
    try VisitedReport.write(Self.log, to: path)
    let line = try VisitedReport.lines([VisitedReport.Visit(scenario: "damaged", path: path)], home: directory)[0]
    let seen = try #require(try VisitedReport.object(line)["list"] as? [[String: Any]])
    #expect(seen.count == 33)
    for page in seen {
      let change = page["change"] as? String ?? ""
      #expect(page["state"] as? String == "failed", "\(change)")
      let text = page["text"] as? String ?? ""
      #expect(text.contains("The data of this report cannot be shown"), "\(change)")
      #expect(text.contains(/the compressed data is (damaged|truncated)|the data is missing/), "\(change): \(text)")
      #expect(page["console"] as? [String] == [], "\(change)")
      #expect(page["milliseconds"] as? Double ?? .infinity < 20_000, "\(change)")
    }
  }
}
