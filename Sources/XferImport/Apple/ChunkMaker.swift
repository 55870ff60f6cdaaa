import XferEvents

/// Makes the chunks of one input from the parts that its assembler finds.
///
/// The thread that reads does this, because the one that uses the entries has more to do.
final class ChunkMaker {
  @exclusivity(unchecked) private(set) var chunk = RecordChunk()
  @exclusivity(unchecked) private var clock: AppleClock
  @exclusivity(unchecked) private var writers: WriterTable
  @exclusivity(unchecked) private var emitters = EmitterTable()
  @exclusivity(unchecked) private var names = NameCache()
  private let table: ShapeTable
  private var lastRows = LastRows()
  /// The number of records without a header so far that have no known shape.
  private var proseRecords = 0
  /// Messages of known processes that have no known shape; `nil` if they are not collected.
  private(set) var unmatched: UnmatchedMessages?

  init(input: Int, options: ImportOptions, table: ShapeTable, collectsUnmatched: Bool) {
    self.table = table
    (clock, writers) = (AppleClock(options), WriterTable(input: input))
    unmatched = collectsUnmatched ? UnmatchedMessages() : nil
  }

  /// Adds records that are only counted; see `RecordAssembler.usualCount`.
  func add(usual count: Int) {
    chunk.records += count
    if count > 0 { chunk.isApple = true }
  }

  func add(offset: UInt64) { chunk.offsets.append(offset) }

  /// Returns the chunk of the parts since the last call.
  func take(end: RecordChunk.End?) -> RecordChunk {
    chunk.end = end
    defer { chunk = RecordChunk() }
    return chunk
  }

  /// Returns what a message of a process means; `nil` if nothing is known about it.
  func recognise(_ message: UnsafeRawBufferPointer, from process: UnsafeRawBufferPointer?) -> RecognisedMessage? {
    table.recognise(message, from: process.flatMap { emitters.emitter(of: $0) })
  }

  func add(_ part: RecordAssembler.Part) {
    switch part {
    case .record(let record): add(record)
    case .plain(let record):
      chunk.records += 1
      if record.form.isDistinctive(hasLevel: record.hasLevel) { chunk.isApple = true }
      // The clock follows the records without a full date, because each may pass midnight.
      if record.time.year == nil { _ = clock.moment(record.time) }
    case .proseBefore:
      chunk.records -= proseRecords
      proseRecords = 0
    case .damaged(let lines, let problem): chunk.parts.append(.damaged(lines, problem: problem))
    case .loss(let record): chunk.parts.append(.loss(record.lines))
    }
  }

  private func add(_ record: AppleRecord) {
    chunk.records += 1
    if record.form.isDistinctive(record) { chunk.isApple = true }
    let (moment, kind) = clock.moment(record.time)
    guard let message = record.recognise(by: table) else {
      if record.form == .bare { proseRecords += 1 }
      if unmatched != nil, UnmatchedMessages.concern(record) { unmatched?.note(record) }
      return
    }
    chunk.isApple = true
    chunk.recognised += 1
    let writer = writers.writer(record.process, record.pid, kind) { chunk.writers.append($0) }
    // Console.app sometimes copies a row twice.
    if record.form == .console, lastRows.has(record.message, writer, moment) { return }
    chunk.parts.append(
      .entry(AppleEntry(record, message, table.meanings[message.shape], writer: writer, moment: moment, clock: kind)))
  }

  func add(_ record: KnownRecord) {
    chunk.records += 1
    chunk.recognised += 1
    chunk.isApple = true
    let (moment, kind) = clock.moment(record.time)
    let writer = writers.writer(record.members.processName(&names), record.members.processID, kind) { chunk.writers.append($0) }
    let meaning = table.meanings[record.recognised.shape]
    guard let entry = AppleEntry(record, meaning, writer: writer, moment: moment, clock: kind, &names) else { return }
    chunk.parts.append(.entry(entry))
  }
}

/// The writers of the records of one input.
private struct WriterTable {
  private let input: Int
  private var all: [AppleWriter] = []
  private var places: [AppleWriter: Int] = [:]
  /// The indexes of the writers of the last records.
  private var last = (0, 0)

  /// The maximum number of writers that are told apart. The records of further ones have an unknown writer.
  private static let limit = 1024

  init(input: Int) { self.input = input }

  /// Returns the index of the writer of a record.
  ///
  /// - Parameters:
  ///   - name: the name of the process; `nil` if the record does not tell it.
  ///   - add: called with the writer if it is a new one.
  mutating func writer(_ name: String?, _ pid: Int?, _ kind: AppleClock.Kind, _ add: (AppleWriter) -> Void) -> Int {
    var writer = AppleWriter(name: name, pid: pid, clock: kind, input: name == nil ? input : nil)
    if last.0 < all.count, all[last.0] == writer { return last.0 }
    if last.1 < all.count, all[last.1] == writer { return last.1 }
    if all.count >= Self.limit, places[writer] == nil {
      writer = AppleWriter(name: nil, pid: nil, clock: kind, input: input)
    }
    let place = places[writer] ?? all.count
    if place == all.count {
      places[writer] = place
      all.append(writer)
      add(writer)
    }
    last = (place, last.0)
    return place
  }
}

/// The emitters of the processes that were seen.
private struct EmitterTable {
  private struct Process {
    var name: [UInt8] = []
    var emitter: AppleShape.Emitter?
  }

  private var known: [Process] = Array(repeating: Process(), count: 64)

  mutating func emitter(of name: UnsafeRawBufferPointer) -> AppleShape.Emitter? {
    guard let first = name.first, let last = name.last else { return nil }
    let place = (Int(first) &+ 7 &* Int(last) &+ 13 &* name.count) & 63
    let isKnown = known[place].name.withUnsafeBytes { $0.count == name.count && name.has($0, at: 0) }
    if !isKnown { known[place] = Process(name: Array(name), emitter: AppleShape.Emitter(process: name.text)) }
    return known[place].emitter
  }
}

/// The last rows of a copy from Console.app.
private struct LastRows {
  private var rows: [(hash: UInt64, writer: Int, moment: Moment)] = []

  /// Whether a row is one of the last four. A new row is remembered.
  mutating func has(_ message: [UInt8], _ writer: Int, _ moment: Moment) -> Bool {
    var hash = NameHash()
    hash.add(message)
    if rows.contains(where: { $0.hash == hash.value && $0.writer == writer && $0.moment == moment }) { return true }
    if rows.count == 4 { rows.removeFirst() }
    rows.append((hash.value, writer, moment))
    return false
  }
}

extension AppleForm {
  /// Whether the form of a record alone shows that it is one of Apple's log.
  func isDistinctive(_ record: AppleRecord) -> Bool { isDistinctive(hasLevel: record.level != nil) }

  func isDistinctive(hasLevel: Bool) -> Bool {
    switch self {
    case .json, .standard, .compact, .console, .xcode, .xcodeMetadata: true
    // Other systems write lines of these forms, too, but without a level.
    case .device: hasLevel
    case .syslog, .bare: false
    }
  }
}
