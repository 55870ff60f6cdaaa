import CXferPlatform
import XferEvents

/// The newest detail of one task: a lane whose oldest page makes room for the next.
struct DetailRing {
  let task: TaskUID
  private var lane: UInt32
  /// Whether its pages stay in the log when the task ends.
  var isKept: Bool
  /// Counts on with every event that any ring takes.
  var lastUse: UInt64
  /// Oldest first.
  private(set) var pages: [RingPage] = []
  /// Where the next record begins in the newest page.
  private var cursor = RingFormat.pageSize
  private var nextSequence: UInt64 = 0
  private var thread: UInt32 = 0
  private var seed: UInt32 = 0
  /// Those of the newest page's header.
  private var clocks = ClockReading(monotonic: 0, boottime: 0, wall: 0)
  /// Nanoseconds after them from which the clocks are looked at again.
  private var nextLook: UInt64 = 0

  enum Outcome {
    case appended
    /// The record does not fit what is left of the page, or there is none.
    case noRoom
    /// The record does not fit a page.
    case tooLarge
    /// The segment has no room for what a number in the record stands for.
    case noDefinition
    case refused
  }

  init(task: TaskUID, lane: UInt32, isKept: Bool, lastUse: UInt64) {
    self.task = task
    self.lane = lane
    self.isKept = isKept
    self.lastUse = lastUse
  }

  // MARK: Records

  /// Encodes into what is left of the newest page, which must be of this segment.
  mutating func append(
    _ event: some TransferEvent, in segment: SegmentWriter, _ context: EncodingContext, clock: LogClock, textLimit: Int
  ) -> Outcome {
    guard let page = pages.last, page.isIn(segment), let time = time(clock), noteThread(on: page, time: time) else {
      return .noRoom
    }
    let isFresh = cursor == RingFormat.records
    let room = RingFormat.pageSize - cursor - RecordFormat.payload
    guard room >= 8 else { return .noRoom }
    let record = page.base + cursor
    var encoder = FieldEncoder(
      room: .init(start: record + RecordFormat.payload, count: room), context: .passUnretained(context), textLimit: textLimit)
    event.encode(into: &encoder)
    if encoder.overflowed { return encoder.lacksDefinition ? .noDefinition : isFresh ? .tooLarge : .noRoom }
    let size = encoder.count
    let padding = -size & (RecordFormat.alignment - 1)
    guard size + padding <= room else { return isFresh ? .tooLarge : .noRoom }
    for place in size..<size + padding { record.storeBytes(of: 0, toByteOffset: RecordFormat.payload + place, as: UInt8.self) }
    return commit(type(of: event).kind.rawValue, payload: size + padding, time: time, on: page) ? .appended : .refused
  }

  private mutating func commit(_ kind: UInt16, payload: Int, time: UInt64, on page: RingPage) -> Bool {
    let record = page.base + cursor
    let length = RecordFormat.payload + payload
    record.storeBytes(
      of: (UInt64(kind) << RecordFormat.timeBits | time).littleEndian, toByteOffset: RecordFormat.timeAndKind, as: UInt64.self)
    // What an event that did not fit has left behind must not stand where the next commit word is to come.
    if cursor + length + 4 <= RingFormat.pageSize { xp_store_release_32(record + length, 0) }
    commitRecord(at: record, length: length, sequence: nextSequence, seed: seed)
    guard page.persist(from: cursor, count: length) else {
      xp_store_release_32(record, 0)
      return false
    }
    cursor += length
    nextSequence += 1
    return true
  }

  /// Nanoseconds after the page's clocks; `nil` when its records cannot count from these any more.
  private mutating func time(_ clock: LogClock) -> UInt64? {
    let time = UInt64(max(0, clock.monotonic() - clocks.monotonic))
    if time < nextLook { return time }
    nextLook = time + UInt64(ClockWatch.interval)
    return nextLook > RecordFormat.timeMask || ClockWatch.isFar(clock.read(), clocks) ? nil : time
  }

  /// Several threads may speak of one task.
  private mutating func noteThread(on page: RingPage, time: UInt64) -> Bool {
    let current = xp_thread_id()
    if current == thread { return true }
    guard RingFormat.pageSize - cursor >= RecordFormat.payload + 4 else { return false }
    page.base.storeBytes(of: current.littleEndian, toByteOffset: cursor + RecordFormat.payload, as: UInt32.self)
    guard commit(RecordFormat.threadChanged, payload: 4, time: time, on: page) else { return false }
    thread = current
    return true
  }

  // MARK: Pages

  /// Goes on in another page.
  ///
  /// - Returns: `false` when the system refuses.
  mutating func begin(_ page: RingPage, clocks: ClockReading) -> Bool {
    endPage()
    thread = xp_thread_id()
    guard let seed = page.begin(lane: lane, thread: thread, firstSequence: nextSequence, clocks: clocks) else { return false }
    pages.append(page)
    self.seed = seed
    self.clocks = clocks
    nextLook = UInt64(ClockWatch.interval)
    cursor = RingFormat.records
    return true
  }

  private mutating func endPage() {
    pages.last?.end(at: cursor)
    cursor = RingFormat.pageSize
  }

  /// Takes back a page: the oldest, or with a segment the oldest that lies there.
  mutating func takeOldest(in segment: SegmentWriter? = nil) -> RingPage? {
    guard let place = pages.firstIndex(where: { segment == nil || $0.segment === segment }) else { return nil }
    // What is older would stand before a hole.
    for page in pages[...place] { page.clear() }
    let page = pages[place]
    pages.removeSubrange(...place)
    if pages.isEmpty { cursor = RingFormat.pageSize }
    return page
  }

  /// Leaves what it holds in the log for good.
  ///
  /// - Parameter lane: of what comes later, which has pages of its own and may forget some of them.
  mutating func leaveInLog(goingOnAs lane: UInt32) {
    endPage()
    for page in pages { page.markKept() }
    pages = []
    self.lane = lane
    nextSequence = 0
  }

  /// - Returns: all of its pages, of which nothing is left.
  mutating func clear() -> [RingPage] {
    for page in pages { page.clear() }
    defer { pages = [] }
    cursor = RingFormat.pageSize
    return pages
  }
}
