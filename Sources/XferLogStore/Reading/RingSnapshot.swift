import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A copy of a ring page. Its writer may clear and reuse the original at any time.
final class RingSnapshot {
  let header: ChunkHeader
  let bytes: UnsafeRawBufferPointer

  private init(header: ChunkHeader, bytes: UnsafeRawBufferPointer) {
    self.header = header
    self.bytes = bytes
  }

  deinit { bytes.deallocate() }

  /// The maximum number of attempts to read a page header that is being rewritten.
  private static let maximumAttempts = 16

  /// Reads the header of a ring page.
  ///
  /// - Parameters:
  ///   - number: The page's number in its chunk, starting at 1.
  ///   - index: The index of the ring chunk.
  ///   - file: The segment's bytes.
  ///   - nonce: The segment's nonce.
  ///   - everything: Whether to include a page that its writer may still discard.
  static func header(
    _ number: Int, ofChunk index: Int, in file: SegmentBytes, nonce: UInt64, everything: Bool
  ) -> ChunkHeader.Reading {
    let place = SegmentFormat.chunkOffset(index) + RingFormat.offset(of: number)
    return withUnsafeTemporaryAllocation(byteCount: 2 * RingFormat.records, alignment: 8) { room in
      let half = room.count / 2
      let head = UnsafeMutableRawBufferPointer(rebasing: room[..<half])
      let again = UnsafeMutableRawBufferPointer(rebasing: room[half...])
      for _ in 0..<maximumAttempts {
        guard file.copy(from: place, into: head), let base = head.baseAddress else { return .empty }
        let isKept = head.loadUnaligned(fromByteOffset: RingFormat.kept, as: UInt32.self) != 0
        guard head.loadUnaligned(as: UInt32.self) != 0, everything || isKept else { return .empty }
        if let header = ChunkHeader.decode(base, index: UInt32(index), nonce: nonce), header.kind == .ringPage,
          Int(header.span) == number
        {
          return .header(header)
        }
        // A writer clears the first word while it replaces the header, so a header that stays the same but is invalid is
        // damaged.
        if file.copy(from: place, into: again), isSame(head, again, ChunkHeader.size) { return .damaged }
        sched_yield()
      }
      return .empty
    }
  }

  private static func isSame(
    _ one: UnsafeMutableRawBufferPointer, _ other: UnsafeMutableRawBufferPointer, _ count: Int
  ) -> Bool {
    guard let one = one.baseAddress, let other = other.baseAddress else { return false }
    return memcmp(one, other, count) == 0
  }

  /// Copies a page.
  ///
  /// - Returns: `nil` if the page no longer has the expected header.
  static func take(_ header: ChunkHeader, in file: SegmentBytes) -> RingSnapshot? {
    let place = SegmentFormat.chunkOffset(Int(header.index)) + RingFormat.offset(of: Int(header.span))
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: RingFormat.pageSize, alignment: 8)
    let snapshot = RingSnapshot(header: header, bytes: .init(room))
    // A concurrent writer can leave later records in the copy without an earlier one. Two consecutive copies that are equal
    // show the page at one point in time. The loop ends soon, because each difference means a new record, and a page holds
    // only a few records.
    let isCopied = withUnsafeTemporaryAllocation(byteCount: RingFormat.pageSize, alignment: 8) { before in
      let isAsBefore = { (count: Int) in isSame(before, room, count) }
      guard file.copy(from: place, into: room) else { return false }
      repeat {
        before.copyMemory(from: .init(room))
        guard file.copy(from: place, into: room) else { return false }
      } while isAsBefore(ChunkHeader.size) && !isAsBefore(RingFormat.pageSize)
      return isAsBefore(ChunkHeader.size)
    }
    // The header was the same before and after, so all copied records belong to it.
    guard isCopied, let base = room.baseAddress,
      ChunkHeader.decode(base, index: header.index, nonce: header.nonce) == header
    else { return nil }
    return snapshot
  }
}
