/// The first 128 bytes of a block: one chunk of a sealed segment, what form it is in, and where it stands in the chain.
struct BlockHeader: Equatable {
  enum Form: UInt8 {
    /// The chunk's bytes, header included, as the writer left them: what could not be told apart without loss.
    case image
    /// Records without what can be computed again; see `ColumnEncoder`.
    case columns
    /// The bytes of a slot in which no chunk could be recognised.
    case unreadable
  }

  enum Codec: UInt8 {
    case stored
    case zstd
  }

  /// The chunk's own; its nonce is the segment's.
  var chunk: ChunkHeader
  var form: Form
  var codec: Codec
  /// Positions of the lane that the block covers.
  var positions: UInt32
  var decodedSize: UInt32
  var storedSize: UInt32
  /// Of the stored bytes, begun with the folded nonce.
  var checksum: UInt32
  /// Of everything in the segment up to here; see `HashChain`.
  var chain: HashChain.Link

  static let size = 128
  /// Blocks begin at multiples of this.
  static let alignment = 8
  /// Where the chain's link begins: everything before it is hashed.
  static let chainOffset = 80
  private static let checksumOffset = 124
  /// "XBLK"
  private static let magic: UInt32 = 0x4B4C_4258

  /// Bytes that it takes in the file, stored bytes and padding included.
  var extent: Int { (Self.size + Int(storedSize) + Self.alignment - 1) & ~(Self.alignment - 1) }

  /// Whether events may be taken from it; the positions of those that were are kept.
  var isThinnable: Bool { form == .columns && [.records, .ringPage].contains(chunk.kind) }

  /// The bytes that a file has behind the block's header.
  ///
  /// - Parameter offset: where the block begins. Any value: it may come from a file.
  /// - Returns: `nil` when those are not the bytes that were sealed.
  func stored(at offset: UInt64, in file: SegmentBytes) -> FileWindow? {
    guard offset <= UInt64(file.count) else { return nil }
    let start = Int(offset) + Self.size
    guard start + Int(storedSize) <= file.count else { return nil }
    let stored = file.window(start..<start + Int(storedSize))
    guard stored.bytes.count == Int(storedSize),
      Checksum.crc32c(stored.bytes, seed: Checksum.folded(chunk.nonce)) == checksum
    else { return nil }
    return stored
  }

  /// The position behind its last record.
  var nextSequence: UInt64 { chunk.firstSequence &+ UInt64(positions) }

  func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    var writer = FixedWriter(bytes)
    writer.put(Self.magic)
    writer.put(chunk.kind.rawValue)
    writer.put(chunk.index)
    writer.put(chunk.lane)
    writer.put(chunk.thread)
    writer.put(chunk.span)
    writer.put(chunk.firstSequence)
    writer.put(UInt64(bitPattern: chunk.clocks.monotonic))
    writer.put(UInt64(bitPattern: chunk.clocks.boottime))
    writer.put(UInt64(bitPattern: chunk.clocks.wall))
    writer.put(form.rawValue)
    writer.put(codec.rawValue)
    writer.put(0 as UInt16)
    writer.put(positions)
    writer.put(decodedSize)
    writer.put(storedSize)
    writer.put(checksum)
    writer.put(0 as UInt32)
    chain.write(to: .init(rebasing: bytes[Self.chainOffset...]))
    let sum = Self.checksum(of: .init(bytes), nonce: chunk.nonce)
    bytes.storeBytes(of: sum.littleEndian, toByteOffset: Self.checksumOffset, as: UInt32.self)
  }

  private static func checksum(of bytes: UnsafeRawBufferPointer, nonce: UInt64) -> UInt32 {
    Checksum.crc32c(.init(rebasing: bytes[4..<checksumOffset]), seed: Checksum.folded(nonce))
  }

  /// Chunks of a segment, and the numbers that salvaging gives beside theirs, are below.
  private static let largestIndex: UInt32 = 1 << 31

  /// - Returns: `nil` for bytes that are not the header of a block of this segment.
  static func decode(_ bytes: UnsafeRawBufferPointer, nonce: UInt64) -> BlockHeader? {
    guard bytes.count >= size, UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) == magic,
      storedChecksum(bytes) == checksum(of: bytes, nonce: nonce)
    else { return nil }
    var reader = FixedReader(.init(rebasing: bytes[..<size]))
    guard reader.take(UInt32.self) == magic, let kind = ChunkHeader.Kind(rawValue: reader.take(UInt32.self)) else { return nil }
    let (index, lane, thread, span) = (
      reader.take(UInt32.self), reader.take(UInt32.self), reader.take(UInt32.self), reader.take(UInt32.self)
    )
    let first = reader.take(UInt64.self)
    let clocks = ClockReading(
      monotonic: Int64(bitPattern: reader.take(UInt64.self)), boottime: Int64(bitPattern: reader.take(UInt64.self)),
      wall: Int64(bitPattern: reader.take(UInt64.self)))
    guard let form = Form(rawValue: reader.take(UInt8.self)), let codec = Codec(rawValue: reader.take(UInt8.self)) else {
      return nil
    }
    _ = reader.take(UInt16.self)
    let (positions, decoded, stored) = (reader.take(UInt32.self), reader.take(UInt32.self), reader.take(UInt32.self))
    guard span >= 1, span <= SegmentFormat.maximumChunks, first < ChunkHeader.sequenceLimit, index < largestIndex,
      decoded <= UInt32(SegmentFormat.largestBlock), stored <= decoded
    else { return nil }
    return BlockHeader(
      chunk: ChunkHeader(
        kind: kind, index: index, lane: lane, thread: thread, firstSequence: first, clocks: clocks, span: span, nonce: nonce),
      form: form, codec: codec, positions: positions, decodedSize: decoded, storedSize: stored,
      checksum: reader.take(UInt32.self), chain: HashChain.Link(.init(rebasing: bytes[chainOffset...])))
  }

  private static func storedChecksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: checksumOffset, as: UInt32.self))
  }

  /// The folded nonce that a block's header was written with, if it is whole.
  static func foldedNonce(of bytes: UnsafeRawBufferPointer) -> UInt32? {
    guard bytes.count >= size, UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) == magic else { return nil }
    return Checksum.seed(of: storedChecksum(bytes), over: .init(rebasing: bytes[4..<checksumOffset]))
  }
}
