/// The records and gaps of some successive lines of a log.
///
/// Most records of a log are about something else than transfers. They are counted, and are not among the parts.
struct RecordChunk {
  var parts: [RecordAssembler.Part] = []
  /// The number of records that are not among the parts.
  private(set) var counted = 0
  /// Whether one of those records shows that the log is Apple's.
  private(set) var isApple = false
  /// The offsets of lines that the log's index keeps.
  var offsets: [UInt64] = []
  /// The facts about the whole input, in its last chunk; `nil` if more chunks follow.
  var end: End?

  struct End {
    let lineCount: UInt64
    let cutLines: Int
    let hasTrailer: Bool
    /// Whether a trailer states more records than there are.
    let misses: Bool
  }

  mutating func add(_ part: RecordAssembler.Part) {
    switch part {
    case .usual:
      counted += 1
      isApple = true
    // The clock follows the records without a full date, because each may pass midnight.
    case .plain(let record) where record.time.year != nil:
      counted += 1
      if record.form.isDistinctive(hasLevel: record.hasLevel) { isApple = true }
    case .record, .plain, .proseBefore, .damaged, .loss: parts.append(part)
    }
  }
}
