import CXferPlatform

/// Walks the records of one chunk, checks each, and finds the way again behind bytes that cannot be right.
struct RecordWalker {
  struct Record {
    let kind: UInt16
    /// Nanoseconds since the chunk's base clock.
    let time: Int64
    let sequence: UInt64
    let payload: UnsafeRawBufferPointer
  }

  enum Step {
    case record(Record)
    /// Bytes of the chunk that are no record, and the position of the record behind them.
    case damage(Range<Int>, next: UInt64)
    /// The lane went on in another chunk, or the chunk is full.
    case endOfChunk
    /// Nothing is committed here (yet).
    case notYet
  }

  /// The chunk up to where its records end, or as far as it was copied.
  private var chunk: UnsafeRawBufferPointer
  /// Where the chunk is copied from again while its writer may be at work; `nil` for bytes that stay as they are.
  private let window: FileWindow?
  /// Where its records end.
  private let end: Int
  /// Where its bytes begin in a chunk's slot, which begins where a page of the system does.
  private let start: Int
  private let isLarge: Bool
  /// Whether records came by `pwrite`, which a kill may stop at a page's end.
  private let isAppended: Bool
  /// What the checksums begin with; see `ChunkHeader.recordSeed`.
  private let seed: UInt32
  private(set) var offset: Int
  /// The position that the next record must have.
  private(set) var sequence: UInt64

  /// Walks a chunk that a file has.
  init(_ window: FileWindow, header: ChunkHeader, isAppended: Bool, offset: Int? = nil, sequence: UInt64? = nil) {
    self.init(
      chunk: window.bytes, window: window, header: header, isAppended: isAppended, offset: offset, sequence: sequence)
  }

  /// Walks bytes that stay as they are, and where they are for as long as the walker is used.
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

  /// A walker over nothing.
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

  /// Whether all is there that the chunk will ever have room for.
  var isWhole: Bool { chunk.count == end }

  /// Looks whether the file has more of the chunk by now, or another commit word at the present place.
  mutating func grow() -> Bool {
    guard let window else { return false }
    let (count, word) = (chunk.count, presentWord)
    if isWhole, word.map({ $0 == window.word(at: offset) }) ?? true { return false }
    reload()
    return chunk.count > count || presentWord != word
  }

  /// `nil` where nothing was copied (yet).
  private var presentWord: UInt32? {
    guard offset + 4 <= chunk.count else { return nil }
    return UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Copies again what stands from the present place on. Records before it stay as they are.
  private mutating func reload() {
    guard let window else { return }
    window.load(from: offset)
    chunk = window.bytes
  }

  /// - Parameter isFinal: whether the chunk will not change any more, so that an uncommitted place may be damage.
  @inline(__always)
  mutating func next(isFinal: Bool) -> Step {
    // What is too short for a commit word says nothing; a whole chunk ends there, a cut file may not.
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

  /// The record at an offset, if all of it is right.
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

  /// Looks for the next place where a whole record begins, or the end of the chunk.
  ///
  /// Positions only grow, and a chunk holds fewer than 65,536 records, so the low half of a position gives the whole.
  /// The chunk may be written meanwhile: what was found behind a place says something of that place as it is by then.
  @inline(never)
  private mutating func resync(isFinal: Bool) -> Step {
    // The copy may be older than the record, or have a part of it.
    if let late = lateRecord() { return late }
    let start = offset
    var candidate = offset + RecordFormat.alignment
    while candidate + RecordFormat.payload <= chunk.count, !isLarge {
      let found = UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: candidate, as: UInt32.self))
      if found != 0, found != RecordFormat.endOfChunk {
        let ahead = UInt64((found >> 16) &- UInt32(truncatingIfNeeded: sequence & 0xFFFF)) & 0xFFFF
        if ahead <= UInt64(SegmentFormat.chunkSize / RecordFormat.payload),
          record(found, at: candidate, sequence: sequence + ahead) != nil
        {
          if let late = lateRecord() { return late }
          offset = candidate
          sequence += ahead
          return .damage(start..<candidate, next: sequence)
        }
      }
      candidate += RecordFormat.alignment
    }
    // Nothing readable follows. Behind an uncommitted place that is a writer at work, or one that was killed there; where
    // records are appended, one that is at work may have brought its commit word first.
    let isCommitted = presentWord ?? 0 != 0
    // In this order: what is committed by now may have been so only just.
    if let late = lateRecord() { return late }
    if !isFinal || !isCommitted || isStoppedAtPage { return .notYet }
    offset = chunk.count
    return .damage(start..<chunk.count, next: sequence)
  }

  /// Whether the record at the present place was being appended when its writer was killed: the system goes on page by
  /// page, so it ends with one, and nothing follows.
  private var isStoppedAtPage: Bool {
    guard isAppended, let word = presentWord else { return false }
    guard word >> 16 == UInt32(truncatingIfNeeded: sequence & 0xFFFF) else { return false }
    let used = chunk[offset...].lastIndex { $0 != 0 } ?? offset
    let end = ((start + used + Self.page) & ~(Self.page - 1)) - start
    var length = Int(word & 0xFFFF) * RecordFormat.alignment
    if isLarge, offset + RecordFormat.largePayload <= chunk.count {
      length = Int(UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: offset + RecordFormat.largeLength, as: UInt32.self)))
    }
    return offset + length > end
  }

  /// The smallest page of any system.
  private static let page = 4096

  /// The record at the present place, which was not whole when it was looked at first.
  private mutating func lateRecord() -> Step? {
    reload()
    guard let word = presentWord else { return nil }
    if word == RecordFormat.endOfChunk { return .endOfChunk }
    guard word != 0, let record = record(word, at: offset, sequence: sequence) else { return nil }
    offset += record.length
    sequence += 1
    return .record(record.record)
  }

  /// Whether bytes stand behind the last record that were being written when their writer ended.
  var hasUncommittedBytes: Bool {
    guard offset < chunk.count else { return false }
    return chunk[offset...].contains { $0 != 0 }
  }
}
