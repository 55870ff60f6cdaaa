import XferEvents

extension SegmentHeader {
  /// The header's copy in a dictionary's chunk, for a segment that has lost its own.
  ///
  /// The nonce that all checksums begin with is lost too, but there is exactly one with which a chunk's checksum is right.
  /// What that says of a damaged chunk fits none of its records.
  static func copied(in file: UnsafeRawBufferPointer) -> SegmentHeader? {
    guard file.count > SegmentFormat.headerSize else { return nil }
    for index in 0..<(file.count - SegmentFormat.headerSize) / SegmentFormat.chunkSize {
      let start = SegmentFormat.chunkOffset(index)
      let end = start + SegmentFormat.recordsEnd(span: 1)
      for place in [start, end] {
        guard let nonce = ChunkHeader.foldedNonce(of: file.baseAddress! + place, index: UInt32(index)),
          let chunk = ChunkHeader.decode(file.baseAddress! + place, index: UInt32(index), nonce: UInt64(nonce)),
          chunk.kind == .dictionary
        else { continue }
        if let copy = copied(in: .init(rebasing: file[start..<end]), of: chunk) { return copy }
      }
    }
    return nil
  }

  private static func copied(in records: UnsafeRawBufferPointer, of chunk: ChunkHeader) -> SegmentHeader? {
    var walker = RecordWalker(chunk: records, header: chunk, isAppended: false)
    while true {
      switch walker.next(isFinal: true) {
      case .record(let record) where record.kind == RecordFormat.headerCopied: return decode(copy: record.payload)
      case .record, .damage: continue
      case .endOfChunk, .notYet: return nil
      }
    }
  }
}
