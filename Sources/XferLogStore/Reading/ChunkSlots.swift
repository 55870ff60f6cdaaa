import XferEvents

/// The slots of an unsealed segment's file, which the writer claims for chunks: their headers, the second copies of the headers, and the
/// writer's marks about them.
struct ChunkSlots {
  let file: SegmentBytes
  let header: SegmentHeader

  /// The maximum number of slots: the header's capacity, limited to the format's maximum because the capacity may be damaged.
  var limit: UInt32 { min(header.chunkCapacity, UInt32(SegmentFormat.maximumChunks)) }

  /// The number of slots in use, as far as the header says: by the writer's count, and by the marks of the chunks that were begun.
  var used: Int {
    let limit = Int(limit)
    return max(min(claimedChunks, limit), ((0..<limit).last(where: hasBegun) ?? -1) + 1)
  }

  /// The number of claimed chunks according to the writer. No checksum protects this count.
  var claimedChunks: Int { Int(claimedWord & ~SegmentHeader.sealed) }

  var claimedWord: UInt32 { file.word(at: SegmentHeader.claimedChunks) }

  /// Whether no thread of the writer can write to the segment any more.
  var isReleased: Bool { file.word(at: SegmentHeader.isReleased) == 1 }

  var isAppended: Bool { header.compatible.contains(.appended) }

  /// Returns the bytes of a chunk up to the end of its records, as far as the file contains them.
  ///
  /// - Parameters:
  ///   - index: The index of the chunk.
  ///   - span: The number of chunks that it covers.
  ///   - offset: The offset in the chunk at which copying begins. The bytes before it remain undefined.
  ///   - loading: The number of bytes to copy at first; the rest is copied on demand.
  func chunk(_ index: Int, span: Int = 1, from offset: Int = 0, loading: Int = .max) -> FileWindow {
    let start = min(SegmentFormat.chunkOffset(index), SegmentBytes.largest)
    let end = min(start + SegmentFormat.recordsEnd(span: span), SegmentBytes.largest)
    return FileWindow(file, start..<end, from: offset, loading: loading)
  }

  /// Reads the header of a slot. Unclaimed slots are read as well, in case the claim count is damaged.
  func read(_ index: Int, isClaimed: Bool, everything: Bool) -> ChunkHeader.Reading {
    let reading = beginning(of: index)
    guard isClaimed else {
      // The writer may have claimed and begun the chunk in the meantime.
      guard reading == .damaged, index < claimedChunks else { return reading ?? .empty }
      return read(index, isClaimed: true, everything: everything)
    }
    guard let reading else { return .empty }
    if reading == .damaged || everything && reading == .empty, let copy = copiedHeader(of: index) { return .header(copy) }
    guard reading == .empty, everything else { return reading }
    // A thread that was killed between the claim and the header leaves an empty slot. If the slot has other bytes, or every
    // thread had finished, the header was lost.
    let slot = chunk(index)
    let isUsed = withExtendedLifetime(slot) { slot.bytes.firstNonzero(from: ChunkHeader.size) != nil }
    guard isUsed || hasBegun(index) || isReleased && !isAppended else { return .empty }
    // The writer may have written the header in the meantime, so read it again.
    let again = beginning(of: index) ?? .empty
    return again == .empty ? .damaged : again
  }

  /// Whether the writer has written the header of a chunk.
  func hasBegun(_ index: Int) -> Bool {
    let word = file.word(at: SegmentHeader.begunChunks + index / UInt32.bitWidth * 4)
    return word & 1 << UInt32(index % UInt32.bitWidth) != 0
  }

  /// The end of an unsealed chunk, as recorded in the second copy of its header.
  enum Tail {
    /// The writer stored no mark, or has not yet written the copy.
    case unknown
    /// The lane position after the chunk's last record.
    case end(UInt64)
    /// The copy, which was written before the first record, is damaged.
    case damaged
  }

  func tail(of chunk: ChunkHeader) -> Tail {
    withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size, alignment: 8) { bytes in
      let place = SegmentFormat.chunkOffset(Int(chunk.index)) + chunk.copyOffset
      guard file.copy(from: place, into: bytes), let base = bytes.baseAddress else { return .unknown }
      guard ChunkHeader.decode(base, index: chunk.index, nonce: header.nonce) != nil else {
        // An appended file gets the copy when the lane leaves the chunk. Older writers stored none.
        return isAppended || !hasBegun(Int(chunk.index)) ? .unknown : .damaged
      }
      return chunk.markedEnd(inCopy: base).map(Tail.end) ?? .unknown
    }
  }

  /// Reads the chunk header at the beginning of a slot; returns `nil` if the file does not contain it.
  private func beginning(of index: Int) -> ChunkHeader.Reading? {
    func look() -> ChunkHeader.Reading? {
      withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size + RecordFormat.alignment, alignment: 8) { bytes in
        guard file.copy(from: SegmentFormat.chunkOffset(index), into: bytes), let base = bytes.baseAddress else { return nil }
        return ChunkHeader.read(base, index: UInt32(index), nonce: header.nonce)
      }
    }
    let reading = look()
    // A header or record that was written during the first copy is complete in the second one.
    return reading == .damaged ? look() : reading
  }

  /// Returns the second copy of the header, which follows the chunk's records, trying every possible span.
  private func copiedHeader(of index: Int) -> ChunkHeader? {
    withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size, alignment: 8) { bytes in
      for span in 1...Self.largestSpan {
        let place = SegmentFormat.chunkOffset(index) + SegmentFormat.recordsEnd(span: span)
        guard file.copy(from: place, into: bytes), let base = bytes.baseAddress else { return nil }
        let copy = ChunkHeader.decode(base, index: UInt32(index), nonce: header.nonce)
        if let copy, copy.span == UInt32(span) { return copy }
      }
      return nil
    }
  }

  /// Returns the header of the chunk at a slot, or its second copy; `nil` if neither is valid.
  func validHeader(of index: Int) -> ChunkHeader? {
    ownHeader(of: index) ?? copiedHeader(of: index)
  }

  /// Returns the header at the beginning of a slot; `nil` if it is not valid.
  func ownHeader(of index: Int) -> ChunkHeader? {
    withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size, alignment: 8) { bytes in
      guard file.copy(from: SegmentFormat.chunkOffset(index), into: bytes), let base = bytes.baseAddress else { return nil }
      return ChunkHeader.decode(base, index: UInt32(index), nonce: header.nonce)
    }
  }

  private static let largestSpan = SegmentFormat.maximumRecord / SegmentFormat.chunkSize + 1
}
