import XferEvents

/// The removals that a retention policy requires, computed from descriptions of the segments.
struct RetentionPlan: Equatable {
  /// A segment that no process writes to any more.
  struct Segment: Equatable {
    var number: UInt32
    var size: Int
    /// The time of the segment's last event.
    var last: WallTime
    /// A bit mask of the levels of its events, indexed by level number; 0 if unknown.
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
    /// The lowest level that is kept.
    let lowest: Level
  }

  private(set) var removals: [Removal] = []
  private(set) var thinnings: [Thinning] = []

  /// Computes the removals.
  ///
  /// - Parameters:
  ///   - retention: The retention policy.
  ///   - segments: The segments that may be removed.
  ///   - others: The total size in bytes of the segments that may not be removed. They count towards the size limit.
  ///   - now: The current wall-clock time.
  init(_ retention: Retention, segments: [Segment], others: Int, now: WallTime) {
    // A file system may report any size, so the addition must not overflow.
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

  /// Returns the lowest level that is kept for events of this age; `nil` if all levels are kept.
  private static func lowest(_ retention: Retention, age: Duration) -> Level? {
    let expired = retention.levels.filter { $0.key < .default && age > $0.value }.keys.max()
    return expired.flatMap { Level(rawValue: $0.rawValue + 1) }
  }
}
