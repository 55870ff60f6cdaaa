import XferEvents

/// One lane of one process life, read in order over its chunks and segments.
struct LaneReader {
  let launch: LaunchID
  let lane: UInt32
  private var chunks: [Place] = []
  /// The chunk being read, when `isInChunk`; else the next one.
  private var current = 0
  private var isInChunk = false
  /// The position that the next record must have; `nil` before the first chunk.
  private var expected: UInt64?
  private var tornLooked = false

  /// Behind the last position of a sealed block; what is missing before it is damage.
  private var end: UInt64?
  /// The same, of a block that is passed over.
  private var skipped: UInt64?

  // Of the chunk being read, so that a record costs no look at `chunks`.
  private var walker = RecordWalker()
  /// Instead of `walker`, for a chunk that was sealed.
  private var columns = ColumnWalker()
  private var isInColumns = false
  private var isLast = true
  private var page: RecordPage?
  // Of the page, which keeps them.
  private var origin: UnsafePointer<EventOrigin>?
  private var source: Unmanaged<RecordSource>?
  /// Pages of chunks that were left, until somebody takes them: events of them may still be in use.
  var left: [RecordPage] = []
  // What was read and nobody has had yet, while `page` keeps it, and where in it the lane stands.
  private var ahead: ContiguousArray<EventView> = []
  private var standing = 0
  /// What the chunk has behind that.
  private var postponed: RecordWalker.Step?
  private(set) var gap: LogGap?

  /// Where the lane stands; `nil` at a gap.
  @inline(__always)
  var event: EventView? { standing < ahead.count ? ahead[standing] : nil }
  private var clocks = ClockReading(monotonic: 0, boottime: 0, wall: 0)
  private var thread: UInt32 = 0
  /// Monotonic clock of the last event that was read.
  private var last: Int64?

  private struct Place {
    let segment: SegmentReader
    let page: RecordPage
    let chunk: ChunkHeader
    let isPassedOver: Bool
    /// Instead of the file's bytes, for a page of a ring.
    let snapshot: RingSnapshot?
  }

  init(launch: LaunchID, lane: UInt32) {
    self.launch = launch
    self.lane = lane
  }

  /// - Parameters:
  ///   - page: the segment's own, for a chunk that is read where it lies in the file.
  ///   - isPassedOver: nothing in the chunk is wanted; only that it is there.
  ///   - snapshot: the bytes of a ring's page, which its writer may use again.
  mutating func add(
    _ chunk: ChunkHeader, of segment: SegmentReader, page: RecordPage, isPassedOver: Bool, snapshot: RingSnapshot?
  ) {
    chunks.append(Place(segment: segment, page: page, chunk: chunk, isPassedOver: isPassedOver, snapshot: snapshot))
    // Slots are claimed in order but filled in any; unread chunks are put in the order of the lane.
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

  /// How many events are read at a time.
  private static let stride = 256

  /// Goes on to the lane's next event or gap, which `event` or `gap` is then.
  ///
  /// - Parameter isFinal: whether nothing will be added to the log while it is read.
  /// - Returns: whether there is one (yet).
  @inline(__always)
  mutating func advance(isFinal: Bool) -> Bool {
    standing += 1
    return standing < ahead.count || readAhead(isFinal: isFinal)
  }

  /// Hands over the events that were read and whose turn it is, but for the last one: behind that there may be anything.
  ///
  /// - Parameters:
  ///   - room: how many at most.
  ///   - bound: the clock until which it is this lane's turn.
  ///   - clock: of the event at which the lane stands, before and afterwards.
  /// - Returns: whether there was one.
  @inline(__always)
  mutating func take(into batch: inout EventBatch, _ room: Int, until bound: Int64, clock: inout Int64) -> Bool {
    let end = min(ahead.count - 1, standing + room)
    guard standing < end else { return false }
    repeat {
      batch.events.append(ahead[standing])
      standing += 1
      if let now = ahead[standing].monotonic { clock = now }
    } while standing < end && clock <= bound
    return true
  }

  @inline(never)
  private mutating func readAhead(isFinal: Bool) -> Bool {
    ahead.removeAll(keepingCapacity: true)
    standing = 0
    gap = nil
    while true {
      if !isInChunk {
        guard current < chunks.count else { return false }
        if let found = enter() { return stand(at: found) }
      }
      let step = postponed ?? readChunk(isFinal: isFinal)
      if !ahead.isEmpty {
        postponed = step
        // By the time that these have been had, there may be more.
        if case .notYet? = step { postponed = nil }
        return true
      }
      postponed = nil
      switch step {
      case .record(let record): if let found = note(record) { return stand(at: found) }
      case .damage(let range, let next): return stand(at: damage(range, next: next))
      case .endOfChunk:
        // What is missing behind the last record may have been reported already.
        if isInColumns { expected = max(expected ?? 0, columns.sequence) }
        if let skipped { expected = skipped }
        if let found = missingRest() { return stand(at: found) }
        if !walker.grow() { leave() }
      case .notYet:
        if walker.grow() { continue }
        if isLast { return tornGap(isFinal: isFinal).map { stand(at: $0) } ?? false }
        leave()
      case nil: break
      }
    }
  }

  private mutating func stand(at gap: LogGap) -> Bool {
    self.gap = gap
    return true
  }

  /// Takes in what the chunk has, up to what is no event.
  private mutating func readChunk(isFinal: Bool) -> RecordWalker.Step? {
    while ahead.count < Self.stride {
      let step = isInColumns ? columns.next() : walker.next(isFinal: isFinal || !isLast)
      guard case .record(let record) = step else { return step }
      expected = record.sequence &+ 1
      guard let event = view(record) else { return step }
      last = clocks.monotonic &+ record.time
      ahead.append(event)
    }
    return nil
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

  // MARK: Off the common path

  /// A record of the format's own, one whose definition came late, or one that cannot be understood.
  private mutating func note(_ record: RecordWalker.Record) -> LogGap? {
    if record.kind >= RecordFormat.firstInternalKind {
      if record.kind == RecordFormat.threadChanged, record.payload.count >= 4 {
        thread = UInt32(littleEndian: record.payload.loadUnaligned(as: UInt32.self))
        begin()
      }
      return nil
    }
    return gap(
      .damaged(problem: "what event \(record.kind) means is not known"), sequences: record.sequence..<record.sequence + 1,
      bytes: nil)
  }

  private mutating func damage(_ range: Range<Int>, next: UInt64) -> LogGap {
    let missing = expected.flatMap { $0 < next ? $0..<next : nil }
    expected = next
    return gap(.damaged(problem: "no record of the lane fits these bytes"), sequences: missing, bytes: fileBytes(range))
  }

  private mutating func tornGap(isFinal: Bool) -> LogGap? {
    guard !tornLooked, isFinal || chunks[current].segment.isLeft else { return nil }
    // Nobody writes there any more, so one look tells.
    tornLooked = true
    guard walker.hasUncommittedBytes else { return nil }
    return gap(.torn, sequences: nil, bytes: fileBytes(walker.offset..<walker.offset + 1))
  }

  /// Begins a chunk, and says what is missing before it.
  private mutating func enter() -> LogGap? {
    let place = chunks[current]
    let first = place.chunk.firstSequence
    isInChunk = true
    isLast = current == chunks.count - 1
    thread = place.chunk.thread
    clocks = place.chunk.clocks
    open(place)
    begin()
    guard let expected else {
      self.expected = first
      // A ring forgets.
      return first == 0 || lane & RingFormat.laneBit != 0 ? nil : gap(.missingHead, sequences: 0..<first, bytes: nil)
    }
    guard first > expected else { return nil }
    self.expected = first
    // Where a chunk's header is damaged nobody can say whose it was; a lane that jumps there has its answer.
    let isDamage = !place.segment.damagedChunks.isEmpty || current > 0 && !chunks[current - 1].segment.damagedChunks.isEmpty
    let cause: LogGap.Cause = isDamage ? .damaged(problem: "a chunk before it cannot be read") : .missingSequence
    return gap(cause, sequences: expected..<first, bytes: nil)
  }

  /// What follows is of this page, this thread and these clocks.
  private mutating func begin() {
    origin = page?.origin(
      lane: lane, thread: thread, clocks: .init(monotonic: clocks.monotonic, boottime: clocks.boottime, wall: clocks.wall))
    source = page.map { .passUnretained($0.source) }
  }

  /// Finds the chunk's records: in the file, or in what a sealed block holds.
  private mutating func open(_ place: Place) {
    page = place.page
    isInColumns = false
    let chunk = place.chunk
    guard let sealed = place.segment.sealed else {
      if let snapshot = place.snapshot {
        walker = RecordWalker(chunk: snapshot.bytes, header: chunk, isAppended: place.segment.isAppended)
        return
      }
      let window = place.segment.chunk(Int(chunk.index), span: Int(chunk.span), loading: Self.firstLoad)
      page = RecordPage(source: place.page.source, bytes: window)
      walker = RecordWalker(window, header: chunk, isAppended: place.segment.isAppended)
      return
    }
    walker = RecordWalker()
    guard let entry = sealed.entry(of: chunk) else { return }
    if place.isPassedOver {
      skipped = entry.block.nextSequence
      return
    }
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

  /// What a sealed block should have held and did not.
  private mutating func missingRest() -> LogGap? {
    guard let end, let expected, expected < end else { return nil }
    self.expected = end
    let isSalvaged = chunks[current].segment.isSalvaged
    let problem = isSalvaged ? "they could not be salvaged" : "the block's bytes are not those that were sealed"
    return gap(.damaged(problem: problem), sequences: expected..<end, bytes: isSalvaged ? nil : fileBytes(0..<1))
  }

  /// Bytes of a chunk that are copied at first: a log may have many lanes with little in them.
  private static let firstLoad = 8192

  private mutating func leave() {
    isInChunk = false
    if let page { left.append(page) }
    end = nil
    skipped = nil
    current += 1
  }

  private func fileBytes(_ range: Range<Int>) -> Range<UInt64> {
    let place = chunks[current]
    if let entry = place.segment.sealed?.entry(of: place.chunk) { return entry.extent }
    let start = UInt64(SegmentFormat.chunkOffset(Int(place.chunk.index)) + place.chunk.startInSlot)
    return start + UInt64(range.lowerBound)..<start + UInt64(range.upperBound)
  }

  private func gap(_ cause: LogGap.Cause, sequences: Range<UInt64>?, bytes: Range<UInt64>?) -> LogGap {
    let segment = chunks[current].segment
    return LogGap(
      cause: cause, segment: segment.number, name: segment.name, launch: launch, lane: lane, sequences: sequences,
      bytes: bytes, after: last.map { Moment(monotonic: $0) },
      before: clocks == .unknown
        ? nil : Moment(monotonic: clocks.monotonic, boottime: clocks.boottime, wall: WallTime(nanoseconds: clocks.wall)))
  }
}
