import XferLogStore

/// What is left to ship of a log, according to its segments and its journal.
struct ShipPlan: Equatable {
  /// The segments that may have changed since they were shipped, in ascending order.
  private(set) var steps: [UInt32] = []
  /// The number of segments that were shipped as they are now.
  private(set) var unchanged = 0
  /// The segments that were removed before they were shipped, as far as they were not reported before.
  private(set) var missing: [ClosedRange<UInt32>] = []
  /// The segments that were removed after a part of them was shipped, as far as they were not reported before.
  private(set) var cut: [UInt32] = []
  /// Whether the log is another one than the journal's, under the same path.
  private(set) var isReplaced = false

  /// - Parameters:
  ///   - segments: The segments of the log, in ascending order.
  ///   - unreadable: The numbers of the files that cannot be read as segments, which are not missing.
  ///   - journal: The journal. If the log was replaced, it becomes the journal of the new log.
  ///   - finishedOnly: Whether segments that are still written are left out.
  init(_ segments: [ShippableSegment], unreadable: Set<UInt32>, journal: inout ShipJournal, finishedOnly: Bool) {
    if Self.isReplaced(segments, journal) {
      isReplaced = true
      journal = ShipJournal(destination: journal.destination)
    }
    let present = Set(segments.map(\.number))
    for segment in segments {
      if let entry = journal.segments[segment.number], entry.state == .whole, entry.stamp == segment.stamp {
        unchanged += 1
      } else if segment.isFinished || !finishedOnly {
        steps.append(segment.number)
      }
    }
    for (number, entry) in journal.segments.sorted(by: { $0.key < $1.key })
    where [.begun, .part].contains(entry.state) && !present.contains(number) && !unreadable.contains(number) {
      cut.append(number)
    }
    missing = Self.holes(in: present.union(journal.segments.keys).union(unreadable), except: journal.missing)
  }

  /// Numbers are not reused. A segment with the number of a shipped one is therefore that segment, or belongs to another log.
  private static func isReplaced(_ segments: [ShippableSegment], _ journal: ShipJournal) -> Bool {
    if segments.contains(where: { journal.segments[$0.number].map(\.identity) ?? $0.identity != $0.identity }) { return true }
    guard let last = segments.last?.number, let shipped = journal.segments.keys.max() else { return false }
    return last < shipped && !segments.contains { journal.segments[$0.number] != nil }
  }

  /// Returns the ranges of numbers from 1 on that are missing below the highest number.
  static func holes(in numbers: Set<UInt32>, except known: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var holes: [ClosedRange<UInt32>] = []
    var next: UInt32 = 1
    // Larger numbers come from files that were renamed, because no writer uses them.
    let occupied = numbers.filter { $0 < 1 << 31 }.map { $0...$0 } + known
    for range in occupied.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { holes.append(next...range.lowerBound - 1) }
      if range.upperBound >= next { next = range.upperBound == .max ? .max : range.upperBound + 1 }
    }
    return holes
  }
}
