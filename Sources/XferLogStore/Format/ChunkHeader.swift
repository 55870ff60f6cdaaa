import CXferPlatform

/// The first 64 bytes of a chunk: whose it is, where its lane stands, and the clocks its records count from.
struct ChunkHeader: Equatable {
  enum Kind: UInt32 {
    /// Records of one lane.
    case records = 1
    /// Definitions that all lanes of the segment use.
    case dictionary = 2
    /// One record that reaches over the chunks behind this one.
    case large = 3
    /// Pages of the rings of tasks; see `RingFormat`.
    case rings = 4
    /// One such page; its header stands in a chunk of rings.
    case ringPage = 5
  }

  var kind: Kind
  var index: UInt32
  var lane: UInt32
  /// The kernel's thread number of the lane when the chunk was begun.
  var thread: UInt32
  /// The position within the lane of the chunk's first record.
  var firstSequence: UInt64
  var clocks: ClockReading
  /// How many chunks it covers: 1, or more for a large record. For a page its place in the chunk.
  var span: UInt32
  /// The segment's.
  var nonce: UInt64

  static let size = 64
  /// "XFCHUNK1" shortened to a word.
  static let magic: UInt32 = 0x4B48_4358
  private static let checksumOffset = 60
  static let dictionaryLane: UInt32 = 0
  /// No lane gets so far, and what is counted from here on fits 64 bits.
  /// Positions are below; what is added to one never overflows.
  static let sequenceLimit: UInt64 = 1 << 62

  /// Where the copy stands, from the chunk's beginning.
  var copyOffset: Int { SegmentFormat.recordsEnd(span: Int(span)) }

  /// Where its first record begins and the last one must end, from its own beginning.
  var recordsStart: Int { kind == .ringPage ? RingFormat.records : Self.size }
  var recordsEnd: Int { kind == .ringPage ? RingFormat.pageSize : SegmentFormat.recordsEnd(span: Int(span)) }
  /// Where it begins in its slot.
  var startInSlot: Int { kind == .ringPage ? RingFormat.offset(of: Int(span)) : 0 }
  /// Tells chunks and pages of a segment apart.
  var place: UInt64 { UInt64(index) | (kind == .ringPage ? UInt64(span) << 32 : 0) }

  /// Stands in for the header of a slot in which none could be recognised.
  static func nobodys(index: Int, nonce: UInt64) -> ChunkHeader {
    ChunkHeader(
      kind: .records, index: UInt32(index), lane: 0, thread: 0, firstSequence: 0,
      clocks: ClockReading(monotonic: 0, boottime: 0, wall: 0), span: 1, nonce: nonce)
  }

  /// Writes the header, and behind the room for records its copy, which is read when the header is damaged.
  func write(to chunk: UnsafeMutableRawPointer) {
    put(at: chunk)
    put(at: chunk + copyOffset)
  }

  /// Writes the header of a page, of which there is no copy.
  func writePage(to page: UnsafeMutableRawPointer) { put(at: page) }

  /// Takes a page's header away: from here on nothing stands there.
  static func clearPage(at page: UnsafeMutableRawPointer) {
    xp_store_release_32(page, 0)
    // Nobody sees what is written here next under the old header.
    xp_fence_release()
  }

  /// Writes everything but the magic, then the magic with release order: a reader that sees it sees the rest.
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

  /// Of all but the magic and itself, begun with the segment's nonce: a chunk of another segment never fits.
  private static func checksum(of chunk: UnsafeRawPointer, nonce: UInt64) -> UInt32 {
    Checksum.crc32c(.init(start: chunk + 4, count: checksumOffset - 4), seed: Checksum.folded(nonce))
  }

  /// What the checksums of its records begin with: a record of another chunk never fits.
  var recordSeed: UInt32 {
    // A page is used again and again, each time by another lane or from another position on.
    let use = kind == .ringPage ? (lane ^ UInt32(truncatingIfNeeded: firstSequence) ^ (span << 24)) &* 0x85eb_ca6b : 0
    return Self.recordSeed(nonce: nonce, index: index) ^ use
  }

  private static func recordSeed(nonce: UInt64, index: UInt32) -> UInt32 {
    Checksum.folded(nonce) ^ (index &+ 1) &* multiplier
  }

  private static let multiplier: UInt32 = 0x9e37_79b1
  /// Times `multiplier` it is 1, modulo 2³².
  private static let inverse: UInt32 = 0x0E8B_2F51

  /// The number of the chunk that records with this seed belong to, of the many that there could be.
  static func index(ofRecordSeed seed: UInt32, foldedNonce: UInt32) -> UInt32 { (seed ^ foldedNonce) &* inverse &- 1 }

  enum Reading: Equatable {
    /// Never claimed, or claimed by a writer that was killed before it wrote the header: no record is here.
    case empty
    case header(ChunkHeader)
    case damaged
  }

  /// Looks at the beginning of a slot, of which there is at least the header and a record's first word.
  static func read(_ chunk: UnsafeRawPointer, index: UInt32, nonce: UInt64) -> Reading {
    if UInt32(littleEndian: xp_load_acquire_32(chunk)) == 0 {
      // What a killed writer leaves here has no magic and no record behind it.
      let firstRecord = xp_load_acquire_32(chunk + size)
      if firstRecord == 0 { return .empty }
      // Both may have come since the magic was looked at.
      if UInt32(littleEndian: xp_load_acquire_32(chunk)) == 0 { return .damaged }
    }
    return decode(chunk, index: index, nonce: nonce).map(Reading.header) ?? .damaged
  }

  /// The header, or a copy of one, at a place; `nil` when it is not whole or not that of this chunk.
  ///
  /// - Parameter index: `nil` for a chunk of any number.
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

  /// The folded nonce that a chunk's header was written with, if it is whole: how a segment is read that has lost its own.
  static func foldedNonce(of chunk: UnsafeRawPointer, index: UInt32) -> UInt32? {
    let word = { (offset: Int) in UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    guard word(0) == magic, Kind(rawValue: word(4)) != nil, word(8) == index else { return nil }
    return Checksum.seed(of: word(checksumOffset), over: .init(start: chunk + 4, count: checksumOffset - 4))
  }
}
