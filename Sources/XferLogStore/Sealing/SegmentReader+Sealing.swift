import XferEvents

extension SegmentReader {
  /// One place for a chunk, as a sealer finds it.
  enum Slot {
    case chunk(ChunkHeader)
    case page(RingSnapshot)
    /// Something stands there, but whose it is cannot be told.
    case unreadable(Int)
  }

  /// All slots that hold anything: definitions first, so that whatever is read of a file that was cut has its names, then the
  /// others in the file's order. To be asked once, of a segment that nobody writes to.
  func slots() -> [Slot] {
    var slots = newChunks(everything: true).map { (Int($0.index), Slot.chunk($0)) }
    refreshDictionary()
    slots += ringPages().map { (Int($0.header.index), .page($0)) }
    slots += damagedChunks.map { ($0, .unreadable($0)) }
    return dictionaryChunks.map(Slot.chunk) + slots.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The bytes of a slot, as far as the file has them.
  func slotBytes(_ index: Int) -> [UInt8] {
    let start = SegmentFormat.chunkOffset(index)
    let window = file.window(start..<start + SegmentFormat.chunkSize)
    return withExtendedLifetime(window) { Array(window.bytes) }
  }

  /// The header as the sealed form has it: the original's bytes with other flags.
  ///
  /// - Parameters:
  ///   - lowest: the lowest level that is left in it.
  ///   - marks: flags that the sealed form has besides.
  func sealedHeader(lowest: Level = .debug, marks: SegmentFormat.CompatibleFlags = []) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: SegmentFormat.headerSize)
    _ = bytes.withUnsafeMutableBytes { file.read(from: 0, into: $0) }
    bytes.withUnsafeMutableBytes { bytes in
      // One that was damaged is written anew, from its copy; what changes while a segment is written stays as it is.
      let changing = Array(bytes[SegmentHeader.fixedSize...])
      var header = header
      header.compatible.formUnion(marks.union([.footer, .skipIndex]))
      header.incompatible.insert(.compressed)
      header.lowestLevel = max(header.lowestLevel, lowest)
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
