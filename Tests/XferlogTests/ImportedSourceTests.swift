import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferImport
import XferReading

@testable import xferlog

/// Commands that read a foreign format, with an importer that the tests register.
@Suite struct ImportedSourceTests {
  private static func book(_ directory: TemporaryDirectory, _ lines: [String] = PigeonBook.lines, name: String = "loft.txt")
    throws
    -> String
  {
    try PigeonBook.write(lines, to: directory.path(name))
  }

  private static func object(_ value: Any?) -> [String: Any] { value as? [String: Any] ?? [:] }
  private static func list(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

  // MARK: Commands

  @Test func `Replay rebuilds tasks from an imported file`() throws {
    let directory = TemporaryDirectory()
    let path = try Self.book(directory)
    let run = try CommandRun(["replay", "-o", "json", path])
    #expect(run.error == nil)
    let document = try run.document()
    let input = try #require(Self.list(document["inputs"]).first)
    #expect(input["path"] as? String == path && input["format"] as? String == "pigeon-book")
    #expect(input["events"] as? Int == 7 && input["complete"] as? Bool == true)
    let tasks = Self.list(document["tasks"])
    #expect(tasks.map { $0["number"] as? Int } == [1, 2])
    #expect(tasks.map { $0["outcome"] as? String } == ["succeeded", "failed"])
    #expect(tasks[0]["bytes"] as? Int == 20)
  }

  @Test func `Evidence from an imported file names its line`() throws {
    let directory = TemporaryDirectory()
    let rules = try directory.write(
      Array(
        """
        rules:
          - id: lost-pigeon
            severity: warning
            summary: "{task} was lost"
            explanation: Letters get lost.
            remedy: Send two pigeons.
            per: task
            when: [task.resumed, {event: task.completed, fields: {errorName: operationTimedOut}}]
            expect: none
        """.utf8), to: "rules.yaml")
    let run = try CommandRun(["replay", "--rules", rules, "-o", "json", Self.book(directory)])
    #expect(run.exit?.status == .findings)
    let finding = try #require(Self.list(run.document()["findings"]).first { $0["rule"] as? String == "lost-pigeon" })
    let sources = Self.list(finding["evidence"]).map { Self.object($0["source"]) }
    #expect(sources.map { $0["file"] as? Int } == [1, 1])
    #expect(sources.map { $0["line"] as? Int } == [5, 7])
  }

  @Test func `Show lists the events of an imported file with its gaps in the format's own terms`() throws {
    let directory = TemporaryDirectory()
    var lines = PigeonBook.lines
    lines.insert("cooing", at: 3)
    let run = try CommandRun(["show", Self.book(directory, lines)])
    let shown = run.text.split(separator: "\n")
    #expect(shown.count == 8)
    #expect(shown[0].hasPrefix("2026-11-20 14:02:07.000"), "\(shown[0])")
    #expect(shown[0].contains("loft/1") && shown[0].contains("task.created"), "\(shown[0])")
    #expect(shown[2].contains("1 line is damaged: it is not a JSON object of the book"), "\(shown[2])")
    #expect(shown[2].contains("line 4)"), "\(shown[2])")
    #expect(!run.text.contains("segment") && !run.text.contains("lane"))
    let strict = try CommandRun(["show", "--strict", Self.book(directory, lines)])
    #expect(strict.exit == CommandExit(.incomplete, "1 gap, 1 record missing"))
  }

  @Test func `Show filters and limits the events of an imported file`() throws {
    let directory = TemporaryDirectory()
    let run = try CommandRun(["show", "-n", "1", "-t", "loft/2", "-o", "ndjson", Self.book(directory)])
    let event = try run.document()
    #expect(event["event"] as? String == "task.completed")
    #expect(Self.object(event["source"])["line"] as? Int == 7)
  }

  @Test func `Tail shows the end of an imported file`() throws {
    let directory = TemporaryDirectory()
    let run = try CommandRun(["tail", "-n", "2", "--no-findings", Self.book(directory)])
    #expect(run.error == nil && run.text.split(separator: "\n").count == 2)
  }

  @Test func `Stats sums up an imported file`() throws {
    let directory = TemporaryDirectory()
    let run = try CommandRun(["stats", "-o", "json", Self.book(directory)])
    #expect(run.error == nil)
    let document = try run.document()
    #expect(Self.list(document["inputs"]).first?["format"] as? String == "pigeon-book")
    #expect(document["tasks"] as? Int == 2)
    let failed = Self.list(document["outcomes"]).first { $0["outcome"] as? String == "failed" }
    #expect(failed?["tasks"] as? Int == 1)
    #expect(Self.list(document["hosts"]).first?["host"] as? String == "dovecote.example.com")
  }

  @Test func `Why explains a task of an imported file`() throws {
    let directory = TemporaryDirectory()
    let run = try CommandRun(["why", "-o", "json", "loft/2", Self.book(directory)])
    #expect(run.error == nil)
    let document = try run.document()
    #expect(document["answer"] as? String == "over")
    let end = Self.object(try #require(Self.list(document["chain"]).last)["event"])
    #expect(end["event"] as? String == "task.completed")
    #expect(Self.object(end["source"])["line"] as? Int == 7)
  }

  @Test func `Replay shows the state of an imported file at one event`() throws {
    let directory = TemporaryDirectory()
    let run = try CommandRun(["replay", "--at", "#2", Self.book(directory)])
    #expect(run.error == nil)
    #expect(run.text.contains("loft/1"), "\(run.text)")
    #expect(!run.text.contains("loft/2"), "\(run.text)")
  }

  @Test(arguments: ["1:3", "loft.txt:3"])
  func `Replay takes the reference of a line as a place`(place: String) throws {
    let directory = TemporaryDirectory()
    let path = try Self.book(directory)
    let run = try CommandRun(["replay", "--at", place, "-o", "json", path])
    #expect(run.error == nil)
    let at = Self.object(try run.document()["at"])
    #expect(at["event"] as? String == "task.resumed" && Self.object(at["source"])["line"] as? Int == 3, "\(at)")
    #expect(try CommandRun(["replay", "--at", "1:99", path]).exit?.status == .nothingAnalysed)
    #expect(try CommandRun(["replay", "--at", "14:02:08", path]).error == nil)
  }

  @Test func `Index and SQL hold the events of an imported file`() throws {
    let directory = TemporaryDirectory()
    let (path, index) = (try Self.book(directory), directory.path("loft.sqlite"))
    let made = try CommandRun(["index", "--to", index, path])
    #expect(made.error == nil && made.text == index + "\n")
    func rows() throws -> String {
      try CommandRun(
        [
          "sql", "-o", "csv", path,
          "SELECT path, count(*), min(events.seq), max(events.seq) FROM events JOIN sources ON sources.id = source GROUP BY path",
        ], environment: ["XDG_CACHE_HOME": directory.path("cache")]
      ).text
    }
    let canonical = path.hasPrefix("/private") ? path : URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    #expect(try rows() == "path,count(*),min(events.seq),max(events.seq)\n\(canonical),7,2,7\n")
    // An additional line makes the index stale.
    _ = try PigeonBook.write(PigeonBook.lines.dropLast() + [PigeonBook.line(5000, "hired", 3), "the end"], to: path)
    #expect(try rows() == "path,count(*),min(events.seq),max(events.seq)\n\(canonical),8,2,8\n")
  }

  // MARK: Inputs

  @Test func `Standard input is recognised by its first bytes`() throws {
    let bytes = Array((PigeonBook.lines.joined(separator: "\n") + "\n").utf8)
    let run = try CommandRun(["stats", "-o", "json", "-"], input: bytes)
    #expect(run.error == nil)
    let input = try #require(Self.list(run.document()["inputs"]).first)
    #expect(input["path"] as? String == "-" && input["events"] as? Int == 7)
  }

  @Test func `An input that no importer recognises is rejected with what it looks like and what was expected`() throws {
    let directory = TemporaryDirectory()
    let path = try Self.book(directory, ["crow book", "the end"])
    let own = "an xferlog log (a .xlog directory, a .seg file, or a directory that contains them)"
    func refusal(_ name: String, _ expected: String) -> CommandExit {
      CommandExit(.failed, "\(name) not a log: expected \(own)\(expected), but it looks like plain text")
    }
    let foreign = " or a log in the format pigeon-book"
    #expect(try CommandRun(["replay", path]).exit == refusal("\(path):", foreign))
    #expect(try CommandRun(["replay", path], importers: []).exit == refusal("\(path):", ""))
    #expect(try CommandRun(["replay", "-"], input: Array("crow book\n".utf8)).exit == refusal("standard input is", foreign))
    #expect(
      try CommandRun(["replay", "-"], importers: [], input: Array("crow book\n".utf8)).exit == refusal("standard input is", ""))
  }

  @Test func `Missing data reported by an importer makes the input incomplete`() throws {
    let directory = TemporaryDirectory()
    let path = try Self.book(directory, PigeonBook.lines.dropLast())
    let run = try CommandRun(["replay", "--strict", "--fail-on", "never", "-o", "json", path])
    #expect(run.exit == CommandExit(.incomplete, "the log is incomplete: \(path) has no last line"))
    let document = try run.document()
    #expect(document["incompleteBecause"] as? [String] == ["\(path) has no last line"])
    #expect(Self.list(document["inputs"]).first?["complete"] as? Bool == false)
  }

  @Test func `A part that an importer cannot read is reported as an error of its input`() throws {
    let directory = TemporaryDirectory()
    let (good, bad) = (try Self.book(directory), directory.path("wet.txt"))
    try Data("pigeon book\n\u{FF}".utf16.flatMap { [UInt8(truncatingIfNeeded: $0)] }).write(to: URL(fileURLWithPath: bad))
    let run = try CommandRun(["stats", "-o", "json", bad, good])
    #expect(run.error == nil)
    let inputs = try Self.list(run.document()["inputs"])
    #expect(inputs[0]["error"] as? String == "\(bad): the book is not UTF-8.\nConvert it.")
    #expect(inputs[0]["complete"] as? Bool == false && inputs[1]["complete"] as? Bool == true)
    #expect(inputs.map { $0["events"] as? Int } == [0, 7])
    let alone = try CommandRun(["show", bad])
    #expect(alone.exit == CommandExit(.failed, "nothing could be read: the book is not UTF-8"))
  }

  @Test func `A log and an imported file are merged by the wall clock`() throws {
    let directory = TemporaryDirectory()
    let (log, book) = (try RecordedLog.sample(in: directory), try Self.book(directory))
    let merged = try CommandRun(["show", "-o", "ndjson", book, log])
    let times = try merged.text.split(separator: "\n").map {
      try Self.object(JSONSerialization.jsonObject(with: Data($0.utf8)))["time"] as? String ?? ""
    }
    #expect(times == times.sorted())
    let inputs = try Self.list(CommandRun(["replay", "--fail-on", "never", "-o", "json", book, log]).document()["inputs"])
    #expect(inputs.map { $0["format"] as? String } == ["xferlog", "pigeon-book"])
    #expect(times.count == inputs.reduce(0) { $0 + ($1["events"] as? Int ?? 0) })
    #expect(inputs[1]["events"] as? Int == 7)
  }

  // MARK: Unsupported commands

  @Test(arguments: [
    (["tail", "--follow"], "cannot be followed", "Leave out --follow, or follow a .xlog directory alone."),
    (["verify"], "cannot be verified: it has no checksums", "Name a .xlog directory or a segment."),
    (["salvage", "--output", "/nowhere"], "cannot be salvaged", "Name a .xlog directory or a segment."),
    (["stats", "--storage"], "cannot be broken down by storage use", "Name a .xlog directory or a segment."),
    (
      ["replay", "--recovery", "strict"], "cannot be read with --recovery strict",
      "Leave out --recovery, which is only for xferlog's own logs."
    ),
  ])
  func `A command without support for imported files says so`(_ arguments: [String], _ problem: String, _ advice: String)
    throws
  {
    let directory = TemporaryDirectory()
    let path = try Self.book(directory)
    let error = try #require(CommandRun(arguments + [path]).error as? SourceError)
    #expect(error.place == path)
    #expect(error.problem == "an input in the format pigeon-book \(problem)")
    #expect(error.advice == advice)
  }
}
