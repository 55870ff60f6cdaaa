import XferEvents

/// Decodes plain blocks one after another, each only as far as it is needed, into memory that is reused.
final class PartialBlock {
  private let decompressor = Zstandard.Decompressor()
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var stored: FileWindow?
  private var columns = BlockColumns()
  private var parts: ColumnParts?
  /// The part that is decoded.
  private var decoded = ScannedPart.nothing
  /// The block's bytes. The bytes of columns that were not decoded yet are undefined.
  private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  deinit { room.deallocate() }

  /// Begins with another block, and decodes its kinds.
  ///
  /// - Returns: Whether the block is plain and its kinds could be decoded. If not, only the whole block may be readable.
  func open(_ block: BlockHeader, _ stored: FileWindow) -> Bool {
    let size = Int(block.decodedSize)
    guard block.form == .columns, block.columns.isPlain else { return false }
    (self.stored, columns) = (stored, block.columns)
    switch block.codec {
    case .stored:
      bytes = stored.bytes
      decoded = .fields
      parts = ColumnParts(bytes)
    case .zstd:
      guard columns.hasFrames else { return false }
      if room.count < size {
        room.deallocate()
        room = .allocate(byteCount: size, alignment: 8)
      }
      bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<size])
      decoded = .kind
      // The number of records is also the number of positions, which the header states.
      let kinds = 0..<ColumnEncoder.headSize + 2 * Int(block.positions)
      guard decompress(0..<Int(columns.kindsSize), to: kinds) else { return false }
      parts = ColumnParts(.init(rebasing: bytes[kinds]), size: size)
      guard parts?.kinds == kinds else { return false }
    }
    return parts != nil
  }

  /// Decodes the block up to a part.
  ///
  /// - Returns: Whether the columns have the sizes that they must have.
  func decode(_ part: ScannedPart) -> Bool {
    guard let parts, let stored else { return false }
    let (first, second) = (Int(columns.kindsSize), Int(columns.kindsSize) + Int(columns.timesSize))
    if part >= .time, decoded < .time {
      guard decompress(first..<second, to: parts.times) else { return false }
      decoded = .time
    }
    if part == .fields, decoded < .fields {
      guard second <= stored.bytes.count, decompress(second..<stored.bytes.count, to: parts.payloads) else { return false }
      decoded = .fields
    }
    return part < .time || lengthsFit(parts)
  }

  private func decompress(_ frame: Range<Int>, to part: Range<Int>) -> Bool {
    guard let stored, frame.upperBound <= stored.bytes.count, part.upperBound <= bytes.count else { return false }
    return decompressor.decompress(.init(rebasing: stored.bytes[frame]), into: .init(rebasing: room[part]))
  }

  /// Whether the payloads have the lengths that the records say.
  private func lengthsFit(_ parts: ColumnParts) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var units = 0
    for place in stride(from: parts.kinds.upperBound, to: 2 * parts.kinds.upperBound - ColumnEncoder.headSize, by: 2) {
      units += Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
    }
    return units * RecordFormat.alignment == parts.payloads.count
  }
}
