import XferEvents

/// A plan for reading only the end of a log: which segments and chunks are left out, and the moment at which reading begins.
///
/// A segment is left out without being opened if its trailer says that its last event precedes that moment.
struct RecentPlan {
  /// A moment in the order of a log's events.
  struct Moment {
    let boot: BootID
    /// A monotonic time in nanoseconds.
    let clock: Int64
  }

  /// The moment at which reading begins; `nil` if the whole log must be read.
  private(set) var start: Moment?
  private(set) var leftOut: [LeftOutSegment] = []
  /// The wall-clock time of each boot's first segment in nanoseconds, by which boots are ordered.
  private(set) var firstWalls: [BootID: Int64] = [:]
  /// The position of the first record that is read of each lane whose chunks are left out in part.
  private(set) var firstRead: [LaneKey: UInt64] = [:]

  /// - Parameters:
  ///   - files: The log's segments, with the index of the input that each one belongs to.
  ///   - count: The number of events at the end of the log that must be read.
  init(_ files: [(path: String, input: Int)], last count: Int) {
    let candidates = files.map { Candidate(path: $0.path, input: $0.input) }
    for header in candidates.compactMap(\.header) {
      firstWalls[header.boot] = min(firstWalls[header.boot] ?? .max, header.clocks.wall)
    }
    var search = Search(ranks: Self.ranks(firstWalls), wanted: count)
    // The trailers of these segments do not say when they end.
    for candidate in candidates where candidate.end == nil { search.examine(candidate) }
    var rest = candidates.filter { $0.end != nil }.sorted { search.isBefore($0.lastMoment, $1.lastMoment) }
    while let next = rest.last {
      if let start = search.start, search.isBefore(next.lastMoment, start) { break }
      search.examine(next)
      rest.removeLast()
    }
    guard let start = search.start, !search.hasUnknownClock else { return }
    examinePredecessors(in: &search, &rest, start)
    self.start = start
    leftOut = rest.compactMap { candidate in
      candidate.header.map { LeftOutSegment(path: candidate.path, input: candidate.input, number: $0.number, header: $0) }
    }
    firstRead = search.firstRead(from: start)
  }

  /// Examines the segments that contain what precedes a lane's first known chunk, so that missing records before it are noticed.
  private func examinePredecessors(in search: inout Search, _ rest: inout [Candidate], _ start: Moment) {
    for lane in search.lanesWithoutBeginning(from: start) {
      let earlier = rest.filter { $0.header?.launch == lane.launch }.sorted {
        ($0.header?.number ?? 0) > ($1.header?.number ?? 0)
      }
      for candidate in earlier {
        search.examine(candidate)
        rest.removeAll { $0.path == candidate.path }
        if !search.lacksBeginning(lane, from: start) { break }
      }
    }
  }

  static func ranks(_ firstWalls: [BootID: Int64]) -> [BootID: Int] {
    let ordered = firstWalls.sorted { ($0.value, $0.key.high, $0.key.low) < ($1.value, $1.key.high, $1.key.low) }
    return Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1.key, $0) })
  }

  /// Whether a chunk need not be read, because all its records precede the start.
  func leavesOut(_ chunk: ChunkHeader, of launch: LaunchID) -> Bool {
    guard let first = firstRead[LaneKey(launch: launch, number: chunk.lane)] else { return false }
    return chunk.firstSequence < first
  }
}

/// A segment about which only its header and its trailer are known.
private struct Candidate {
  let path: String
  let input: Int
  /// `nil` if the file cannot be read or has neither a valid header nor a copy of it.
  let header: SegmentHeader?
  /// The monotonic time of the last event; `nil` if the file does not say.
  let end: Int64?

  init(path: String, input: Int) {
    (self.path, self.input) = (path, input)
    let file = try? SegmentBytes(path: path)
    let own = file?.head()?.header
    // A copy of a damaged header takes longer to find.
    header = own ?? (try? SegmentReader.open(number: 0, path: path, name: "", index: 0).segment.header)
    let isSealed = header?.incompatible.contains(.compressed) ?? false
    end = isSealed ? file.flatMap { SealTrailer.decode(endOf: $0)?.lastEvent } : nil
  }

  var lastMoment: RecentPlan.Moment? {
    guard let header, let end else { return nil }
    return .init(boot: header.boot, clock: end)
  }
}

/// The chunks that were found so far.
private struct Search {
  let ranks: [BootID: Int]
  let wanted: Int
  private var chunks: [LaneKey: [Chunk]] = [:]
  /// Whether a chunk does not tell when its records were written.
  private(set) var hasUnknownClock = false
  /// The number of records whose chunks tell how many they are.
  private var counted: UInt64 = 0
  private var hasUncounted = false

  struct Chunk {
    let boot: BootID
    let begin: Int64
    let first: UInt64
    /// The number of its records; `nil` if only the next chunk tells it.
    let count: UInt64?
  }

  init(ranks: [BootID: Int], wanted: Int) { (self.ranks, self.wanted) = (ranks, wanted) }

  func isBefore(_ one: RecentPlan.Moment?, _ other: RecentPlan.Moment?) -> Bool {
    guard let one, let other else { return one == nil && other != nil }
    return (ranks[one.boot] ?? 0, one.clock) < (ranks[other.boot] ?? 0, other.clock)
  }

  mutating func examine(_ candidate: Candidate) {
    // A segment that cannot be read is reported when the log is read.
    guard candidate.header != nil,
      let (segment, source) = try? SegmentReader.open(number: 0, path: candidate.path, name: "", index: 0)
    else { return }
    withExtendedLifetime(source) {
      for chunk in segment.newChunks(everything: true) where [.records, .large, .ringPage].contains(chunk.kind) {
        if chunk.clocks == .unknown { hasUnknownClock = true }
        let count = segment.sealed?.entry(of: chunk).map { UInt64($0.block.positions) }
        counted = counted.addingClamped(count ?? 0)
        if count == nil { hasUncounted = true }
        let lane = LaneKey(launch: segment.header.launch, number: chunk.lane)
        chunks[lane, default: []].append(
          Chunk(
            boot: segment.header.boot, begin: chunk.clocks.monotonic, first: chunk.firstSequence,
            count: count))
      }
    }
    for lane in chunks.keys { chunks[lane]?.sort { $0.first < $1.first } }
  }

  /// The beginning of the chunk from which on the wanted number of events follows; `nil` if the chunks have fewer.
  var start: RecentPlan.Moment? {
    let wanted = UInt64(clamping: max(1, wanted))
    if !hasUncounted, counted < wanted { return nil }
    let all = chunks.values.flatMap { lane in
      lane.enumerated().map { place, chunk -> (moment: RecentPlan.Moment, count: UInt64) in
        let next = place + 1 < lane.count ? lane[place + 1].first : chunk.first
        return (.init(boot: chunk.boot, clock: chunk.begin), chunk.count ?? (next > chunk.first ? next - chunk.first : 0))
      }
    }
    var found: UInt64 = 0
    for (moment, count) in all.sorted(by: { isBefore($1.moment, $0.moment) }) {
      found = found.addingClamped(count)
      if found >= wanted { return moment }
    }
    return nil
  }

  /// The position of each lane's first chunk that must be read. A chunk need not be read if the next one of its lane begins before the
  /// start.
  func firstRead(from start: RecentPlan.Moment) -> [LaneKey: UInt64] {
    chunks.compactMapValues { lane in
      let place = lane.lastIndex { isBefore(.init(boot: $0.boot, clock: $0.begin), start) } ?? 0
      return place == 0 ? nil : lane[place].first
    }
  }

  func lanesWithoutBeginning(from start: RecentPlan.Moment) -> [LaneKey] {
    chunks.keys.filter { lacksBeginning($0, from: start) }
      .sorted { ($0.launch.high, $0.launch.low, $0.number) < ($1.launch.high, $1.launch.low, $1.number) }
  }

  /// Whether records precede a lane's first known chunk, and that chunk begins after the start.
  func lacksBeginning(_ lane: LaneKey, from start: RecentPlan.Moment) -> Bool {
    guard let first = chunks[lane]?.first else { return false }
    return first.first > 0 && !isBefore(.init(boot: first.boot, clock: first.begin), start)
  }
}
