/// The layout of a ring chunk, which stores the flight recorder's detail about tasks. The chunk is divided into pages, each
/// with its own header; a task's ring takes and returns one page at a time.
enum RingFormat {
  static let pageSize = 1088
  static let pages = (SegmentFormat.recordsEnd(span: 1) - ChunkHeader.size) / pageSize
  /// The bit that distinguishes the lane number of a ring from that of a thread.
  static let laneBit: UInt32 = 1 << 31

  /// The offset of a page's `kept` word, which is 1 once the page will not change any more.
  static let kept = 64
  /// The offset of a page's first record.
  static let records = 68

  /// Returns the offset of a page in its chunk. Page numbers start at 1 and are stored in the header's `span` field.
  static func offset(of page: Int) -> Int { ChunkHeader.size + (page - 1) * pageSize }
}
