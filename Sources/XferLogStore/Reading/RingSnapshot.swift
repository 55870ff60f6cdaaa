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
  ///   - slot: a chunk of rings, as far as the file has it.
  ///   - everything: a page of a ring that may go on, too; otherwise only one that stays in the log for good.
  static func header(
    _ number: Int, of slot: UnsafeRawBufferPointer, index: UInt32, nonce: UInt64, everything: Bool
  ) -> ChunkHeader.Reading {
    guard let page = page(number, of: slot) else { return .empty }
    return withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size, alignment: 8) { room in
      for _ in 0..<looks {
        guard xp_load_acquire_32(page) != 0, everything || xp_load_acquire_32(page + RingFormat.kept) != 0 else { return .empty }
        copy(page, to: room)
        if let header = ChunkHeader.decode(.init(room.baseAddress!), index: index, nonce: nonce), header.kind == .ringPage,
          Int(header.span) == number
        {
          return .header(header)
        }
        // Who writes a header takes its first word away until it is whole, which may have been before the rest was copied.
        let isWhole = room.load(as: UInt32.self) != 0
        if isWhole, memcmp(page, room.baseAddress!, room.count) == 0 { return .damaged }
        sched_yield()
      }
      return .empty
    }
  }

  /// Copies a page; `nil` when it is not the header's any more.
  ///
  /// - Parameter slot: the chunk of rings that it stands in, as far as the file has it.
  static func take(_ header: ChunkHeader, of slot: UnsafeRawBufferPointer) -> RingSnapshot? {
    guard let page = page(Int(header.span), of: slot) else { return nil }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: RingFormat.pageSize, alignment: 8)
    let snapshot = RingSnapshot(header: header, bytes: .init(room))
    // A writer that overtakes the copy leaves records in it behind one that was not there yet. What comes twice is of one moment: each
    // other time a record was added, and a page has room for few.
    withUnsafeTemporaryAllocation(byteCount: RingFormat.pageSize, alignment: 8) { before in
      let isAsBefore = { (count: Int) in memcmp(before.baseAddress!, room.baseAddress!, count) == 0 }
      copy(page, to: room)
      repeat {
        before.copyMemory(from: .init(room))
        copy(page, to: room)
      } while isAsBefore(ChunkHeader.size) && !isAsBefore(RingFormat.pageSize)
    }
    // The same header before and after: so the records between were its own all the time.
    guard ChunkHeader.decode(.init(room.baseAddress!), index: header.index, nonce: header.nonce) == header,
      memcmp(page, room.baseAddress!, ChunkHeader.size) == 0
    else { return nil }
    return snapshot
  }

  private static func page(_ number: Int, of slot: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    let offset = RingFormat.offset(of: number)
    return offset + RingFormat.pageSize <= slot.count ? slot.baseAddress.map { $0 + offset } : nil
  }

  /// Copies word by word, each before those behind it: with a record's first word, which is written last, comes the record.
  private static func copy(_ page: UnsafeRawPointer, to room: UnsafeMutableRawBufferPointer) {
    for offset in stride(from: 0, to: room.count, by: 4) {
      room.storeBytes(of: xp_load_acquire_32(page + offset), toByteOffset: offset, as: UInt32.self)
    }
  }
}
