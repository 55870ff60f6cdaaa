import XferEvents

/// Decodes plain blocks one after another, each only as far as it is needed, into memory that is reused.
final class PartialBlock {
  private let decompressor = Zstandard.Decompressor()
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Memory for grouped columns.
  private var columns = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var stored: FileWindow?
  private var parts: ColumnParts?
  /// The frames of the block; `nil` if it is stored uncompressed.
  private var frames: BlockFrames?
  /// The block's bytes. The bytes of columns that were not decoded yet are undefined.
  private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  deinit {
    room.deallocate()
    columns.deallocate()
  }

  /// Begins with another block, and decodes its kinds.
  ///
  /// - Returns: Whether the block is plain and its kinds could be decoded. If not, only the whole block may be readable.
  func open(_ block: BlockHeader, _ stored: FileWindow) -> Bool {
    guard block.form == .columns, block.columns.isPlain else { return false }
    self.stored = stored
    switch block.codec {
    case .stored:
      frames = nil
      bytes = stored.bytes
      parts = ColumnParts(bytes)
    case .zstd, .grouped:
      guard let frames = BlockFrames(block, stored) else { return false }
      let size = Int(block.decodedSize)
      if room.count < size {
        room.deallocate()
        room = .allocate(byteCount: size, alignment: 8)
      }
      self.frames = frames
      bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<size])
      parts = frames.decodeKinds(decompressor, into: target)
    }
    return parts != nil
  }

  /// Decodes parts of the block. To be called once for each block.
  ///
  /// - Returns: Whether the columns have the sizes that they must have.
  func decode(_ wanted: ScannedParts) -> Bool {
    guard let parts else { return false }
    guard let frames else { return lengthsFit(parts) }
    let needsFields = wanted.contains(.fields)
    if wanted.contains(.time) || needsFields && !frames.isGrouped {
      guard frames.decodeTimes(decompressor, parts, into: target), frames.isGrouped || lengthsFit(parts) else { return false }
    }
    return !needsFields || frames.decodePayloads(decompressor, parts, into: target)
  }

  /// Decodes the payloads of some kinds without the order of the records.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of the block's records, in ascending order.
  ///   - counts: The number of records of each kind.
  ///   - isWanted: Whether the payloads of each kind are wanted.
  ///   - body: Called for each payload, which is valid during the call.
  /// - Returns: Whether the block is grouped, and its columns have the sizes that they must have. If not, nothing was decoded.
  func decodePayloads(
    _ kinds: [Int], _ counts: [Int], where isWanted: [Bool], _ body: (_ kind: Int, _ payload: UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    guard let parts, let frames, frames.isGrouped else { return false }
    var groups = KindGroups(kinds, counts, parts)
    if columns.count < groups.size {
      columns.deallocate()
      columns = .allocate(byteCount: groups.size, alignment: 8)
    }
    let decoded = UnsafeMutableRawBufferPointer(rebasing: columns[..<groups.size])
    guard frames.decodeColumns(decompressor, into: decoded), groups.measure(.init(decoded)) else { return false }
    // No payload is larger than all of them.
    let payload = UnsafeMutableRawBufferPointer(rebasing: target[parts.payloads])
    for (group, kind) in kinds.enumerated() where isWanted[kind] {
      groups.forEachPayload(ofGroup: group, in: .init(decoded), payload) { body(kind, $0) }
    }
    return true
  }

  private var target: UnsafeMutableRawBufferPointer { .init(rebasing: room[..<bytes.count]) }

  /// Whether the payloads have the lengths that the records say.
  private func lengthsFit(_ parts: ColumnParts) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var units = 0
    for place in stride(from: parts.lengths.lowerBound, to: parts.lengths.upperBound, by: 2) {
      units += Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
    }
    return units * RecordFormat.alignment == parts.payloads.count
  }
}
