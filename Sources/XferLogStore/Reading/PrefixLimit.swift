import XferEvents

/// Finds the end of a log that is read only up to its first damage.
///
/// Damage within a lane is found when the lane is read. Damage for which only the file offset is known may have destroyed
/// any event since the start of the preceding chunk.
struct PrefixLimit {
  private let bound: Bound?
  private(set) var hasEnded = false

  struct Bound {
    let boot: Int
    let clock: Int64
    let gap: LogGap
  }

  /// - Parameter bounds: One entry for each damage that no lane reports.
  init(_ bounds: [Bound]) { bound = bounds.min { ($0.boot, $0.clock) < ($1.boot, $1.clock) } }

  /// Returns the gap that ends the log if the next event or gap lies at or after the limit; otherwise `nil`.
  mutating func end(before next: (boot: Int, clock: Int64)) -> LogGap? {
    guard !hasEnded, let bound, next >= (bound.boot, bound.clock) else { return nil }
    hasEnded = true
    return Self.ending(bound.gap)
  }

  /// Returns the event or gap to report. The first damage is changed into a gap that ends the log.
  mutating func note(_ member: LogMember) -> LogMember {
    guard case .gap(let gap) = member else { return member }
    switch gap.cause {
    case .torn, .dropped: return member
    case .missingSequence, .missingHead, .missingSegments, .damaged, .truncated:
      hasEnded = true
      return .gap(Self.ending(gap))
    }
  }

  /// Returns a copy of the gap whose problem says that nothing after it is read.
  private static func ending(_ gap: LogGap) -> LogGap {
    let problem: String
    switch gap.cause {
    case .damaged(let what): problem = what
    case .truncated: problem = "the segment is truncated"
    case .missingSequence, .missingHead, .missingSegments, .torn, .dropped: problem = "records are missing"
    }
    var end = LogGap(
      cause: .damaged(problem: problem + "; nothing after it is read"), segment: gap.segment, name: gap.name,
      launch: gap.launch, lane: gap.lane, sequences: gap.sequences, bytes: gap.bytes, after: gap.after, before: gap.before)
    end.scope = gap.scope
    return end
  }
}

extension LogReader {
  func prefixLimit() -> PrefixLimit {
    var bounds = readSegments.flatMap { segment in
      let boot = bootOrder[segment.header.boot] ?? 0
      return gaps(of: segment).map { gap in
        PrefixLimit.Bound(boot: boot, clock: segment.clock(before: gap.bytes?.lowerBound), gap: gap)
      }
    }
    for gap in missing {
      guard let neighbour = segments.first(where: { $0.number == gap.segment && $0.name == gap.name }) else { continue }
      bounds.append(
        PrefixLimit.Bound(
          boot: bootOrder[neighbour.header.boot] ?? 0, clock: neighbour.header.clocks.monotonic, gap: gap))
    }
    for problem in problems where problem.error.code != .unfinished {
      // Segments are numbered in the order in which they were created, so the lost events are younger than the previous
      // segment's start.
      let number = problem.number ?? 0
      let before = segments.last { $0.number < number }
      var gap = LogGap(cause: .damaged(problem: problem.error.problem), segment: number, name: problem.name)
      gap.scope = (before ?? segments.first)?.source.scope ?? .unknown
      bounds.append(
        PrefixLimit.Bound(
          boot: before.flatMap { bootOrder[$0.header.boot] } ?? 0, clock: before?.header.clocks.monotonic ?? .min, gap: gap))
    }
    return PrefixLimit(bounds)
  }
}

extension SegmentReader {
  /// Returns the start time of the last chunk before an offset, or of the segment if the offset is unknown.
  fileprivate func clock(before offset: UInt64?) -> Int64 {
    guard sealed == nil, let offset, offset > UInt64(SegmentFormat.headerSize) else { return header.clocks.monotonic }
    let slot = Int(min(offset, UInt64(SegmentBytes.largest)) - UInt64(SegmentFormat.headerSize)) / SegmentFormat.chunkSize
    return lastChunk(before: slot + 1)?.clocks.monotonic ?? header.clocks.monotonic
  }
}
