import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferImport

/// The quick readers of usual lines, compared with the general ones.
@Suite struct AppleQuickTests {
  private typealias Lifecycle = AppleReplayTests.Lifecycle

  // MARK: Whole logs

  /// Everything that is read from a log, as text.
  private static func read(_ path: String, isQuick: Bool, usesThread: Bool = false) throws -> [String] {
    let log = AppleLog(
      try #require(LineSource(path: path)), input: 0, options: ImportOptions(),
      window: .init(entries: 300, bytes: 1 << 20, chunk: 2000), isQuick: isQuick, usesThread: usesThread)
    var lines: [String] = []
    func takeGaps() { while let (gap, _) = log.nextGap() { lines.append("gap \(gap.lines) \(gap.cause)") } }
    takeGaps()
    while let entry = log.next() {
      let message = entry.message
      let captures = CaptureName.allCases.compactMap { name in entry.text(name).map { "\(name)=\($0)" } }
      lines.append(
        "\(entry.line) \(message.shape) \(String(describing: message.task)) \(String(describing: message.number)) "
          + "\(String(describing: message.session)) \(captures) \(entry.moment) \(entry.clock) \(log.writers[entry.writer]) "
          + "\(String(describing: entry.level)) \(String(describing: entry.thread)) \(String(describing: entry.subsystem)) "
          + "\(String(describing: entry.category)) \(entry.text)")
      takeGaps()
    }
    return lines + ["\(log.records) \(log.recognised) \(log.lineCount) \(log.hasTrailer) \(log.cutLines)"]
  }

  /// Lines of other processes, which take the quickest way.
  private static let others = [
    #"{"traceID":1,"eventMessage":"a \/b\/ \"c\"","eventType":"logEvent","source":null,"backtrace":{"frames":[{"imageOffset":7,"imageUUID":"5E1D}{"}]},"subsystem":"com.x","processImagePath":"\/usr\/libexec\/locationd","timestamp":"2026-03-01 10:00:00.000000+0100","messageType":"Error","processID":55,"threadID":9}"#,
    #"{"eventMessage":"Task \\\\ {","processImagePath":"\/a\/App","timestamp":"2026-03-01 10:00:00.000000+0100","messageType":"Default","processID":9}"#,
    #"{"count":3,"finished":1}"#,
    #"{"eventMessage":"","eventType":"lossEvent","processImagePath":"\/a","timestamp":"2026-03-01 10:00:00.000000+0100"}"#,
    "2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 55 0 locationd: (CoreLocation) [com.apple.locationd:Core] hello {",
    "2026-03-01 10:00:00.000000+0100 0x1 Activity 0x80 55 0 My App: (UIKit) send gesture actions",
    "2026-03-01 10:00:00.000000+0100 0x1 Loss 0x0 55 0 kernel: lost >= 3 unreliable messages",
    "    a line that continues the record above it", "2026-03-01T10:00:00Z host app[1]: text", "}", "",
  ]

  private static func log(_ random: inout SeededRandom) -> [UInt8] {
    var lines = (0..<6).flatMap { _ in
      Lifecycle(seed: random.next()).text(in: AppleForm.allCases.randomElement(using: &random)!).split(separator: "\n").map(
        String.init)
    }
    for _ in 0..<30 { lines.insert(others.randomElement(using: &random)!, at: Int.random(in: 0...lines.count, using: &random)) }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  @Test(arguments: seeds(150, campaign: 5000))
  func `Quick, general and threaded readers read the same from a log and from damaged copies of it`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let directory = TemporaryDirectory()
    var text = DamagedText(Self.log(&random))
    for round in 0..<4 {
      let path = try directory.write(text.bytes, to: "log-\(round)")
      let (quick, general) = (try Self.read(path, isQuick: true), try Self.read(path, isQuick: false))
      #expect(quick == general, "seed \(seed), round \(round)")
      #expect(try quick == Self.read(path, isQuick: true, usesThread: true), "on a thread, seed \(seed), round \(round)")
      for _ in 0..<Int.random(in: 1...5, using: &random) { text.damage(using: &random) }
    }
  }

  /// The files in the folder that XFERLOG_APPLE_CORPUS names, as they are and damaged.
  @Test(arguments: corpus)
  func `Quick and general readers read the same from a real excerpt`(path: String) throws {
    #expect(try Self.read(path, isQuick: true) == Self.read(path, isQuick: false))
    let directory = TemporaryDirectory()
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var text = DamagedText(Array(FileManager.default.contents(atPath: path) ?? Data()))
      for _ in 0..<Int.random(in: 1...9, using: &random) { text.damage(using: &random) }
      let damaged = try directory.write(text.bytes, to: "log")
      #expect(try Self.read(damaged, isQuick: true) == Self.read(damaged, isQuick: false), "seed \(seed)")
    }
  }

  private static let corpus: [String] = {
    guard let folder = testVariable("XFERLOG_APPLE_CORPUS") else { return [] }
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    return names.filter { $0.hasSuffix(".log") }.map { "\(folder)/\($0)" }
  }()

  // MARK: Parts

  private static func describe(_ line: [UInt8], isQuick: Bool) -> String {
    line.withUnsafeBytes { describe(AppleJSON.Members(line: $0, isQuick: isQuick)) }
  }

  private static func describe(_ members: AppleJSON.Members?) -> String {
    guard let members else { return "other" }
    let record = members.record(NameCache()).map { record in
      Mirror(reflecting: record).children.map { "\($0.label ?? "")=\($0.value)" }.joined(separator: " ")
    }
    return
      "\(members.isRecord) \(members.isLoss) \(members.isFinished) \(String(describing: members.count)) \(String(describing: record))"
  }

  /// Calls a function with the bytes of a line behind which other bytes can be read.
  private static func withPadded<Result>(_ line: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    // The bytes behind a line may be those of the next one.
    let padding = Array(#"}""}"},{"\\"}"#.utf8) + Array(repeating: UInt8(ascii: "7"), count: LineSource.padding)
    return try (line + padding).withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<line.count])) }
  }

  private static func layout(_ line: [UInt8]) -> LineLayout? { line.withUnsafeBytes { AppleJSON.Members.layout(of: $0) } }

  @Test(arguments: seeds(300, campaign: 5000))
  func `A line with the layout of another line has the members that are read in the general way`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let lines = [Self.others[0], Self.others[3], String(Lifecycle(seed: seed).text(in: .json).split(separator: "\n")[0])]
    let first = Array(lines.randomElement(using: &random)!.utf8)
    let layout = try #require(Self.layout(first))
    defer { layout.deallocate() }
    var line = first
    for _ in 0..<40 {
      Self.withPadded(line) { bytes in
        guard layout.match(bytes) == bytes.count else { return }
        #expect(Self.describe(AppleJSON.Members(bytes, layout)) == Self.describe(line, isQuick: false), "\(bytes.text)")
      }
      if Int.random(in: 0..<4, using: &random) == 0 { line = first }
      let place = Int.random(in: 0..<line.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: line[place] = Array("\"\\{}[],: 1n".utf8).randomElement(using: &random)!
      case 1: line.insert(Array("\"\\{}[],: 1n".utf8).randomElement(using: &random)!, at: place)
      default: if line.count > 2 { line.remove(at: place) }
      }
    }
    #expect(Self.withPadded(first) { layout.match($0) == $0.count })
  }

  @Test(arguments: 0..<130)
  func `A line with other strings and numbers has the same layout`(padding: Int) throws {
    func line(_ message: String, _ number: String) -> [UInt8] {
      let time = "2026-03-01 10:00:00.000000+0100"
      let text = #"{"eventMessage":"\#(message)","a":null,"b":[{"n":\#(number)}],"timestamp":"\#(time)","processID":\#(number)}"#
      return Array(text.utf8)
    }
    let layout = try #require(Self.layout(line("a", "1")))
    defer { layout.deallocate() }
    let (text, number) = (String(repeating: "x", count: padding), String(repeating: "9", count: padding % 20 + 1))
    for end in ["", #"\""#, #"\/\"y"#] {
      Self.withPadded(line(text + end, number)) { bytes in
        #expect(layout.match(bytes) == bytes.count && layout.value(.message, of: bytes)?.text == text + end)
        #expect(layout.value(.pid, of: bytes)?.text == number && layout.value(.process, of: bytes) == nil)
      }
    }
    // `QuickMembers` does not read escaped backslashes and other numbers either, and a cut line is damaged.
    for other in [
      line(text + #"\\"#, number), line(text, "-1"), line(text, "1.5"), line(text, ""), line(text, number).dropLast(),
    ] {
      Self.withPadded(Array(other)) { #expect(layout.match($0) != $0.count, "\($0.text)") }
    }
  }

  @Test func `A line with two members of the same meaning has no layout`() {
    for member in [#""process":"b""#, #""processImagePath":"b""#, #""message":"b""#, #""pid":-1"#, #""count":1"#] {
      let line = #"{"eventMessage":"a","processImagePath":"\/a","timestamp":"2026-03-01 10:00:00.000000+0100",\#(member)}"#
      #expect(Self.layout(Array(line.utf8)) == nil, "\(line)")
    }
  }

  @Test(arguments: seeds(300, campaign: 5000))
  func `A JSON object has the same members whichever way it is read`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let lines = Self.others.filter { $0.hasPrefix("{") } + [String(Lifecycle(seed: seed).text(in: .json).dropLast())]
    var line = Array(lines.randomElement(using: &random)!.utf8)
    #expect(Self.describe(line, isQuick: true) == Self.describe(line, isQuick: false))
    for _ in 0..<20 {
      let place = Int.random(in: 0..<line.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: line[place] = Array("\"\\{}[],: 1n".utf8).randomElement(using: &random)!
      case 1: line.insert(Array("\"\\{}[],: 1n".utf8).randomElement(using: &random)!, at: place)
      case 2: if line.count > 2 { line.remove(at: place) }
      default: line[place] = UInt8.random(in: 0...255, using: &random)
      }
      #expect(
        Self.describe(line, isQuick: true) == Self.describe(line, isQuick: false), "\(String(decoding: line, as: UTF8.self))")
    }
  }

  @Test func `The quick way is taken by the lines of log show`() {
    for line in Self.others.prefix(1) + [String(Lifecycle(seed: 1).lines[0].text)].map({ Lifecycle.line(1, $0, .json) }) {
      Array(line.utf8).withUnsafeBytes { bytes in
        var members = QuickMembers(bytes)
        #expect(members?.read { _, _ in } == .complete)
      }
    }
    Array("2026-03-01 10:00:00.000000+0100".utf8).withUnsafeBytes { #expect(AppleTime(usual: $0) != nil) }
  }

  /// The strings are placed before, on and after the boundaries of the 64 bytes that are examined at once.
  @Test(arguments: 0..<130)
  func `An escaped quotation mark is read quickly wherever it is, and an escaped backslash is not`(padding: Int) {
    for (escape, end) in [(#"\""#, QuickMembers.End.complete), (#"\\"#, .unusual)] {
      let line = #"{"a":"\#(String(repeating: "x", count: padding))\#(escape)y","b":1}"#
      Array(line.utf8).withUnsafeBytes { bytes in
        var (members, keys) = (QuickMembers(bytes), [String]())
        #expect(members?.read { key, _ in keys.append(String(decoding: key, as: UTF8.self)) } == end, "\(line)")
        if end == .complete { #expect(keys == ["a", "b"], "\(line)") }
      }
    }
  }

  @Test(arguments: ["(Core(Foundation) ", "(CFNetwork) ", "(A)(B) ", "() ", "(CFNetwork ", ""])
  func `A library in parentheses is found in the same way`(library: String) throws {
    let message = "Task <4B2C1D3E-0000-4000-8000-000000000001>.<1> resuming, timeouts(60.0, 604800.0) QOS(0x19) Voucher (null)"
    let line = "2026-03-01 10:00:00.000000+0100 0x1 Default 0x0 55 0 App: \(library)[com.apple.CFNetwork:Default] \(message)\n"
    let directory = TemporaryDirectory()
    let path = try directory.write(Array(line.utf8), to: "log")
    #expect(try Self.read(path, isQuick: true) == Self.read(path, isQuick: false))
  }

  @Test(arguments: seeds(200, campaign: 5000))
  func `A time is the same whichever way it is read`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      var text = Array("2026-03-31 10:59:60.123456+0100 x".utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        text[Int.random(in: 0..<text.count, using: &random)] = Array("0123456789-+:. TZ\0\u{2F}".utf8).randomElement(
          using: &random)!
      }
      text.withUnsafeBytes { bytes in
        guard let quick = AppleTime(usual: bytes) else { return }
        var (scanner, time) = (ByteScanner(bytes), AppleTime())
        #expect(scanner.takeDate(&time) && scanner.take(0x20) && scanner.takeClock(&time) && scanner.takeOffset(&time))
        #expect(time == quick && scanner.place == AppleTime.usualCount, "\(String(decoding: text, as: UTF8.self))")
      }
    }
  }

  @Test(arguments: 0..<36)
  func `A UUID consists of hexadecimal digits and hyphens only`(place: Int) {
    let uuid = Array("5E1D6AF6-1a36-3E4C-9d0c-1A8F3C2D9B10".utf8)
    for byte in UInt8.min...UInt8.max {
      var text = uuid
      text[place] = byte
      text.withUnsafeBytes { bytes in
        var scanner = ByteScanner(bytes)
        let value = scanner.takeUUID()
        let isHyphen = [8, 13, 18, 23].contains(place)
        #expect((value != nil) == (isHyphen ? byte == 0x2D : byte.hexadecimalValue != nil), "\(byte)")
        guard let value else { return }
        let digits = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "-", with: "")
        #expect(UInt64(digits.prefix(16), radix: 16) == value.high && UInt64(digits.suffix(16), radix: 16) == value.low)
        #expect(scanner.isAtEnd)
      }
    }
  }

  @Test func `Literals are found wherever they occur`() {
    let words = ["ab", "abc", "nw_flow", "Session ", "STARTING"].map { Array($0.utf8) }
    let memory = words.map { word in
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: word.count, alignment: 1)
      bytes.copyBytes(from: word)
      return UnsafeRawBufferPointer(bytes)
    }
    defer { for bytes in memory { bytes.deallocate() } }
    for first in 0..<words.count {
      let finder = LiteralFinder((first..<words.count).map { (memory[$0], $0) })
      var random = SeededRandom(seed: 3)
      for _ in 0..<300 {
        var text = (0..<Int.random(in: 0...40, using: &random)).map { _ in
          Array("abcnwSTARING_ ".utf8).randomElement(using: &random)!
        }
        if Bool.random(using: &random) {
          text.insert(contentsOf: words.randomElement(using: &random)!, at: Int.random(in: 0...text.count, using: &random))
        }
        let found = text.withUnsafeBytes { finder.find(in: $0) }
        let string = String(decoding: text, as: UTF8.self)
        for number in first..<words.count {
          #expect(
            found.contains(number) == string.contains(String(decoding: words[number], as: UTF8.self)), "\(string) \(number)")
        }
      }
    }
  }
}
