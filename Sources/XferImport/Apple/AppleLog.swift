import XferEvents

/// One input in a form of Apple's unified log: its recognised records in order, and what is known about the rest.
///
/// The input is read while its records are taken. Some thousand records are read ahead, because lines about a task may precede the line
/// that names its session. A shorter log is therefore known as a whole before its first record is taken.
final class AppleLog {
  @exclusivity(unchecked) private(set) var writers: [AppleWriter] = []
  @exclusivity(unchecked) private(set) var roles: [WriterRole] = []
  @exclusivity(unchecked) private(set) var launches: [LaunchID] = []
  /// The number of records that were read, recognised or not.
  @exclusivity(unchecked) private(set) var records = 0
  @exclusivity(unchecked) private(set) var recognised = 0
  private(set) var hasTrailer = false
  private(set) var lineCount: UInt64 = 0
  private(set) var cutLines = 0
  /// Whether the records are certainly those of Apple's log: one has a header in one of its forms, or a known shape.
  @exclusivity(unchecked) private(set) var isApple = false
  private(set) var isAtEnd = false
  /// Messages of known processes that have no known shape; `nil` if they are not collected, or before the end.
  private(set) var unmatched: UnmatchedMessages?
  @exclusivity(unchecked) private(set) var plans = TaskPlans()
  @exclusivity(unchecked) private(set) var lines = LineIndex()

  /// Missing records. They precede the entry with the index `entry`, counted from the first entry of the log.
  struct Gap {
    let cause: LogGap.Cause
    var lines: ClosedRange<UInt64>
    let entry: Int
  }

  /// The limits of what is read ahead.
  struct Window {
    var entries = 1 << 14
    var bytes = 12 << 20
    /// The number of bytes of lines that are read at once.
    var chunk = 1 << 18

    /// Returns the window of one of several inputs that are read together.
    static func shared(by inputs: Int) -> Window {
      let whole = Window()
      return Window(entries: max(512, whole.entries / max(1, inputs)), bytes: max(1 << 18, whole.bytes / max(1, inputs)))
    }
  }

  private let window: Window
  /// Reads the file, which is closed at its end, because many files may be read together.
  @exclusivity(unchecked) private var reading: RecordReading?
  /// Whether a thread has to be started when the log turns out to be long.
  @exclusivity(unchecked) private var needsThread: Bool
  /// The thread that reads the chunks; `nil` if this one does.
  @exclusivity(unchecked) private var ahead: RecordsAhead?
  /// The last chunk that was read, and the number of its parts that were taken.
  @exclusivity(unchecked) private var chunk = RecordChunk()
  @exclusivity(unchecked) private var takenParts = 0

  /// The entries that were read and not taken, in order. Later entries may still be sorted between the last of them.
  @exclusivity(unchecked) private var unsorted: [AppleEntry] = []
  @exclusivity(unchecked) private var sorted = FirstInFirstOut<AppleEntry>()
  @exclusivity(unchecked) private var gaps = FirstInFirstOut<Gap>()
  @exclusivity(unchecked) private var lastGap: Gap?
  private var gapCount = 0
  /// The estimated memory of the entries that were read and not taken.
  @exclusivity(unchecked) private var bytes = 0
  /// The number of entries that were read.
  @exclusivity(unchecked) private var entryCount = 0

  /// - Parameters:
  ///   - isQuick: whether usual lines are read in the quick way, which tests compare with the general one.
  ///   - usesThread: whether a long input is read on a thread of its own.
  ///   - collectsUnmatched: whether messages of known processes that have no known shape are collected.
  init(
    _ source: LineSource, input: Int, options: ImportOptions, window: Window = Window(), table: ShapeTable = .standard,
    isQuick: Bool = true, usesThread: Bool = false, collectsUnmatched: Bool = false
  ) {
    (self.window, needsThread) = (window, usesThread)
    reading = RecordReading(
      source, input: input, options: options, table: table, isQuick: isQuick, collectsUnmatched: collectsUnmatched,
      chunk: window.chunk)
  }

  // MARK: Taking entries

  /// The index of the next entry that is taken.
  @exclusivity(unchecked) private(set) var position = 0
  /// The entry that was taken last.
  @exclusivity(unchecked) private var last: AppleEntry?
  /// The moment of the entry that was taken last.
  var previous: Moment? { last?.moment }

  /// Returns the next entry; `nil` at the end of the log.
  func next() -> AppleEntry? {
    readAhead()
    guard let entry = sorted.popFirst() else { return nil }
    last = entry
    position += 1
    bytes -= entry.size
    if let plan = entry.plan { plans.choose(plan) }
    return entry
  }

  /// Returns the next gap if it precedes the next entry, with the moment of that entry.
  func nextGap() -> (gap: Gap, before: Moment?)? {
    readAhead()
    if gaps.isEmpty, let gap = lastGap, gap.entry <= position {
      gaps.append(gap)
      lastGap = nil
    }
    guard let first = gaps.first, first.entry <= position, let gap = gaps.popFirst() else { return nil }
    return (gap, sorted.first?.moment)
  }

  /// Reads until the window is full or the input ends.
  func readAhead() {
    while !isAtEnd, sorted.isEmpty || sorted.count + unsorted.count < window.entries && bytes < window.bytes {
      if takenParts < chunk.parts.count {
        takenParts += 1
        take(chunk.parts[takenParts - 1])
      } else if let end = chunk.end {
        finish(end)
      } else {
        readChunk()
      }
    }
  }

  private func readChunk() {
    takenParts = 0
    if let ahead {
      chunk = ahead.next()
    } else if let reading {
      chunk = reading.next()
      if needsThread, chunk.end == nil { ahead = RecordsAhead(reading) }
      needsThread = false
    }
    records += chunk.records
    recognised += chunk.recognised
    if chunk.isApple { isApple = true }
    for writer in chunk.writers {
      writers.append(writer)
      roles.append(writer.role)
      launches.append(writer.launch)
    }
    for offset in chunk.offsets { lines.append(offset) }
  }

  private func finish(_ end: RecordChunk.End) {
    (lineCount, cutLines, hasTrailer, unmatched) = (end.lineCount, end.cutLines, end.hasTrailer, end.unmatched)
    if end.misses { note(Gap(cause: .missingSequence, lines: lineCount...lineCount, entry: entryCount)) }
    for entry in unsorted { settle(entry) }
    unsorted.removeAll()
    isAtEnd = true
    (ahead, reading, chunk) = (nil, nil, RecordChunk())
  }

  // MARK: Reading

  private func take(_ part: RecordChunk.Part) {
    switch part {
    case .entry(let entry): insert(entry)
    case .damaged(let lines, let problem): note(Gap(cause: .damaged(problem: problem), lines: lines, entry: entryCount))
    case .loss(let lines): note(Gap(cause: .dropped, lines: lines, entry: entryCount))
    }
  }

  /// The number of gaps after which all gaps that are read ahead become one, so that a hostile log has no endless number of them.
  private static let gapLimit = 1000

  private func note(_ gap: Gap) {
    guard let last = lastGap else {
      lastGap = gap
      return
    }
    if gapCount >= Self.gapLimit, last.cause == gap.cause, gap.lines.upperBound >= last.lines.upperBound {
      lastGap?.lines = last.lines.lowerBound...gap.lines.upperBound
      return
    }
    gaps.append(last)
    gapCount += 1
    lastGap = gap
  }

  // MARK: Order

  private static let sortedEntries = 64
  private static let sortedTime: Int64 = 1_000_000_000

  /// Inserts an entry. Entries that were written a moment apart are put in order: Console.app sorts by the arrival of a row, and
  /// processes arrive in bundles.
  private func insert(_ entry: AppleEntry) {
    entryCount += 1
    bytes += entry.size
    var target = unsorted.count
    if let time = entry.time {
      while target > 0, unsorted.count - target < Self.sortedEntries, unsorted[target - 1].clock == entry.clock,
        let before = unsorted[target - 1].time, before > time, before - time <= Self.sortedTime
      {
        target -= 1
      }
    }
    if target == unsorted.count { unsorted.append(entry) } else { unsorted.insert(entry, at: target) }
    guard unsorted.count >= 2 * Self.sortedEntries else { return }
    let settled = unsorted.count - Self.sortedEntries
    for place in 0..<settled { settle(unsorted[place]) }
    unsorted.removeFirst(settled)
  }

  /// Adds an entry whose place in the order is final.
  private func settle(_ entry: AppleEntry) {
    entry.plan = plans.note(entry, roles[entry.writer], writer: writers[entry.writer].name)
    sorted.append(entry)
  }
}
