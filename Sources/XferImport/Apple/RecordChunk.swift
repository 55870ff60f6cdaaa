/// The recognised records and the gaps of some successive lines of a log.
///
/// Most records of a log are about something else than transfers. They are only counted.
struct RecordChunk {
  var parts: [Part] = []
  /// The number of records, recognised or not. It is negative if earlier records turned out to be text around the log.
  var records = 0
  var recognised = 0
  /// Whether a record shows that the log is Apple's.
  var isApple = false
  /// The writers that are new in this chunk.
  var writers: [AppleWriter] = []
  /// The offsets of lines that the log's index keeps.
  var offsets: [UInt64] = []
  /// The facts about the whole input, in its last chunk; `nil` if more chunks follow.
  var end: End?

  enum Part {
    case entry(AppleEntry)
    /// Lines that were part of a record and that cannot be read.
    case damaged(ClosedRange<UInt64>, problem: String)
    /// The log says that records were lost.
    case loss(ClosedRange<UInt64>)
  }

  struct End {
    let lineCount: UInt64
    let cutLines: Int
    let hasTrailer: Bool
    /// Whether a trailer states more records than there are.
    let misses: Bool
    /// Messages of known processes that have no known shape; `nil` if they are not collected.
    let unmatched: UnmatchedMessages?
  }
}
