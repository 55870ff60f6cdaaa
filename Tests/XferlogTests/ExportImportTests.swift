import Foundation
import LogTestSupport
import Testing

/// Import, export and import again: the second import gives what the first one gave.
@Suite struct ExportImportTests {
  private let directory = TemporaryDirectory()

  struct Case: Sendable, CustomTestStringConvertible {
    let sample: String
    let format: String
    var testDescription: String { "\(sample) as \(format)" }
  }

  static let cases = [
    Case(sample: "har/healthy.har", format: "har"), Case(sample: "har/browser.har", format: "har"),
    Case(sample: "otlp/healthy.json", format: "otlp-spans"), Case(sample: "otlp/spans-and-logs.jsonl", format: "otlp-spans"),
    Case(sample: "otlp/healthy.json", format: "otlp-logs"),
    Case(sample: "qlog/connection.qlog", format: "qlog"), Case(sample: "qlog/healthy.sqlog", format: "qlog"),
    Case(sample: "curl/verbose-retries.txt", format: "ndjson"), Case(sample: "har/browser.har", format: "ndjson"),
    Case(sample: "qlog/connection.qlog", format: "har"), Case(sample: "har/healthy.har", format: "otlp-spans"),
  ]

  private func export(_ format: String, _ input: String, to name: String) throws -> String {
    // The importers name sessions after the file, so the file has the same name in every round.
    let folder = directory.path(name)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: input, toPath: "\(folder)/input.log")
    let run = try ToolRun(
      ToolRun.tool, ["export", "--format", format, "-o", "round.log", "input.log"], in: folder)
    #expect(run.status == 0, "\(run.standardError)")
    return "\(folder)/round.log"
  }

  /// The tasks of a log, without what depends on the name of the file.
  private func tasks(_ log: String) throws -> [[String: Any]] {
    let run = try ToolRun.xferlog("replay", "--fail-on", "never", "-o", "json", log)
    let document = try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any]
    return try #require(document?["tasks"] as? [[String: Any]])
  }

  /// The text of an export without the identities of log records, which name their places in the exported file.
  private func text(_ path: String) throws -> String {
    let identity = #/"log.record.uid","value":\{"stringValue":"[^"]*"\}/#
    return try String(contentsOfFile: path, encoding: .utf8).replacing(identity, with: "")
  }

  private func outcomes(_ log: String) throws -> [String] {
    try tasks(log).map { task in
      let kept = task.filter { ["state", "outcome", "http", "error", "attempts", "bytes"].contains($0.key) }
      return String(decoding: try JSONSerialization.data(withJSONObject: kept, options: .sortedKeys), as: UTF8.self)
    }.sorted()
  }

  @Test(arguments: cases)
  func `Import, export and import again are stable`(_ example: Case) throws {
    let sample = "\(ForeignLogTests.Sample.folder)/\(example.sample)"
    let first = try export(example.format, sample, to: "first")
    let second = try export(example.format, first, to: "second")
    let third = try export(example.format, second, to: "third")
    #expect(try outcomes(first) == (try outcomes(second)))
    #expect(try text(second) == (try text(third)))
    // What the format can carry is what the sample has.
    if !example.format.hasPrefix("otlp-logs") {
      let (before, after) = try (tasks(sample), tasks(first))
      #expect(
        before.map { "\($0["outcome"] ?? "") \($0["http"] ?? "")" }.sorted()
          == after.map { "\($0["outcome"] ?? "") \($0["http"] ?? "")" }.sorted())
    }
  }

  /// Returns the lines of a sample's exported events.
  private func lines(of sample: String) throws -> [String] {
    try ToolRun.xferlog("export", "--format", "ndjson", "\(ToolRun.checkout)/Samples/\(sample)/log.xlog").lines
  }

  private func replay(_ lines: [String]) throws -> ToolRun {
    let path = try directory.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "lines.ndjson")
    return try ToolRun.xferlog("replay", path)
  }

  @Test func `An export that is in a file twice counts once`() throws {
    let lines = try lines(of: "clean-run")
    let (once, twice) = (try replay(lines), try replay(lines + lines))
    #expect(once.status == 0 && twice.status == 0, "\(twice.text)")
    #expect(once.text.contains("\(lines.count) events") && twice.text.contains("\(lines.count) events"), "\(twice.text)")
    let overlapping = try replay(Array(lines.prefix(70)) + lines.dropFirst(50))
    #expect(overlapping.text.contains("\(lines.count) events") && !overlapping.text.contains("log-gap"), "\(overlapping.text)")
  }

  @Test func `Lines in another order are all read, and the disorder is told`() throws {
    let lines = try lines(of: "clean-run")
    let run = try replay(lines.reversed())
    #expect(run.text.contains("\(lines.count) events"), "\(run.text)")
    #expect(run.text.contains("not in the order of their positions; replay --stdin puts them in order"), "\(run.text)")
  }

  @Test(arguments: ["killed-before-delivery", "killed-in-mid-transfer", "clean-run"])
  func `A report of exported events has the verdict of the log`(_ sample: String) throws {
    let path = try directory.write(Array(try lines(of: sample).map { $0 + "\n" }.joined().utf8), to: "lines.ndjson")
    let page = directory.path("page.html")
    #expect(try ToolRun.xferlog("report", "-o", page, path).status <= 1)
    func findings(_ log: String) throws -> [String] {
      try ToolRun.xferlog("replay", log).lines.filter { $0.contains("(certain)") || $0.contains("verdict: ") }
    }
    #expect(try findings(page) == (try findings("\(ToolRun.checkout)/Samples/\(sample)/log.xlog")))
  }

  @Test(arguments: [#""number":[0-9]+"#, #""mono":"[0-9]+""#, #""time":"[^"]*""#, #""uid":"[^"]*""#])
  func `A value that cannot be read makes the log incomplete`(_ member: String) throws {
    var lines = try lines(of: "clean-run")
    let place = try #require(lines.indices.first { lines[$0].contains(#""event":"task.resumed""#) })
    let key = member.prefix { $0 != ":" }
    lines[place].replace(try Regex(member), with: "\(key):\"-\"", maxReplacements: 1)
    let run = try replay(lines)
    #expect(run.text.contains("1 value of ") && run.text.contains("could not be read"), "\(run.text)")
  }

  @Test(arguments: [
    (#""launch":"[0-9a-f-]+""#, #""launch":"x""#), (#""seq":[0-9]+"#, #""seq":-4"#),
  ])
  func `An identifier or a position that cannot be read makes the log incomplete`(_ member: String, other: String) throws {
    var lines = try lines(of: "clean-run")
    let place = try #require(lines.indices.first { lines[$0].contains(#""event":"task.resumed""#) })
    lines[place].replace(try Regex(member), with: other, maxReplacements: 1)
    let run = try replay(lines)
    #expect(run.text.contains("1 value of ") && run.text.contains("could not be read"), "\(run.text)")
  }

  @Test func `A task whose completion was acknowledged is not lost if the log lacks its end`() throws {
    var lines = try lines(of: "missed-completion-handler")
    let last = try #require(
      lines.indices.last { lines[$0].contains(#""event":"delivery.left""#) && lines[$0].contains(#""callback":"didComplete""#) })
    let launch = try #require(lines[last].firstMatch(of: #/"launch":"[^"]+"/#)?.output)
    lines = lines.enumerated().filter { $0.offset <= last || !$0.element.contains(launch) }.map(\.element)
    let run = try replay(lines)
    #expect(run.text.contains(" unknown") && !run.text.contains(" lost"), "\(run.text)")
    #expect(run.text.contains("the app acknowledged its completion, and its end is not in the log"), "\(run.text)")
  }

  @Test func `A log that was made from exported events is whole`() throws {
    let path = try directory.write(Array(try lines(of: "clean-run").map { $0 + "\n" }.joined().utf8), to: "lines.ndjson")
    let log = directory.path("imported.xlog")
    #expect(try ToolRun.xferlog("import", "-o", log, path).status == 0)
    let run = try ToolRun.xferlog("verify", log)
    #expect(run.status == 0 && !run.text.contains("missing"), "\(run.text)")
  }

  @Test func `The sum of impossible sizes is the largest number, not a negative one`() throws {
    let lines = try lines(of: "clean-run").map { $0.replacing(#/"received":[0-9]+/#, with: #""received":9223372036854775807"#) }
    let path = try directory.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "huge.ndjson")
    let text = try ToolRun.xferlog("stats", path).text
    #expect(text.contains("7.9 EiB received"), "\(text)")
  }

  @Test func `A fault is not certain if the missing event may be in a gap before the end of its process`() throws {
    let lines = try lines(of: "missed-completion-handler").filter { !$0.contains(#""event":"session.eventsFinished""#) }
    let run = try replay(lines)
    #expect(run.text.contains("log-gap (certain)"), "\(run.text)")
    #expect(!run.text.contains("missed-completion-handler (certain)"), "\(run.text)")
  }

  @Test func `A transfer that was lost with its process is no success in an HTTP archive`() throws {
    let log = "\(ToolRun.checkout)/Samples/killed-in-mid-transfer/log.xlog"
    let path = directory.path("killed.har")
    #expect(try ToolRun.xferlog("export", "--format", "har", "-o", path, log).status == 0)
    let succeeded = #"| tasks | where outcome=succeeded | stats count"#
    let open = #"| tasks | where outcome=open | stats count"#
    let lost = #"| tasks | where outcome=lost | stats count"#
    func count(_ query: String, _ log: String) throws -> String? { try ToolRun.xferlog("query", query, log).lines.last }
    #expect(try count(succeeded, path) == (try count(succeeded, log)))
    #expect(try count(open, path) == (try count(lost, log)))
  }

  @Test func `A log exported as JSON lines replays as the log`() throws {
    let log = try ExportSample.write(in: directory)
    let path = directory.path("run.ndjson")
    #expect(try ToolRun.xferlog("export", "--format", "ndjson", "-o", path, log).status == 0)
    #expect(try outcomes(path) == (try outcomes(log)))
  }
}
