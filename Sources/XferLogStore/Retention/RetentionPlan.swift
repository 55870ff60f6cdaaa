import XferEvents

/// What has to go from a log, decided from what its segments are.
struct RetentionPlan: Equatable {
  /// A segment that nobody writes to any more.
  struct Segment: Equatable {
    var number: UInt32
    var size: Int
    /// When its last event happened.
    var last: WallTime
    /// A bit for each level of its events, by the level's number; 0 when it is not known.
    var levels: UInt8
  }

  struct Removal: Equatable {
    let segment: Segment
    let reason: Reason
  }

  enum Reason: String {
    case size, age
  }

  struct Thinning: Equatable {
    let segment: Segment
    /// The lowest level that stays.
    let lowest: Level
  }

  private(set) var removals: [Removal] = []
  private(set) var thinnings: [Thinning] = []

  /// - Parameters:
  ///   - segments: those that may go.
  ///   - others: bytes of those that may not, which count all the same.
  init(_ retention: Retention, segments: [Segment], others: Int, now: WallTime) {
    // Files may say any size.
    var total = segments.reduce(others) { $0.addingClamped($1.size) }
    for segment in segments.sorted(by: { $0.number < $1.number }) {
      let age = Duration.nanoseconds(max(0, now.nanoseconds.subtractingClamped(segment.last.nanoseconds)))
      if let limit = retention.maximumAge, age > limit {
        removals.append(.init(segment: segment, reason: .age))
        total -= segment.size
      } else if let limit = retention.maximumBytes, total > limit {
        removals.append(.init(segment: segment, reason: .size))
        total -= segment.size
      } else if let lowest = Self.lowest(retention, age: age), segment.levels & ((1 << lowest.rawValue) - 1) != 0 {
        thinnings.append(.init(segment: segment, lowest: lowest))
      }
    }
  }

  /// The lowest level of which events of this age are kept; `nil` for all.
  private static func lowest(_ retention: Retention, age: Duration) -> Level? {
    let expired = retention.levels.filter { $0.key < .default && age > $0.value }.keys.max()
    return expired.flatMap { Level(rawValue: $0.rawValue + 1) }
  }
}
