import CXferPlatform

/// Iterates over the records of one chunk, verifies each, and resynchronises after damaged bytes.
struct RecordWalker {
  struct Record {
    let kind: UInt16
    /// The time in nanoseconds after the chunk's base clock.
    let time: Int64
    let sequence: UInt64
    let payload: UnsafeRawBufferPointer
  }

  enum Step {
    case record(Record)
    /// Damaged bytes of the chunk, and the position and the time of the record after them. The time is `nil` at the end of the chunk.
    case damage(Range<Int>, next: UInt64, time: Int64?)
    /// The lane continues in another chunk, or the chunk is full.
    case endOfChunk
    /// The next record has not been committed yet.
    case notYet
  }

  /// The chunk's bytes up to the end of its records, or as far as copied.
  private var chunk: UnsafeRawBufferPointer
  /// The window to reload while a writer may change the chunk; `nil` for immutable bytes.
  private let window: FileWindow?
  /// The offset in `chunk` at which the chunk's records end.
  private let end: Int
  /// The offset of `chunk` from the start of its chunk slot, which begins at a page boundary of the file.
  private let start: Int
  private let isLarge: Bool
  /// Whether records were written with `pwrite`, which a kill may interrupt at a page boundary.
  private let isAppended: Bool
  /// The seed of the record checksums; see `ChunkHeader.recordSeed`.
  private let seed: UInt32
  private(set) var offset: Int
  /// The expected position of the next record.
  private(set) var sequence: UInt64

  /// Creates a walker over a chunk in a file.
  init(_ window: FileWindow, header: ChunkHeader, isAppended: Bool, offset: Int? = nil, sequence: UInt64? = nil) {
    self.init(
      chunk: window.bytes, window: window, header: header, isAppended: isAppended, offset: offset, sequence: sequence)
  }

  /// Creates a walker over immutable bytes, which must stay valid while the walker is used.
  init(chunk: UnsafeRawBufferPointer, header: ChunkHeader, isAppended: Bool) {
    self.init(chunk: chunk, window: nil, header: header, isAppended: isAppended, offset: nil, sequence: nil)
  }

  private init(
    chunk: UnsafeRawBufferPointer, window: FileWindow?, header: ChunkHeader, isAppended: Bool, offset: Int?, sequence: UInt64?
  ) {
    self.chunk = chunk
    self.window = window
    end = header.recordsEnd
    start = header.startInSlot
    self.offset = offset ?? header.recordsStart
    self.sequence = sequence ?? header.firstSequence
    isLarge = header.kind == .large
    self.isAppended = isAppended
    seed = header.recordSeed
  }

  /// Creates an empty walker.
  init() {
    chunk = .init(start: nil, count: 0)
    window = nil
    end = 0
    start = 0
    offset = ChunkHeader.size
    sequence = 0
    isLarge = false
    isAppended = false
    seed = 0
  }

  /// Whether the bytes cover the chunk's whole record area.
  var isWhole: Bool { chunk.count == end }

  /// Reloads the bytes if the file has more of the chunk or another commit word at the current offset. Returns whether they
  /// changed.
  mutating func grow() -> Bool {
    guard let window else { return false }
    let (count, word) = (chunk.count, currentWord)
    if isWhole, word.map({ $0 == window.word(at: offset) }) ?? true { return false }
    reload()
    return chunk.count > count || currentWord != word
  }

  /// The commit word at the current offset; `nil` if those bytes were not copied.
  private var currentWord: UInt32? {
    guard offset + 4 <= chunk.count else { return nil }
    return UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Reloads the bytes from the current offset on. Earlier records do not change.
  private mutating func reload() {
    guard let window else { return }
    window.load(from: offset)
    chunk = window.bytes
  }

  /// Returns the next step.
  ///
  /// - Parameter isFinal: Whether the chunk will not change any more. An uncommitted record may then be damage.
  @inline(__always)
  mutating func next(isFinal: Bool) -> Step {
    // Too few bytes for a commit word: a complete copy of the chunk ends here, whereas an incomplete copy may be extended.
    guard offset + 4 <= chunk.count else { return isWhole ? .endOfChunk : .notYet }
    let word = UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    if word == RecordFormat.endOfChunk { return .endOfChunk }
    if word == 0, !isFinal { return .notYet }
    if word != 0, let record = record(word, at: offset, sequence: sequence) {
      offset += record.length
      sequence += 1
      return .record(record.record)
    }
    return resync(isFinal: isFinal)
  }

  /// Decodes the record at an offset.
  ///
  /// - Returns: `nil` if the record is not valid.
  @inline(__always)
  private func record(_ word: UInt32, at offset: Int, sequence: UInt64) -> (record: Record, length: Int)? {
    guard word >> 16 == UInt32(truncatingIfNeeded: sequence & 0xFFFF) else { return nil }
    let base = chunk.baseAddress! + offset
    let header: Int
    let length: Int
    if isLarge {
      guard offset + RecordFormat.largePayload <= chunk.count else { return nil }
      header = RecordFormat.largePayload
      length = Int(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: RecordFormat.largeLength, as: UInt32.self)))
      guard word == RecordFormat.commitWord(length: length, sequence: sequence) else { return nil }
    } else {
      header = RecordFormat.payload
      length = Int(word & 0xFFFF) * RecordFormat.alignment
    }
    guard length >= header, length <= chunk.count - offset else { return nil }
    let stored = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: RecordFormat.checksum, as: UInt32.self))
    guard stored == xp_crc32c(word ^ seed, base + RecordFormat.timeAndKind, length - RecordFormat.timeAndKind) else { return nil }
    let timeAndKind = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: RecordFormat.timeAndKind, as: UInt64.self))
    let record = Record(
      kind: UInt16(truncatingIfNeeded: timeAndKind >> RecordFormat.timeBits),
      time: Int64(timeAndKind & RecordFormat.timeMask), sequence: sequence,
      payload: UnsafeRawBufferPointer(start: base + header, count: length - header))
    return (record, length)
  }

  /// Finds the next valid record, or the end of the chunk.
  ///
  /// Positions only increase, and a chunk holds fewer than 65,536 records, so the low 16 bits of a position determine it.
  /// The chunk may be written concurrently, so the current offset is checked again before a later record is accepted.
  @inline(never)
  private mutating func resync(isFinal: Bool) -> Step {
    // The copied bytes may predate the record or contain only a part of it.
    if let late = lateRecord() { return late }
    let start = offset
    var candidate = offset + RecordFormat.alignment
    while candidate + RecordFormat.payload <= chunk.count, !isLarge {
      let found = UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: candidate, as: UInt32.self))
      if found == 0 {
        guard let next = chunk.nextUsedUnit(after: candidate, size: RecordFormat.alignment) else { break }
        candidate = next
        continue
      }
      if found != RecordFormat.endOfChunk {
        let ahead = UInt64((found >> 16) &- UInt32(truncatingIfNeeded: sequence & 0xFFFF)) & 0xFFFF
        if ahead <= UInt64(SegmentFormat.chunkSize / RecordFormat.payload),
          let next = record(found, at: candidate, sequence: sequence + ahead)
        {
          let time = next.record.time
          if let late = lateRecord() { return late }
          offset = candidate
          sequence += ahead
          return .damage(start..<candidate, next: sequence, time: time)
        }
      }
      candidate += RecordFormat.alignment
    }
    // No valid record follows. At an uncommitted record, its writer is still working or was killed there. In an appended
    // file, the commit word may also have become visible before the rest of the record.
    let isCommitted = currentWord ?? 0 != 0
    // Check again after reading the commit word, because the record may have been committed just now.
    if let late = lateRecord() { return late }
    if !isFinal || !isCommitted || isStoppedAtPage { return .notYet }
    offset = chunk.count
    return .damage(start..<chunk.count, next: sequence, time: nil)
  }

  /// Whether the current record was being appended when its writer was killed. The system writes page by page, so such a
  /// record ends at a page boundary and only zero bytes follow.
  private var isStoppedAtPage: Bool {
    guard isAppended, let word = currentWord else { return false }
    guard word >> 16 == UInt32(truncatingIfNeeded: sequence & 0xFFFF) else { return false }
    let used = max(offset, chunk.lastNonzero() ?? offset)
    let end = ((start + used + Self.page) & ~(Self.page - 1)) - start
    var length = Int(word & 0xFFFF) * RecordFormat.alignment
    if isLarge, offset + RecordFormat.largePayload <= chunk.count {
      length = Int(UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: offset + RecordFormat.largeLength, as: UInt32.self)))
    }
    return offset + length > end
  }

  /// The smallest page size of any supported system, in bytes.
  private static let page = 4096

  /// Reloads the bytes and returns the record at the current offset if it has become valid.
  private mutating func lateRecord() -> Step? {
    reload()
    guard let word = currentWord else { return nil }
    if word == RecordFormat.endOfChunk { return .endOfChunk }
    guard word != 0, let record = record(word, at: offset, sequence: sequence) else { return nil }
    offset += record.length
    sequence += 1
    return .record(record.record)
  }

  /// Whether nonzero bytes follow the last record.
  var hasUncommittedBytes: Bool {
    guard offset < chunk.count else { return false }
    return chunk.firstNonzero(from: offset) != nil
  }

  /// Whether the bytes after the last record are those of a record that its writer was writing when it terminated.
  ///
  /// - Parameter isReleased: Whether no thread was writing to the segment when its writer left it.
  func hasTornRecord(isReleased: Bool) -> Bool {
    guard hasUncommittedBytes else { return false }
    // In an appended file, a record that the system refused to write completely begins with its commit word.
    return !isReleased || isAppended && currentWord ?? 0 != 0
  }
}
