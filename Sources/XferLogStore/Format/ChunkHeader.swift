import CXferPlatform

/// The 64-byte header of a chunk: its lane, the position of its first record, and the clocks that record times are relative
/// to.
struct ChunkHeader: Equatable {
  enum Kind: UInt32 {
    /// The records of one lane.
    case records = 1
    /// The definitions that all lanes of the segment share.
    case dictionary = 2
    /// One large record that spans several consecutive chunks.
    case large = 3
    /// Pages of the rings that buffer debug detail about tasks; see `RingFormat`.
    case rings = 4
    /// One page of a detail ring, stored inside a chunk of kind `rings`.
    case ringPage = 5
  }

  var kind: Kind
  var index: UInt32
  var lane: UInt32
  /// The kernel thread ID of the lane's thread when the chunk was started.
  var thread: UInt32
  /// The lane position of the chunk's first record.
  var firstSequence: UInt64
  var clocks: ClockReading
  /// The number of consecutive chunks covered: 1, or more for a large record. For a ring page, the page's number within its
  /// chunk.
  var span: UInt32
  /// The segment's nonce.
  var nonce: UInt64

  static let size = 64
  /// The magic number of a chunk, "XCHK", read as a little-endian word.
  static let magic: UInt32 = 0x4B48_4358
  /// The offset of the mark in the header's second copy: the low 32 bits of the lane position after the chunk's last record. 0 in
  /// logs of older writers, and in the header itself.
  ///
  /// The writer updates the mark whenever it has appended a record. The mark lies at the end of the chunk, far from the records,
  /// so a reader notices when the last records were erased.
  static let markOffset = 56
  private static let checksumOffset = 60
  static let dictionaryLane: UInt32 = 0
  /// The exclusive upper bound of lane positions. Adding any 32-bit count to a smaller position cannot overflow.
  static let sequenceLimit: UInt64 = 1 << 62

  /// The offset of the header's second copy from the start of the chunk.
  var copyOffset: Int { SegmentFormat.recordsEnd(span: Int(span)) }

  /// The offset of the first record from the start of the chunk or page.
  var recordsStart: Int { kind == .ringPage ? RingFormat.records : Self.size }
  /// The offset that the last record must not extend beyond, from the start of the chunk or page.
  var recordsEnd: Int { kind == .ringPage ? RingFormat.pageSize : SegmentFormat.recordsEnd(span: Int(span)) }
  /// The offset of the chunk or page from the start of its chunk slot.
  var startInSlot: Int { kind == .ringPage ? RingFormat.offset(of: Int(span)) : 0 }
  /// A key that is unique among the chunks and pages of a segment.
  var place: UInt64 { UInt64(index) | (kind == .ringPage ? UInt64(span) << 32 : 0) }

  /// Returns a placeholder header for a chunk slot whose own header cannot be recognised.
  static func placeholder(index: Int, nonce: UInt64) -> ChunkHeader {
    ChunkHeader(
      kind: .records, index: UInt32(index), lane: 0, thread: 0, firstSequence: 0,
      clocks: ClockReading(monotonic: 0, boottime: 0, wall: 0), span: 1, nonce: nonce)
  }

  /// Writes the header, and a second copy after the records for readers that find the first one damaged.
  func write(to chunk: UnsafeMutableRawPointer) {
    put(at: chunk)
    put(at: chunk + copyOffset)
  }

  /// Writes the header of a ring page. A page has no second copy.
  func writePage(to page: UnsafeMutableRawPointer) { put(at: page) }

  /// Clears the header of a ring page, so that readers treat the page as empty.
  static func clearPage(at page: UnsafeMutableRawPointer) {
    xp_store_release_32(page, 0)
    // The fence keeps later stores to the page from becoming visible before the cleared header.
    xp_fence_release()
  }

  /// Writes all fields, then the magic with release ordering, so that a reader that sees the magic sees the other fields.
  private func put(at chunk: UnsafeMutableRawPointer) {
    var writer = FixedWriter(.init(start: chunk, count: Self.size))
    writer.put(0 as UInt32)
    writer.put(kind.rawValue)
    writer.put(index)
    writer.put(lane)
    writer.put(thread)
    writer.put(span)
    writer.put(firstSequence)
    writer.put(UInt64(bitPattern: clocks.monotonic))
    writer.put(UInt64(bitPattern: clocks.boottime))
    writer.put(UInt64(bitPattern: clocks.wall))
    chunk.storeBytes(of: checksum(of: chunk).littleEndian, toByteOffset: Self.checksumOffset, as: UInt32.self)
    xp_store_release_32(chunk, Self.magic.littleEndian)
  }

  private func checksum(of chunk: UnsafeRawPointer) -> UInt32 { Self.checksum(of: chunk, nonce: nonce) }

  /// Returns the CRC-32C of all fields except the magic, seeded with the segment's nonce so that a chunk of another segment
  /// fails the check.
  private static func checksum(of chunk: UnsafeRawPointer, nonce: UInt64) -> UInt32 {
    withChecked(chunk) { Checksum.crc32c($0, seed: Checksum.folded(nonce)) }
  }

  /// Calls a closure with the bytes that the checksum covers. The mark, which changes, counts as zero.
  private static func withChecked<Result>(_ chunk: UnsafeRawPointer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeTemporaryAllocation(byteCount: checksumOffset - 4, alignment: 8) { bytes in
      bytes.copyMemory(from: .init(start: chunk + 4, count: bytes.count))
      bytes.storeBytes(of: 0, toByteOffset: markOffset - 4, as: UInt32.self)
      return body(.init(bytes))
    }
  }

  /// Returns the lane position after the chunk's last record, according to the mark in the header's second copy.
  ///
  /// - Parameter copy: The second copy of the header.
  /// - Returns: `nil` if the writer stored no mark, or if the mark is damaged.
  func markedEnd(inCopy copy: UnsafeRawPointer) -> UInt64? {
    let mark = UInt32(littleEndian: copy.loadUnaligned(fromByteOffset: Self.markOffset, as: UInt32.self))
    let count = mark &- UInt32(truncatingIfNeeded: firstSequence)
    guard mark != 0, count <= UInt32(recordsEnd / RecordFormat.payload) else { return nil }
    return firstSequence + UInt64(count)
  }

  /// The seed of the checksums of the chunk's records. A record of another chunk fails its checksum.
  var recordSeed: UInt32 {
    // Ring pages are reused, so the seed also depends on the lane and the first position of the current use.
    let use = kind == .ringPage ? (lane ^ UInt32(truncatingIfNeeded: firstSequence) ^ (span << 24)) &* 0x85eb_ca6b : 0
    return Self.recordSeed(nonce: nonce, index: index) ^ use
  }

  private static func recordSeed(nonce: UInt64, index: UInt32) -> UInt32 {
    Checksum.folded(nonce) ^ (index &+ 1) &* multiplier
  }

  private static let multiplier: UInt32 = 0x9e37_79b1
  /// The inverse of `multiplier` modulo 2³².
  private static let inverse: UInt32 = 0x0E8B_2F51

  /// Returns the chunk index that corresponds to a record seed. The result may lie outside the segment.
  static func index(ofRecordSeed seed: UInt32, foldedNonce: UInt32) -> UInt32 { (seed ^ foldedNonce) &* inverse &- 1 }

  enum Reading: Equatable {
    /// The chunk was never claimed, or its writer was killed before writing the header. It contains no record.
    case empty
    case header(ChunkHeader)
    case damaged
  }

  /// Reads the header of a chunk slot. The slot must contain at least the header and the first word of a record.
  static func read(_ chunk: UnsafeRawPointer, index: UInt32, nonce: UInt64) -> Reading {
    if UInt32(littleEndian: xp_load_acquire_32(chunk)) == 0 {
      // A writer that was killed before storing the magic has not stored a record either. A record without a magic is
      // therefore damage.
      let firstRecord = xp_load_acquire_32(chunk + size)
      if firstRecord == 0 { return .empty }
      // The writer may have stored the header and the record since the magic was read, so the magic is read again.
      if UInt32(littleEndian: xp_load_acquire_32(chunk)) == 0 { return .damaged }
    }
    return decode(chunk, index: index, nonce: nonce).map(Reading.header) ?? .damaged
  }

  /// Decodes a chunk header or its second copy.
  ///
  /// - Parameter index: The expected chunk index; `nil` accepts any index.
  /// - Returns: `nil` if the header is damaged or has another index.
  static func decode(_ bytes: UnsafeRawPointer, index: UInt32?, nonce: UInt64) -> ChunkHeader? {
    let magic = UInt32(littleEndian: xp_load_acquire_32(bytes))
    var reader = FixedReader(.init(start: bytes, count: size))
    _ = reader.take(UInt32.self)
    guard magic == Self.magic, let kind = Kind(rawValue: reader.take(UInt32.self)) else { return nil }
    let found = reader.take(UInt32.self)
    guard index == nil || index == found else { return nil }
    let (lane, thread, span) = (reader.take(UInt32.self), reader.take(UInt32.self), reader.take(UInt32.self))
    let first = reader.take(UInt64.self)
    let clocks = ClockReading(
      monotonic: Int64(bitPattern: reader.take(UInt64.self)), boottime: Int64(bitPattern: reader.take(UInt64.self)),
      wall: Int64(bitPattern: reader.take(UInt64.self)))
    let stored = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: checksumOffset, as: UInt32.self))
    guard stored == checksum(of: bytes, nonce: nonce), span >= 1, first < sequenceLimit,
      span <= UInt32(kind == .ringPage ? RingFormat.pages : SegmentFormat.maximumChunks)
    else { return nil }
    return ChunkHeader(
      kind: kind, index: found, lane: lane, thread: thread, firstSequence: first, clocks: clocks, span: span, nonce: nonce)
  }

  /// Returns the folded nonce that a chunk header was written with, or `nil` if the header is damaged.
  ///
  /// Makes chunks readable when the segment's own header is lost.
  static func foldedNonce(of chunk: UnsafeRawPointer, index: UInt32) -> UInt32? {
    let word = { (offset: Int) in UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    guard word(0) == magic, Kind(rawValue: word(4)) != nil, word(8) == index else { return nil }
    return withChecked(chunk) { Checksum.seed(of: word(checksumOffset), over: $0) }
  }
}
