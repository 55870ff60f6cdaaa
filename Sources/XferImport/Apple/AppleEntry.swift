import XferEvents

/// A recognised record, reduced to what the replay needs.
final class AppleEntry {
  let message: RecognisedMessage
  let meaning: AppleShape.Meaning
  /// The index of the writer.
  let writer: Int
  let moment: Moment
  let clock: AppleClock.Kind
  let line: UInt64
  /// The error that the message contains; `nil` if it contains none.
  let error: AppleError?
  /// Whether an error is printed within a sentence of a text without headers, so that a person may have written it.
  let isInSentence: Bool
  /// An estimate of the entry's memory in bytes.
  let size: Int
  let level: AppleLevel?
  let subsystem: String?
  let category: String?
  let thread: UInt64?
  /// The first bytes of the message.
  private let bytes: [UInt8]
  /// The plan of the record's task; `nil` if the record names no task.
  @exclusivity(unchecked) var plan: TaskPlan?

  /// The maximum number of bytes of a message that are kept, and of those that are kept in events.
  private static let (keptBytes, textBytes) = (8192, 4000)

  init(
    _ record: AppleRecord, _ message: RecognisedMessage, _ meaning: AppleShape.Meaning, writer: Int, moment: Moment,
    clock: AppleClock.Kind
  ) {
    (self.message, self.meaning, self.writer, self.moment, self.clock) = (message, meaning, writer, moment, clock)
    (level, subsystem, category, thread) = (record.level, record.subsystem, record.category, record.thread)
    line = Self.line(of: record, message)
    isInSentence = meaning == .errorPrinted && record.form == .bare && Self.isInSentence(record.message, at: Int(message.start))
    error = Self.error(record.message, meaning)
    bytes = record.message.count > Self.keptBytes ? Array(record.message.prefix(Self.keptBytes)) : record.message
    size = 400 + bytes.count
  }

  /// Makes an entry of a record that fills a line alone.
  init?(
    _ record: KnownRecord, _ meaning: AppleShape.Meaning, writer: Int, moment: Moment, clock: AppleClock.Kind,
    _ names: inout NameCache
  ) {
    guard let text = record.members.message else { return nil }
    let whole = JSONMembers.unescaped(text)
    (message, self.meaning, self.writer, self.moment, self.clock) = (record.recognised, meaning, writer, moment, clock)
    (level, thread) = (record.members.levelOfMessage, record.members.threadID)
    (subsystem, category) = (record.members.subsystem(&names), record.members.category(&names))
    (line, isInSentence) = (record.line, false)
    error = Self.error(whole, meaning)
    bytes = whole.count > Self.keptBytes ? Array(whole.prefix(Self.keptBytes)) : whole
    size = 400 + bytes.count
  }

  /// Returns the error that a message with a meaning contains; `nil` if it contains none.
  private static func error(_ message: [UInt8], _ meaning: AppleShape.Meaning) -> AppleError? {
    switch meaning {
    case .finishedWithError, .libraryFailed, .errorPrinted, .sessionFailed, .sourceUnreadable:
      AppleError(String(decoding: message, as: UTF8.self))
    default: nil
    }
  }

  /// Returns the line that has the recognised text, if each line of the message is a line of the log.
  private static func line(of record: AppleRecord, _ message: RecognisedMessage) -> UInt64 {
    let lines = record.lines
    if message.start == 0 || lines.count == 1 { return lines.lowerBound }
    let breaks = record.message.lazy.filter { $0 == 0x0A }.count
    guard breaks == lines.count - 1 else { return lines.lowerBound }
    return lines.lowerBound + UInt64(record.message.prefix(Int(message.start)).lazy.filter { $0 == 0x0A }.count)
  }

  /// The number of words before an error that programs print at most, such as “The download failed with error”. A line with a tag, such as
  /// “Uploader: Error:”, may have more before a full stop or colon.
  private static let longestIntroduction = 6

  /// Whether a sentence precedes a place of a text. Programs print an error behind a sign or behind a few words.
  private static func isInSentence(_ text: [UInt8], at place: Int) -> Bool {
    var words = text.prefix(place).split { $0 == 0x20 }
    if words.count >= 2, words.suffix(2).joined().elementsEqual("ErrorDomain=".utf8) { words.removeLast(2) }
    // An error without a description of its own is printed as “The operation couldn’t be completed. (NSURLErrorDomain error -1005.)”.
    if words.count >= 5, words[words.count - 5].elementsEqual("The".utf8),
      words.last.map({ $0.elementsEqual("completed.".utf8) }) ?? false
    {
      words.removeLast(5)
    }
    guard words.count > longestIntroduction, let last = words.last?.last else { return false }
    if last | 0x20 >= 0x61 && last | 0x20 <= 0x7A || last >= 0x80 || last == UInt8(ascii: "=") { return true }
    return !words.prefix(3).contains { $0.last == UInt8(ascii: ":") || $0.last == UInt8(ascii: "]") }
  }

  /// The time by which entries with the same clock can be ordered; `nil` if there is none.
  var time: Int64? { moment.wall?.nanoseconds ?? moment.monotonic }

  // MARK: The message

  /// The text of the message. A very long one is cut between two characters.
  var text: String {
    guard bytes.count > Self.textBytes else { return String(decoding: bytes, as: UTF8.self) }
    var end = Self.textBytes
    while end > Self.textBytes - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Returns what the pattern captures under a name; `nil` if it captures nothing.
  func text(_ name: CaptureName) -> String? { captured(name) { $0.text } }

  /// Returns the number that the pattern captures under a name; `nil` if it captures none.
  func integer(_ name: CaptureName) -> Int64? {
    captured(name) { bytes in
      var scanner = ByteScanner(bytes)
      let number = scanner.takeInteger()
      if scanner.isAtEnd { return number }
      scanner.move(to: 0)
      let wrapped = scanner.takeWrappedInteger()
      return scanner.isAtEnd ? wrapped : nil
    } ?? nil
  }

  /// Calls a function with the bytes that the pattern captures under a name.
  ///
  /// - Returns: `nil` if the pattern captures nothing.
  func captured<Result>(_ name: CaptureName, _ read: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let range = message.range(name) else { return nil }
    return bytes.withUnsafeBytes { read($0.slice(range.lowerBound, range.upperBound)) }
  }

  /// Whether the message contains a text.
  func contains(_ literal: StaticString) -> Bool { bytes.withUnsafeBytes { $0.first(literal) != nil } }
}

/// A process that wrote records.
struct AppleWriter: Hashable {
  /// The name; `nil` if the form does not tell it.
  let name: String?
  let pid: Int?
  /// What the times of the records state. Readings of different clocks belong to different sources.
  let clock: AppleClock.Kind
  /// The index of the input if the writer has no name, so that unnamed writers of two inputs differ.
  let input: Int?

  var launch: LaunchID {
    var hash = NameHash()
    hash.add(name ?? "")
    if let input { hash.add("input \(input)") }
    let high = hash.value
    hash.add("pid \(pid ?? -1)")
    return LaunchID(high: high, low: hash.value)
  }

  var role: WriterRole {
    switch AppleShape.Emitter(process: name) {
    case nil, .network, .app: .app
    case .daemon: .daemon
    case .scheduler, .power, .runningBoard, .frontBoard, .assertiond, .launchd, .kernel, .reportCrash, .resolver: .system
    }
  }

  /// The clock that the writer's times are readings of.
  var boot: BootID { BootID(high: 0x6170_706c_65, low: UInt64(clock.rawValue) << 32 | UInt64(input.map { $0 + 1 } ?? 0)) }
}

/// The hash FNV-1a of texts. It is the same in every run.
struct NameHash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0)
  }

  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  mutating func add(word: UInt64) { value = (value ^ word) &* 0x100_0000_01b3 ^ value >> 29 }

  mutating func add(_ bytes: [UInt8]) { for byte in bytes { add(byte) } }
}
