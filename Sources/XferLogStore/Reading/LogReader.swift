public import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads a log and merges its segments and lanes into one order.
///
/// Events are ordered by position within a lane and by monotonic time between the lanes of one boot. Boots are ordered by
/// the wall-clock time of their first segment. Ties are broken by writer, lane and position.
///
/// Reading never writes and never blocks. A log may be read while it is written: `next` then returns the committed events,
/// and `refresh` finds new ones.
///
/// A reader must be used from one thread at a time. Exclusivity checks are disabled on the path that every event takes.
public final class LogReader {
  /// A segment or a directory that could not be read at all.
  public struct Problem: Sendable {
    public let path: String
    public let error: LogError
    /// The index of the input in the list given to the reader.
    package let input: Int

    /// The segment number from the file name; `nil` if the name has none.
    package var number: UInt32? { LogDirectory.number(of: name) }
    /// The name of the file.
    var name: String { LogDirectory.fileName(of: path) }
  }

  public private(set) var problems: [Problem] = []
  /// The names of the segments that were read.
  public var segmentNames: [String] { segments.map(\.name) }
  /// The total size of all segments in bytes.
  public var byteCount: Int { segments.reduce(0) { $0.addingClamped($1.size) } }

  /// The file that each source was read from, at the source's index.
  package private(set) var origins: [SourceOrigin] = []

  var inputs: [Input]
  let isFollowing: Bool
  /// Finds the inputs again while the log is followed, because logs may be created in the directories that the user named. `nil` if only
  /// the inputs themselves are followed.
  package var search: (() -> [Input])?
  /// The monotonic time, in nanoseconds, from which the inputs may be searched again.
  var nextSearch: Int64 = 0
  let recovery: RecoveryMode
  let leavesOutCopies: Bool
  private let infersInstallations: Bool
  private let selection: BlockSelection?
  /// How only the end of the log is read; `nil` if the selection does not ask for it.
  private(set) var recent: RecentPlan?
  /// The plan that leaves out the segments without a wanted task; `nil` if the selection does not name one number.
  private var taskPlan: TaskPlan?
  /// The segments that are left out without being opened.
  var leftOut: [LeftOutSegment] { (recent?.leftOut ?? []) + tasksLeftOut }
  var tasksLeftOut: [LeftOutSegment] { taskPlan?.leftOut ?? [] }
  /// Whether no event of the log's beginning is left out because only its end is read.
  package var isWhole: Bool { recent?.start == nil }
  /// The number of bytes of the chunks that are read.
  private(set) var wantedBytes = 0
  /// The number of records in blocks that were skipped, and of events that were left out because of their tasks.
  package var passedOver: Int { skippedRecords + lanes.reduce(0) { $0 + $1.reader.ofOtherTasks } }
  private var skippedRecords = 0
  /// The numbers of blocks, and of events that were left out because of their kind. Final when the log has been read to its end.
  package var blocks: BlockCounts {
    var counts = blockCounts
    if let kinds { counts.note(leftOut: kinds.counts.events, matches: kinds.counts.matches) }
    return counts
  }
  private var blockCounts = BlockCounts()
  private let kinds: KindFilter?
  private var hasScanned = false
  /// The first flaw of the log in the recovery mode `strict`; if it is not `nil`, no events are read. Always `nil` in other
  /// modes.
  public private(set) var flaw: Flaw?
  private var limit: PrefixLimit?
  private(set) var segments: [SegmentReader] = []
  /// The record pages of the segments. They own the sources, which the segments do not retain.
  private var pages: [RecordPage] = []
  /// The sources of the records to be read.
  private var readSources: Set<ObjectIdentifier> = []
  private var knownPaths: Set<String> = []
  /// The files at the paths of a followed log.
  var followed = FollowedFiles()
  /// The number of segments whose installation has been determined, and the number of those that have been compared with each other.
  var (placedSegments, comparedSegments) = (0, 0)
  /// The copies that are not read because other copies have all their records.
  package var leftOutCopies: [LeftOutCopy] = []
  /// The places of the segments that are read in the place of others, by the places of the others.
  var keptCopies: [Int: Int] = [:]
  var partialCopies: [PartialCopies] = []
  /// The places of the partial copies from which a chunk is read that the file's end cuts off.
  var cutCopies: Set<Int> = []
  @exclusivity(unchecked) private var lanes: [Lane] = []
  private var laneIndex: [LaneKey: Int] = [:]
  /// The lane of the last chunk. The next chunk mostly belongs to the same lane, and then needs no search in `laneIndex`.
  private var lastLane: (key: LaneKey, index: Int)?
  /// The number of each writer's first segment, by which events of the same time are ordered.
  private var firstSegments: [LaunchID: UInt32] = [:]
  @exclusivity(unchecked) private var heap: [Head] = []
  private var waiting: Set<Int> = []
  private var pendingGaps: [LogGap] = []
  /// The numbers of the segments that retention is removing, by the input's place.
  private(set) var retired: [Int: [UInt32]] = [:]
  private(set) var bootOrder: [BootID: Int] = [:]
  /// This process, which looks whether writers still run. Sealed segments have none.
  private(set) lazy var observer = ProcessIdentity.current()

  private struct Lane {
    var reader: LaneReader
    /// The rank of the writer's boot. The order compares boots, then clocks, then writers by their first segment.
    let boot: Int
    let writer: UInt32
    /// Whether the lane reader holds an event or gap that has not been returned yet.
    var hasItem = false
    /// The monotonic time of the lane's current event, by which the lane is ordered. A gap is ordered by the time of the
    /// event before it.
    var clock: Int64
  }

  /// A lane whose next item is known, with the item's sort key.
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
    /// A `.xlog` directory, which may be empty or missing.
    case directory(String)
    /// A single segment file.
    case segment(String)
  }

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - inputs: The logs and segments to read.
  ///   - isFollowing: Whether the log is being written. Incomplete records are then treated as unfinished, not as damaged,
  ///   and `recovery` must be `tail`.
  ///   - recovery: The treatment of damage.
  public convenience init(_ inputs: [Input], isFollowing: Bool = false, recovery: RecoveryMode = .tail) {
    self.init(inputs, isFollowing: isFollowing, recovery: recovery, selection: nil)
  }

  /// Creates a reader that may skip blocks.
  ///
  /// - Parameters:
  ///   - selection: A filter for blocks. The reader may still return events that the filter excludes.
  ///   - leavesOutCopies: Whether a segment is left out if another one is a copy with all its records. A reader that verifies files
  ///   reads all of them; each record counts once in any case.
  ///   - infersInstallations: Whether to determine the installations of segments that name none.
  package init(
    _ inputs: [Input], isFollowing: Bool, recovery: RecoveryMode = .tail, selection: BlockSelection?,
    leavesOutCopies: Bool = true,
    infersInstallations: Bool = true
  ) {
    precondition(!isFollowing || recovery == .tail, "following a log requires the recovery mode tail")
    self.inputs = inputs
    self.leavesOutCopies = leavesOutCopies
    self.infersInstallations = infersInstallations
    self.isFollowing = isFollowing
    self.recovery = recovery
    // The prefix mode ends at the first damage, so every block must be read.
    self.selection = recovery == .prefix ? nil : selection
    kinds = recovery == .prefix || isFollowing ? nil : selection?.kinds.map(KindFilter.init)
    if recovery == .strict { flaw = Self.flaw(of: inputs) }
    if flaw == nil {
      if let count = self.selection?.last, recovery == .tail, !isFollowing { planEnd(of: count) } else { planTasks() }
      refresh()
      if let start = recent?.start { skip(before: start) }
    }
    if recovery == .prefix { limit = prefixLimit() }
    // A selection may return the last event of a lane long after its segment was read.
    if !isFollowing, recovery != .prefix, self.selection == nil { for segment in segments { segment.allowForgetting() } }
  }

  // MARK: Finding segments and chunks

  /// Finds segments, chunks and records that were added since the last call.
  public func refresh() {
    findChunks()
    let rings = RingScan.pages(of: segments, everything: !isFollowing) {
      findChunks()
      return segments
    }
    for (index, ring) in rings where isRead(index) {
      let page = RecordPage(source: pages[index].source, bytes: ring)
      place(ring.header, of: segments[index], page: page, exclusion: nil, snapshot: ring)
    }
    if let scan = selection?.scan { self.scan(with: scan) }
    for index in waiting { advance(index) }
  }

  private func findChunks() {
    if isFollowing { addNewInputs() }
    for (place, input) in inputs.enumerated() {
      switch input {
      case .directory(let directory):
        openSegments(in: directory, of: place)
      case .segment(let path):
        if isFollowing { followed.note(path, ofInput: place) }
        open(path, number: nil, of: place, mayBeReplaced: isFollowing)
      }
    }
    if !isFollowing { openCreatedMeanwhile() }
    if infersInstallations { inferInstallations() }
    findCopies()
    if !isFollowing { for segment in segments.reversed() { segment.noteClaims() } }
    var ofCopies: [Int: [ChunkHeader]] = [:]
    for place in segments.indices where isRead(place) {
      if let selection { segments[place].select(selection) }
      let chunks = segments[place].newChunks(everything: !isFollowing)
      if chunks.isEmpty { continue }
      if partialCopies.contains(where: { $0.places.contains(place) }) { ofCopies[place] = chunks } else { add(chunks, of: place) }
    }
    for copies in partialCopies {
      for (place, chunk) in chunks(of: copies, ofCopies) { add([chunk], of: place) }
    }
  }

  private func add(_ chunks: [ChunkHeader], of index: Int) {
    let segment = segments[index]
    for chunk in chunks where !(recent?.leavesOut(chunk, of: segment.header.launch) ?? false) {
      place(chunk, of: segment, page: pages[index], exclusion: segment.exclusion?(chunk))
    }
  }

  private func openSegments(in directory: String, of place: Int) {
    do throws(SystemError) {
      let mayBeReplaced = isFollowing && followed.mayHaveChanged(directory)
      let found = try LogDirectory.listedFiles(in: directory)
      retired[place] = found.retired
      if isFollowing { followed.note(directory, ofInput: place) }
      for (number, path) in found.segments { open(path, number: number, of: place, mayBeReplaced: mayBeReplaced) }
      problems.removeAll { $0.path == directory }
    } catch {
      if isFollowing { followed.note(directory, ofInput: place, error: error.number) }
      // A missing directory counts as an empty log, because it may be created later.
      if error.number == ENOENT || problems.contains(where: { $0.path == directory }) { return }
      let error = LogError(
        .cannotOpen, place: directory,
        problem: "the directory cannot be listed (\(systemText(error.number)), errno \(error.number))",
        advice: "Check that the directory is readable.", osError: error.number)
      problems.append(Problem(path: directory, error: error, input: place))
    }
  }

  /// Whether segments of different inputs may have the same number. A segment that is an input itself is numbered here.
  private var hasDirectories: Bool { inputs.contains { if case .directory = $0 { true } else { false } } }

  /// - Parameter mayBeReplaced: Whether to open another file than before at a path that is known.
  private func open(_ path: String, number: UInt32?, of input: Int, mayBeReplaced: Bool) {
    let isKnown = knownPaths.contains(path)
    guard !isKnown || mayBeReplaced && followed.isReplaced(path) else { return }
    let name = LogDirectory.fileName(of: path)
    do throws(LogError) {
      let (segment, source) = try SegmentReader.open(
        number: number ?? UInt32(segments.count + 1), path: path, name: name, index: segments.count, recovery: recovery,
        isSelective: selection != nil)
      if hasDirectories { source.log = UInt16(clamping: input) }
      knownPaths.insert(path)
      problems.removeAll { $0.path == path }
      let isNew = !isKnown || replaces(segment, ofInput: input)
      if isFollowing { followed.note(segment.file.identity, at: path, ofInput: input) }
      if !isNew { return }
      segments.append(segment)
      pages.append(RecordPage(source: source))
      origins.append(
        SourceOrigin(input: input, path: path, number: segment.number, name: name, launch: segment.header.launch))
      if bootOrder[segment.header.boot] == nil { orderBoots() }
    } catch {
      // The segment's header may not be written yet, so retry later.
      if isFollowing, error.code == .notALog || error.code == .unfinished { return }
      // A refusal by the system may be temporary, so retry that too.
      if !isFollowing || error.code != .cannotOpen {
        knownPaths.insert(path)
        if isFollowing { followed.note(FileIdentity(path: path), at: path, ofInput: input) }
      }
      if problems.contains(where: { $0.path == path }) { return }
      problems.append(Problem(path: path, error: error, input: input))
    }
  }

  /// Opens the segments that were added to the directories since they were listed.
  func listAgain() {
    for (place, input) in inputs.enumerated() {
      if case .directory(let directory) = input { openSegments(in: directory, of: place) }
    }
  }

  /// Opens a file again that could not be read.
  ///
  /// - Returns: Whether it can be read now.
  func reopen(_ problem: Problem) -> Bool {
    let count = segments.count
    knownPaths.remove(problem.path)
    open(problem.path, number: problem.number, of: problem.input, mayBeReplaced: false)
    return segments.count > count
  }

  func forget(_ problem: Problem) { problems.removeAll { $0.path == problem.path } }

  /// Has all definitions of a segment read before its first record, provided that the log is complete and no longer being written.
  ///
  /// - Returns: Whether the sources will not change any more and lanes can be read to their end.
  func readDefinitionsFirst() -> Bool {
    guard recovery != .prefix, !isFollowing, segments.allSatisfy({ $0.hasNoWriter(seenFrom: observer) }) else { return false }
    for (segment, page) in zip(segments, pages) where readSources.contains(ObjectIdentifier(page.source)) {
      segment.defineOnEntry()
    }
    return true
  }

  private func orderBoots() {
    var first = recent?.firstWalls ?? [:]
    func note(_ header: SegmentHeader) { first[header.boot] = Swift.min(first[header.boot] ?? .max, header.clocks.wall) }
    for segment in segments { note(segment.header) }
    for segment in tasksLeftOut { note(segment.header) }
    bootOrder = RecentPlan.ranks(first)
  }

  private func place(
    _ chunk: ChunkHeader, of segment: SegmentReader, page: RecordPage, exclusion: BlockCounts.Exclusion?,
    snapshot: RingSnapshot? = nil
  ) {
    let key = LaneKey(launch: segment.header.launch, number: chunk.lane)
    let index: Int
    if let last = lastLane, last.key == key {
      index = last.index
    } else if let known = laneIndex[key] {
      index = known
    } else {
      index = lanes.count
      laneIndex[key] = index
      let unopened = taskPlan?.lanes[key] ?? []
      let writer = firstSegments[key.launch] ?? segment.number
      firstSegments[key.launch] = writer
      lanes.append(
        Lane(
          reader: LaneReader(launch: key.launch, lane: key.number, kinds: kinds, unopened: unopened),
          boot: bootOrder[segment.header.boot] ?? 0, writer: writer, clock: segment.header.clocks.monotonic))
      if let first = recent?.firstRead[key] { lanes[index].reader.begin(at: first) }
      waiting.insert(index)
    }
    lastLane = (key, index)
    blockCounts.note(isSealed: segment.isSealed, exclusion: exclusion)
    if exclusion == nil {
      readSources.insert(ObjectIdentifier(page.source))
      wantedBytes += segment.sealed?.extent(of: chunk) ?? Int(chunk.span) * SegmentFormat.chunkSize
    } else {
      skippedRecords += segment.sealed?.positions(of: chunk) ?? 0
    }
    lanes[index].reader.add(chunk, of: segment, page: page, isPassedOver: exclusion != nil, snapshot: snapshot)
  }

  /// Reads the blocks that can be read in any order, on several threads. The lanes do not read them again.
  private func scan(with scan: BlockScan) {
    guard !isFollowing, !hasScanned else { return }
    hasScanned = true
    var jobs: [ObjectIdentifier: ScanJob] = [:]
    for lane in lanes.indices {
      for (place, segment, entry) in lanes[lane].reader.scannable() {
        let key = ObjectIdentifier(segment)
        let job = jobs[key] ?? ScanJob(segment, number: jobs.count)
        job.add(entry, lane: lane, place: place)
        jobs[key] = job
      }
    }
    scan.run(jobs.values.sorted { $0.number < $1.number })
    for job in jobs.values {
      for block in job.blocks where block.outcome != .unread { lanes[block.lane].reader.markScanned(block.place) }
      blockCounts.note(
        scanned: job.blocks.count { $0.outcome != .unread }, partly: job.blocks.count { $0.outcome == .partly })
    }
  }

  // MARK: Segments left out

  /// Leaves out the segments that define no wanted task. Segments of several logs may be copies of each other, so those are all read.
  private func planTasks() {
    guard recovery == .tail, !isFollowing, let number = selection?.wantedNumber, inputs.count == 1,
      case .directory(let path) = inputs[0], let files = try? LogDirectory.listedSegments(in: path)
    else { return }
    let plan = TaskPlan(files, input: 0, number: number)
    for segment in plan.leftOut { knownPaths.insert(segment.path) }
    blockCounts.note(skipped: plan.blocks, exclusion: .task)
    skippedRecords += plan.positions
    for segment in plan.leftOut where firstSegments[segment.header.launch] == nil {
      firstSegments[segment.header.launch] = segment.number
    }
    taskPlan = plan
  }

  private func planEnd(of count: Int) {
    var files: [(path: String, input: Int)] = []
    for (place, input) in inputs.enumerated() {
      switch input {
      case .segment(let path): files.append((path, place))
      // A directory that cannot be listed is reported later.
      case .directory(let path): files += ((try? LogDirectory.listedSegments(in: path)) ?? []).map { ($0.path, place) }
      }
    }
    let plan = RecentPlan(files, last: count)
    for segment in plan.leftOut { knownPaths.insert(segment.path) }
    recent = plan
  }

  /// Passes over the events and gaps before a moment.
  private func skip(before start: RecentPlan.Moment) {
    guard let boot = bootOrder[start.boot] else { return }
    while let head = heap.first, (head.boot, head.clock) < (boot, start.clock) {
      advanceHead(head.index)
      lanes[head.index].reader.finishedPages = []
      lanes[head.index].reader.endedSources = []
    }
  }

  // MARK: Merging

  /// Returns the next event or gap; `nil` if there is none yet.
  public func next() -> LogMember? { recovery == .prefix ? nextWithinLimit() : merged() }

  private func nextWithinLimit() -> LogMember? {
    guard var limit else { return nil }
    defer { self.limit = limit }
    if let head = heap.first, let end = limit.end(before: (head.boot, head.clock)) { return .gap(end) }
    return limit.hasEnded ? nil : merged().map { limit.note($0) }
  }

  private func merged() -> LogMember? { nextOfLanes() ?? (isFollowing ? nil : finalGap()) }

  /// Returns the next event or gap of the lanes, without the damage that is reported after all lanes have been read.
  func nextOfLanes() -> LogMember? {
    guard let head = heap.first else { return nil }
    let member = lanes[head.index].reader.event.map { LogMember.event(RecordedEvent($0)) }
    let gap = member == nil ? lanes[head.index].reader.gap : nil
    advanceHead(head.index)
    lanes[head.index].reader.finishedPages = []
    lanes[head.index].reader.endedSources = []
    return member ?? gap.map { .gap($0) }
  }

  /// Appends the next few thousand events to a batch, stopping at a gap.
  ///
  /// The events remain valid until the batch is emptied or the reader is deallocated.
  ///
  /// - Returns: `false` if there is no further event or gap yet.
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

  /// Appends events like `fill`, but omits the damage that is reported after all lanes have been read.
  func fillFromLanes(_ batch: inout EventBatch) -> Bool {
    let start = batch.events.count
    while batch.events.count - start < EventBatch.capacity {
      guard let head = heap.first else { return batch.events.count > start }
      let index = head.index
      // While this lane precedes all others, its events can be moved without comparisons.
      let room = EventBatch.capacity - (batch.events.count - start)
      if lanes[index].reader.take(into: &batch, room, until: bound(of: head), clock: &lanes[index].clock) {
        heap[0].clock = lanes[index].clock
        siftDown()
        continue
      }
      guard let event = lanes[index].reader.event else {
        if let gap = lanes[index].reader.gap { batch.append(gap) }
        advanceHead(index)
        return true
      }
      batch.append(event)
      advanceHead(index)
      if !lanes[index].reader.finishedPages.isEmpty {
        for page in lanes[index].reader.finishedPages { batch.keep(page) }
        lanes[index].reader.finishedPages = []
      }
      if !lanes[index].reader.endedSources.isEmpty {
        // No event of these sources follows in another batch.
        for source in lanes[index].reader.endedSources { batch.noteEnd(of: source) }
        lanes[index].reader.endedSources = []
      }
    }
    return true
  }

  /// Returns the last monotonic time at which the first lane still precedes all other lanes.
  @inline(__always)
  private func bound(of head: Head) -> Int64 {
    guard heap.count > 1 else { return .max }
    let rival = heap.count > 2 && heap[2].isBefore(heap[1]) ? 2 : 1
    guard heap[rival].boot == head.boot else { return .max }
    return (head.writer, head.lane, head.index) < (heap[rival].writer, heap[rival].lane, heap[rival].index)
      ? heap[rival].clock : heap[rival].clock.subtractingClamped(1)
  }

  /// Advances the lane at the head of the order.
  @inline(__always)
  private func advanceHead(_ index: Int) {
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

  /// Adds a waiting lane to the order if it has an item now.
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

  // MARK: Damage of whole segments

  private var reportedSegments = 0
  /// Whether the segments that are missing or cannot be read have been reported.
  private var hasReportedSegments = false
  /// The gaps of missing segments. Searched once, when the directories have been read.
  private(set) lazy var missing = missingSegments()

  /// Returns the next damage that no lane could report, after everything has been read.
  private func finalGap() -> LogMember? {
    while pendingGaps.isEmpty, reportedSegments < segments.count {
      if isRead(reportedSegments), !isSecondary(reportedSegments) { pendingGaps = gaps(of: segments[reportedSegments]) }
      reportedSegments += 1
    }
    if pendingGaps.isEmpty, !hasReportedSegments {
      hasReportedSegments = true
      pendingGaps = missing + unreadableSegments()
    }
    return pendingGaps.isEmpty ? nil : .gap(pendingGaps.removeFirst())
  }

  /// Returns the damage of a segment that no lane can report.
  func gaps(of segment: SegmentReader) -> [LogGap] {
    // `after` is a time that all records of the gap follow.
    func gap(_ cause: LogGap.Cause, _ bytes: Range<UInt64>?, after: ClockReading? = nil) -> LogGap {
      var gap = LogGap(
        cause: cause, segment: segment.number, name: segment.name, launch: segment.header.launch, bytes: bytes,
        after: after.map { Moment(monotonic: $0.monotonic, boottime: $0.boottime, wall: WallTime(nanoseconds: $0.wall)) })
      gap.scope = segment.source.scope
      return gap
    }
    // The dictionary may not have been read completely, because it is read only when an event needs a name.
    segment.checkDictionary()
    segment.findErasedDefinitions()
    var gaps: [LogGap] = []
    switch segment.readFailure {
    case nil: break
    case .changed: gaps.append(gap(.damaged(problem: "the file changed while it was read"), nil))
    case .system(let number):
      gaps.append(gap(.damaged(problem: "part of the file could not be read (\(systemText(number)))"), nil))
    }
    if let excess = segment.excess {
      gaps.append(gap(.damaged(problem: "the file is larger than its header allows"), excess))
    }
    if segment.isTruncated, segment.lacksUsedChunks {
      gaps.append(gap(.truncated, UInt64(segment.size)..<UInt64(segment.size) + 1, after: segment.clocksAtCut))
    }
    for index in segment.damagedChunks {
      let problem = segment.isSalvaged ? "no record could be recovered from these bytes" : "the chunk's header is damaged"
      gaps.append(gap(.damaged(problem: problem), segment.fileBytes(ofDamaged: index), after: segment.clocks(before: index)))
    }
    for bytes in segment.sealed?.damage ?? [] {
      gaps.append(
        gap(.damaged(problem: "these bytes are not a valid block"), bytes, after: segment.clocks(beforeBlockAt: bytes.lowerBound))
      )
    }
    for bytes in segment.damagedDefinitions where segment.needsLostDefinitions {
      gaps.append(gap(.damaged(problem: "definitions of names or tasks cannot be read"), bytes))
    }
    if segment.source.lacksDefinitions, gaps.isEmpty {
      gaps.append(gap(.damaged(problem: "events refer to names or tasks that are not defined"), nil))
    }
    return gaps
  }
}

extension LogReader: Sequence, IteratorProtocol {}
