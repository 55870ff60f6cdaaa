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

  enum Reading {
    case empty
    case page(RingSnapshot)
    case damaged
  }

  private init(header: ChunkHeader, bytes: UnsafeRawBufferPointer) {
    self.header = header
    self.bytes = bytes
  }

  deinit { bytes.deallocate() }

  /// How often a page is looked at that is being written anew meanwhile.
  private static let looks = 16

  /// - Parameters:
  ///   - slot: a chunk of rings, as far as the file has it.
  ///   - everything: a page of a ring that may go on, too; otherwise only one that stays in the log for good.
  static func take(
    _ number: Int, of slot: UnsafeRawBufferPointer, index: UInt32, nonce: UInt64, everything: Bool
  ) -> Reading {
    let offset = RingFormat.offset(of: number)
    guard let start = slot.baseAddress, offset + RingFormat.pageSize <= slot.count else { return .empty }
    let page = start + offset
    for _ in 0..<looks {
      guard xp_load_acquire_32(page) != 0, everything || xp_load_acquire_32(page + RingFormat.kept) != 0 else { return .empty }
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: RingFormat.pageSize, alignment: 8)
      room.copyMemory(from: .init(start: page, count: RingFormat.pageSize))
      let header = ChunkHeader.decode(.init(room.baseAddress!), index: index, nonce: nonce)
      // The same header before and after: so the records between were its own all the time.
      if let header, header.kind == .ringPage, Int(header.span) == number,
        memcmp(page, room.baseAddress!, ChunkHeader.size) == 0
      {
        return .page(RingSnapshot(header: header, bytes: .init(room)))
      }
      room.deallocate()
      sched_yield()
    }
    return xp_load_acquire_32(page) == 0 ? .empty : .damaged
  }
}
