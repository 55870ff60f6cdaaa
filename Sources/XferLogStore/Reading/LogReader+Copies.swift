import XferEvents

/// Copies of the same segment among the inputs: copied, salvaged and overlapping logs.
///
/// A writer's launch and the segment's number identify a segment, and the launch, the lane and the position identify a record, so that
/// a record that is read from two copies counts once.
extension LogReader {
  /// A segment that is not read because a copy of it has all its records.
  package struct LeftOutCopy: Sendable {
    package let path: String
    package let kept: String
  }

  struct SegmentKey: Hashable {
    let launch: LaunchID
    let number: UInt32

    init(launch: LaunchID, number: UInt32) { (self.launch, self.number) = (launch, number) }

    init(_ header: SegmentHeader) { self.init(launch: header.launch, number: header.number) }
  }

  /// Finds the copies among the segments, and leaves out each one whose records a more complete copy has, too.
  func findCopies() {
    guard !isFollowing, leavesOutCopies, segments.count > comparedSegments else { return }
    comparedSegments = segments.count
    let groups = Dictionary(grouping: segments.indices) { SegmentKey(segments[$0].header) }
    guard groups.count < segments.count else { return }
    for group in groups.values.filter({ $0.count > 1 }).sorted(by: { $0[0] < $1[0] }) { compare(group) }
  }

  private func compare(_ group: [Int]) {
    var different: [Int] = []
    for place in group.sorted(by: isPreferred) {
      if let same = different.first(where: { segments[$0].hasSameBytes(as: segments[place]) }) {
        leaveOut(place, keeping: same)
      } else {
        different.append(place)
      }
    }
    guard different.count > 1 else { return }
    let ranked = different.map { (place: $0, contents: SegmentContents(segments[$0], recovery: recovery)) }.sorted {
      left, right in
      if left.contents.count != right.contents.count { return left.contents.count > right.contents.count }
      if left.contents.gaps != right.contents.gaps { return left.contents.gaps < right.contents.gaps }
      return isPreferred(left.place, right.place)
    }
    let best = ranked[0]
    var kept = [best]
    for copy in ranked.dropFirst() {
      if best.contents.contains(copy.contents) { leaveOut(copy.place, keeping: best.place) } else { kept.append(copy) }
    }
    if kept.count > 1 { partialCopies.append(PartialCopies(places: kept.map(\.place), contents: kept.map(\.contents))) }
  }

  /// Whether the first of two equally complete copies is kept: one that is not salvaged, then the one that was named first.
  private func isPreferred(_ left: Int, _ right: Int) -> Bool {
    if segments[left].isSalvaged != segments[right].isSalvaged { return !segments[left].isSalvaged }
    return left < right
  }

  private func leaveOut(_ place: Int, keeping other: Int) {
    keptCopies[place] = other
    leftOutCopies.append(LeftOutCopy(path: segments[place].path, kept: segments[other].path))
  }

  /// Whether the segment is read: it is not a copy that was left out.
  func isRead(_ place: Int) -> Bool { keptCopies.isEmpty || keptCopies[place] == nil }

  /// The segments that are read, in the order in which they were found.
  var readSegments: [SegmentReader] {
    keptCopies.isEmpty ? segments : segments.indices.filter(isRead).map { segments[$0] }
  }

  /// Whether another copy of the segment reports what is missing from all of them.
  func isSecondary(_ place: Int) -> Bool {
    partialCopies.contains { $0.places.dropFirst().contains(place) } && !cutCopies.contains(place)
  }

  /// Returns the chunks of copies that each have records that the others lack. Of the copies of one chunk, the one with the most
  /// records is read.
  func chunks(of copies: PartialCopies, _ found: [Int: [ChunkHeader]]) -> [(place: Int, chunk: ChunkHeader)] {
    struct Start: Hashable {
      let lane: UInt32
      let sequence: UInt64
    }
    var chosen: [Start: (place: Int, chunk: ChunkHeader, count: Int)] = [:]
    for (place, contents) in zip(copies.places, copies.contents) {
      let chunks = (found[place] ?? []).sorted { ($0.lane, $0.firstSequence) < ($1.lane, $1.firstSequence) }
      for (index, chunk) in chunks.enumerated() {
        let next = index + 1 < chunks.count && chunks[index + 1].lane == chunk.lane ? chunks[index + 1].firstSequence : .max
        let count = contents.count(of: chunk.lane, in: chunk.firstSequence..<Swift.max(next, chunk.firstSequence))
        let start = Start(lane: chunk.lane, sequence: chunk.firstSequence)
        if chosen[start].map({ $0.count < count }) ?? true { chosen[start] = (place, chunk, count) }
      }
    }
    // The other copies cannot tell what follows the end of this copy's file, because they have fewer records of the chunk.
    cutCopies.formUnion(chosen.values.lazy.filter { self.segments[$0.place].isCut($0.chunk) }.map(\.place))
    return chosen.values.map { ($0.place, $0.chunk) }
      .sorted { ($0.chunk.lane, $0.chunk.firstSequence, $0.place) < ($1.chunk.lane, $1.chunk.firstSequence, $1.place) }
  }
}

/// Incomplete copies of one segment: each copy lacks records that another copy has.
struct PartialCopies {
  /// The places of the segments, the most complete one first.
  let places: [Int]
  let contents: [SegmentContents]
}

/// The positions of the records that can be read from a segment.
struct SegmentContents {
  private var lanes: [UInt32: [Range<UInt64>]] = [:]
  private(set) var count = 0
  /// The number of places where records are missing or unreadable.
  private(set) var gaps = 0

  init(_ segment: SegmentReader, recovery: RecoveryMode) {
    let reader = LogReader(
      [.segment(segment.path)], isFollowing: false, recovery: recovery == .salvage ? .salvage : .tail, selection: nil,
      infersInstallations: false)
    while let member = reader.next() {
      switch member {
      case .event(let event): if case .record(_, let lane, let sequence, _) = event.reference { note(lane, sequence) }
      case .gap(let gap): if gap.cause != .missingHead { gaps += 1 }
      }
    }
  }

  private mutating func note(_ lane: UInt32, _ sequence: UInt64) {
    count += 1
    // The last possible position has no successor.
    guard sequence < .max else { return }
    if let last = lanes[lane]?.last, last.upperBound == sequence {
      lanes[lane, default: []].removeLast()
      lanes[lane, default: []].append(last.lowerBound..<sequence + 1)
    } else {
      lanes[lane, default: []].append(sequence..<sequence + 1)
    }
  }

  func count(of lane: UInt32, in wanted: Range<UInt64>) -> Int {
    (lanes[lane] ?? []).reduce(0) { $0 + $1.clamped(to: wanted).count }
  }

  func contains(_ other: SegmentContents) -> Bool {
    other.lanes.allSatisfy { lane, ranges in ranges.allSatisfy { count(of: lane, in: $0) == $0.count } }
  }
}

extension SegmentReader {
  /// Whether the files of two segments are identical.
  func hasSameBytes(as other: SegmentReader) -> Bool {
    guard file.fileSize == other.file.fileSize, file.count == other.file.count else { return false }
    let size = 1 << 16
    return withUnsafeTemporaryAllocation(byteCount: 2 * size, alignment: 16) { bytes in
      var offset = 0
      while offset < file.count {
        let count = min(size, file.count - offset)
        let one = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
        let two = UnsafeMutableRawBufferPointer(rebasing: bytes[size..<size + count])
        guard file.copy(from: offset, into: one), other.file.copy(from: offset, into: two), one.hasSameBytes(as: two) else {
          return false
        }
        offset += count
      }
      return true
    }
  }
}
