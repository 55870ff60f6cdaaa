import XferLogStore

/// The edited parts of a log. While the log is read, the first event or gap in an edited part finds the flaw of that part.
struct EditedPlaces {
  private struct Lane: Hashable {
    let source: Int
    let number: UInt32
  }

  /// The flaws of each lane that have not been found yet, the last one in the lane first.
  private var flaws: [Lane: [SegmentFlaw]] = [:]
  private var texts: [Range<UInt64>: [UInt32: String]] = [:]

  init(_ examinations: [SegmentExamination]) {
    for (source, examination) in examinations.enumerated() {
      for flaw in examination.flaws where Self.isFollowed(flaw) {
        flaws[Lane(source: source, number: flaw.lane ?? 0), default: []].append(flaw)
        if let bytes = flaw.bytes { texts[bytes, default: [:]][examination.number] = flaw.text }
      }
    }
    for lane in flaws.keys { flaws[lane]?.sort { ($0.sequences?.lowerBound ?? 0) > ($1.sequences?.lowerBound ?? 0) } }
  }

  /// Whether a flaw is an edit of records in a lane, so that the time of the edit becomes known while the log is read.
  static func isFollowed(_ flaw: SegmentFlaw) -> Bool {
    guard case .edited = flaw.kind, let lane = flaw.lane, let sequences = flaw.sequences else { return false }
    return lane != 0 && !sequences.isEmpty
  }

  var isEmpty: Bool { flaws.isEmpty }

  /// Returns the flaw that begins at or before a position, and removes it; `nil` if there is none.
  mutating func take(_ source: Int, lane: UInt32, sequence: UInt64) -> SegmentFlaw? {
    let lane = Lane(source: source, number: lane)
    guard let next = flaws[lane]?.last, let sequences = next.sequences, sequence >= sequences.lowerBound else { return nil }
    flaws[lane]?.removeLast()
    return next
  }

  /// Returns the text of the flaw that covers these unreadable bytes, and removes the flaw; `nil` if there is none.
  mutating func text(segment: UInt32, bytes: Range<UInt64>) -> String? {
    guard let text = texts[bytes]?[segment] else { return nil }
    for lane in flaws.keys { flaws[lane]?.removeAll { $0.bytes == bytes && $0.text == text } }
    return text
  }
}
