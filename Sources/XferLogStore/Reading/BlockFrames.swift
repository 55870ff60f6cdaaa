/// The zstd frames of a plain block, which are decoded one by one into the block's bytes.
struct BlockFrames {
  private let stored: FileWindow
  private let codec: BlockHeader.Codec
  /// The number of records.
  private let count: Int
  /// The size of the block's bytes.
  private let size: Int
  /// The stored sizes of the first two frames in bytes.
  private let (kindsSize, timesSize): (Int, Int)

  /// Finds the frames by the sizes in the block's header, which nothing protects against forgery; `nil` if there are none.
  init?(_ block: BlockHeader, _ stored: FileWindow) {
    guard block.columns.hasFrames else { return nil }
    self.init(block, stored, sizes: (Int(block.columns.kindsSize), Int(block.columns.timesSize)))
  }

  /// Finds the frames themselves; returns `nil` if there are fewer than three.
  init?(searching block: BlockHeader, _ stored: FileWindow) {
    guard let sizes = Zstandard.sizes(ofFirst: 2, in: stored.bytes) else { return nil }
    self.init(block, stored, sizes: (sizes[0], sizes[1]))
  }

  private init?(_ block: BlockHeader, _ stored: FileWindow, sizes: (Int, Int)) {
    guard sizes.0 + sizes.1 < stored.bytes.count else { return nil }
    (self.stored, codec, (kindsSize, timesSize)) = (stored, block.codec, sizes)
    // A plain block has one record for each position.
    (count, size) = (Int(block.positions), Int(block.decodedSize))
  }

  /// Whether the lengths and payloads are grouped columns in one frame. Else the lengths are in the frame of the times.
  var isGrouped: Bool { codec == .grouped }

  /// Decodes the whole block.
  func decode(into room: UnsafeMutableRawBufferPointer) -> Bool {
    let decompressor = Zstandard.Decompressor()
    guard let parts = decodeKinds(decompressor, into: room) else { return false }
    return decodeTimes(decompressor, parts, into: room) && decodePayloads(decompressor, parts, into: room)
  }

  /// Decodes the head and the kinds.
  ///
  /// - Parameter room: Memory for the block's bytes.
  /// - Returns: The parts of the block; `nil` if the frame does not contain them.
  func decodeKinds(_ decompressor: borrowing Zstandard.Decompressor, into room: UnsafeMutableRawBufferPointer) -> ColumnParts? {
    let kinds = 0..<ColumnEncoder.headSize + 2 * count
    guard room.count == size, kinds.upperBound <= size, decode(0..<kindsSize, decompressor, into: room, at: kinds),
      let parts = ColumnParts(.init(rebasing: room[kinds]), size: size), parts.kinds == kinds
    else { return nil }
    return parts
  }

  /// Decodes the times, and the lengths if they are in the same frame.
  func decodeTimes(
    _ decompressor: borrowing Zstandard.Decompressor, _ parts: ColumnParts, into room: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let part = isGrouped ? parts.times : parts.lengths.lowerBound..<parts.times.upperBound
    return decode(kindsSize..<kindsSize + timesSize, decompressor, into: room, at: part)
  }

  /// Decodes the payloads, and the lengths if they are in the same frame.
  func decodePayloads(
    _ decompressor: borrowing Zstandard.Decompressor, _ parts: ColumnParts, into room: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard isGrouped else { return decode(payloads, decompressor, into: room, at: parts.payloads) }
    var groups = KindGroups(.init(room), parts)
    let columns = UnsafeMutableRawBufferPointer.allocate(byteCount: groups.size, alignment: 8)
    defer { columns.deallocate() }
    return decodeColumns(decompressor, into: columns) && groups.restore(.init(columns), into: room)
  }

  /// Decodes the grouped columns of a block that has them.
  ///
  /// - Parameter columns: Memory of the size of the columns.
  func decodeColumns(_ decompressor: borrowing Zstandard.Decompressor, into columns: UnsafeMutableRawBufferPointer) -> Bool {
    decode(payloads, decompressor, into: columns, at: 0..<columns.count)
  }

  private var payloads: Range<Int> { kindsSize + timesSize..<stored.bytes.count }

  private func decode(
    _ frame: Range<Int>, _ decompressor: borrowing Zstandard.Decompressor, into room: UnsafeMutableRawBufferPointer,
    at part: Range<Int>
  ) -> Bool {
    decompressor.decompress(.init(rebasing: stored.bytes[frame]), into: .init(rebasing: room[part]))
  }
}
