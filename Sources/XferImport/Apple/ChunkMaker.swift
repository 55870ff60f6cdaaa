import XferEvents

/// Makes the chunks of one input from the parts that its assembler finds.
///
/// The thread that reads does this, because the one that uses the entries has more to do.
final class ChunkMaker {
  @exclusivity(unchecked) private(set) var chunk = RecordChunk()
  @exclusivity(unchecked) private var clock: AppleClock
  @exclusivity(unchecked) private var writers: WriterTable
  private let lastWriters = LastWriters()
  private let emitters = ByteCache<AppleShape.Emitter?>(places: 64)
  private let emittersOfPaths = ByteCache<AppleShape.Emitter?>(places: 64)
  private let names = NameCache()
  private let memory = EntryMemory()
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
    var next = RecordChunk()
    // A chunk has about as many parts as the one before.
    next.parts.reserveCapacity(chunk.parts.count)
    swap(&chunk, &next)
    return next
  }

  /// Returns what a message of a process means; `nil` if nothing is known about it.
  func recognise(_ message: UnsafeRawBufferPointer, from process: ProcessText?) -> RecognisedMessage? {
    let emitter: AppleShape.Emitter? =
      switch process {
      case .name(let name) where !name.isEmpty: emitters.value(for: name) { AppleShape.Emitter(process: $0.text) }
      case .path(let path):
        emittersOfPaths.value(for: path) { AppleShape.Emitter(process: AppleJSON.processName(ofPath: $0)) }
      default: nil
      }
    return table.recognise(message, from: emitter)
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
    let fields = AppleEntry.Fields(
      record, message, table.meanings[message.shape], writer: writer, moment: moment, clock: kind, memory.texts)
    chunk.parts.append(.entry(AppleEntry(fields, in: memory)))
  }

  /// Adds a record in JSON that fills a line.
  func add(_ members: AppleJSON.Members, _ time: AppleTime, _ message: RecognisedMessage, _ line: UInt64) {
    guard let raw = members.message else { return }
    chunk.records += 1
    chunk.recognised += 1
    chunk.isApple = true
    let (moment, kind) = clock.moment(time)
    let writer = writer(of: members, kind)
    let meaning = table.meanings[message.shape]
    let fields = AppleEntry.Fields(
      members, raw, message, meaning, writer: writer, moment: moment, clock: kind, line: line, names, memory.texts)
    chunk.parts.append(.entry(AppleEntry(fields, in: memory)))
  }

  private func writer(of members: AppleJSON.Members, _ kind: AppleClock.Kind) -> Int {
    let (path, pid) = (members.process, members.pid)
    if let path, let pid, let known = lastWriters.writer(path: path, pid: pid, kind) { return known }
    let writer = writers.writer(members.processName(names), members.processID, kind) { chunk.writers.append($0) }
    if let path, let pid { lastWriters.add(writer, path: path, pid: pid, kind) }
    return writer
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

/// The writers of the last records in JSON, found by the texts that name them.
private final class LastWriters {
  /// The texts belong to the table.
  private typealias Known = (path: UnsafeRawBufferPointer, pid: UnsafeRawBufferPointer, kind: AppleClock.Kind, writer: Int)

  @exclusivity(unchecked) private var known: [Known] = []
  /// The index of the writer that is replaced next.
  private var oldest = 0

  /// The maximum numbers of writers, and of bytes of the texts of one.
  private static let (limit, longest) = (8, 1024)

  deinit { for last in known { free(last) } }

  func writer(path: UnsafeRawBufferPointer, pid: UnsafeRawBufferPointer, _ kind: AppleClock.Kind) -> Int? {
    known.first { $0.kind == kind && $0.pid.hasSameBytes(as: pid) && $0.path.hasSameBytes(as: path) }?.writer
  }

  func add(_ writer: Int, path: UnsafeRawBufferPointer, pid: UnsafeRawBufferPointer, _ kind: AppleClock.Kind) {
    if path.count + pid.count > Self.longest { return }
    let new = (path: path.copied, pid: pid.copied, kind: kind, writer: writer)
    if known.count < Self.limit {
      known.append(new)
    } else {
      free(known[oldest])
      known[oldest] = new
      oldest = (oldest + 1) % Self.limit
    }
  }

  private func free(_ last: Known) {
    last.path.deallocate()
    last.pid.deallocate()
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
