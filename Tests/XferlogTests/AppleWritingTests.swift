import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferImport

/// Lifecycles that are written in all forms of Apple's log and replayed.
@Suite struct AppleWritingTests {
  private typealias Replay = AppleReplayTests

  /// What a replay says of a lifecycle, without what a form cannot carry.
  private static func verdicts(_ text: String, _ form: WrittenForm) throws -> [String] {
    let document = try Replay.replay(text)
    func words(_ thing: [String: Any], _ names: [String]) -> String {
      names.map { name in
        switch thing[name] {
        case nil, is NSNull: "-"
        case let error as [String: Any]: "\(error["domain"] ?? "-")/\(error["number"] ?? "-")"
        case let value?: "\(value)"
        }
      }.joined(separator: " ")
    }
    let knowsProcess = !form.lacks.contains(.process)
    let tasks = Replay.list(document["tasks"]).map {
      // Without the process, lines of the daemon count as lines of the app, so that a session has the name that the app knows.
      "task " + words($0, ["uid", "number", "type", "outcome", "state", "http", "error"] + (knowsProcess ? ["session"] : []))
    }
    let sessions = Replay.list(document["sessions"]).map { "session " + words($0, ["kind"]) }
    let input = Replay.list(document["inputs"]).first ?? [:]
    return tasks.sorted() + (knowsProcess ? sessions.sorted() : [])
      + Replay.findings(document, possible: true).map { "finding \($0)" }
      + [words(input, ["records", "recognised"]), words(document, ["verdict"])]
  }

  @Test(arguments: 0..<56 as Range<UInt64>)
  func `A lifecycle replays to the same verdicts in all forms`(seed: UInt64) throws {
    let records = WrittenLifecycle(seed: seed).records
    let standard = WrittenForm.standard.text(records)
    let wanted = try Self.verdicts(standard, .standard)
    // Forms without the process have the same verdicts, because `verdicts` reads nothing else of a form.
    let wantedWithoutProcess = try Self.verdicts(standard, .bare)
    #expect(wanted.contains { $0.hasPrefix("task ") || $0.hasPrefix("finding ") }, "\(wanted)")
    for form in WrittenForm.allCases {
      let found = try Self.verdicts(form.text(records), form)
      var expected = form.lacks.contains(.process) ? wantedWithoutProcess : wanted
      // The trailer of `log show` is the only proof that nothing follows.
      if form == .ndjson, expected.last != "findings" { expected[expected.count - 1] = found.last ?? "" }
      // A name with a space cannot be told from the message where spaces separate the columns.
      let named = found.map { $0.replacing("My-App", with: "My App") }
      #expect(named == expected, "seed \(seed), \(form): \(form.text(records))")
    }
  }

  /// The times of a replay are those of the lines, or unknown where the form lacks a part of them.
  @Test(arguments: WrittenForm.allCases)
  func `A form without a date or a zone gives no times`(form: WrittenForm) throws {
    let records = WrittenLifecycle(seed: 5).records
    let finding = try #require(Replay.list(Replay.replay(form.text(records))["findings"]).first)
    let last = try #require(records.last)
    let knows = form.lacks.isDisjoint(with: [.year, .date, .zone, .time])
    let time = String(format: "2026-03-01T09:00:%02d.%03d000000Z", last.time / 1000, last.time % 1000)
    #expect(finding["time"] as? String == (knows ? time : nil))
    let supplied = try Replay.replay(form.text(records), ["--date", "2026-03-01", "--timezone", "+01:00"])
    let whole = form.lacks.contains(.fraction) ? time.prefix(19) + ".000000000Z" : time[...]
    #expect(Replay.list(supplied["findings"]).first?["time"] as? String == (form == .bare ? nil : String(whole)))
  }

  @Test func `The article lists what each form cannot carry`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appending(path: "Sources/xferlog/xferlog.docc/AppleLogs.md"), encoding: .utf8)
    for form in WrittenForm.allCases {
      let lacks = WrittenForm.Lack.allCases.filter(form.lacks.contains).map(\.words).joined(separator: ", ")
      #expect(article.contains("| \(form.nameInArticle) | \(lacks.isEmpty ? "nothing" : lacks) |"), "\(form): \(lacks)")
    }
  }

  // MARK: Lines

  /// Lines between the records, of which some are not UTF-8.
  private static let fillers = [
    "some text of the app", "", "caf\u{e9} — 日本", "    indented text", "Connection of the user was fine", "2026: a good year",
  ]

  @Test(arguments: WrittenForm.allCases, seeds(6, campaign: 200))
  func `Every event and every piece of evidence names the line of its record`(form: WrittenForm, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var text: [UInt8] = []
    var uids: [String] = []
    for place in 0..<40 {
      let uid = "\(TaskUID(using: &random))".uppercased()
      uids.append(uid)
      let message =
        place % 3 == 0
        ? "Task <\(uid)>.<1> finished with error [-1005] Error Domain=NSURLErrorDomain Code=-1005 \"x\" UserInfo={a=(\n    b\n), c=d}"
        : "Task <\(uid)>.<1> now using Connection 7"
      var lines = Array(form.line(WrittenRecord(time: place * 10, process: .app, text: message)).utf8)
      // Fillers would be a part of the messages that a line of metadata closes, and of a record in JSON over several lines.
      if form != .json {
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          lines = Array(Self.fillers.randomElement(using: &random)!.utf8) + [0x0A] + lines
        }
        if Bool.random(using: &random) { lines = [0xFF, 0xC3, 0x28, 0x0A] + lines }
      }
      text += lines + [Int.random(in: 0..<9, using: &random) == 0 ? 0 : 0x0A]
    }
    switch seed % 3 {
    case 0:
      text =
        [0xEF, 0xBB, 0xBF] + Array(text.split(separator: 0x0A, omittingEmptySubsequences: false).joined(separator: [0x0D, 0x0A]))
    case 1: text.removeFirst(Int.random(in: 0..<400, using: &random))
    default: text.removeLast(Int.random(in: 0..<400, using: &random))
    }
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    let directory = TemporaryDirectory()
    let path = try directory.write(text, to: "log")
    let source = try AppleSource([ImportedInput(place: 0, name: "log", path: path)], firstIndex: 0)
    var found: Set<String> = []
    while let member = source.next() {
      guard case .event(let event) = member, case .line(_, let line) = event.reference, let task = event.taskIdentity(.task)
      else {
        continue
      }
      let uid = "\(task.uid)".uppercased()
      found.insert(uid)
      // A record in JSON over several lines begins with its brace.
      let record = lines[(Int(line) - 1)...].prefix(form == .json ? 3 : 1).joined()
      #expect(record.contains(uid), "seed \(seed), line \(line): \(record)")
      // Of several records on one line, the first is quoted.
      if form != .json, !record.contains("\0") {
        #expect(source.original(event.reference)?.contains(uid) == true, "seed \(seed), line \(line)")
      }
    }
    // A cut removes a few records at an end.
    #expect(found.count >= uids.count - 8 && found.isSubset(of: uids), "seed \(seed): \(found.count)")
    let findings = Replay.list(
      try CommandRun(["replay", "--fail-on", "never", "-o", "json", path], importers: [AppleImporter()]).document()["findings"])
    #expect(findings.count >= 8)
    for finding in findings where finding["rule"] as? String == "transport-failed" {
      for evidence in Replay.list(finding["evidence"]) {
        let line = try #require(Replay.object(evidence["source"])["line"] as? Int)
        let quoted = try #require(evidence["text"] as? String).prefix(90)
        #expect(lines[line - 1].contains(quoted), "seed \(seed), line \(line): \(quoted)")
      }
    }
  }
}

extension WrittenForm.Lack {
  /// The words of the article.
  fileprivate var words: String {
    switch self {
    case .year: "year"
    case .date: "date"
    case .zone: "zone"
    case .time: "time"
    case .fraction: "fractions of a second"
    case .process: "process"
    case .pid: "process id"
    case .level: "level"
    }
  }
}

extension WrittenForm {
  /// The name of the form in the table of the article. Variants of a form share a row.
  fileprivate var nameInArticle: String {
    switch self {
    case .ndjson, .json, .iterator, .standard, .standardWithoutTTL, .quoted:
      "`log show` and `log stream` with `--style ndjson`, `json` or `default`, and the lines of `unifiedlog_iterator`"
    case .compact: "`log show --style compact`"
    case .syslog: "`log show --style syslog`"
    case .console, .consoleWithLibrary, .consoleWithSpaces: "copied from Console.app"
    case .xcode: "Xcode's console with a header before each message"
    case .xcodeWithoutZone: "the same in older versions of Xcode"
    case .xcodeMetadata: "Xcode's console with a line of metadata after each message"
    case .xcodeAllMetadata: "the same with all members of the metadata"
    case .deviceSyslog, .idevicesyslog: "`idevicesyslog` and the syslog of old systems"
    case .pymobiledevice3: "`pymobiledevice3 syslog`"
    case .bare: "messages without a header"
    }
  }
}
