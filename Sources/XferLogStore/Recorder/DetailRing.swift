import CXferPlatform
import XferEvents

/// A ring buffer of the newest detail about one task. It is a lane that reuses its oldest page.
struct DetailRing {
  let task: TaskUID
  private var lane: UInt32
  /// Whether the ring's pages stay in the log when the task ends.
  var isKept: Bool
  /// The value of a counter at the last use; the counter increases with every event that any ring accepts.
  var lastUse: UInt64
  /// The ring's pages, oldest first.
  private(set) var pages: [RingPage] = []
  /// The offset of the next record in the newest page.
  private var cursor = RingFormat.pageSize
  private var nextSequence: UInt64 = 0
  private var thread: UInt32 = 0
  private var seed: UInt32 = 0
  /// The clock readings in the newest page's header.
  private var clocks = ClockReading(monotonic: 0, boottime: 0, wall: 0)
  /// The time in nanoseconds after `clocks` at which the clocks are checked again.
  private var nextClockCheck: UInt64 = 0

  enum Outcome {
    case appended
    /// The record does not fit into the rest of the page, or the ring has no page.
    case noRoom
    /// The record does not fit into any page.
    case tooLarge
    /// The segment has no room for a definition that the record needs.
    case noDefinition
    /// The system refused to write.
    case refused
  }

  init(task: TaskUID, lane: UInt32, isKept: Bool, lastUse: UInt64) {
    self.task = task
    self.lane = lane
    self.isKept = isKept
    self.lastUse = lastUse
  }

  // MARK: Records

  /// Encodes an event directly into the rest of the newest page, which must belong to the segment.
  mutating func append(
    _ event: some TransferEvent, in segment: SegmentWriter, _ context: EncodingContext, clock: LogClock, textLimit: Int
  ) -> Outcome {
    guard let page = pages.last, page.isUsable(in: segment), let time = time(clock), noteThread(on: page, time: time) else {
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
    // Clear the next commit word, where an earlier event that did not fit may have left bytes.
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

  /// Returns the time in nanoseconds after the page's clocks; `nil` if the page's clocks no longer apply and a new page is
  /// needed.
  private mutating func time(_ clock: LogClock) -> UInt64? {
    let time = UInt64(max(0, clock.monotonic() - clocks.monotonic))
    if time < nextClockCheck { return time }
    nextClockCheck = time + UInt64(ClockWatch.interval)
    return nextClockCheck > RecordFormat.timeMask || ClockWatch.isFar(clock.read(), clocks) ? nil : time
  }

  /// Records the calling thread if it differs from that of the previous record, because several threads may emit events
  /// about one task. Returns `false` if the record cannot be written.
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

  /// Continues in another page.
  ///
  /// - Returns: `false` if the system refuses to write.
  mutating func begin(_ page: RingPage, clocks: ClockReading) -> Bool {
    endPage()
    thread = xp_thread_id()
    guard let seed = page.begin(lane: lane, thread: thread, firstSequence: nextSequence, clocks: clocks) else { return false }
    pages.append(page)
    self.seed = seed
    self.clocks = clocks
    nextClockCheck = UInt64(ClockWatch.interval)
    cursor = RingFormat.records
    return true
  }

  private mutating func endPage() {
    pages.last?.end(at: cursor)
    cursor = RingFormat.pageSize
  }

  /// Removes and returns the oldest page, or the oldest page in `segment` if that is not `nil`, so that the page can be reused.
  /// Returns `nil` if the ring has no such page.
  mutating func takeOldest(in segment: SegmentWriter? = nil) -> RingPage? {
    guard let place = pages.firstIndex(where: { segment == nil || $0.segment === segment }) else { return nil }
    // Remove all older pages too, so that the remaining pages are contiguous.
    for page in pages[...place] { page.clear() }
    let page = pages[place]
    pages.removeSubrange(...place)
    if pages.isEmpty { cursor = RingFormat.pageSize }
    return page
  }

  /// Leaves the ring's contents in the log permanently.
  ///
  /// - Parameter lane: The lane number for later detail, which uses new pages and may again discard its oldest ones.
  mutating func leaveInLog(goingOnAs lane: UInt32) {
    endPage()
    for page in pages { page.markKept() }
    pages = []
    self.lane = lane
    nextSequence = 0
  }

  /// Clears the ring.
  ///
  /// - Returns: The ring's cleared pages.
  mutating func clear() -> [RingPage] {
    for page in pages { page.clear() }
    defer { pages = [] }
    cursor = RingFormat.pageSize
    return pages
  }
}
