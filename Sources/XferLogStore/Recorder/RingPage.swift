import CXferPlatform
import XferEvents

/// A chunk that is divided into ring pages. It retains the segment, and is released when no `RingPage` refers to it any
/// more.
final class RingChunk {
  let segment: SegmentWriter
  private let chunk: SegmentWriter.Chunk

  /// Claims a chunk.
  ///
  /// - Returns: `nil` if the segment is full or the system refuses to write.
  init?(in segment: SegmentWriter, clocks: ClockReading) {
    guard let chunk = segment.claim() else { return nil }
    self.segment = segment
    self.chunk = chunk
    let header = ChunkHeader(
      kind: .rings, index: UInt32(chunk.index), lane: RingFormat.laneBit, thread: xp_thread_id(), firstSequence: 0,
      clocks: clocks, span: 1, nonce: segment.header.nonce)
    guard segment.begin(chunk, with: header) == nil, persist(from: chunk.recordsEnd, count: ChunkHeader.size) else { return nil }
  }

  deinit { segment.release(chunk) }

  var index: UInt32 { UInt32(chunk.index) }
  var base: UnsafeMutableRawPointer { chunk.base }

  /// Writes bytes to the file, unless the file is mapped. Returns whether that succeeded.
  func persist(from offset: Int, count: Int) -> Bool { segment.persist(chunk, from: offset, count: count) == nil }
}

/// A page of a ring chunk, which is either used by a ring or free.
struct RingPage {
  let owner: RingChunk
  /// The page's number in its chunk, starting at 1.
  let number: Int

  private var offset: Int { RingFormat.offset(of: number) }
  var base: UnsafeMutableRawPointer { owner.base + offset }
  var segment: SegmentWriter { owner.segment }

  /// Returns whether the page belongs to the segment and records may still be added to it.
  func isUsable(in segment: SegmentWriter) -> Bool { owner.segment === segment && !segment.isAbandoned }

  /// Assigns the page to a lane: clears the old header, then the contents, then writes the new header.
  ///
  /// - Returns: The seed of the record checksums; `nil` if the system refuses to write.
  func begin(lane: UInt32, thread: UInt32, firstSequence: UInt64, clocks: ClockReading) -> UInt32? {
    guard clear() else { return nil }
    let rest = ChunkHeader.size..<RingFormat.pageSize
    (base + rest.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: rest.count)
    guard persist(from: rest.lowerBound, count: rest.count) else { return nil }
    let header = ChunkHeader(
      kind: .ringPage, index: owner.index, lane: lane, thread: thread, firstSequence: firstSequence, clocks: clocks,
      span: UInt32(number), nonce: segment.header.nonce)
    header.writePage(to: base)
    return persist(from: 0, count: ChunkHeader.size) ? header.recordSeed : nil
  }

  @discardableResult
  func clear() -> Bool {
    ChunkHeader.clearPage(at: base)
    return persist(from: 0, count: 4)
  }

  /// Marks the page as permanent: its contents will not change any more.
  func markKept() {
    xp_store_release_32(base + RingFormat.kept, (1 as UInt32).littleEndian)
    _ = persist(from: RingFormat.kept, count: 4)
  }

  /// Marks that the ring continues in another page, if there is room for the mark.
  func end(at offset: Int) {
    guard offset + 4 <= RingFormat.pageSize else { return }
    xp_store_release_32(base + offset, RecordFormat.endOfChunk)
    _ = persist(from: offset, count: 4)
  }

  func persist(from start: Int, count: Int) -> Bool { owner.persist(from: offset + start, count: count) }
}
