import LogTestSupport
import Testing
import XferEvents

/// The stored form of messages and their arguments.
struct MessageTests {
  private static let key: (UInt64, UInt64) = (5, 6)

  private func record(
    _ message: LogMessage, mode: CaptureMode = .full, declaredPublic: Set<FieldID> = []
  ) -> RecordedMessage? {
    let policy = PrivacyPolicy(mode: mode, declaredPublic: declaredPublic, key: Self.key)
    return EventArchive(name: "messages", writer: WriterContext(), policy: policy)
      .record(MessageDefault(eventMessage: message), at: Moment()).eventMessage
  }

  private func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { KeyedHash.hash($0, key: .init(first: Self.key.0, second: Self.key.1)) }
  }

  private func hash(_ text: String) -> UInt64 { hash(Array(text.utf8)) }
  private func hash(_ word: UInt64) -> UInt64 { hash(withUnsafeBytes(of: word.littleEndian) { Array($0) }) }

  // MARK: Text and arguments

  @Test func `A message without arguments consists of its literal`() {
    #expect(record("all is well") == RecordedMessage(format: "all is well", arguments: []))
    #expect(record("") == RecordedMessage(format: "", arguments: []))
    #expect(record("é") == RecordedMessage(format: "é", arguments: []))
  }

  @Test(arguments: [
    ("{", "{{"), ("}", "}}"), ("a{}b", "a{{}}b"), ("12345678{", "12345678{{"), ("1234567}1234567{", "1234567}}1234567{{"),
    ("{{{{{{{{{", "{{{{{{{{{{{{{{{{{{"), ("zyxwvut|", "zyxwvut|"), ("\u{7b}é\u{7d}", "{{é}}"),
  ])
  func `Braces in a literal are doubled`(text: String, format: String) {
    let literals: [String: LogMessage] = [
      "{": "{", "}": "}", "a{}b": "a{}b", "12345678{": "12345678{", "1234567}1234567{": "1234567}1234567{",
      "{{{{{{{{{": "{{{{{{{{{", "zyxwvut|": "zyxwvut|", "{é}": "{é}",
    ]
    #expect(record(literals[text]!)?.format == format)
  }

  @Test func `Messages from the same place in the code have the same format, whatever their arguments`() {
    func message(_ path: String, _ count: Int) -> LogMessage { "got \(count) bytes of \(path)." }
    #expect(record(message("/a", 1))?.format == "got {} bytes of {}.")
    #expect(record(message("/a", 1))?.format == record(message("/b/c", -5))?.format)
  }

  @Test func `Integers of every width are stored exactly`() {
    let message = record(
      "\(Int8.min) \(UInt8.max) \(Int16.min) \(Int32.max) \(Int64.min) \(UInt64.max) \(0) \(-1) \(Int128.max) \(UInt128(7))")
    #expect(
      message?.arguments.map(\.value) == [
        .signed(-128), .unsigned(255), .signed(-32_768), .signed(Int64(Int32.max)), .signed(.min), .unsigned(.max), .signed(0),
        .signed(-1), .text(.plain("\(Int128.max)")), .unsigned(7),
      ])
    let doubles: [Double] = [0, -0.0, 1.5, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    for double in doubles {
      guard case .double(let kept)? = record("\(double)")?.arguments.first?.value else {
        Issue.record("no double")
        continue
      }
      #expect(kept.bitPattern == double.bitPattern)
    }
    #expect(record("\(true)\(false, format: .answer)")?.arguments.map(\.value) == [.flag(true), .flag(false)])
    #expect(record("\(Float(0.5))")?.arguments.map(\.value) == [.double(0.5)])
  }

  private struct Described: CustomStringConvertible { let description = "described" }
  private enum Failed: Error { case badly }

  @Test func `A value with a description can be an argument`() {
    let pointer = UnsafeRawPointer(bitPattern: 0x7fff)
    let message = record("\(Described()) \(Failed.badly) \(Int.self) \(pointer) \("x"[...])")
    #expect(
      message?.arguments.map(\.value) == [
        .text(.plain("described")), .text(.plain("badly")), .text(.plain("Int")), .unsigned(0x7fff), .text(.plain("x")),
      ])
  }

  @Test func `A message is stored correctly whatever its length`() {
    for length in [0, 1, 100, 200, 239, 240, 241, 256, 257, 1000, 70_000] {
      let text = String(repeating: "x", count: length)
      let message = record("a \(text) b \(length) c \(text) d \(1.5)")
      #expect(message?.format == "a {} b {} c {} d {}", "length \(length)")
      #expect(
        message?.arguments.map(\.value) == [
          .text(.plain(text)), .signed(Int64(length)), .text(.plain(text)), .double(1.5),
        ], "length \(length)")
    }
  }

  @Test func `Changing a copy of a message does not change the original`() {
    let first: LogMessage = "one \(1)"
    var second = first
    second.attach("name", "value")
    #expect(record(first)?.arguments.count == 1)
    #expect(record(second)?.arguments.last == RecordedArgument(name: "name", value: .text(.plain("value"))))
    #expect(record(second)?.format == "one {}")
  }

  @Test func `A long argument name is truncated between two characters`() {
    var message: LogMessage = "x"
    message.attach(String(repeating: "é", count: 200), "v")
    #expect(record(message)?.arguments.first?.name == String(repeating: "é", count: 127))
  }

  // MARK: Privacy

  @Test(arguments: CaptureMode.allCases)
  func `Numbers are public and strings are private by default`(mode: CaptureMode) {
    let message = record(
      """
      \(7) \(true) \(1.5) \("s") \("s", privacy: .public) \("s", privacy: .private) \("s", privacy: .private(mask: .hash)) \
      \("s", privacy: .private(mask: .none)) \("s", privacy: .sensitive)
      """, mode: mode)
    let masked: RecordedText = mode == .hashed ? .hashed(hash("s")) : mode == .full ? .plain("s") : .redacted
    let unhashed: RecordedText = mode == .full ? .plain("s") : .redacted
    #expect(
      message?.arguments.map(\.value) == [
        .signed(7), .flag(true), .double(1.5), .text(masked), .text(.plain("s")), .text(masked), .text(masked),
        .text(unhashed), .text(unhashed),
      ])
  }

  @Test func `A private number is stored as a hash or not at all`() {
    let message: LogMessage = "\(-7, privacy: .private) \(1.5, privacy: .private) \(true, privacy: .sensitive)"
    #expect(
      record(message, mode: .hashed)?.arguments.map(\.value) == [
        .hashed(hash(UInt64(bitPattern: -7)), .signed), .hashed(hash((1.5).bitPattern), .double), .redacted(.flag),
      ])
    #expect(
      record(message, mode: .redacted)?.arguments.map(\.value) == [
        .redacted(.signed), .redacted(.double), .redacted(.flag),
      ])
    #expect(record(message, mode: .full)?.arguments.map(\.value) == [.signed(-7), .double(1.5), .flag(true)])
  }

  @Test func `A private argument has the same hash as an equal value in another private field`() throws {
    let policy = PrivacyPolicy(key: Self.key)
    let note = EventArchive(name: "m", writer: WriterContext(), policy: policy).record(AppNoted(message: "/p"), at: Moment())
    #expect(record("\("/p")", mode: .hashed)?.arguments.map(\.value) == [.text(try #require(note.message))])
  }

  @Test(arguments: CaptureMode.allCases)
  func `A writer that declares messages public stores all arguments except sensitive ones`(mode: CaptureMode) {
    let message = record(
      "\("s") \("s", privacy: .private) \("s", privacy: .private(mask: .none)) \("s", privacy: .sensitive)", mode: mode,
      declaredPublic: [.eventMessage])
    #expect(
      message?.arguments.map(\.value) == [
        .text(.plain("s")), .text(.plain("s")), .text(.plain("s")), .text(mode == .full ? .plain("s") : .redacted),
      ])
  }

  // MARK: Malicious bytes

  /// Returns an event whose message has arbitrary bytes, as after damage that the checksum missed.
  ///
  /// - Parameter length: the stated size of the arguments, if it differs from the actual one
  private func event(symbol: UInt8 = 1, _ arguments: [UInt8], length: UInt32? = nil) -> RecordedEvent? {
    let layout = EventLayout.known[Int(EventKind.messageDefault.rawValue)]!
    let place = layout.fields.firstIndex { $0.name == "eventMessage" }!
    let length = length ?? UInt32(arguments.count)
    let bytes =
      withUnsafeBytes(of: UInt32(1 << place).littleEndian, Array.init) + [symbol, 0, 0, 0]
      + withUnsafeBytes(of: length.littleEndian, Array.init) + arguments
    // An allocation of exactly these bytes, so that a sanitizer detects reads beyond them.
    let memory = Memory(bytes)
    let source = RecordSource(number: 1, name: "made.seg", writer: WriterContext(), index: 0, bytes: memory)
    source.define(string: "{}", as: 1)
    return RecordedEvent(
      page: RecordPage(source: source), table: layout.table, lane: 1, sequence: 0, thread: 1, clocks: .init(Moment()),
      payload: memory.bytes)
  }

  private final class Memory {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: [UInt8]) {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
      copy.copyBytes(from: bytes)
      self.bytes = UnsafeRawBufferPointer(copy)
    }

    deinit { bytes.deallocate() }
  }

  @Test(arguments: [
    [0x00], [0x00, 5, 0x61], [0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    // A number of more than 64 bits, and a number without an end.
    [0x02, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
    [0x02, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], [0x01, 0x80],
    // A truncated number, unknown types, and names and styles that end too soon.
    [0x19, 1, 1, 0x61], [0x05, 0], [0x06, 0], [0x07, 0], [0x82, 0], [0x22], [0x22, 9, 0x61], [0x42, 1, 2, 3], [0x08, 1, 2, 3],
    [0x18, 5, 9, 0x61], [0x03, 1, 2, 3, 4, 5, 6, 7],
  ])
  func `Invalid argument bytes make a message unreadable`(_ bytes: [UInt8]) {
    #expect(event(bytes)?.value(named: "eventMessage") == .unreadable)
  }

  @Test func `Random argument bytes are read or refused without a crash`() {
    for seed in seeds(2000, campaign: 1_000_000) {
      var random = SeededRandom(seed: seed)
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        // Half of the heads are valid, so that decoding continues.
        UInt8(truncatingIfNeeded: random.next()) & (random.next() % 2 == 0 ? 0x7c : 0xff)
      }
      let value = event(bytes)?.value(named: "eventMessage")
      switch value {
      case .unreadable, .message: break
      default: Issue.record("seed \(seed) gives \(String(describing: value))")
      }
    }
  }

  @Test(arguments: [1, 1000, UInt32.max])
  func `A length beyond the end of the record is refused`(length: UInt32) {
    let event = event([], length: length)
    #expect(event?.value(named: "eventMessage") == .unreadable)
    #expect(event?.eventMessage == nil)
  }

  @Test func `A message whose text is lost keeps its arguments`() {
    let message = event(symbol: 9, [0x02, 7])?.eventMessage
    #expect(message == RecordedMessage(format: nil, arguments: [.init(value: .unsigned(7))]))
  }
}
