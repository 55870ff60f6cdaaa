import XferEvents

extension SegmentHeader {
  /// Returns the copy of the header from a dictionary chunk, for a segment whose own header is lost.
  ///
  /// The nonce that seeds all checksums is lost too, but it can be computed from any valid chunk header. A wrong nonce,
  /// computed from a damaged chunk header, fails the checksums of the chunk's records.
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
