import XferEvents

/// A recognised record, reduced to what the replay needs.
///
/// This is a reference to fields in memory that many entries share. An allocation for each entry would take longer than the rest of making
/// it.
struct AppleEntry {
  private let fields: UnsafeMutablePointer<Fields>
  /// Keeps the fields.
  private let block: EntryMemory.Block

  struct Fields {
    fileprivate let message: RecognisedMessage
    fileprivate let meaning: AppleShape.Meaning
    fileprivate let writer: Int
    fileprivate let moment: Moment
    fileprivate let clock: AppleClock.Kind
    fileprivate let line: UInt64
    fileprivate let error: AppleError?
    fileprivate let isInSentence: Bool
    fileprivate let level: AppleLevel?
    fileprivate let subsystem: String?
    fileprivate let category: String?
    fileprivate let thread: UInt64?
    /// The first bytes of the message.
    fileprivate let text: UnsafeRawBufferPointer
    /// Keeps the text.
    fileprivate let textBlock: ArchiveMemory.Block
    fileprivate var plan: TaskPlan?
  }

  init(_ fields: consuming Fields, in memory: EntryMemory) { (self.fields, block) = memory.add(fields) }

  var message: RecognisedMessage { fields.pointee.message }
  var meaning: AppleShape.Meaning { fields.pointee.meaning }
  /// The index of the writer.
  var writer: Int { fields.pointee.writer }
  var moment: Moment { fields.pointee.moment }
  var clock: AppleClock.Kind { fields.pointee.clock }
  var line: UInt64 { fields.pointee.line }
  /// The error that the message contains; `nil` if it contains none.
  var error: AppleError? { fields.pointee.error }
  /// Whether an error is printed within a sentence of a text without headers, so that a person may have written it.
  var isInSentence: Bool { fields.pointee.isInSentence }
  var level: AppleLevel? { fields.pointee.level }
  var subsystem: String? { fields.pointee.subsystem }
  var category: String? { fields.pointee.category }
  /// The thread as events have it.
  var thread: UInt32? { fields.pointee.thread.map { UInt32(truncatingIfNeeded: $0) } }
  /// The plan of the record's task; `nil` if the record names no task.
  var plan: TaskPlan? {
    get { fields.pointee.plan }
    nonmutating set { fields.pointee.plan = newValue }
  }
  /// An estimate of the entry's memory in bytes.
  var size: Int { 400 + bytes.count }
  private var bytes: UnsafeRawBufferPointer { fields.pointee.text }

  /// The maximum number of bytes of a message that events have.
  private static let textLimit = 4000

  /// The time by which entries with the same clock can be ordered; `nil` if there is none.
  var time: Int64? { moment.wall?.nanoseconds ?? moment.monotonic }

  // MARK: The message

  /// The text of the message. A very long one is cut between two characters.
  var text: String { textBytes.text }

  /// The bytes of `text`, which may not be UTF-8. They are valid while the entry is.
  var textBytes: UnsafeRawBufferPointer {
    guard bytes.count > Self.textLimit else { return bytes }
    var end = Self.textLimit
    while end > Self.textLimit - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return bytes.slice(0, end)
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
    return read(bytes.slice(range.lowerBound, range.upperBound))
  }

  /// Whether the message contains a text.
  func contains(_ literal: StaticString) -> Bool { bytes.first(literal) != nil }
}

extension AppleEntry.Fields {
  init(
    _ record: AppleRecord, _ message: RecognisedMessage, _ meaning: AppleShape.Meaning, writer: Int, moment: Moment,
    clock: AppleClock.Kind, _ texts: ArchiveMemory
  ) {
    (self.message, self.meaning, self.writer, self.moment, self.clock) = (message, meaning, writer, moment, clock)
    (level, subsystem, category, thread) = (record.level, record.subsystem, record.category, record.thread)
    line = Self.line(of: record, message)
    isInSentence = meaning == .errorPrinted && record.form == .bare && Self.isInSentence(record.message, at: Int(message.start))
    (error, text) = record.message.withUnsafeBytes { Self.kept($0, meaning, texts) }
    textBlock = texts.block
  }

  /// Makes the fields of a record in JSON that fills a line.
  ///
  /// - Parameter raw: the raw text of the message.
  init(
    _ members: AppleJSON.Members, _ raw: UnsafeRawBufferPointer, _ message: RecognisedMessage, _ meaning: AppleShape.Meaning,
    writer: Int, moment: Moment, clock: AppleClock.Kind, line: UInt64, _ names: NameCache, _ texts: ArchiveMemory
  ) {
    (self.message, self.meaning, self.writer, self.moment, self.clock) = (message, meaning, writer, moment, clock)
    (level, thread) = (members.levelOfMessage, members.threadID)
    (subsystem, category) = (members.subsystem(names), members.category(names))
    (self.line, isInSentence) = (line, false)
    if raw.first(0x5C, from: 0) == nil {
      (error, text) = Self.kept(raw, meaning, texts)
    } else {
      (error, text) = JSONMembers.withUnescaped(raw) { Self.kept($0, meaning, texts) }
    }
    textBlock = texts.block
  }

  /// The maximum number of bytes of a message that are kept.
  private static let keptBytes = 8192

  /// Returns the error that a message contains, and a copy of the beginning of the message.
  private static func kept(
    _ message: UnsafeRawBufferPointer, _ meaning: AppleShape.Meaning, _ texts: ArchiveMemory
  ) -> (AppleError?, UnsafeRawBufferPointer) {
    (error(message, meaning), texts.copy(of: message.count > keptBytes ? message.slice(0, keptBytes) : message))
  }

  /// Returns the error that a message with a meaning contains; `nil` if it contains none.
  private static func error(_ message: UnsafeRawBufferPointer, _ meaning: AppleShape.Meaning) -> AppleError? {
    switch meaning {
    case .finishedWithError, .libraryFailed, .errorPrinted, .sessionFailed, .sourceUnreadable:
      AppleError(message.text)
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
