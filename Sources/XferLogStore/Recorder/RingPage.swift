import CXferPlatform
import XferEvents

/// A chunk of pages; goes, and lets go of its segment, when no ring has a page of it and none is free.
final class RingChunk {
  let segment: SegmentWriter
  private let chunk: SegmentWriter.Chunk

  /// Claims a chunk; `nil` when the segment is full or the system refuses.
  init?(in segment: SegmentWriter, clocks: ClockReading) {
    guard let chunk = segment.claim() else { return nil }
    self.segment = segment
    self.chunk = chunk
    let header = ChunkHeader(
      kind: .rings, index: UInt32(chunk.index), lane: RingFormat.laneBit, thread: xp_thread_id(), firstSequence: 0,
      clocks: clocks, span: 1, nonce: segment.header.nonce)
    header.write(to: chunk.base)
    guard persist(from: 0, count: ChunkHeader.size), persist(from: chunk.recordsEnd, count: ChunkHeader.size) else { return nil }
  }

  deinit { segment.release(chunk) }

  var index: UInt32 { UInt32(chunk.index) }
  var base: UnsafeMutableRawPointer { chunk.base }

  /// Brings bytes to the file where they are not mapped to it.
  func persist(from offset: Int, count: Int) -> Bool { segment.persist(chunk, from: offset, count: count) == nil }
}

/// A page of a chunk of rings, while it is a ring's or free.
struct RingPage {
  let owner: RingChunk
  /// From 1.
  let number: Int

  private var offset: Int { RingFormat.offset(of: number) }
  var base: UnsafeMutableRawPointer { owner.base + offset }
  var segment: SegmentWriter { owner.segment }

  /// Whether records may still be added to the segment.
  func isIn(_ segment: SegmentWriter) -> Bool { owner.segment === segment && !segment.isAbandoned }

  /// Empties the page and gives it to a lane: first what stood here is gone, then there is the new header.
  ///
  /// - Returns: what the checksums of its records begin with; `nil` when the system refuses.
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

  /// Nothing in it will change any more.
  func markKept() {
    xp_store_release_32(base + RingFormat.kept, (1 as UInt32).littleEndian)
    _ = persist(from: RingFormat.kept, count: 4)
  }

  /// Says that the ring goes on in another page, where there is room to say it.
  func end(at offset: Int) {
    guard offset + 4 <= RingFormat.pageSize else { return }
    xp_store_release_32(base + offset, RecordFormat.endOfChunk)
    _ = persist(from: offset, count: 4)
  }

  func persist(from start: Int, count: Int) -> Bool { owner.persist(from: offset + start, count: count) }
}
