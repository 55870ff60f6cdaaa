import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferPredicate
import XferLogStore
import XferReport

/// Messages of `EventLogger` as `xferlog` shows them, compared with Apple's `log show`.
struct MessageOutputTests {
  /// One logging call. `apple` is the text from the documentation of os.Logger; `ours` is set where xferlog's text differs.
  struct Call: Sendable, CustomStringConvertible {
    let message: LogMessage
    let apple: String
    var ours: String?
    var description: String { apple }
  }

  private static let path = "/Users/jane/a.bin"
  /// The mask of the path: its SipHash-2-4 under the key of the tests' logs.
  private static let mask = "<mask.hash: \(hash(path))>"

  private static func hash(_ text: String) -> String {
    let hash = Array(text.utf8).withUnsafeBytes { KeyedHash.hash($0, key: .init(first: 1, second: 2)) }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  static let calls: [Call] = [
    Call(message: "Plain text", apple: "Plain text"),
    Call(message: "100 % {sure}", apple: "100 % {sure}"),
    Call(message: "Got \(1024) bytes", apple: "Got 1024 bytes"),
    Call(message: "\(-7) \(UInt8.max) \(Int64.min) \(UInt64.max)", apple: "-7 255 -9223372036854775808 18446744073709551615"),
    Call(message: "\(255, format: .hex) \(255, format: .hex(includePrefix: true, uppercase: true))", apple: "ff 0xFF"),
    Call(message: "\(Int8(-1), format: .hex) \(-1, format: .hex)", apple: "ff ffffffffffffffff"),
    Call(message: "\(8, format: .octal) \(8, format: .octal(includePrefix: true))", apple: "10 0o10"),
    Call(
      message:
        "\(7, format: .decimal(minDigits: 3)) \(7, format: .decimal(explicitPositiveSign: true)) \(5, format: .hex(minDigits: 4))",
      apple: "007 +7 0005"),
    Call(message: "\(3.14159) \(Float(0.5))", apple: "3.141590 0.500000"),
    Call(
      message: """
        \(3.14159, format: .fixed(precision: 2)) \(1234.5, format: .exponential(precision: 3)) \
        \(0.0001, format: .hybrid) \(2.0, format: .fixed(precision: 0, explicitPositiveSign: true)) \
        \(1e10, format: .exponential(precision: 1, uppercase: true)) \(1.0, format: .hex)
        """, apple: "3.14 1.234e+03 0.0001 +2 1.0E+10 0x1p+0"),
    Call(message: "\(true) \(false) \(true, format: .answer) \(false, format: .answer)", apple: "true false yes no"),
    Call(
      message:
        "[\(7, align: .right(columns: 5))] [\(7, align: .left(columns: 5))] [\("ab", align: .right(columns: 4), privacy: .public)]",
      apple: "[    7] [7    ] [  ab]"),
    Call(message: "\(-1.0 / 0) \(Double.nan)", apple: "-inf nan"),
    Call(message: "Opened \(path, privacy: .public)", apple: "Opened /Users/jane/a.bin"),
    Call(message: "Opened \(path)", apple: "Opened <private>", ours: "Opened \(mask)"),
    Call(
      message: "Opened \(path, privacy: .private(mask: .hash))", apple: "Opened <mask.hash: 'z1oDjqhGrZP9iMFyZ4cVfA=='>",
      ours: "Opened \(mask)"),
    Call(message: "Opened \(path, privacy: .private(mask: .none))", apple: "Opened <private>"),
    Call(message: "Token \("secret", privacy: .sensitive)", apple: "Token <private>"),
    Call(message: "Pin \(1234, privacy: .sensitive)", apple: "Pin <private>"),
    Call(message: "two\nlines", apple: "two\nlines", ours: #"two\nlines"#),
  ]

  /// Logs the calls at alternating levels and returns the output of `xferlog show`.
  private func show(_ arguments: String..., mode: CaptureMode = .hashed) throws -> [String] {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory, role: .app, mode: mode)
    let writer = try #require(log.writer)
    let logger = EventLogger(subsystem: "com.example.app", category: "net", log: writer)
    let levels = Level.allCases
    for (place, call) in Self.calls.enumerated() { logger.log(level: levels[place % levels.count], call.message) }
    log.close()
    return try ToolRun.xferlog(["show", log.path] + arguments).lines
  }

  /// Returns a line with a fixed thread number, because thread numbers differ between runs.
  private static func withoutThread(_ line: String) -> String {
    line.replacing(#/ 0x[0-9a-f]+ +(?=(Debug|Info|Default|Error|Fault|Activity|Signpost) )/#, with: " 0x1        ")
      .replacing(#/\[4001:[0-9a-f]+\]/#, with: "[4001:1]")
  }

  @Test func `A message is shown like os.Logger's, except for masks and line breaks`() throws {
    let shown = try show("--time", "none").filter { $0.contains("message.") }
    let expected = Self.calls.map { $0.ours ?? $0.apple }
    #expect(shown.compactMap { $0.split(separator: "[com.example.app:net] ", maxSplits: 1).last.map(String.init) } == expected)
    #expect(shown.first == "D app:4001     message.debug      [com.example.app:net] Plain text")
  }

  @Test func `Output log has the columns of log show`() throws {
    let lines = try show("-o", "log").map(Self.withoutThread)
    #expect(lines[0] == "Timestamp                       Thread     Type        Activity             PID    TTL  ")
    let types = ["Debug      ", "Info       ", "Default    ", "Error      ", "Fault      "]
    for (place, call) in Self.calls.enumerated() {
      let apple =
        "2026-11-20 14:02:07.000000+0000 0x1        \(types[place % 5]) 0x0                  4001   0    sample: "
        + "[com.example.app:net] \(call.ours ?? call.apple)"
      #expect(lines.contains(apple), "\(call)")
    }
    #expect(
      lines.suffix(3) == [
        String(repeating: "-", count: 116),
        "Log      - Default:          9, Info:                4, Debug:             4, Error:          4, Fault:          4",
        "Activity - Create:           0, Transition:          0, Actions:           0",
      ])
  }

  @Test func `Output log-compact has the columns of log show --style compact`() throws {
    let lines = try show("-o", "log-compact").map(Self.withoutThread)
    #expect(lines[0] == "Timestamp               Ty Process[PID:TID]")
    let types = ["Db", "I ", "Df", "E ", "F "]
    for (place, call) in Self.calls.enumerated() {
      let apple =
        "2026-11-20 14:02:07.000 \(types[place % 5]) sample[4001:1] [com.example.app:net] \(call.ours ?? call.apple)"
      #expect(lines.contains(apple), "\(call)")
    }
  }

  @Test func `Activities and signposts have the types of log show, other events a subsystem of their own`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory, role: .app)
    let writer = try #require(log.writer)
    let logger = EventLogger(subsystem: "com.example.app", category: "net", log: writer)
    let signposter = EventSignposter(subsystem: "com.example.app", category: "net", log: writer)
    EventActivity.within("import", log: writer) {
      logger.notice("within")
      signposter.endInterval("decode", signposter.beginInterval("decode"), "\(3) rows")
      signposter.emitEvent("half")
    }
    log.emit(at: 5, TaskHeld(task: RecordedLog.task, hold: .hostSlots))
    log.close()
    let run = try ToolRun.xferlog("show", log.path, "-o", "log")
    let lines = run.lines.map(Self.withoutThread)
    let activity = try #require(lines.first { $0.hasSuffix(" sample: import") })
    let id = activity.dropFirst(55).prefix { $0 != " " }
    #expect(id.hasPrefix("0x") && id.count > 10)
    func line(_ time: String, _ type: String, _ id: some StringProtocol, _ text: String) -> String {
      "2026-11-20 14:02:07.\(time)+0000 0x1        " + type.padding(toLength: 11, withPad: " ", startingAt: 0) + " "
        + String(id).padding(toLength: 20, withPad: " ", startingAt: 0) + " 4001   0    sample: \(text)"
    }
    let spid = "[spid 0xeeeeb0b5b2b2eeee, process,"
    for expected in [
      line("000000", "Activity", id, "import"), line("000000", "Default", id, "[com.example.app:net] within"),
      line("000000", "Signpost", id, "[com.example.app:net] \(spid) begin] decode"),
      line("000000", "Signpost", id, "[com.example.app:net] \(spid) end] decode: 3 rows"),
      line("000000", "Signpost", id, "[com.example.app:net] \(spid) event] half"),
      line("005000", "Default", "0x0", "[xferlog:task] task.held img/7 waits for hostSlots"),
    ] { #expect(lines.contains(expected), "\(expected)\nin\n\(lines.joined(separator: "\n"))") }
  }

  @Test func `Times are in the requested zone`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory, role: .app)
    log.close()
    let run = try ToolRun.xferlog(["show", log.path, "-o", "log", "--local"], environment: ["TZ": "Asia/Kolkata"])
    #expect(run.lines.dropFirst().first?.hasPrefix("2026-11-20 19:32:07.000000+0530 ") == true)
  }

  @Test func `A gap is a line of the type Loss`() {
    var document = SystemLogLines(.full, zone: .utc)
    var text = TextBuffer()
    let before = Moment(wall: WallTime(nanoseconds: RecordedLog.begin))
    document.append(LogGap(cause: .missingSequence, segment: 1, name: "1.seg", sequences: 3..<5, before: before), to: &text)
    #expect(
      text.string.hasPrefix(
        "2026-11-20 14:02:07.000000+0000 0x0        Loss        0x0                  0      0    xferlog: [xferlog:gap] "))
  }

  // MARK: JSON

  private struct Document: Decodable {
    struct Fields: Decodable { let eventMessage: Message? }
    struct Message: Decodable {
      let message: String
      let format: String
      let arguments: [Argument]
    }
    struct Argument: Decodable, Equatable {
      let name: String?
      let type: String
      let value: Value
    }
    enum Value: Decodable, Equatable {
      case text(String), number(Double), flag(Bool), hash(String), redacted

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let members = try? container.decode([String: String].self), let hash = members["hash"] {
          self = .hash(hash)
        } else if (try? container.decode([String: Bool].self)) == ["redacted": true] {
          self = .redacted
        } else if let flag = try? container.decode(Bool.self) {
          self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
          self = .number(number)
        } else {
          self = .text(try container.decode(String.self))
        }
      }
    }
    let event: String
    let fields: Fields
  }

  @Test func `JSON has the text, its format and its arguments with their types`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory, role: .app, mode: .hashed)
    let logger = EventLogger(subsystem: "s", category: "c", log: try #require(log.writer))
    var message: LogMessage =
      "{\(-7)} \(7 as UInt) \(1.5) \(true) \("x", privacy: .public) \("y") \(3, privacy: .sensitive) \(Double.infinity)"
    message.attach("name", "z", privacy: .public)
    logger.notice(message)
    log.close()
    let lines = try ToolRun.xferlog("show", log.path, "-o", "ndjson").lines
    let schema = try JSONSchema(text: ToolRun.xferlog("schema", "--json-schema").text)
    for line in lines { #expect(try schema.problem(with: line) == nil) }
    let line = try #require(lines.first { $0.contains("message.default") })
    let read = try #require(JSONDecoder().decode(Document.self, from: Data(line.utf8)).fields.eventMessage)
    #expect(read.format == "{{{}}} {} {} {} {} {} {} {}")
    #expect(read.message == "{-7} 7 1.500000 true x <mask.hash: \(Self.hash("y"))> <private> inf name=z")
    #expect(
      read.arguments == [
        .init(name: nil, type: "signed", value: .number(-7)), .init(name: nil, type: "unsigned", value: .number(7)),
        .init(name: nil, type: "double", value: .number(1.5)), .init(name: nil, type: "flag", value: .flag(true)),
        .init(name: nil, type: "text", value: .text("x")), .init(name: nil, type: "text", value: .hash(Self.hash("y"))),
        .init(name: nil, type: "signed", value: .redacted), .init(name: nil, type: "double", value: .text("inf")),
        .init(name: "name", type: "text", value: .text("z")),
      ])
  }

  // MARK: Composition

  static let composed: [(RecordedMessage, String)] = [
    (.init(format: "{}", arguments: []), "<missing>"),
    (.init(format: "a", arguments: [.init(value: .signed(1)), .init(name: "n", value: .flag(true))]), "a 1 n=true"),
    (.init(format: "", arguments: [.init(name: "n", value: .text(.plain("v")))]), "n=v"),
    (
      .init(format: "{} of {}", arguments: [.init(name: "n", value: .signed(1)), .init(value: .signed(2))]), "2 of <missing> n=1"
    ),
    (.init(format: "{{{}}}}}{{", arguments: [.init(value: .signed(1))]), "{1}}{"),
    // Truncated formats.
    (.init(format: "text {…", arguments: [.init(value: .signed(1))]), "text {… 1"),
    (.init(format: "text {", arguments: []), "text {"),
    (.init(format: nil, arguments: [.init(value: .signed(1))]), "<unreadable> 1"),
    (.init(format: "{}", arguments: [.init(value: .text(.cut("abc", count: 9)))]), "abc… (9 bytes)"),
    (.init(format: "{}", arguments: [.init(value: .hashed(0xff, .double))]), "<mask.hash: 00000000000000ff>"),
    (
      .init(format: "{}", arguments: [.init(value: .signed(1), style: .init(bits: .max))]),
      "+" + String(repeating: "0", count: 253) + "1"
    ),
    (.init(format: "{}", arguments: [.init(value: .unsigned(34_812_723), style: .init(.byteCount))]), "33.1 MiB"),
    (.init(format: "{}", arguments: [.init(value: .unsigned(.max), style: .init(.byteCount))]), "18446744073709551615"),
  ]

  @Test(arguments: composed)
  func `A message with missing or excess parts is still shown`(_ message: RecordedMessage, _ text: String) {
    #expect(message.text == text)
  }

  @Test func `The largest number is shown with the maximum number of digits`() {
    let style = LogFloatFormat.fixed(precision: 1000, explicitPositiveSign: true).style
    let message = RecordedMessage(format: "{}", arguments: [.init(value: .double(-.greatestFiniteMagnitude), style: style)])
    #expect(message.text.count == 1 + 309 + 1 + 254)
  }
}
