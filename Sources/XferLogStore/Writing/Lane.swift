import CXferPlatform
import XferEvents

/// One thread's place in the log: appending is private to the thread until its chunk is full.
///
/// A lane outlives its thread: the next thread without one takes it over, so that short-lived threads do not use up
/// chunks. Its positions are contiguous over threads, chunks and segments.
///
/// Only one thread uses a lane at a time, so the checks for overlapping access, which cost more than the stores, are off.
final class Lane {
  let number: UInt32
  /// Kept alive by the thread's slot or by the writer's list of idle lanes.
  let writer: LogWriter
  @exclusivity(unchecked) private var segment: SegmentWriter
  @exclusivity(unchecked) private var dictionary: SegmentDictionary
  private let context: EncodingContext
  @exclusivity(unchecked) private var chunk: SegmentWriter.Chunk?
  /// Where the next record begins; equals `limit` when there is no chunk.
  @exclusivity(unchecked) private var cursor: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var limit: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var baseMonotonic: Int64 = 0
  @exclusivity(unchecked) private var nextSequence: UInt64 = 0
  @exclusivity(unchecked) private var definedLayouts = LayoutSet()
  private(set) var thread: UInt32
  private let clock: @Sendable () -> Int64
  private let killSequence: UInt64
  private let killsAfterCommit: Bool

  init(number: UInt32, writer: LogWriter, segment: OpenSegment) {
    self.number = number
    self.writer = writer
    self.segment = segment.file
    dictionary = segment.dictionary
    context = EncodingContext(policy: writer.configuration.privacy, dictionary: segment.dictionary)
    // Any address will do while the lane has no chunk: its room is 0.
    cursor = UnsafeMutableRawPointer(bitPattern: 8)!
    limit = cursor
    thread = xp_thread_id()
    clock = writer.configuration.clock.monotonic
    let kill = writer.configuration.killHook.flatMap { $0.lane == number ? $0 : nil }
    killSequence = kill?.sequence ?? .max
    killsAfterCommit = kill?.afterCommit ?? false
  }

  /// Texts of one event together may take this much before they are cut harder.
  private static let generousText = SegmentFormat.maximumRecord - 64 * 1024
  private static let strictText = 16 * 1024

  /// Appends one event; when this returns `true` the event survives the death of the process.
  @inline(__always)
  func append<Event: TransferEvent>(_ event: Event) -> Bool {
    let kind = Event.kind
    let now = clock()
    if definedLayouts.contains(kind.rawValue), tryAppend(event, kind: kind.rawValue, now: now) { return true }
    return appendSlowly(event, now: now)
  }

  /// Encodes into what is left of the chunk.
  @inline(__always)
  private func tryAppend<Event: TransferEvent>(_ event: Event, kind: UInt16, now: Int64) -> Bool {
    let room = limit - cursor - RecordFormat.payload
    guard room >= 8 else { return false }
    // A clock that steps back gives 0, one that runs 78 hours ahead of the chunk needs a new one.
    let time = UInt64(max(0, now - baseMonotonic))
    guard time <= RecordFormat.timeMask else { return false }
    var encoder = FieldEncoder(
      room: .init(start: cursor + RecordFormat.payload, count: room), context: .passUnretained(context),
      textLimit: SegmentFormat.chunkSize)
    event.encode(into: &encoder)
    guard !encoder.overflowed else { return false }
    let count = encoder.count
    let length = (RecordFormat.payload + count + 3) & ~3
    guard length <= limit - cursor else { return false }
    let padding = cursor + RecordFormat.payload + count
    if limit - padding >= 4 {
      padding.storeBytes(of: 0, as: UInt32.self)
    } else {
      for offset in 0..<limit - padding { padding.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
    }
    cursor.storeBytes(
      of: (UInt64(kind) << RecordFormat.timeBits | time).littleEndian, toByteOffset: RecordFormat.timeAndKind, as: UInt64.self)
    return commit(length: length)
  }

  @inline(__always)
  private func commit(length: Int) -> Bool {
    if nextSequence == killSequence, !killsAfterCommit { KillHook.fire() }
    commitRecord(at: cursor, length: length, sequence: nextSequence)
    if segment.appends, let chunk, let problem = segment.persist(chunk, from: cursor - chunk.base, count: length) {
      xp_store_release_32(cursor, 0)
      writer.noteProblem(problem)
      return false
    }
    if nextSequence == killSequence { KillHook.fire() }
    cursor += length
    nextSequence += 1
    return true
  }

  // MARK: Off the hot path

  @inline(never)
  private func appendSlowly<Event: TransferEvent>(_ event: Event, now: Int64) -> Bool {
    let kind = Event.kind
    // Once for a layout that is new to the segment, once for a full chunk, once for a full segment.
    for _ in 0..<4 {
      guard !writer.isClosed else { return false }
      if limit == cursor {
        guard moveOn() else { return false }
      }
      guard define(kind) else {
        guard moveOn(leavingSegment: true) else { return false }
        continue
      }
      if tryAppend(event, kind: kind.rawValue, now: clock()) { return true }
      if writer.hasProblem { return false }
      let isFresh = chunk.map { cursor == $0.base + ChunkHeader.size } ?? false
      if isFresh { return appendLarge(event) }
      guard moveOn() else { return false }
    }
    return appendLarge(event)
  }

  private func define(_ kind: EventKind) -> Bool {
    if definedLayouts.contains(kind.rawValue) { return true }
    guard let layout = EventLayout.known[Int(kind.rawValue)], dictionary.define(layout: layout) else { return false }
    definedLayouts.insert(kind.rawValue)
    return true
  }

  /// Leaves the chunk and takes another, in the next segment when this one is full.
  private func moveOn(leavingSegment: Bool = false, span: Int = 1) -> Bool {
    leaveChunk()
    var claimed = leavingSegment ? nil : segment.claim(span: span)
    if claimed == nil {
      guard let next = writer.nextSegment(after: segment, atLeast: span + 2) else { return false }
      segment = next.file
      dictionary = next.dictionary
      context.reset(dictionary: dictionary)
      definedLayouts = LayoutSet()
      claimed = segment.claim(span: span)
    }
    guard let claimed else { return false }
    let clocks = writer.configuration.clock.read()
    let header = ChunkHeader(
      kind: span == 1 ? .records : .large, index: UInt32(claimed.index), lane: number, thread: thread,
      firstSequence: nextSequence, clocks: clocks, span: UInt32(span), nonce: segment.header.nonce)
    header.write(to: claimed.base)
    if let problem = segment.persist(claimed, from: 0, count: ChunkHeader.size) {
      segment.release(claimed)
      writer.noteProblem(problem)
      return false
    }
    chunk = claimed
    cursor = claimed.base + ChunkHeader.size
    limit = claimed.base + claimed.size
    baseMonotonic = clocks.monotonic
    return true
  }

  private func leaveChunk() {
    guard let chunk else { return }
    endChunk(chunk, at: cursor - chunk.base, in: segment)
    segment.release(chunk)
    self.chunk = nil
    cursor = limit
  }

  /// An event that no chunk can hold: it is encoded aside and copied over consecutive chunks.
  private func appendLarge<Event: TransferEvent>(_ event: Event) -> Bool {
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFormat.maximumRecord, alignment: 8)
    defer { scratch.deallocate() }
    for textLimit in [Self.generousText, Self.strictText] {
      // Twice: symbols of a first try may belong to a segment that the claim then leaves.
      for _ in 0..<2 {
        var encoder = FieldEncoder(room: scratch, context: .passUnretained(context), textLimit: textLimit)
        event.encode(into: &encoder)
        if encoder.overflowed { break }
        let count = encoder.count
        let length = (RecordFormat.largePayload + count + 3) & ~3
        let span = (ChunkHeader.size + length + 4 + SegmentFormat.chunkSize - 1) / SegmentFormat.chunkSize
        let before = segment
        guard moveOn(span: span) else { return false }
        guard segment === before, define(Event.kind) else { continue }
        return commitLarge(kind: Event.kind.rawValue, payload: .init(rebasing: scratch[..<count]), length: length)
      }
    }
    writer.noteTooLarge(Event.kind)
    return false
  }

  private func commitLarge(kind: UInt16, payload: UnsafeRawBufferPointer, length: Int) -> Bool {
    (cursor + RecordFormat.largePayload).copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    cursor.storeBytes(of: UInt32(length).littleEndian, toByteOffset: RecordFormat.largeLength, as: UInt32.self)
    cursor.storeBytes(
      of: (UInt64(kind) << RecordFormat.timeBits).littleEndian, toByteOffset: RecordFormat.timeAndKind, as: UInt64.self)
    let committed = commit(length: length)
    // The chunks behind it hold nothing else.
    leaveChunk()
    return committed
  }

  // MARK: Changing threads

  /// Another thread takes the lane over. Runs on that thread.
  func adopt() {
    let current = xp_thread_id()
    guard current != thread else { return }
    thread = current
    guard limit - cursor >= RecordFormat.payload + 4 else { return leaveChunk() }
    cursor.storeBytes(of: current.littleEndian, toByteOffset: RecordFormat.payload, as: UInt32.self)
    let time = UInt64(max(0, clock() - baseMonotonic)) & RecordFormat.timeMask
    cursor.storeBytes(
      of: (UInt64(RecordFormat.threadChanged) << RecordFormat.timeBits | time).littleEndian,
      toByteOffset: RecordFormat.timeAndKind, as: UInt64.self)
    _ = commit(length: RecordFormat.payload + 4)
  }

  deinit {
    if let chunk { segment.release(chunk) }
  }
}

/// Which layouts a segment has: one bit for each event number below 256.
private struct LayoutSet {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  @inline(__always)
  func contains(_ number: UInt16) -> Bool {
    let bit: UInt64 = 1 << UInt64(number & 63)
    return switch number >> 6 {
    case 0: words.0 & bit != 0
    case 1: words.1 & bit != 0
    case 2: words.2 & bit != 0
    case 3: words.3 & bit != 0
    default: false
    }
  }

  mutating func insert(_ number: UInt16) {
    let bit: UInt64 = 1 << UInt64(number & 63)
    switch number >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    case 2: words.2 |= bit
    case 3: words.3 |= bit
    default: break
    }
  }
}
