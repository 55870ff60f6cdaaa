public import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads a log, its segments and lanes merged into one order.
///
/// Within a lane by position; between lanes of one boot by the monotonic clock; boots by the wall clock of their first
/// segment. Ties: writer, lane, position. Reading never writes and never waits. A log may be read while it is written:
/// `next` then gives what is committed, and `refresh` looks for more.
///
/// A reader stays on one thread, so the checks for overlapping access are off where every event passes.
public final class LogReader {
  /// An input that could not be read at all.
  public struct Problem: Sendable {
    public let path: String
    public let error: LogError
    /// Place among the reader's inputs.
    package let input: Int

    /// The segment's number, as its file's name has it.
    package var number: UInt32? { LogDirectory.number(of: name) }
    /// The file's.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  public private(set) var problems: [Problem] = []
  /// Segments that were read, by name.
  public var segmentNames: [String] { segments.map(\.name) }
  /// Bytes of all segments.
  public var byteCount: Int { segments.reduce(0) { $0.addingClamped($1.size) } }

  /// The origin of each record source, at its index.
  package private(set) var origins: [SourceOrigin] = []

  let inputs: [Input]
  private let isFollowing: Bool
  private let recovery: RecoveryMode
  private let selection: BlockSelection?
  /// Records of blocks that were passed over.
  package private(set) var passedOver = 0
  /// With `strict`, the first thing that is not as it was written; nothing is read then.
  public private(set) var flaw: Flaw?
  private var limit: PrefixLimit?
  private(set) var segments: [SegmentReader] = []
  /// Of the segments, which do not keep their sources themselves.
  private var pages: [RecordPage] = []
  private var knownPaths: Set<String> = []
  @exclusivity(unchecked) private var lanes: [Lane] = []
  private var laneIndex: [LaneKey: Int] = [:]
  @exclusivity(unchecked) private var heap: [Head] = []
  private var waiting: Set<Int> = []
  private var pendingGaps: [LogGap] = []
  private(set) var bootOrder: [BootID: Int] = [:]

  private struct LaneKey: Hashable {
    let launch: LaunchID
    let lane: UInt32
  }

  private struct Lane {
    var reader: LaneReader
    /// Boots first, then writers in the order of their first segment: what ties are broken by.
    let boot: Int
    let writer: UInt32
    /// Whether the reader stands at an event or a gap that nobody has had.
    var hasItem = false
    /// What the last event's clock said; a gap stands where its lane had got to.
    var clock: Int64
  }

  /// A lane whose next item is known, by that item's place in the order.
  private struct Head {
    let boot: Int
    var clock: Int64
    let writer: UInt32
    let lane: UInt32
    let index: Int

    @inline(__always)
    func isBefore(_ other: Head) -> Bool {
      if boot != other.boot { return boot < other.boot }
      if clock != other.clock { return clock < other.clock }
      if writer != other.writer { return writer < other.writer }
      if lane != other.lane { return lane < other.lane }
      return index < other.index
    }
  }

  public enum Input: Sendable {
    /// A `.xlog` directory, also one that is empty or does not exist yet.
    case directory(String)
    case segment(String)
  }

  /// - Parameters:
  ///   - isFollowing: the log is being written; nothing is taken for torn or damaged that may still be completed, and
  ///     `recovery` is `tail`.
  ///   - recovery: what is done where the log is not as it was written.
  public convenience init(_ inputs: [Input], isFollowing: Bool = false, recovery: RecoveryMode = .tail) {
    self.init(inputs, isFollowing: isFollowing, recovery: recovery, selection: nil)
  }

  /// - Parameter selection: what is not wanted may be left out, where that is cheaper.
  package init(_ inputs: [Input], isFollowing: Bool, recovery: RecoveryMode = .tail, selection: BlockSelection?) {
    precondition(!isFollowing || recovery == .tail, "what is being written cannot be told from what is damaged")
    self.inputs = inputs
    self.isFollowing = isFollowing
    self.recovery = recovery
    // Where reading ends with damage all has to be looked at.
    self.selection = recovery == .prefix ? nil : selection
    if recovery == .strict { flaw = Self.flaw(of: inputs) }
    if flaw == nil { refresh() }
    if recovery == .prefix { limit = prefixLimit() }
  }

  // MARK: Finding what is there

  /// Looks for segments, chunks and records that came since the last look.
  public func refresh() {
    findChunks()
    let rings = RingLook.pages(of: segments, everything: !isFollowing) {
      findChunks()
      return segments
    }
    for (index, ring) in rings {
      let page = RecordPage(source: pages[index].source, bytes: ring)
      place(ring.header, of: segments[index], page: page, isPassedOver: false, snapshot: ring)
    }
    for index in waiting { advance(index) }
  }

  private func findChunks() {
    for (place, input) in inputs.enumerated() {
      switch input {
      case .directory(let directory):
        openSegments(in: directory, of: place)
      case .segment(let path): open(path, number: nil, of: place)
      }
    }
    for (segment, page) in zip(segments, pages) {
      let chunks = segment.newChunks(everything: !isFollowing)
      if chunks.isEmpty { continue }
      let passesOver = selection.map(segment.passesOver)
      for chunk in chunks { place(chunk, of: segment, page: page, isPassedOver: passesOver?(chunk) ?? false) }
    }
  }

  private func openSegments(in directory: String, of place: Int) {
    do throws(SystemError) {
      for (number, path) in try LogDirectory.listedSegments(in: directory) { open(path, number: number, of: place) }
      problems.removeAll { $0.path == directory }
    } catch {
      // A log that does not exist (yet) has no segments.
      if error.number == ENOENT || problems.contains(where: { $0.path == directory }) { return }
      let error = LogError(
        .cannotOpen, place: directory,
        problem: "the directory cannot be listed (\(systemText(error.number)), errno \(error.number))",
        advice: "Check that you may read it.", osError: error.number)
      problems.append(Problem(path: directory, error: error, input: place))
    }
  }

  private func open(_ path: String, number: UInt32?, of input: Int) {
    guard !knownPaths.contains(path) else { return }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    do throws(LogError) {
      let (segment, source) = try SegmentReader.open(
        number: number ?? UInt32(segments.count + 1), path: path, name: name, index: segments.count, recovery: recovery)
      knownPaths.insert(path)
      problems.removeAll { $0.path == path }
      segments.append(segment)
      pages.append(RecordPage(source: source))
      origins.append(
        SourceOrigin(input: input, path: path, number: segment.number, name: name, launch: segment.header.launch))
      if bootOrder[segment.header.boot] == nil { orderBoots() }
    } catch {
      // A segment whose header is not written yet is looked at again.
      if isFollowing, error.code == .notALog || error.code == .unfinished { return }
      // So is one that the system refused, which may pass.
      if !isFollowing || error.code != .cannotOpen { knownPaths.insert(path) }
      if problems.contains(where: { $0.path == path }) { return }
      problems.append(Problem(path: path, error: error, input: input))
    }
  }

  /// Reads all definitions now, if nobody writes any more.
  ///
  /// - Returns: whether what the sources say stays as it is from now on, and lanes are read to their end.
  func settle(seenFrom observer: ProcessIdentity = .current()) -> Bool {
    guard recovery != .prefix, !isFollowing, segments.allSatisfy({ $0.isOver(seenFrom: observer) }) else { return false }
    for (segment, page) in zip(segments, pages) {
      segment.refreshDictionary()
      page.source.refresh = nil
    }
    return true
  }

  private func orderBoots() {
    var first: [BootID: Int64] = [:]
    for segment in segments {
      let wall = segment.header.clocks.wall
      first[segment.header.boot] = Swift.min(first[segment.header.boot] ?? .max, wall)
    }
    let ordered = first.sorted { ($0.value, $0.key.high, $0.key.low) < ($1.value, $1.key.high, $1.key.low) }
    for (place, boot) in ordered.enumerated() { bootOrder[boot.key] = place }
  }

  private func place(
    _ chunk: ChunkHeader, of segment: SegmentReader, page: RecordPage, isPassedOver: Bool, snapshot: RingSnapshot? = nil
  ) {
    let key = LaneKey(launch: segment.header.launch, lane: chunk.lane)
    let index: Int
    if let known = laneIndex[key] {
      index = known
    } else {
      index = lanes.count
      laneIndex[key] = index
      lanes.append(
        Lane(
          reader: LaneReader(launch: key.launch, lane: key.lane), boot: bootOrder[segment.header.boot] ?? 0,
          writer: segment.number, clock: segment.header.clocks.monotonic))
      waiting.insert(index)
    }
    if isPassedOver { passedOver += segment.sealed?.entry(of: chunk).map { Int($0.block.positions) } ?? 0 }
    lanes[index].reader.add(chunk, of: segment, page: page, isPassedOver: isPassedOver, snapshot: snapshot)
  }

  // MARK: The order

  /// The next event or gap; `nil` when there is none (yet).
  public func next() -> LogMember? { recovery == .prefix ? nextWithinLimit() : merged() }

  private func nextWithinLimit() -> LogMember? {
    guard var limit else { return nil }
    defer { self.limit = limit }
    if let head = heap.first, let end = limit.end(before: (head.boot, head.clock)) { return .gap(end) }
    return limit.isOver ? nil : merged().map { limit.note($0) }
  }

  private func merged() -> LogMember? {
    guard let head = heap.first else { return isFollowing ? nil : finalGap() }
    let member = lanes[head.index].reader.event.map { LogMember.event(RecordedEvent($0)) }
    let gap = member == nil ? lanes[head.index].reader.gap : nil
    passOn(head.index)
    lanes[head.index].reader.left = []
    return member ?? gap.map { .gap($0) }
  }

  /// Puts what comes next behind what is in the batch: some thousand events, up to the next gap at most.
  ///
  /// The events lie where they are until the batch is emptied, or the reader is gone.
  /// - Returns: whether there is anything (yet).
  package func fill(_ batch: inout EventBatch) -> Bool {
    if recovery == .prefix {
      guard let member = nextWithinLimit() else { return false }
      batch.append(member)
      return true
    }
    if fillFromLanes(&batch) { return true }
    guard !isFollowing, let gap = finalGap() else { return false }
    batch.append(gap)
    return true
  }

  /// The same, without what is only told when all lanes were read.
  func fillFromLanes(_ batch: inout EventBatch) -> Bool {
    let start = batch.events.count
    while batch.events.count - start < EventBatch.capacity {
      guard let head = heap.first else { return batch.events.count > start }
      let index = head.index
      // As long as no other lane's turn comes, there is nothing to compare.
      let room = EventBatch.capacity - (batch.events.count - start)
      if lanes[index].reader.take(into: &batch, room, until: bound(of: head), clock: &lanes[index].clock) {
        heap[0].clock = lanes[index].clock
        siftDown()
        continue
      }
      guard let event = lanes[index].reader.event else {
        if let gap = lanes[index].reader.gap { batch.append(gap) }
        passOn(index)
        return true
      }
      batch.append(event)
      passOn(index)
      if !lanes[index].reader.left.isEmpty {
        for page in lanes[index].reader.left { batch.keep(page) }
        lanes[index].reader.left = []
      }
    }
    return true
  }

  /// The latest clock at which it is still the turn of the lane that stands first.
  @inline(__always)
  private func bound(of head: Head) -> Int64 {
    guard heap.count > 1 else { return .max }
    let rival = heap.count > 2 && heap[2].isBefore(heap[1]) ? 2 : 1
    guard heap[rival].boot == head.boot else { return .max }
    return (head.writer, head.lane, head.index) < (heap[rival].writer, heap[rival].lane, heap[rival].index)
      ? heap[rival].clock : heap[rival].clock.subtractingClamped(1)
  }

  /// Goes on with the lane whose turn it was.
  @inline(__always)
  private func passOn(_ index: Int) {
    fill(index)
    if lanes[index].hasItem {
      heap[0].clock = lanes[index].clock
      siftDown()
    } else {
      popHead()
      waiting.insert(index)
    }
  }

  @inline(__always)
  private func fill(_ index: Int) {
    lanes[index].hasItem = lanes[index].reader.advance(isFinal: !isFollowing)
    if let event = lanes[index].reader.event { lanes[index].clock = event.monotonic ?? lanes[index].clock }
  }

  /// Takes a waiting lane into the order if it has something by now.
  private func advance(_ index: Int) {
    guard !lanes[index].hasItem else { return }
    fill(index)
    guard lanes[index].hasItem else { return }
    waiting.remove(index)
    heap.append(head(of: index))
    siftUp(heap.count - 1)
  }

  @inline(__always)
  private func head(of index: Int) -> Head {
    Head(
      boot: lanes[index].boot, clock: lanes[index].clock, writer: lanes[index].writer, lane: lanes[index].reader.lane,
      index: index)
  }

  private func popHead() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    siftDown()
  }

  @inline(__always)
  private func siftDown() {
    var place = 0
    while true {
      let left = 2 * place + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && heap[right].isBefore(heap[left]) ? right : left
      guard heap[child].isBefore(heap[place]) else { return }
      heap.swapAt(place, child)
      place = child
    }
  }

  private func siftUp(_ start: Int) {
    var place = start
    while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  // MARK: What is wrong with a segment as a whole

  private var reportedSegments = 0

  /// Damage that no lane could report, once everything has been read.
  private func finalGap() -> LogMember? {
    while pendingGaps.isEmpty, reportedSegments < segments.count {
      pendingGaps = gaps(of: segments[reportedSegments])
      reportedSegments += 1
    }
    return pendingGaps.isEmpty ? nil : .gap(pendingGaps.removeFirst())
  }

  func gaps(of segment: SegmentReader) -> [LogGap] {
    func gap(_ cause: LogGap.Cause, _ bytes: Range<UInt64>?) -> LogGap {
      LogGap(cause: cause, segment: segment.number, name: segment.name, launch: segment.header.launch, bytes: bytes)
    }
    // Nobody may have asked for a name.
    segment.refreshDictionary()
    var gaps: [LogGap] = []
    switch segment.disturbance {
    case nil: break
    case .changed: gaps.append(gap(.damaged(problem: "the file changed while it was read"), nil))
    case .system(let number):
      gaps.append(gap(.damaged(problem: "some of the file could not be read (\(systemText(number)))"), nil))
    }
    if let excess = segment.excess {
      gaps.append(gap(.damaged(problem: "the file is longer than a segment with its header can be"), excess))
    }
    if segment.isTruncated { gaps.append(gap(.truncated, UInt64(segment.size)..<UInt64(segment.size) + 1)) }
    for index in segment.damagedChunks {
      let problem = segment.isSalvaged ? "no record could be made of them" : "the chunk's header cannot be right"
      gaps.append(gap(.damaged(problem: problem), segment.fileBytes(ofDamaged: index)))
    }
    for bytes in segment.damagedDefinitions {
      gaps.append(gap(.damaged(problem: "definitions of names or tasks cannot be read"), bytes))
    }
    if segment.source.lacksDefinitions, gaps.isEmpty {
      gaps.append(gap(.damaged(problem: "names or tasks that events refer to are nowhere defined"), nil))
    }
    return gaps
  }
}

extension LogReader: Sequence, IteratorProtocol {}
