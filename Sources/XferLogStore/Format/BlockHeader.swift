/// The 128-byte header of a block. A block stores one chunk of a sealed segment.
struct BlockHeader: Equatable {
  enum Form: UInt8 {
    /// The chunk's original bytes including its header, for a chunk that cannot be encoded as columns without loss.
    case image
    /// The records without the parts that a reader can recompute; see `ColumnEncoder`.
    case columns
    /// The bytes of a chunk slot that contains no recognisable chunk.
    case unreadable
  }

  enum Codec: UInt8 {
    case stored
    /// One zstd frame, or the frames of `BlockColumns` in logs of revisions 2 and 3.
    case zstd
    /// The frames of `BlockColumns`. The last frame contains grouped columns.
    case grouped
  }

  /// The header of the chunk that the block stores. The nonce in this header equals the segment's nonce.
  var chunk: ChunkHeader
  var form: Form
  var codec: Codec
  /// The number of lane positions that the block covers.
  var positions: UInt32
  var decodedSize: UInt32
  var storedSize: UInt32
  /// The CRC-32C of the stored bytes, seeded with the folded nonce.
  var checksum: UInt32
  /// The hash of everything in the segment up to and including this block; see `HashChain`.
  var chain: HashChain.Link
  /// The sizes and kinds with which a reader decodes single columns. They are not hashed, because the stored bytes determine them.
  var columns = BlockColumns()

  static let size = 128
  /// The byte alignment of a block's offset in the file.
  static let alignment = 8
  /// The offset of the chain link in the header. The bytes before this offset are hashed.
  static let chainOffset = 80
  private static let columnsOffset = 112
  private static let checksumOffset = 124
  /// The magic number of a block, "XBLK".
  private static let magic: UInt32 = 0x4B4C_4258

  /// The block's total size in the file in bytes, including header, stored bytes and padding.
  var extent: Int { (Self.size + Int(storedSize) + Self.alignment - 1) & ~(Self.alignment - 1) }

  /// Whether retention may remove single events from the block. The positions of removed events are kept.
  var isThinnable: Bool { form == .columns && [.records, .ringPage].contains(chunk.kind) }

  /// Returns the block's stored bytes, which follow its header in the file.
  ///
  /// - Parameter offset: The block's offset. Any value is allowed, because it may come from a damaged file.
  /// - Returns: `nil` if the bytes are out of range or fail their checksum.
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

  /// The lane position after the block's last record.
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
    columns.write(to: .init(rebasing: bytes[Self.columnsOffset...]))
    let sum = Self.checksum(of: .init(bytes), nonce: chunk.nonce)
    bytes.storeBytes(of: sum.littleEndian, toByteOffset: Self.checksumOffset, as: UInt32.self)
  }

  private static func checksum(of bytes: UnsafeRawBufferPointer, nonce: UInt64) -> UInt32 {
    Checksum.crc32c(.init(rebasing: bytes[4..<checksumOffset]), seed: Checksum.folded(nonce))
  }

  /// The upper bound of chunk indexes, including the indexes that salvaging assigns to recovered chunks.
  private static let largestIndex: UInt32 = 1 << 31

  /// Decodes a block header.
  ///
  /// - Returns: `nil` if the bytes are not a valid block header of this segment.
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
      checksum: reader.take(UInt32.self), chain: HashChain.Link(.init(rebasing: bytes[chainOffset...])),
      columns: BlockColumns(.init(rebasing: bytes[columnsOffset...])))
  }

  private static func storedChecksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: checksumOffset, as: UInt32.self))
  }

  /// Returns the folded nonce that the block header was written with, or `nil` if the bytes are not a block header.
  static func foldedNonce(of bytes: UnsafeRawBufferPointer) -> UInt32? {
    guard bytes.count >= size, UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) == magic else { return nil }
    return Checksum.seed(of: storedChecksum(bytes), over: .init(rebasing: bytes[4..<checksumOffset]))
  }
}
