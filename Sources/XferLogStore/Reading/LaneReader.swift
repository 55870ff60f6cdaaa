import XferEvents

/// Reads one lane of one process launch in order, across chunks and segments.
struct LaneReader {
  let launch: LaunchID
  let lane: UInt32
  private var chunks: [Place] = []
  /// The index of the chunk being read if `isInChunk`; otherwise of the next chunk.
  private var current = 0
  private var isInChunk = false
  /// The expected position of the next record; `nil` before the first chunk.
  private var expected: UInt64?
  private var tornChecked = false
  private let kinds: KindFilter?
  /// The lane's positions in segments that are not opened, in ascending order.
  private var unopened: ArraySlice<Range<UInt64>>
  /// The choices of `kinds` by kind, for the segment being read.
  private var choices: KindFilter.Choices?
  /// The symbols of the wanted tasks in the segment being read; `nil` if its events are not filtered by their tasks.
  private var wantedTasks: [UInt32]?
  /// The number of events that were left out because they do not belong to a wanted task.
  private(set) var ofOtherTasks = 0
  /// Whether an event of the page was returned, so that the page must be kept.
  private var isPageUsed = false
  /// The last event, if it was left out and the filter keeps the ends of lanes, with the page that it points into.
  private var leftOut: (event: EventView, page: RecordPage?)?
  /// The position before which the records of the chunk being read are skipped, because they were already read from another copy
  /// of the chunk. 0 if no record is skipped.
  private var repeatedUntil: UInt64 = 0
  /// The index of the chunk whose damaged end was reported last; `nil` if none was.
  private var erasedChunk: Int?

  /// The position after the last record of the chunk being read, according to its sealed block or its end mark. A missing record
  /// before this position indicates damage. `nil` if the position is unknown.
  private var end: UInt64?
  /// The position after the last record of the current sealed block if the selection skips the block; otherwise `nil`.
  private var skipped: UInt64?

  // The state of the chunk being read, kept here so that reading a record does not access `chunks`.
  private var walker = RecordWalker()
  /// The walker of a sealed chunk, used instead of `walker`.
  private var columns = ColumnWalker()
  private var isInColumns = false
  private var isLast = true
  private var page: RecordPage?
  // Pointers into `page`, which keeps them valid.
  private var origin: UnsafePointer<EventOrigin>?
  private var source: Unmanaged<RecordSource>?
  /// The pages of finished chunks, kept until a caller takes them, because their events may still be in use.
  var finishedPages: [RecordPage] = []
  /// The sources of segments whose last chunk was finished, kept until a caller takes them.
  var endedSources: [RecordSource] = []
  // The events that were read ahead, kept valid by `page`, and the index of the current one.
  private var ahead: ContiguousArray<EventView> = []
  private var aheadIndex = 0
  /// The first step of the walker that was not an event, to be handled after the events read ahead; `nil` if there is none.
  private var postponed: RecordWalker.Step?
  private(set) var gap: LogGap?

  /// The current event; `nil` at a gap.
  @inline(__always)
  var event: EventView? { aheadIndex < ahead.count ? ahead[aheadIndex] : nil }
  private var clocks = ClockReading(monotonic: 0, boottime: 0, wall: 0)
  private var thread: UInt32 = 0
  /// The monotonic time of the last event that was read; `nil` before the first event.
  private var last: Int64?

  private struct Place {
    let segment: SegmentReader
    let page: RecordPage
    let chunk: ChunkHeader
    /// Whether the records are skipped: the selection excludes them, or a scan has read them.
    var isPassedOver: Bool
    /// The copy of a ring page, used instead of the file's bytes; `nil` for other chunks.
    let snapshot: RingSnapshot?
  }

  /// - Parameters:
  ///   - kinds: The filter for kinds of events; `nil` if no event is left out.
  ///   - unopened: The lane's positions in segments that are not opened, because they have no wanted event, in ascending order.
  init(launch: LaunchID, lane: UInt32, kinds: KindFilter? = nil, unopened: [Range<UInt64>] = []) {
    self.launch = launch
    self.lane = lane
    self.kinds = kinds
    self.unopened = unopened[...]
  }

  /// The sealed chunks that can be read in any order, because no record of them is a copy of another one.
  ///
  /// - Returns: The index of each chunk, with its segment and block.
  func scannable() -> [(place: Int, segment: SegmentReader, entry: SealIndex.Entry)] {
    var found: [(place: Int, segment: SegmentReader, entry: SealIndex.Entry)] = []
    // The position after all records of the chunks before; `nil` if unknown.
    var end: UInt64? = 0
    for (index, place) in chunks.enumerated() {
      guard let known = end, let entry = place.segment.sealed?.entry(of: place.chunk) else {
        end = nil
        continue
      }
      let isPlain = entry.block.form == .columns && [.records, .ringPage].contains(place.chunk.kind)
      if isPlain, !place.isPassedOver, place.chunk.firstSequence >= known {
        found.append((index, place.segment, entry))
      }
      end = max(known, entry.block.nextSequence)
    }
    return found
  }

  /// Notes that a scan has read a chunk that `scannable` returned.
  mutating func markScanned(_ place: Int) { chunks[place].isPassedOver = true }

  /// Notes that the chunks before a position are left out, so that the records before it are not missing.
  mutating func begin(at position: UInt64) { expected = position }

  /// Adds a chunk of the lane.
  ///
  /// - Parameters:
  ///   - chunk: The chunk's header.
  ///   - segment: The segment that contains the chunk.
  ///   - page: The record page that provides the segment's source. For a ring page, it also keeps the snapshot alive.
  ///   - isPassedOver: Whether the selection excludes the whole chunk, so that only its existence is noted.
  ///   - snapshot: A copy of a ring page, which its writer may reuse.
  mutating func add(
    _ chunk: ChunkHeader, of segment: SegmentReader, page: RecordPage, isPassedOver: Bool, snapshot: RingSnapshot?
  ) {
    chunks.append(Place(segment: segment, page: page, chunk: chunk, isPassedOver: isPassedOver, snapshot: snapshot))
    segment.expectChunk()
    // Slots are claimed in order but may be filled in any order, so unread chunks are sorted by lane position.
    var place = chunks.count - 1
    while place > current + (isInChunk ? 1 : 0), follows(chunks[place - 1], chunks[place]) {
      chunks.swapAt(place - 1, place)
      place -= 1
    }
    isLast = current == chunks.count - 1
  }

  private func follows(_ left: Place, _ right: Place) -> Bool {
    (left.chunk.firstSequence, left.segment.number, left.chunk.index)
      > (right.chunk.firstSequence, right.segment.number, right.chunk.index)
  }

  /// The maximum number of events to read ahead.
  private static let stride = 256

  /// Advances to the lane's next event or gap and stores it in `event` or `gap`.
  ///
  /// - Parameter isFinal: Whether the log will not grow while it is read.
  /// - Returns: `false` if there is no further event or gap yet.
  @inline(__always)
  mutating func advance(isFinal: Bool) -> Bool {
    aheadIndex += 1
    return aheadIndex < ahead.count || readAhead(isFinal: isFinal)
  }

  /// Moves events that were read ahead into a batch, except the last one, whose successor is not known yet.
  ///
  /// - Parameters:
  ///   - batch: The batch to append to.
  ///   - room: The maximum number of events.
  ///   - bound: The last monotonic time at which this lane precedes all other lanes.
  ///   - clock: The monotonic time of the lane's current event, updated by this call.
  /// - Returns: Whether at least one event was moved.
  @inline(__always)
  mutating func take(into batch: inout EventBatch, _ room: Int, until bound: Int64, clock: inout Int64) -> Bool {
    let end = min(ahead.count - 1, aheadIndex + room)
    guard aheadIndex < end else { return false }
    repeat {
      batch.events.append(ahead[aheadIndex])
      aheadIndex += 1
      if let now = ahead[aheadIndex].monotonic { clock = now }
    } while aheadIndex < end && clock <= bound
    return true
  }

  @inline(never)
  private mutating func readAhead(isFinal: Bool) -> Bool {
    ahead.removeAll(keepingCapacity: true)
    aheadIndex = 0
    gap = nil
    while true {
      if !isInChunk {
        while passOver() {}
        guard current < chunks.count else { return returnLeftOut() }
        if let found = enter() { return report(found) }
      }
      let step = postponed ?? readChunk(isFinal: isFinal)
      if !ahead.isEmpty {
        postponed = step
        // The writer may have appended records by the time these events are used, so check again.
        if case .notYet? = step { postponed = nil }
        return true
      }
      postponed = nil
      switch step {
      case .record(let record): if let found = note(record) { return report(found) }
      case .damage(let range, let next, let time):
        return report(damage(range, next: next, time: time))
      case .endOfChunk:
        // Trailing removed records advance the walker's position. `expected` may already be greater, after a gap at the end
        // of the chunk was reported.
        if isInColumns { expected = max(expected ?? 0, columns.sequence) }
        if let skipped { expected = skipped }
        if end == nil, case .end(let marked)? = tail() { end = marked }
        if let found = missingTail() { return report(found) }
        if !walker.grow() { leave() }
      case .notYet:
        // The mark is read first, so that all records that it counts are among the bytes that are read again.
        let tail = isFinal || !isLast ? tail() : nil
        if walker.grow() { continue }
        if let tail, lacksRecords(tail), let found = erased(tail) { return report(found) }
        if isLast {
          if let found = tornGap(isFinal: isFinal) { return report(found) }
          return isFinal ? returnLeftOut() : false
        }
        leave()
      case nil: break
      }
    }
  }

  private mutating func report(_ gap: LogGap) -> Bool {
    self.gap = gap
    return true
  }

  /// Reads events until the read-ahead buffer is full.
  ///
  /// - Returns: The first step that is not an event; `nil` if the buffer is full.
  private mutating func readChunk(isFinal: Bool) -> RecordWalker.Step? {
    while ahead.count < Self.stride {
      let step = isInColumns ? columns.next() : walker.next(isFinal: isFinal || !isLast)
      guard case .record(let record) = step else { return step }
      if record.sequence < repeatedUntil { continue }
      expected = record.sequence &+ 1
      guard let event = view(record) else { return step }
      last = clocks.monotonic &+ record.time
      if let choices, choices.leavesOut(record.kind) {
        if choices.keepsEnds { noteLeftOut(event) }
        continue
      }
      if let wantedTasks, !event.isOf(wantedTasks) {
        ofOtherTasks += 1
        continue
      }
      leftOut = nil
      isPageUsed = true
      ahead.append(event)
    }
    return nil
  }

  /// Notes an event that was left out, which may be the lane's last one.
  @inline(__always)
  private mutating func noteLeftOut(_ event: EventView) { leftOut = (event, page) }

  /// Returns the lane's last event at its end, even if its kind is left out.
  private mutating func returnLeftOut() -> Bool {
    guard let (event, page) = leftOut else { return false }
    leftOut = nil
    choices?.takeBack(event)
    self.page = page
    ahead.append(event)
    return true
  }

  @inline(__always)
  private func view(_ record: RecordWalker.Record) -> EventView? {
    guard let origin else { return nil }
    let shape = source?._withUnsafeGuaranteedRef { source in
      source.table(record.kind).flatMap { source.shape($0, number: record.kind, of: record.payload) }
    }
    guard let shape else { return nil }
    return EventView(origin, shape: shape, position: record.sequence, time: record.time, payload: record.payload)
  }

  // MARK: Slow path

  /// Handles a record of the format itself or one that cannot be decoded. Returns a gap for the latter.
  private mutating func note(_ record: RecordWalker.Record) -> LogGap? {
    if record.kind >= RecordFormat.firstInternalKind {
      if record.kind == RecordFormat.threadChanged, record.payload.count >= 4 {
        thread = UInt32(littleEndian: record.payload.loadUnaligned(as: UInt32.self))
        begin()
      }
      return nil
    }
    return gap(
      .damaged(problem: "event \(record.kind) is not defined"), sequences: record.sequence..<record.sequence + 1,
      bytes: nil, before: moment(record.time))
  }

  /// - Parameter time: The time of the record after the damage; `nil` at the end of the chunk.
  private mutating func damage(_ range: Range<Int>, next: UInt64, time: Int64?) -> LogGap {
    let missing = expected.flatMap { $0 < next ? $0..<next : nil }
    expected = max(next, repeatedUntil)
    return gap(
      .damaged(problem: "these bytes are not a valid record"), sequences: missing, bytes: fileBytes(range),
      before: time.flatMap(moment) ?? nextStart)
  }

  private mutating func tornGap(isFinal: Bool) -> LogGap? {
    guard !tornChecked, isFinal || chunks[current].segment.isReleased else { return nil }
    // No writer can change the bytes any more, so one check is enough.
    tornChecked = true
    guard walker.hasUncommittedBytes else { return nil }
    return gap(.torn, sequences: nil, bytes: fileBytes(walker.offset..<walker.offset + 1), before: nil)
  }

  /// Passes over the next chunk if its records are skipped and follow those before it.
  private mutating func passOver() -> Bool {
    guard current < chunks.count else { return false }
    passUnopened(before: chunks[current].chunk.firstSequence)
    guard chunks[current].isPassedOver, let expected,
      chunks[current].chunk.firstSequence == expected,
      let next = chunks[current].segment.sealed?.nextSequence(of: chunks[current].chunk)
    else { return false }
    self.expected = next
    finish()
    return true
  }

  /// Enters a chunk and returns a gap if records before it are missing.
  private mutating func enter() -> LogGap? {
    let place = chunks[current]
    place.segment.enter()
    let first = place.chunk.firstSequence
    isInChunk = true
    isLast = current == chunks.count - 1
    thread = place.chunk.thread
    clocks = place.chunk.clocks
    isPageUsed = false
    // Without a known time, an event does not tell how far the log reaches.
    choices = clocks == .unknown ? nil : kinds?.choices(of: place.page.source)
    wantedTasks = choices?.keepsEnds ?? false ? nil : place.segment.wantedTasks
    open(place)
    begin()
    guard let expected else {
      self.expected = first
      // A ring discards its oldest records, so their absence is not a gap.
      return first == 0 || lane & RingFormat.laneBit != 0
        ? nil : gap(.missingHead, sequences: 0..<first, bytes: nil, before: moment(0))
    }
    // A copy of the chunk was read before, from a copy of its segment.
    repeatedUntil = first < expected ? expected : 0
    guard first > expected else { return nil }
    self.expected = first
    // A chunk with a damaged header cannot be attributed to a lane, so damage nearby explains a missing range.
    let isDamage = !place.segment.damagedChunks.isEmpty || current > 0 && !chunks[current - 1].segment.damagedChunks.isEmpty
    let cause: LogGap.Cause = isDamage ? .damaged(problem: "the preceding chunk cannot be read") : .missingSequence
    return gap(cause, sequences: expected..<first, bytes: nil, before: moment(0))
  }

  /// Passes over the records before a position that are in segments that are not opened. No record before those is missing.
  private mutating func passUnopened(before first: UInt64) {
    while let range = unopened.first, range.lowerBound < first {
      expected = max(expected ?? 0, range.upperBound)
      unopened.removeFirst()
    }
  }

  /// Refreshes the cached pointers after the page, thread or clocks have changed.
  private mutating func begin() {
    origin = page?.origin(
      lane: lane, thread: thread, clocks: .init(monotonic: clocks.monotonic, boottime: clocks.boottime, wall: clocks.wall))
    source = page.map { .passUnretained($0.source) }
  }

  /// Locates the chunk's records in the file or in a sealed block.
  private mutating func open(_ place: Place) {
    page = place.page
    isInColumns = false
    let chunk = place.chunk
    guard let sealed = place.segment.sealed else {
      if let snapshot = place.snapshot {
        walker = RecordWalker(chunk: snapshot.bytes, header: chunk, isAppended: place.segment.isAppended)
        return
      }
      let window = place.segment.slots.chunk(Int(chunk.index), span: Int(chunk.span), loading: Self.firstLoad)
      page = RecordPage(source: place.page.source, bytes: window)
      walker = RecordWalker(window, header: chunk, isAppended: place.segment.isAppended)
      return
    }
    walker = RecordWalker()
    if place.isPassedOver {
      skipped = sealed.nextSequence(of: chunk)
      return
    }
    guard let entry = sealed.entry(of: chunk) else { return }
    end = entry.block.nextSequence
    guard let decoded = DecodedBlock(entry.block, at: entry.offset, in: place.segment.file) else { return }
    page = RecordPage(source: place.page.source, bytes: decoded)
    if let columns = decoded.walker(of: entry.block) {
      self.columns = columns
      isInColumns = true
    } else if entry.block.form == .image {
      walker = RecordWalker(chunk: decoded.bytes, header: chunk, isAppended: place.segment.isAppended)
    }
  }

  /// Returns a gap for missing records at the end of the chunk being read; `nil` if none is missing or the position `end` is
  /// unknown.
  private mutating func missingTail() -> LogGap? {
    guard let end, let expected, expected < end else { return nil }
    self.expected = end
    let segment = chunks[current].segment
    let problem =
      segment.isSalvaged
      ? "these records could not be salvaged"
      : segment.sealed == nil ? Self.erasedProblem : "the block's bytes fail their checksum"
    return gap(
      .damaged(problem: problem), sequences: expected..<end,
      bytes: segment.isSalvaged ? nil : fileBytes(walker.offset..<walker.offset + 1), before: nextStart)
  }

  private static let erasedProblem = "the last records of the chunk were erased"

  /// Returns what the segment says about the end of the chunk being read; `nil` for sealed chunks and ring pages.
  private func tail() -> ChunkSlots.Tail? {
    let place = chunks[current]
    return place.segment.sealed == nil && place.snapshot == nil ? place.segment.slots.tail(of: place.chunk) : nil
  }

  /// Whether records at the end of the chunk were erased, or may have been.
  private func lacksRecords(_ tail: ChunkSlots.Tail) -> Bool {
    guard let expected else { return false }
    switch tail {
    case .unknown: return false
    case .end(let end): return expected < end
    // The second copy of the header precedes the first record, so it was there when the chunk's records were written. If the lane
    // continues elsewhere, the position of its next record shows whether any are missing.
    case .damaged: return isLast && erasedChunk != current
    }
  }

  /// Returns a gap for records at the end of the chunk that were erased, or may have been.
  private mutating func erased(_ tail: ChunkSlots.Tail) -> LogGap? {
    guard let expected else { return nil }
    switch tail {
    case .unknown: return nil
    case .end(let end):
      self.expected = end
      return gap(
        .damaged(problem: Self.erasedProblem), sequences: expected..<end, bytes: fileBytes(walker.offset..<walker.offset + 1),
        before: nextStart)
    case .damaged:
      erasedChunk = current
      return gap(
        .damaged(problem: "the end of the chunk is damaged, and records may have been erased"), sequences: nil,
        bytes: fileBytes(walker.offset..<walker.offset + 1), before: nil)
    }
  }

  /// The number of bytes of a chunk that are copied at first. It is small because a log may have many lanes with few records
  /// each.
  private static let firstLoad = 8192

  private mutating func leave() {
    isInChunk = false
    if let page, isPageUsed { finishedPages.append(page) }
    end = nil
    skipped = nil
    finish()
  }

  /// Notes that the chunk was read or passed over.
  private mutating func finish() {
    if chunks[current].segment.leave() { endedSources.append(chunks[current].page.source) }
    current += 1
  }

  private func fileBytes(_ range: Range<Int>) -> Range<UInt64> {
    let place = chunks[current]
    if let entry = place.segment.sealed?.entry(of: place.chunk) { return entry.extent }
    let start = UInt64(SegmentFormat.chunkOffset(Int(place.chunk.index)) + place.chunk.startInSlot)
    return start + UInt64(range.lowerBound)..<start + UInt64(range.upperBound)
  }

  /// Returns a time of the chunk being read, in nanoseconds after its base clock; `nil` if the chunk has no clock.
  private func moment(_ time: Int64) -> Moment? {
    if clocks == .unknown { return nil }
    return Moment(
      monotonic: clocks.monotonic.addingClamped(time), boottime: clocks.boottime.addingClamped(time),
      wall: WallTime(nanoseconds: clocks.wall.addingClamped(time)))
  }

  /// The time at which the lane's next chunk was begun; `nil` if the lane has no further chunk.
  private var nextStart: Moment? {
    guard current + 1 < chunks.count else { return nil }
    let start = chunks[current + 1].chunk.clocks
    return Moment(monotonic: start.monotonic, boottime: start.boottime, wall: WallTime(nanoseconds: start.wall))
  }

  /// The moment of the last event that was read; `nil` before the first one.
  private var lastMoment: Moment? {
    guard let last else { return nil }
    // The other clocks of an earlier chunk are no longer known.
    return last >= clocks.monotonic ? moment(last.subtractingClamped(clocks.monotonic)) : Moment(monotonic: last)
  }

  /// - Parameter before: The first known moment of the lane after the gap; `nil` if there is none.
  private func gap(_ cause: LogGap.Cause, sequences: Range<UInt64>?, bytes: Range<UInt64>?, before: Moment?) -> LogGap {
    let segment = chunks[current].segment
    // Without an event before it, a gap that does not reach back beyond its chunk is younger than the chunk's beginning.
    let isInChunk = sequences.map { $0.lowerBound >= chunks[current].chunk.firstSequence } ?? true
    var gap = LogGap(
      cause: cause, segment: segment.number, name: segment.name, launch: launch, lane: lane, sequences: sequences,
      bytes: bytes, after: lastMoment ?? (isInChunk ? moment(0) : nil), before: before)
    gap.scope = segment.source.scope
    return gap
  }
}

extension EventView {
  /// Whether the event belongs to one of some tasks, or names one as the successor of its task.
  @inline(__always)
  fileprivate func isOf(_ tasks: [UInt32]) -> Bool {
    taskSymbol.map(tasks.contains) ?? false || half(.successor).map(tasks.contains) ?? false
  }
}
