import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferReport

/// The documents that commands write, validated with the schemas that `xferlog schema --document` prints.
@Suite struct DocumentTests {
  private static let checkout = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  // MARK: Validation

  private static func schema(_ document: DocumentCatalogue, in directory: TemporaryDirectory) throws -> String {
    let run = try ToolRun.xferlog("schema", "--document", document.rawValue)
    #expect(run.status == 0 && run.text.hasSuffix("}\n"))
    return try directory.write(run.standardOutput, to: "\(document.rawValue).schema.json")
  }

  /// Validates documents with `jsonschema-rs` and returns the problems as text.
  private static func problems(of documents: [String], by document: DocumentCatalogue) throws -> String {
    let directory = TemporaryDirectory()
    let schema = try schema(document, in: directory)
    let paths = try documents.enumerated().map { place, text in
      try directory.write(Array(text.utf8), to: "\(document.rawValue)-\(place).json")
    }
    let run = try ToolRun(ExportTools.python, [ExportTools.script("validate-json"), schema] + paths)
    #expect(run.standardError.isEmpty, "\(run.standardError)")
    #expect(run.status == (run.text.isEmpty ? 0 : 1))
    return run.text.replacing(directory.path + "/", with: "")
  }

  // MARK: Logs

  private static var samples: [String] {
    get throws {
      let samples = checkout + "/Samples"
      return try FileManager.default.contentsOfDirectory(atPath: samples).sorted().map { "\(samples)/\($0)/log.xlog" }
        .filter(FileManager.default.fileExists)
    }
  }

  /// A log with every event of the vocabulary several times, with random fields and in a meaningless order.
  private static func everything(in directory: TemporaryDirectory, seed: UInt64) throws -> String {
    let log = try RecordedLog(in: directory, name: "everything-\(seed).xlog", seed: seed + 1)
    for round in 0..<4 as Range<UInt64> {
      for (place, kind) in EventKind.allCases.enumerated() {
        let pattern: FieldChooser.Pattern = round == 0 ? .all : .random
        var chooser = FieldChooser(pattern, seed: seed &* 1_000_003 &+ round &* 1009 &+ UInt64(kind.rawValue))
        log.emit(at: Int64(round) * 100_000 + Int64(place) * 10, EventSamples.event(kind, &chooser))
      }
    }
    log.close()
    return log.path
  }

  /// Logs in all capture modes, damaged, sealed, and with every event.
  private static func made(in directory: TemporaryDirectory) throws -> [String] {
    let sealed = try RecordedLog.sample(in: directory, name: "sealed.xlog")
    try DamagedLog.seal(sealed)
    return try [CaptureMode.full, .hashed, .redacted].map {
      try RecordedLog.sample(in: directory, name: "\($0.name).xlog", mode: $0)
    } + [DamagedLog.flipped(in: directory), DamagedLog.beheaded(in: directory), sealed]
      + (0..<3).map { try everything(in: directory, seed: $0) }
  }

  private static func outputs(_ arguments: [String], of logs: [String]) throws -> [String] {
    try logs.map { log in
      let run = try ToolRun.xferlog(arguments + [log])
      #expect(!run.standardOutput.isEmpty || run.status != 0, "\(arguments) \(log): \(run.standardError)")
      return run.text
    }.filter { !$0.isEmpty }
  }

  // MARK: Documents

  @Test(arguments: [
    (DocumentCatalogue.replay, ["replay", "-o", "json"]), (.stats, ["stats", "-o", "json"]), (.verify, ["verify", "-o", "json"]),
    (.events, ["show", "--findings", "-o", "json"]),
    (
      .query,
      ["query", "* | stats count, p50(took), avg(status), first(time), max(level), last(discretionary) by event", "-o", "json"]
    ),
    (.query, ["query", "* | tasks", "-o", "json"]), (.query, ["query", "* | findings", "-o", "json"]),
  ])
  func `Documents of intact logs are valid`(_ document: DocumentCatalogue, _ arguments: [String]) throws {
    let directory = TemporaryDirectory()
    let documents = try Self.outputs(arguments, of: Self.samples + Self.made(in: directory))
    #expect(documents.count >= 20)
    #expect(try Self.problems(of: documents, by: document) == "")
  }

  @Test func `Rows of verdicts are valid`() throws {
    let directory = TemporaryDirectory()
    let logs = try Self.samples + Self.made(in: directory) + [directory.path("missing.xlog")]
    let run = try ToolRun.xferlog("replay", "--paths-from", "-", input: Array(logs.joined(separator: "\n").utf8))
    let kinds = Set(run.lines.compactMap { $0.firstMatch(of: /"kind":"([a-z]+)"/)?.1 })
    #expect(kinds == ["task", "finding", "log", "end"])
    #expect(try Self.problems(of: run.lines, by: .verdicts) == "")
  }

  @Test func `The address of a served report is a valid document`() throws {
    let server = try Follower(["serve", "-o", "json", Self.samples[0]])
    #expect(try Self.problems(of: server.lines { !$0.isEmpty }, by: .serve) == "")
    server.end()
  }

  @Test func `A replay with unreadable inputs, user rules and limits is valid`() throws {
    let directory = TemporaryDirectory()
    let rules = try directory.write(
      Array(
        """
        rules:
          - id: not-taken-over
            severity: warning
            summary: "{task} waits"
            explanation: Somebody waits for it.
            remedy: Ask for it again.
            per: task
            when: task.created
            expect: task.completed
            within: 1m
        """.utf8), to: "rules.yaml")
    let broken = try directory.write(Array("no log".utf8), to: "broken.txt")
    let options = ["--rules", rules, "--limit", "lost-completion.patience=2h"]
    let log = try RecordedLog.sample(in: directory)
    let replay = try ToolRun.xferlog(["replay", "-o", "json", log, broken] + options).text
    #expect(replay.contains("not-taken-over") && replay.contains("lost-completion") && replay.contains("broken.txt"))
    #expect(try Self.problems(of: [replay], by: .replay) == "")
    let listed = try ToolRun.xferlog(["rules", "list", "-o", "json"] + options).text
    let ids = listed.matches(of: /"id":"([a-z0-9-]+)"/).map { String($0.1) }
    #expect(ids.count > 150)
    let explained = try ToolRun.xferlog(["rules", "explain", "-o", "json"] + ids + options).text
    #expect(explained.contains(#""usual":"#))
    #expect(try Self.problems(of: [listed, explained], by: .rules) == "")
  }

  @Test func `States at several places of a log are valid`() throws {
    let directory = TemporaryDirectory()
    let logs = try Self.samples + Self.made(in: directory)
    var documents: [String] = []
    for log in logs {
      for place in [0, 20, 100, 400] {
        let run = try ToolRun.xferlog("replay", "--at", "#\(place)", "-o", "json", log)
        if run.status == 0 || run.status == 4 { documents.append(run.text) }
      }
    }
    #expect(documents.count >= 40)
    #expect(try Self.problems(of: documents, by: .state) == "")
    for kind in ["boots", "processes", "daemons", "conditions", "sessions", "tasks", "wakes", "intents", "gaps", "triggers"] {
      #expect(documents.contains { $0.contains("\"\(kind)\":[{") }, "no state has \(kind)")
    }
  }

  @Test func `Answers about the tasks of the samples are valid`() throws {
    let directory = TemporaryDirectory()
    var documents: [String] = []
    for log in try Self.samples + Self.made(in: directory) {
      let replay = try JSONSerialization.jsonObject(with: Data(ToolRun.xferlog("replay", "-o", "json", log).standardOutput))
      let tasks = (replay as? [String: Any])?["tasks"] as? [[String: Any]] ?? []
      for task in tasks.prefix(3) {
        documents.append(try ToolRun.xferlog("why", "-o", "json", task["uid"] as? String ?? "", log).text)
      }
    }
    #expect(documents.count >= 20)
    for answer in ["waiting", "over"] { #expect(documents.contains { $0.contains("\"answer\":\"\(answer)\"") }) }
    #expect(try Self.problems(of: documents, by: .why) == "")
  }

  @Test func `Each finding of a replay is valid by the schema of a finding`() throws {
    let replays = try Self.outputs(["replay", "-o", "json"], of: Self.samples)
    let findings = try replays.flatMap { text in
      let replay = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return try (replay?["findings"] as? [[String: Any]] ?? []).map {
        String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
      }
    }
    #expect(findings.count >= 5)
    #expect(try Self.problems(of: findings, by: .finding) == "")
  }

  // MARK: Invalid documents

  /// Returns copies of a value, each with an additional member in one of its objects.
  private static func extended(_ value: Any) -> [Any] {
    if let object = value as? [String: Any] {
      let inside = object.keys.sorted().flatMap { key in
        extended(object[key]!).map { changed in object.merging([key: changed]) { $1 } }
      }
      return [object.merging(["undocumented": 1]) { $1 }] + inside
    }
    guard let list = value as? [Any] else { return [] }
    return list.indices.flatMap { place in
      extended(list[place]).map { changed in
        var copy = list
        copy[place] = changed
        return copy
      }
    }
  }

  @Test(arguments: [
    (DocumentCatalogue.replay, ["replay", "-o", "json"]), (.stats, ["stats", "-o", "json"]), (.verify, ["verify", "-o", "json"]),
    (.events, ["show", "--findings", "-o", "json"]), (.state, ["replay", "--at", "#12", "-o", "json"]),
    (.why, ["why", "-o", "json", "img/7"]),
  ])
  func `An undocumented member is invalid in every object of a document`(
    _ document: DocumentCatalogue, _ arguments: [String]
  ) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog(arguments + [DamagedLog.flipped(in: directory)])
    let changed = try Self.extended(JSONSerialization.jsonObject(with: Data(run.standardOutput)))
    #expect(changed.count >= 3)
    // Further copies repeat the same kinds of objects.
    let documents = try changed.prefix(120).map {
      String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
    }
    let problems = try Self.problems(of: documents, by: document)
    for place in documents.indices {
      #expect(problems.contains("\(document.rawValue)-\(place).json: "), "\(documents[place].prefix(2000))")
    }
  }

  // MARK: Names

  @Test(arguments: DocumentCatalogue.allCases)
  func `Objects with the same name in a schema have the same definition`(_ document: DocumentCatalogue) throws {
    var fields: [String: [String]] = [:]
    func check(_ object: DocumentDescription) {
      let names = object.fields.map(\.name)
      #expect(fields[object.name].map { $0 == names } ?? true, "\(object.name)")
      fields[object.name] = names
      for field in object.fields { check(field.shape) }
    }
    func check(_ shape: DocumentShape) {
      switch shape {
      case .object(let object): check(object)
      case .list(let element): check(element)
      case .either(let shapes): for shape in shapes { check(shape) }
      case .text, .integer, .boolean, .constant, .choice, .vocabulary, .eventFields, .row, .eventValue: return
      }
    }
    check(document.description)
  }

  @Test func `Schema rejects --json-schema together with --document`() throws {
    let run = try ToolRun.xferlog("schema", "--json-schema", "--document", "why")
    #expect(run.status == 2 && run.text.isEmpty)
    #expect(run.standardError.contains("--json-schema and --document cannot be combined"))
  }
}
