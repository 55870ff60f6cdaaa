/// The last 128 bytes of a sealed segment: the location of its index and both ends of its hash chain.
struct SealTrailer: Equatable {
  var indexOffset: UInt64
  var storedSize: UInt32
  var decodedSize: UInt32
  /// The checksum of the index's stored bytes.
  var checksum: UInt32
  var codec: BlockHeader.Codec
  /// The last link of the writer's previous segment; `none` if that segment was not sealed or does not exist.
  var previous: HashChain.Link
  /// The last link of the chain, which covers all blocks and the index.
  var last: HashChain.Link
  /// The monotonic time of the segment's last event, in nanoseconds.
  ///
  /// `nil` if the segment has no event, if the time is unknown, or if an older version sealed the segment.
  var lastEvent: Int64?
  /// The size in bytes of the segment's content at the end of the stored index; 0 if it is not stored. The article calls it
  /// *summarySize*. See `SegmentContent`.
  var contentSize: UInt32 = 0

  static let size = 128
  /// The magic number of a trailer, "XFERSEAL".
  private static let magic: UInt64 = 0x4C41_4553_5245_4658
  private static let previousOffset = 32
  private static let lastOffset = 64
  private static let lastEventOffset = 96
  private static let contentOffset = 104
  private static let checksumOffset = 124

  func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    var writer = FixedWriter(bytes)
    writer.put(Self.magic)
    writer.put(indexOffset)
    writer.put(storedSize)
    writer.put(decodedSize)
    writer.put(checksum)
    writer.put(codec.rawValue)
    previous.write(to: .init(rebasing: bytes[Self.previousOffset...]))
    last.write(to: .init(rebasing: bytes[Self.lastOffset...]))
    bytes.storeBytes(of: (lastEvent ?? 0).littleEndian, toByteOffset: Self.lastEventOffset, as: Int64.self)
    bytes.storeBytes(of: contentSize.littleEndian, toByteOffset: Self.contentOffset, as: UInt32.self)
    let sum = Checksum.crc32c(.init(rebasing: bytes[..<Self.checksumOffset]))
    bytes.storeBytes(of: sum.littleEndian, toByteOffset: Self.checksumOffset, as: UInt32.self)
  }

  /// Decodes the trailer at the end of a file.
  ///
  /// - Returns: `nil` if the file does not end with a valid trailer.
  static func decode(endOf file: SegmentBytes) -> SealTrailer? {
    guard file.count >= SegmentFormat.headerSize + size else { return nil }
    let window = file.window(file.count - size..<file.count)
    return withExtendedLifetime(window) { decode(window.bytes, fileSize: file.count) }
  }

  /// Whether a file ends with a trailer, even if the trailer is damaged: of its magic number and the two fields that locate the index, at
  /// most one is wrong.
  ///
  /// - Parameter blocksEnd: The offset at which the file's blocks end.
  static func stands(endOf file: SegmentBytes, after blocksEnd: Int) -> Bool {
    guard file.count >= blocksEnd + size else { return false }
    let window = file.window(file.count - size..<file.count)
    return withExtendedLifetime(window) {
      var reader = FixedReader(window.bytes)
      let (found, offset, stored) = (reader.take(UInt64.self), reader.take(UInt64.self), reader.take(UInt32.self))
      let signs = [
        found == magic, offset == UInt64(blocksEnd), UInt64(stored) == UInt64(file.count - size - blocksEnd),
      ]
      return !reader.failed && signs.count { $0 } >= 2
    }
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer, fileSize: Int) -> SealTrailer? {
    guard bytes.count == size else { return nil }
    let stored = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: checksumOffset, as: UInt32.self))
    guard stored == Checksum.crc32c(.init(rebasing: bytes[..<checksumOffset])) else { return nil }
    var reader = FixedReader(bytes)
    guard reader.take(UInt64.self) == magic else { return nil }
    let (offset, storedSize, decodedSize, checksum) = (
      reader.take(UInt64.self), reader.take(UInt32.self), reader.take(UInt32.self), reader.take(UInt32.self)
    )
    guard let codec = BlockHeader.Codec(rawValue: reader.take(UInt8.self)), offset >= UInt64(SegmentFormat.headerSize),
      offset <= UInt64(fileSize - size), UInt64(storedSize) <= UInt64(fileSize - size) - offset
    else { return nil }
    let lastEvent = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: lastEventOffset, as: Int64.self))
    return SealTrailer(
      indexOffset: offset, storedSize: storedSize, decodedSize: decodedSize, checksum: checksum, codec: codec,
      previous: HashChain.Link(.init(rebasing: bytes[previousOffset...])),
      last: HashChain.Link(.init(rebasing: bytes[lastOffset...])),
      lastEvent: lastEvent == 0 ? nil : lastEvent,
      contentSize: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: contentOffset, as: UInt32.self)))
  }
}
