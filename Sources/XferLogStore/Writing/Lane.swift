import CXferPlatform
import XferEvents

/// The part of a log that one thread writes. Appending needs no synchronisation until the current chunk is full.
///
/// A lane outlives its thread: the next thread without a lane adopts it, so that short-lived threads do not use up chunks.
/// Lane positions are contiguous across threads, chunks and segments.
///
/// Only one thread uses a lane at a time. Exclusivity checks are therefore disabled; they would cost more than the stores.
final class Lane {
  let number: UInt32
  /// The writer. An idle lane and its writer retain each other until the log is closed.
  let writer: LogWriter
  @exclusivity(unchecked) private var segment: SegmentWriter
  @exclusivity(unchecked) private var dictionary: SegmentDictionary
  private let context: EncodingContext
  @exclusivity(unchecked) private var chunk: SegmentWriter.Chunk?
  /// The address of the next record; equals `limit` if there is no chunk.
  @exclusivity(unchecked) private var cursor: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var limit: UnsafeMutableRawPointer
  /// The address of the chunk's mark; see `ChunkHeader.markOffset`.
  @exclusivity(unchecked) private var mark: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var baseMonotonic: Int64 = 0
  /// The time in nanoseconds after `baseMonotonic` at which the clocks are checked again.
  @exclusivity(unchecked) private var nextClockCheck: UInt64 = 0
  /// The clock readings in the chunk's header.
  @exclusivity(unchecked) private var chunkClocks = ClockReading(monotonic: 0, boottime: 0, wall: 0)
  /// Clock changes that must be recorded after the current event.
  @exclusivity(unchecked) private var clockChanges: [SampleReason] = []
  @exclusivity(unchecked) private var nextSequence: UInt64 = 0
  @exclusivity(unchecked) private var recordSeed: UInt32 = 0
  /// A claimed chunk whose header could not be written. The next attempt reuses it.
  @exclusivity(unchecked) private var spare: SegmentWriter.Chunk?
  /// The reason why the last append failed. Meaningless after a successful append.
  @exclusivity(unchecked) private(set) var failure = Failure.noRoom
  /// The event numbers whose layouts the segment defines.
  @exclusivity(unchecked) private var definedLayouts = NumberSet()
  private(set) var thread: UInt32
  private let clock: @Sendable () -> Int64
  private let killSequence: UInt64
  private let killsAfterCommit: Bool

  enum Failure {
    /// The record does not fit into the rest of the chunk.
    case noRoom
    /// The clocks must be checked before appending.
    case clockCheckDue
    /// The segment has no room for a definition that the record needs.
    case noDefinition
    /// The system refused to write.
    case refused
    /// The event is larger than any segment can hold.
    case tooLarge
  }

  init(number: UInt32, writer: LogWriter, segment: OpenSegment) {
    self.number = number
    self.writer = writer
    self.segment = segment.file
    dictionary = segment.dictionary
    context = EncodingContext(policy: writer.configuration.privacy, dictionary: segment.dictionary)
    // Without a chunk the lane has no room, so any non-null address works.
    cursor = UnsafeMutableRawPointer(bitPattern: 8)!
    limit = cursor
    mark = cursor
    thread = xp_thread_id()
    clock = writer.configuration.clock.monotonic
    let kill = writer.configuration.killHook.flatMap { $0.lane == number ? $0 : nil }
    killSequence = kill?.sequence ?? .max
    killsAfterCommit = kill?.afterCommit ?? false
  }

  /// The text limit in bytes for the first attempt to encode a large event.
  private static let normalTextLimit = SegmentFormat.maximumRecord - 64 * 1024
  /// The text limit in bytes for the second attempt, after the first one did not fit.
  private static let reducedTextLimit = 16 * 1024

  /// Appends one event.
  ///
  /// - Returns: `true` if the event was appended. It then survives a killed process.
  @inline(__always)
  func append<Event: TransferEvent>(_ event: Event) -> Bool {
    let kind = Event.kind
    let now = clock()
    if definedLayouts.contains(Int(kind.rawValue)), tryAppend(event, kind: kind.rawValue, now: now) { return true }
    return appendSlowly(event)
  }

  /// Appends a copy of an event of another source.
  ///
  /// - Returns: `true` if the event was appended. It then survives a killed process.
  func append(copy event: CopiedEvent) -> Bool { appendSlowly(event) }

  /// Returns the kind of an event. The kind of a copy is known only at run time, which the path of all other events need not check.
  private func kind<Event: TransferEvent>(of event: Event) -> EventKind { (event as? CopiedEvent)?.kind ?? Event.kind }

  /// Encodes the event directly into the rest of the chunk.
  @inline(__always)
  private func tryAppend<Event: TransferEvent>(_ event: Event, kind: UInt16, now: Int64) -> Bool {
    let room = limit - cursor - RecordFormat.payload
    guard room >= 8 else { return failed(.noRoom) }
    // A clock that steps back yields time 0.
    let time = UInt64(max(0, now - baseMonotonic))
    guard time < nextClockCheck else { return failed(.clockCheckDue) }
    var encoder = FieldEncoder(
      room: .init(start: cursor + RecordFormat.payload, count: room), context: .passUnretained(context),
      textLimit: SegmentFormat.chunkSize)
    event.encode(into: &encoder)
    guard !encoder.overflowed else { return failed(encoder.lacksDefinition ? .noDefinition : .noRoom) }
    let count = encoder.count
    let length = (RecordFormat.payload + count + 3) & ~3
    guard length <= limit - cursor else { return failed(.noRoom) }
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
    commitRecord(at: cursor, length: length, sequence: nextSequence, seed: recordSeed)
    if segment.appends, let chunk, let problem = segment.persist(chunk, from: cursor - chunk.base, count: length) {
      xp_store_release_32(cursor, 0)
      writer.noteProblem(problem)
      return failed(.refused)
    }
    if nextSequence == killSequence { KillHook.fire() }
    cursor += length
    nextSequence += 1
    storeMark()
    return true
  }

  /// Stores the position after the last record, so that a reader notices when records at the end of the chunk were erased.
  /// Released after the record, so that a reader that sees the mark sees the record.
  @inline(__always)
  private func storeMark() { xp_store_release_32(mark, UInt32(truncatingIfNeeded: nextSequence).littleEndian) }

  /// The location of the last appended event.
  var lastReference: EventReference {
    .record(segment: segment.header.number, lane: number, sequence: nextSequence &- 1)
  }

  // MARK: Slow path

  private func failed(_ reason: Failure) -> Bool {
    failure = reason
    return false
  }

  /// The maximum number of chunks or segments tried for one event. Each segment is twice as large as the one before.
  private static let maximumAttempts = 16

  @inline(never)
  private func appendSlowly<Event: TransferEvent>(_ event: Event) -> Bool {
    let appended = appendAnywhere(event)
    if appended, !clockChanges.isEmpty { sampleClocks() }
    return appended
  }

  private func appendAnywhere<Event: TransferEvent>(_ event: Event) -> Bool {
    let kind = kind(of: event)
    for _ in 0..<Self.maximumAttempts {
      if writer.isClosed {
        // Leave the chunk. Otherwise a later, smaller event could still fit into it although this event was dropped.
        leaveChunk()
        return failed(.refused)
      }
      if limit == cursor {
        guard advanceChunk() else { return failed(.refused) }
      }
      let isFresh = chunk.map { cursor == $0.base + ChunkHeader.size } ?? false
      if !define(kind) {
        failure = .noDefinition
      } else if tryAppend(event, kind: kind.rawValue, now: clock()) {
        return true
      }
      switch failure {
      case .refused, .tooLarge: return false
      case .clockCheckDue: checkClocks()
      case .noRoom:
        if isFresh { return appendLarge(event) }
        guard advanceChunk() else { return failed(.refused) }
      case .noDefinition:
        guard advanceChunk(leavingSegment: true) else { return failed(.refused) }
      }
    }
    return failed(.tooLarge)
  }

  private func define(_ kind: EventKind) -> Bool {
    if definedLayouts.contains(Int(kind.rawValue)) { return true }
    guard let layout = EventLayout.known[Int(kind.rawValue)], dictionary.define(layout: layout) else { return false }
    definedLayouts.insert(Int(kind.rawValue))
    return true
  }

  /// Leaves the chunk and begins another one, in the next segment if the current segment is full.
  private func advanceChunk(leavingSegment: Bool = false, span: Int = 1, kind: ChunkHeader.Kind = .records) -> Bool {
    leaveChunk()
    guard let claimed = claim(span: span, leavingSegment: leavingSegment) else { return false }
    let clocks = writer.configuration.clock.read()
    let header = ChunkHeader(
      kind: kind, index: UInt32(claimed.index), lane: number, thread: thread, firstSequence: nextSequence, clocks: clocks,
      span: UInt32(span), nonce: segment.header.nonce)
    if let problem = segment.begin(claimed, with: header) {
      if span == 1 { spare = claimed } else { segment.release(claimed) }
      writer.noteProblem(problem)
      return false
    }
    chunk = claimed
    cursor = claimed.base + ChunkHeader.size
    limit = claimed.base + claimed.recordsEnd
    mark = limit + ChunkHeader.markOffset
    baseMonotonic = clocks.monotonic
    chunkClocks = clocks
    nextClockCheck = UInt64(ClockWatch.interval)
    clockChanges += writer.clockWatch.changes(in: clocks, of: writer.configuration.clock)
    recordSeed = header.recordSeed
    return true
  }

  /// Checks the clocks, and leaves the chunk if they no longer match the readings in the chunk's header, because record
  /// times are relative to those readings.
  private func checkClocks() {
    let clocks = writer.configuration.clock.read()
    writer.detectRemoval(now: clocks.monotonic)
    leaveAbandoned()
    nextClockCheck = UInt64(max(0, clocks.monotonic - baseMonotonic)) + UInt64(ClockWatch.interval)
    // A record's time field covers 78 hours.
    if nextClockCheck > RecordFormat.timeMask || ClockWatch.isFar(clocks, chunkClocks) { leaveChunk() }
  }

  private func sampleClocks() {
    let changes = clockChanges
    clockChanges = []
    for reason in changes { _ = append(ClockSampled(writer.configuration.clock.read(), reason)) }
  }

  private func claim(span: Int, leavingSegment: Bool) -> SegmentWriter.Chunk? {
    if !leavingSegment {
      if span == 1, let chunk = spare {
        spare = nil
        return chunk
      }
      if !isSegmentOld, let chunk = segment.claim(span: span) { return chunk }
    }
    // Other lanes may fill the next segment before this lane claims a chunk in it.
    for _ in 0..<Self.maximumAttempts {
      guard let next = writer.nextSegment(after: segment, atLeast: span + 2) else { return nil }
      enter(next)
      writer.noteLeftSegment()
      if let chunk = segment.claim(span: span) { return chunk }
    }
    return nil
  }

  /// Makes another segment the lane's own, after the lane has left its chunk.
  private func enter(_ next: OpenSegment) {
    releaseSpare()
    segment = next.file
    dictionary = next.dictionary
    context.reset(dictionary: dictionary)
    definedLayouts = NumberSet()
  }

  private var isSegmentOld: Bool {
    guard let limit = writer.configuration.maximumSegmentAge else { return false }
    return clock() - segment.header.clocks.monotonic >= limit.nanoseconds
  }

  private func leaveChunk() {
    guard let chunk else { return }
    endChunk(chunk, at: cursor - chunk.base, in: segment)
    segment.release(chunk)
    self.chunk = nil
    cursor = limit
  }

  /// Appends an event that is larger than a chunk: encodes it in a scratch buffer and copies it into consecutive chunks.
  private func appendLarge<Event: TransferEvent>(_ event: Event) -> Bool {
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFormat.maximumRecord, alignment: 8)
    defer { scratch.deallocate() }
    for textLimit in [Self.normalTextLimit, Self.reducedTextLimit] {
      for _ in 0..<Self.maximumAttempts {
        var count = encode(event, into: scratch, textLimit: textLimit)
        if count == nil, failure == .noDefinition {
          guard advanceChunk(leavingSegment: true) else { return failed(.refused) }
          continue
        }
        guard let size = count else { break }
        let length = (RecordFormat.largePayload + size + 3) & ~3
        let span = SegmentFormat.span(ofLargeRecord: length)
        let before = segment
        guard advanceChunk(span: span, kind: .large) else { return failed(.refused) }
        if segment !== before {
          // Symbols are valid in one segment only. The event is encoded again with the new segment's symbols, which have
          // the same size.
          count = encode(event, into: scratch, textLimit: textLimit)
          guard count == size else { continue }
        }
        return commitLarge(kind: kind(of: event).rawValue, payload: .init(rebasing: scratch[..<size]), length: length)
      }
    }
    return failed(.tooLarge)
  }

  /// Encodes the event.
  ///
  /// - Returns: The number of bytes written; `nil` on failure, with the reason in `failure`.
  private func encode<Event: TransferEvent>(
    _ event: Event, into room: UnsafeMutableRawBufferPointer, textLimit: Int
  ) -> Int? {
    failure = .noDefinition
    guard define(kind(of: event)) else { return nil }
    var encoder = FieldEncoder(room: room, context: .passUnretained(context), textLimit: textLimit)
    event.encode(into: &encoder)
    if encoder.overflowed, !encoder.lacksDefinition { failure = .noRoom }
    return encoder.overflowed ? nil : encoder.count
  }

  private func commitLarge(kind: UInt16, payload: UnsafeRawBufferPointer, length: Int) -> Bool {
    (cursor + RecordFormat.largePayload).copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    cursor.storeBytes(of: UInt32(length).littleEndian, toByteOffset: RecordFormat.largeLength, as: UInt32.self)
    cursor.storeBytes(
      of: (UInt64(kind) << RecordFormat.timeBits).littleEndian, toByteOffset: RecordFormat.timeAndKind, as: UInt64.self)
    let committed = commit(length: length)
    // The claimed chunks hold only this record.
    leaveChunk()
    return committed
  }

  // MARK: Abandoned segments

  /// Removes the last event from an abandoned segment and appends it to another one.
  ///
  /// - Returns: Whether the event is in the log.
  func appendAgain<Event: TransferEvent>(_ event: Event) -> Bool {
    guard segment.isAbandoned else { return true }
    // A large record cannot be withdrawn, because the lane has already left its chunk. The record stays, and the segment's
    // failure is reported in any case.
    guard withdrawLast() else { return true }
    leaveAbandoned()
    if let copy = event as? CopiedEvent { return append(copy: copy) }
    return append(event)
  }

  /// Leaves a finished segment for the one that the writer fills, so that no segment waits to be sealed for the next event of this lane.
  func leaveFinished() {
    guard segment.isFinished, !segment.isAbandoned, let next = writer.nextSegment(after: segment, atLeast: 1) else { return }
    leaveChunk()
    enter(next)
  }

  /// Leaves an abandoned segment, so that the next event is written to another one.
  func leaveAbandoned() {
    guard segment.isAbandoned else { return }
    leaveChunk()
    releaseSpare()
  }

  private func releaseSpare() {
    if let chunk = spare { segment.release(chunk) }
    spare = nil
  }

  /// Moves the cursor back over the last record of the chunk. When the lane leaves the chunk, the end mark overwrites that
  /// record.
  private func withdrawLast() -> Bool {
    guard let chunk else { return false }
    var record = chunk.base + ChunkHeader.size
    while record < cursor {
      let word = UInt32(littleEndian: record.load(as: UInt32.self))
      let next = record + Int(word & 0xFFFF) * RecordFormat.alignment
      guard next == cursor else {
        record = next
        continue
      }
      cursor = record
      nextSequence -= 1
      storeMark()
      return true
    }
    return false
  }

  // MARK: Thread changes

  /// Adopts the lane on the calling thread and records the new thread.
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
    // If the thread change cannot be recorded, leave the chunk: the next chunk's header names the thread.
    if !commit(length: RecordFormat.payload + 4) { leaveChunk() }
  }

  deinit {
    if let chunk { segment.release(chunk) }
    releaseSpare()
  }
}
