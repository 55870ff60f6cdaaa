import XferEvents

/// One input in a form of Apple's unified log: its recognised records in order, and what is known about the rest.
struct AppleLog {
  private(set) var entries: [AppleEntry] = []
  private(set) var writers: [AppleWriter] = []
  /// The number of records, recognised or not.
  private(set) var records = 0
  private(set) var recognised = 0
  /// Why records are missing, with the line and the index of the entry that follows.
  private(set) var gaps: [Gap] = []
  /// Messages of known processes that have no known shape.
  private(set) var unmatched = UnmatchedMessages()
  private(set) var hasTrailer = false
  private(set) var lineCount: UInt64 = 0
  private(set) var cutLines = 0
  /// Whether the records are certainly those of Apple's log: one has a header in one of its forms, or a known shape.
  private(set) var isApple = false

  struct Gap {
    let cause: LogGap.Cause
    let lines: ClosedRange<UInt64>
    let entry: Int
  }

  private let input: Int
  private let table: ShapeTable
  private var clock: AppleClock
  private var places: [AppleWriter: Int] = [:]
  private var proseRecords = 0

  init(input: Int, options: ImportOptions, table: ShapeTable = .standard) {
    (self.input, self.table) = (input, table)
    clock = AppleClock(options)
  }

  /// Reads all lines of a source.
  mutating func read(_ source: LineSource) {
    let collector = Collector(self)
    var assembler = RecordAssembler { collector.log.take($0) }
    while let line = source.next() { assembler.take(line) }
    assembler.finish()
    self = collector.log
    hasTrailer = assembler.hasTrailer
    if let declared = assembler.declaredCount, declared > assembler.countSinceBanner {
      gaps.append(Gap(cause: .missingSequence, lines: source.lineCount...source.lineCount, entry: entries.count))
    }
    (lineCount, cutLines) = (source.lineCount, source.cutLines)
    sort()
  }

  /// Holds the log while the assembler's closure changes it.
  private final class Collector {
    var log: AppleLog
    init(_ log: AppleLog) { self.log = log }
  }

  private mutating func take(_ part: RecordAssembler.Part) {
    switch part {
    case .record(let record): take(record)
    case .proseBefore:
      records -= proseRecords
      proseRecords = 0
    case .damaged(let lines, let problem):
      gaps.append(Gap(cause: .damaged(problem: problem), lines: lines, entry: entries.count))
    case .loss(let record):
      gaps.append(Gap(cause: .dropped, lines: record.lines, entry: entries.count))
    }
  }

  private mutating func take(_ record: AppleRecord) {
    records += 1
    if record.form.isDistinctive(record) { isApple = true }
    let (moment, kind) = clock.moment(record.time)
    guard let message = record.message.withUnsafeBytes({ table.recognise($0, by: record.process) }) else {
      if record.form == .bare { proseRecords += 1 }
      note(unmatched: record)
      return
    }
    isApple = true
    recognised += 1
    let writer = writer(of: record, kind)
    var hash = NameHash()
    hash.add(record.message)
    let shape = table.shapes[message.shape]
    var entry = AppleEntry(
      message: message, meaning: shape.meaning, writer: writer, level: record.level, subsystem: record.subsystem,
      category: record.category, moment: moment, clock: kind, line: record.lines.lowerBound, place: record.place,
      thread: record.thread,
      error: nil, text: "", hash: hash.value)
    if isDoubled(entry, record.form) { return }
    switch shape.meaning {
    case .finishedWithError, .libraryFailed, .sessionFailed, .sourceUnreadable: entry.error = AppleError(record.text)
    default: break
    }
    // Any record may turn out to have no event of its own. Its text then becomes a message.
    entry.text = String(record.text.prefix(Self.textLimit))
    entries.append(entry)
  }

  /// The maximum number of characters of a message that is kept as text.
  private static let textLimit = 1000

  private mutating func writer(of record: AppleRecord, _ kind: AppleClock.Kind) -> Int {
    let writer = AppleWriter(name: record.process, pid: record.pid, clock: kind, input: record.process == nil ? input : nil)
    if let known = places[writer] { return known }
    places[writer] = writers.count
    writers.append(writer)
    return writers.count - 1
  }

  /// Console.app sometimes copies a row twice.
  private func isDoubled(_ entry: AppleEntry, _ form: AppleForm) -> Bool {
    guard form == .console else { return false }
    return entries.suffix(4).contains {
      $0.hash == entry.hash && $0.writer == entry.writer && $0.moment == entry.moment
    }
  }

  private mutating func note(unmatched record: AppleRecord) {
    let emitter = AppleShape.Emitter(process: record.process)
    let isNetwork =
      record.subsystem.map { ["com.apple.CFNetwork", "com.apple.nsurlsessiond", "com.apple.network"].contains($0) } ?? false
    guard emitter?.isKnown ?? false || isNetwork || record.library == "CFNetwork" else { return }
    unmatched.note(record)
  }

  /// Orders entries that were written a moment apart. Console.app sorts by the arrival of a row, and processes arrive in bundles.
  private mutating func sort() {
    for place in entries.indices {
      guard let time = entries[place].time else { continue }
      var target = place
      while target > 0, place - target < Self.sortedEntries, entries[target - 1].clock == entries[place].clock,
        let before = entries[target - 1].time, before > time, before - time <= Self.sortedTime
      {
        target -= 1
      }
      for later in stride(from: place, to: target, by: -1) { entries.swapAt(later, later - 1) }
    }
  }

  private static let sortedEntries = 64
  private static let sortedTime: Int64 = 1_000_000_000
}

extension AppleForm {
  /// Whether the form of a record alone shows that it is one of Apple's log.
  func isDistinctive(_ record: AppleRecord) -> Bool {
    switch self {
    case .json, .standard, .compact, .console, .xcode, .xcodeMetadata: true
    // Other systems write lines of these forms, too, but without a level.
    case .device: record.level != nil
    case .syslog, .bare: false
    }
  }
}

/// Counts the messages without a known shape, by the process that wrote them and by their text without values.
struct UnmatchedMessages {
  private(set) var count = 0
  private(set) var kinds: [Kind: Int] = [:]

  struct Kind: Hashable {
    let process: String?
    let subsystem: String?
    let category: String?
    /// The message with marks in the place of numbers, identifiers, quoted texts and paths.
    let text: String
  }

  private static let limit = 1000

  mutating func note(_ record: AppleRecord) {
    count += 1
    let kind = Kind(
      process: record.process, subsystem: record.subsystem, category: record.category, text: Self.redacted(record.message))
    if kinds[kind] != nil || kinds.count < Self.limit { kinds[kind, default: 0] += 1 }
  }

  /// Returns a message with `…` in the place of everything that may identify a person, a device or a server: words with digits, dots,
  /// slashes or at signs, and texts in quotes or angle brackets.
  static func redacted(_ message: [UInt8]) -> String {
    let text = String(decoding: message.prefix(300), as: UTF8.self)
    var (result, word, close): (String, String, Character?) = ("", "", nil)
    func isPlain(_ word: String) -> Bool { word.allSatisfy { $0.isLetter || $0 == "_" || $0 == "-" } && word.count <= 24 }
    func endWord() {
      if !word.isEmpty { result += isPlain(word) ? word : "…" }
      word = ""
    }
    for character in text {
      if let end = close {
        if character == end { close = nil }
        continue
      }
      switch character {
      case "\"", "“", "<":
        endWord()
        result += "…"
        close = character == "<" ? ">" : character == "“" ? "”" : "\""
      case " ", "\t", "\n", ",", ":", ";", "(", ")", "[", "]", "{", "}", "=":
        endWord()
        result.append(character == "\n" ? " " : character)
      default: word.append(character)
      }
    }
    endWord()
    return result
  }
}
