import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A page of a ring as it was when it was looked at: its writer may empty it and use it again at any time.
final class RingSnapshot {
  let header: ChunkHeader
  let bytes: UnsafeRawBufferPointer

  private init(header: ChunkHeader, bytes: UnsafeRawBufferPointer) {
    self.header = header
    self.bytes = bytes
  }

  deinit { bytes.deallocate() }

  /// How often a page's header is looked at that is being written anew meanwhile.
  private static let looks = 16

  /// Which page stands at a place.
  ///
  /// - Parameters:
  ///   - index: of a chunk of rings.
  ///   - everything: a page of a ring that may go on, too; otherwise only one that stays in the log for good.
  static func header(
    _ number: Int, ofChunk index: Int, in file: SegmentBytes, nonce: UInt64, everything: Bool
  ) -> ChunkHeader.Reading {
    let place = SegmentFormat.chunkOffset(index) + RingFormat.offset(of: number)
    return withUnsafeTemporaryAllocation(byteCount: 2 * RingFormat.records, alignment: 8) { room in
      let half = room.count / 2
      let head = UnsafeMutableRawBufferPointer(rebasing: room[..<half])
      let again = UnsafeMutableRawBufferPointer(rebasing: room[half...])
      for _ in 0..<looks {
        guard file.copy(from: place, into: head), let base = head.baseAddress else { return .empty }
        let isKept = head.loadUnaligned(fromByteOffset: RingFormat.kept, as: UInt32.self) != 0
        guard head.loadUnaligned(as: UInt32.self) != 0, everything || isKept else { return .empty }
        if let header = ChunkHeader.decode(base, index: UInt32(index), nonce: nonce), header.kind == .ringPage,
          Int(header.span) == number
        {
          return .header(header)
        }
        // A writer of a new header takes the first word away until the rest is whole, which may have been before it was copied.
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

  /// Copies a page; `nil` when it is not the header's any more.
  static func take(_ header: ChunkHeader, in file: SegmentBytes) -> RingSnapshot? {
    let place = SegmentFormat.chunkOffset(Int(header.index)) + RingFormat.offset(of: Int(header.span))
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: RingFormat.pageSize, alignment: 8)
    let snapshot = RingSnapshot(header: header, bytes: .init(room))
    // A writer that overtakes the copy leaves records in it behind one that was not there yet. What comes twice is of one moment: each
    // other time a record was added, and a page has room for few.
    let isCopied = withUnsafeTemporaryAllocation(byteCount: RingFormat.pageSize, alignment: 8) { before in
      let isAsBefore = { (count: Int) in isSame(before, room, count) }
      guard file.copy(from: place, into: room) else { return false }
      repeat {
        before.copyMemory(from: .init(room))
        guard file.copy(from: place, into: room) else { return false }
      } while isAsBefore(ChunkHeader.size) && !isAsBefore(RingFormat.pageSize)
      return isAsBefore(ChunkHeader.size)
    }
    // The same header before and after: so the records between were its own all the time.
    guard isCopied, let base = room.baseAddress,
      ChunkHeader.decode(base, index: header.index, nonce: header.nonce) == header
    else { return nil }
    return snapshot
  }
}
