import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferImport

/// Logs of Apple's that are longer than what is read ahead, and damaged ones.
@Suite struct AppleStreamTests {
  private typealias Lifecycle = AppleReplayTests.Lifecycle
  private let directory = TemporaryDirectory()

  /// An event as text: its line, name, process and fields.
  private static func events(_ source: AppleSource) -> [String] {
    var events: [String] = []
    while let member = source.next() {
      switch member {
      case .event(let event):
        events.append(
          "\(event.reference) \(event.layout.name) \(event.source.writer.launch.map { "\($0)" } ?? "") \(event.moment) \(event.values)"
        )
      case .gap(let gap): events.append("gap \(gap.sequences.map { "\($0)" } ?? "")")
      }
    }
    return events
  }

  private static func source(_ path: String, _ window: AppleLog.Window? = nil) throws -> AppleSource {
    try AppleSource([ImportedInput(place: 0, name: "log", path: path)], firstIndex: 0, window: window)
  }

  /// The smallest window that still holds the lines of one lifecycle.
  private static let small = AppleLog.Window(entries: 200, bytes: 1 << 20)

  // MARK: Long logs

  @Test(arguments: [AppleForm.json, .standard, .console, .bare], 0..<2 as Range<UInt64>)
  func `A log that is read in pieces has the events of the whole log`(form: AppleForm, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let text = (0..<300).map { _ in Lifecycle(seed: random.next()).text(in: form) }.joined()
    let path = try directory.write(Array(text.utf8), to: "log")
    let (whole, pieces) = (try Self.source(path), try Self.source(path, Self.small))
    #expect(Self.events(whole) == Self.events(pieces))
    #expect(whole.origins.map(\.launch) == pieces.origins.map(\.launch))
    #expect(whole.figures.map(\.recognised) == pieces.figures.map(\.recognised))
    #expect(whole.figures.map(\.lines) == pieces.figures.map(\.lines))
  }

  @Test func `A writer that appears late adds an origin`() throws {
    func line(_ index: Int, _ process: String) -> String {
      "2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 9 0 \(process): Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<\(index)> resuming, QOS(0x9)"
    }
    let text = ((0..<1000).map { line($0, "App") } + [line(1, "nsurlsessiond")]).joined(separator: "\n")
    let path = try directory.write(Array(text.utf8), to: "log")
    let source = try Self.source(path, Self.small)
    #expect(source.origins.count == 1)
    var last: RecordedEvent?
    while let member = source.next() { if case .event(let event) = member { last = event } }
    #expect(source.origins.count == 2)
    #expect(last.map { source.origins[$0.source.index].launch == $0.source.writer.launch } == true)
  }

  /// The tasks in between have other places in the table of recent plans than the first one.
  @Test func `A completed task that was forgotten is a new one in later lines`() throws {
    func line(_ number: Int) -> String {
      "2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 9 0 App: Task <6B29FC40-CA47-1067-B31D-\(String(format: "%012X", number))>.<1> finished successfully"
    }
    let lines = [line(1)] + (1...4200).map { line($0 << 8) } + [line(1)]
    let source = try Self.source(try directory.write(Array(lines.joined(separator: "\n").utf8), to: "log"), Self.small)
    var introductions = 0
    while let member = source.next() {
      guard case .event(let event) = member, event.kind == .taskObserved, let uid = event.taskIdentity(.task)?.uid else {
        continue
      }
      if uid.low & 0xFF == 1 { introductions += 1 }
    }
    #expect(introductions == 2)
  }

  @Test func `A writer that appears late does not take the place of another input`() throws {
    func line(_ index: Int, _ process: String) -> String {
      "2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 9 0 \(process): \(Self.task)resuming, QOS(0x9)"
    }
    let lines = (0..<AppleLog.Window().entries + 100).map { line($0, "App") } + [line(1, "nsurlsessiond")]
    let log = try directory.write(Array(lines.joined(separator: "\n").utf8), to: "log")
    let book = try PigeonBook.write(PigeonBook.lines, to: directory.path("book"))
    let run = try CommandRun(
      ["replay", "-o", "json", "--fail-on", "never", log, book], importers: [AppleImporter(), PigeonImporter()])
    let inputs = AppleReplayTests.list(try run.document()["inputs"])
    let alone = AppleReplayTests.list(try CommandRun(["replay", "-o", "json", "--fail-on", "never", book]).document()["inputs"])
    func events(_ inputs: [[String: Any]], _ path: String) -> Int? {
      inputs.first { $0["path"] as? String == path }?["events"] as? Int
    }
    #expect(events(inputs, book) == events(alone, book))
  }

  @Test func `The original of any line of a long log is found`() throws {
    let lines = (1...9000).map { "\($0): some text" }
    let path = try directory.write(Array(lines.joined(separator: "\n").utf8), to: "log")
    let source = try Self.source(path)
    for number in [1, 2, 4096, 4097, 8193, 9000] {
      #expect(source.original(.line(file: 1, line: UInt64(number))) == lines[number - 1])
    }
    #expect(source.original(.line(file: 1, line: 9001)) == nil && source.original(.line(file: 1, line: 0)) == nil)
  }

  @Test func `The original of a line with several records is the recognised one`() throws {
    let text = "noise\0Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<1> finished successfully\0noise"
    let path = try directory.write(Array(text.utf8), to: "log")
    #expect(try Self.source(path).original(.line(file: 1, line: 1))?.hasSuffix("finished successfully") == true)
  }

  @Test func `More logs are read together than files may be open`() throws {
    let line = "2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 9 0 App: Task <6B29FC40-CA47-1067-B31D-00DD0106"
    for number in 1000..<1100 {
      _ = try directory.write(Array("\(line)\(number)>.<\(number)> finished successfully\n".utf8), to: "\(number).log")
    }
    let run = try ToolRun.bash(
      "ulimit -n 32; exec $xferlog replay --fail-on never \"$dir\"/*.log", environment: ["dir": directory.path])
    #expect(run.text.contains("100 tasks (100 succeeded)"), "\(run.text.suffix(300)) \(run.standardError.suffix(300))")
  }

  // MARK: Memory

  struct Endless: Sendable, CustomTestStringConvertible {
    let what: String
    /// A script that writes an endless text.
    let script: String
    var bytes = 80 << 20
    var testDescription: String { what }
  }

  private static let task = "Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<1> "
  private static let endless = [
    Endless(what: "one line", script: "tr '\\0' x < /dev/zero"),
    Endless(what: "NUL bytes", script: "cat /dev/zero"),
    Endless(what: "nested JSON", script: "yes '{\"a\":[{\"eventMessage\":\"' | tr -d '\\n'"),
    Endless(what: "JSON objects without an end", script: "yes '{\"eventMessage\":\"a'", bytes: 16 << 20),
    Endless(what: "one JSON object", script: "printf '{\"a\":['; yes '\"b\",'", bytes: 6 << 20),
    Endless(what: "continuation lines", script: "printf '\(task)finished with error {\\n'; yes 'x(,'", bytes: 6 << 20),
    Endless(
      what: "records without a known shape",
      script: "yes '2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 9 0 App: (x) [a:b] text'", bytes: 24 << 20),
    Endless(
      what: "one task",
      script: "yes '2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 9 0 App: \(task)received response, status 200 content K'",
      bytes: 24 << 20),
    Endless(
      what: "tasks",
      script: """
        awk 'BEGIN { for (n = 1; ; n++) { u = sprintf("6B29FC40-CA47-1067-B31D-%012X", n); for (i = 1; i < 4; i++) \
        print "2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 9 0 App: Task <" u ">.<" n "> " \
        (i == 1 ? "resuming, QOS(0x9)" : i == 2 ? "received response, status 200 content K" : "finished successfully") } }'
        """, bytes: 24 << 20),
    Endless(
      what: "processes",
      script: """
        awk 'BEGIN { for (n = 1; ; n++) print "2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 " n " 0 App" n ": \(task)resuming, QOS(0x9)" }'
        """, bytes: 12 << 20),
  ]

  /// The limit is on all private memory, which is more than what is resident: the stack of the reading thread counts with 8 MiB. What a
  /// replay remembers of closed tasks is limited, but more than a short log has.
  @Test(arguments: endless)
  func `Memory does not depend on the size of a log`(_ endless: Endless) throws {
    let bytes = isCampaign ? 1 << 30 : endless.bytes
    let run = try ToolRun.bash(
      """
      printf '%s\\n' '\(Self.task)resuming, QOS(0x9)' > "$dir/log"
      { \(endless.script); } 2>&- | head -c \(bytes) >> "$dir/log"
      ulimit -d \(isCampaign ? 100_000 : 80_000)
      "$xferlog" replay --fail-on never "$dir/log" | tail -c 2000
      exit ${PIPESTATUS[0]}
      """, environment: ["dir": directory.path])
    #expect(run.status == 0, "\(run.status) \(run.standardError.suffix(300))")
    #expect(run.text.contains("verdict:"), "\(run.text)")
  }

  // MARK: Damage

  @Test(arguments: seeds(60, campaign: 10_000))
  func `A damaged log is read without a trap, and events name their lines`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let forms = AppleForm.allCases
    var text = DamagedText(
      (0..<3).flatMap { _ in Array(Lifecycle(seed: random.next()).text(in: forms.randomElement(using: &random)!).utf8) })
    let damages = Int.random(in: 1...20, using: &random)
    for _ in 0..<damages { text.damage(using: &random) }
    let bytes = text.bytes
    let path = try directory.write(bytes, to: "log")
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    let (whole, pieces) = (try Self.source(path), try Self.source(path, .init(entries: 1, bytes: 1)))
    while let member = whole.next() {
      guard case .event(let event) = member, case .line(_, let line) = event.reference else { continue }
      #expect(line >= 1 && line <= lines.count, "seed \(seed): line \(line)")
      _ = whole.original(event.reference)
      guard let uid = event.taskIdentity(.task)?.uid, event.value(named: "error") == nil else { continue }
      // A record is named by its first line. Damage may break that line before the name of the task, and more than once: of 10,000 logs,
      // two have the name after the fourth line.
      let record = lines[(Int(line) - 1)...].prefix(min(1 + damages, isCampaign ? 8 : 4)).joined(separator: "\n").uppercased()
      #expect(record.contains("\(uid)".uppercased()), "seed \(seed): line \(line) \(event.layout.name)")
    }
    while pieces.next() != nil {}
    #expect(whole.figures.map(\.lines) == [UInt64(lines.count - (lines.last == "" ? 1 : 0))], "seed \(seed)")
    #expect(whole.figures.map(\.records) == pieces.figures.map(\.records), "seed \(seed)")
    #expect(whole.figures.map(\.recognised) == pieces.figures.map(\.recognised), "seed \(seed)")
    _ = AppleImporter().recognises(
      ImportCandidate(.file, path: path, head: Array(bytes.prefix(ImportCandidate.headSize))))
  }
}

/// A text that is damaged as copies of logs are.
struct DamagedText {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var lines: [[UInt8]] {
    get { bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init) }
    set { bytes = Array(newValue.joined(separator: [0x0A])) }
  }

  mutating func damage(using random: inout SeededRandom) {
    if bytes.isEmpty { bytes = [0x0A] }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<13, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
    case 2: bytes.insert(contentsOf: [0x0A, 0x00, 0x7B, 0x22].shuffled(using: &random), at: place)
    case 3: bytes = Array(bytes[..<place]) + Array(bytes[..<place])
    case 4: bytes.insert(contentsOf: Array("\(UInt64.max)0>.<-".utf8), at: place)
    case 5: bytes = Array(bytes.split(separator: 0x0A, omittingEmptySubsequences: false).joined(separator: [0x0D, 0x0A]))
    case 6: bytes.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: Bool.random(using: &random) ? 0 : place)
    case 7:
      bytes.insert(contentsOf: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF8, 0x88]].randomElement(using: &random)!, at: place)
    case 8: bytes.insert(contentsOf: [UInt8](repeating: 0, count: Int.random(in: 1...5, using: &random)), at: place)
    case 9: if let newline = bytes[place...].firstIndex(of: 0x0A) { bytes.remove(at: newline) }
    case 10:
      var lines = lines
      let line = Int.random(in: 0..<lines.count, using: &random)
      lines.insert(lines[line], at: Int.random(in: 0...lines.count, using: &random))
      self.lines = lines
    case 11:
      var lines = lines
      lines.swapAt(Int.random(in: 0..<lines.count, using: &random), Int.random(in: 0..<lines.count, using: &random))
      self.lines = lines
    default: bytes.removeLast(bytes.count - place)
    }
    if bytes.count > 100_000 { bytes.removeLast(bytes.count - 100_000) }
  }
}
