import XferEvents

/// A plan for reading the events of one task. It leaves out the segments of a directory that define no task with its number.
struct TaskPlan {
  private(set) var leftOut: [LeftOutSegment] = []
  /// The number of blocks in the segments left out, and of the lane positions that they cover.
  private(set) var blocks = 0
  private(set) var positions = 0
  /// The positions of each lane in the segments left out. Without them, a reader would take what it does not read for missing.
  private(set) var lanes: [LaneKey: [Range<UInt64>]] = [:]

  /// - Parameters:
  ///   - files: The segments of one directory, in the order of their numbers.
  ///   - number: The number that every wanted task has in its session.
  init(_ files: [(number: UInt32, path: String)], input: Int, number: UInt32) {
    let candidates = files.compactMap { Candidate($0.path, number: $0.number) }
    // The installation of a segment that names none is inferred from the other segments.
    guard candidates.allSatisfy({ $0.header.installation != nil }) else { return }
    let continued = Set(candidates.map { LogReader.SegmentKey(launch: $0.header.launch, number: $0.header.previous) })
    var ends: [LaneKey: UInt64] = [:]
    for candidate in candidates {
      guard let content = candidate.content else { continue }
      let lanes = content.lanes.map { lane in
        (key: LaneKey(launch: candidate.header.launch, number: lane.number), positions: lane)
      }
      // Positions that are missing before a segment are reported when it is read.
      let isContiguous = lanes.allSatisfy { $0.positions.first == ends[$0.key] ?? 0 }
      for lane in lanes { ends[lane.key] = lane.positions.next }
      guard isContiguous, !content.tasks.mayContain(number),
        // What is missing from a log is reported next to a segment that was read: the last one, or one whose successor is missing.
        candidate.number != files.last?.number,
        candidate.isClosed || continued.contains(LogReader.SegmentKey(candidate.header))
      else { continue }
      leftOut.append(.init(path: candidate.path, input: input, number: candidate.number, header: candidate.header))
      blocks += Int(content.blocks)
      positions = positions.addingClamped(Int(clamping: content.positions))
      for lane in lanes where lane.positions.first < lane.positions.next {
        self.lanes[lane.key, default: []].append(lane.positions.first..<lane.positions.next)
      }
    }
  }

  /// A segment that was not opened: only its header and its summary were read.
  private struct Candidate {
    let number: UInt32
    let path: String
    let header: SegmentHeader
    /// Whether the writer closed the segment, so that no other one follows.
    let isClosed: Bool
    let content: SegmentContent?

    /// - Returns: `nil` if the file cannot be read or its header is damaged.
    init?(_ path: String, number: UInt32) {
      guard let file = try? SegmentBytes(path: path), let (header, end) = file.head() else { return nil }
      (self.number, self.path, self.header) = (number, path, header)
      isClosed = end?.state == .closed
      content = header.incompatible.contains(.compressed) ? SegmentContent(of: file) : nil
    }
  }
}
