import XferEvents

extension SegmentReader {
  /// A part of the segment that a sealer stores as one block.
  enum Part {
    case chunk(ChunkHeader)
    case page(RingSnapshot)
    /// Bytes that cannot be attributed to a chunk.
    case unreadable(Int)
  }

  /// Returns all parts: dictionary chunks first, because all other chunks need their definitions even if the
  /// sealed file is truncated later; then the others in file order.
  ///
  /// Call this once, after all writers have finished.
  func parts() -> [Part] {
    var parts = newChunks(everything: true).map { (Int($0.index), Part.chunk($0)) }
    refreshDictionary()
    parts += ringPages().map { (Int($0.header.index), .page($0)) }
    parts += damagedChunks.map { ($0, .unreadable($0)) }
    return dictionaryChunks.map(Part.chunk) + parts.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the bytes of a slot, as far as the file contains them.
  func slotBytes(_ index: Int) -> [UInt8] {
    let start = SegmentFormat.chunkOffset(index)
    let window = file.window(start..<start + SegmentFormat.chunkSize)
    return withExtendedLifetime(window) { Array(window.bytes) }
  }

  /// Returns the header of the sealed form: the original bytes with changed flags.
  ///
  /// - Parameters:
  ///   - lowest: The lowest level that the sealed form contains.
  ///   - marks: Additional flags of the sealed form.
  ///   - isMasked: Whether the sealed form has hashes in the place of private values.
  ///   - isGrouped: Whether blocks may be compressed as grouped columns.
  func sealedHeader(
    lowest: Level = .debug, marks: SegmentFormat.CompatibleFlags = [], isMasked: Bool = false, isGrouped: Bool
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: SegmentFormat.headerSize)
    _ = bytes.withUnsafeMutableBytes { file.read(from: 0, into: $0) }
    bytes.withUnsafeMutableBytes { bytes in
      // Re-encode a damaged header from its copy, but preserve the fields that change while a segment is written.
      let changing = Array(bytes[SegmentHeader.fixedSize...])
      var header = header
      header.compatible.formUnion(marks.union([.footer, .skipIndex, .columns]))
      header.incompatible.insert(.compressed)
      if isGrouped { header.incompatible.insert(.grouped) } else { header.incompatible.remove(.grouped) }
      header.lowestLevel = max(header.lowestLevel, lowest)
      if isMasked, header.captureMode == .full {
        header.captureMode = .hashed
        header.storeMode(in: bytes)
      }
      if hasOwnHeader {
        header.storeChanges(in: bytes)
      } else {
        header.encode(to: bytes)
        UnsafeMutableRawBufferPointer(rebasing: bytes[SegmentHeader.fixedSize...]).copyBytes(from: changing)
      }
    }
    return bytes
  }
}
