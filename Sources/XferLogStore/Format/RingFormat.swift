/// How a chunk of rings is divided: into pages, each with a header of its own, that tasks take and give back one by one.
enum RingFormat {
  static let pageSize = 1088
  static let pages = (SegmentFormat.recordsEnd(span: 1) - ChunkHeader.size) / pageSize
  /// Set in the number of a ring's lane, so that it is never that of a thread.
  static let laneBit: UInt32 = 1 << 31

  /// Where a page says that it is kept, behind its header: 1 once nothing in it will change.
  static let kept = 64
  /// Where its first record begins.
  static let records = 68

  /// Where a page begins in its chunk. Pages count from 1: their headers have that in place of a span.
  static func offset(of page: Int) -> Int { ChunkHeader.size + (page - 1) * pageSize }
}
