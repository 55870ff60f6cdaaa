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
  /// Nanoseconds after `baseMonotonic` from which the clocks are looked at again.
  @exclusivity(unchecked) private var nextLook: UInt64 = 0
  /// The clocks in the chunk's header.
  @exclusivity(unchecked) private var chunkClocks = ClockReading(monotonic: 0, boottime: 0, wall: 0)
  /// What the log is to be told of the clocks behind the present event.
  @exclusivity(unchecked) private var clockChanges: [SampleReason] = []
  @exclusivity(unchecked) private var nextSequence: UInt64 = 0
  @exclusivity(unchecked) private var recordSeed: UInt32 = 0
  /// A chunk that was claimed but could not be begun; the next try uses it.
  @exclusivity(unchecked) private var spare: SegmentWriter.Chunk?
  /// Why the last event was not appended; says nothing after one that was.
  @exclusivity(unchecked) private(set) var failure = Failure.noRoom
  /// Layouts that the segment has, by event number.
  @exclusivity(unchecked) private var definedLayouts = NumberSet()
  private(set) var thread: UInt32
  private let clock: @Sendable () -> Int64
  private let killSequence: UInt64
  private let killsAfterCommit: Bool

  enum Failure {
    /// The record does not fit what is left of the chunk.
    case noRoom
    /// The clocks have to be looked at first.
    case lookDue
    /// The segment has no room for what a number in the record stands for.
    case noDefinition
    /// The system refused to write.
    case refused
    /// No segment could hold it.
    case tooLarge
  }

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
    if definedLayouts.contains(Int(kind.rawValue)), tryAppend(event, kind: kind.rawValue, now: now) { return true }
    return appendSlowly(event)
  }

  /// Encodes into what is left of the chunk.
  @inline(__always)
  private func tryAppend<Event: TransferEvent>(_ event: Event, kind: UInt16, now: Int64) -> Bool {
    let room = limit - cursor - RecordFormat.payload
    guard room >= 8 else { return failed(.noRoom) }
    // A clock that steps back gives 0.
    let time = UInt64(max(0, now - baseMonotonic))
    guard time < nextLook else { return failed(.lookDue) }
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
    return true
  }

  /// Where the event stands that was appended last.
  var lastReference: EventReference {
    .record(segment: segment.header.number, lane: number, sequence: nextSequence &- 1)
  }

  // MARK: Off the hot path

  private func failed(_ reason: Failure) -> Bool {
    failure = reason
    return false
  }

  /// Chunks and segments that one event may go through; each segment is twice as large as the one before.
  private static let maximumMoves = 16

  @inline(never)
  private func appendSlowly<Event: TransferEvent>(_ event: Event) -> Bool {
    let appended = appendAnywhere(event)
    if appended, !clockChanges.isEmpty { sampleClocks() }
    return appended
  }

  private func appendAnywhere<Event: TransferEvent>(_ event: Event) -> Bool {
    let kind = Event.kind
    for _ in 0..<Self.maximumMoves {
      if writer.isClosed {
        // Nothing that is smaller may follow what was not written.
        leaveChunk()
        return failed(.refused)
      }
      if limit == cursor {
        guard moveOn() else { return failed(.refused) }
      }
      let isFresh = chunk.map { cursor == $0.base + ChunkHeader.size } ?? false
      if !define(kind) {
        failure = .noDefinition
      } else if tryAppend(event, kind: kind.rawValue, now: clock()) {
        return true
      }
      switch failure {
      case .refused, .tooLarge: return false
      case .lookDue: lookAtClocks()
      case .noRoom:
        if isFresh { return appendLarge(event) }
        guard moveOn() else { return failed(.refused) }
      case .noDefinition:
        guard moveOn(leavingSegment: true) else { return failed(.refused) }
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

  /// Leaves the chunk and takes another, in the next segment when this one is full.
  private func moveOn(leavingSegment: Bool = false, span: Int = 1, kind: ChunkHeader.Kind = .records) -> Bool {
    leaveChunk()
    guard let claimed = claim(span: span, leavingSegment: leavingSegment) else { return false }
    let clocks = writer.configuration.clock.read()
    let header = ChunkHeader(
      kind: kind, index: UInt32(claimed.index), lane: number, thread: thread, firstSequence: nextSequence, clocks: clocks,
      span: UInt32(span), nonce: segment.header.nonce)
    header.write(to: claimed.base)
    if let problem = segment.persist(claimed, from: 0, count: ChunkHeader.size) {
      if span == 1 { spare = claimed } else { segment.release(claimed) }
      writer.noteProblem(problem)
      return false
    }
    chunk = claimed
    cursor = claimed.base + ChunkHeader.size
    limit = claimed.base + claimed.recordsEnd
    baseMonotonic = clocks.monotonic
    chunkClocks = clocks
    nextLook = UInt64(ClockWatch.interval)
    clockChanges += writer.clockWatch.changes(in: clocks, of: writer.configuration.clock)
    recordSeed = header.recordSeed
    return true
  }

  /// Leaves the chunk when its clocks are no longer those of its header, for its records count from these.
  private func lookAtClocks() {
    let clocks = writer.configuration.clock.read()
    writer.lookAtPlace(now: clocks.monotonic)
    leaveAbandoned()
    nextLook = UInt64(max(0, clocks.monotonic - baseMonotonic)) + UInt64(ClockWatch.interval)
    // A record's time has room for 78 hours.
    if nextLook > RecordFormat.timeMask || ClockWatch.isFar(clocks, chunkClocks) { leaveChunk() }
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
    // Other lanes may have filled the next segment by the time that this one gets there.
    for _ in 0..<Self.maximumMoves {
      guard let next = writer.nextSegment(after: segment, atLeast: span + 2) else { return nil }
      if let chunk = spare {
        segment.release(chunk)
        spare = nil
      }
      segment = next.file
      dictionary = next.dictionary
      context.reset(dictionary: dictionary)
      definedLayouts = NumberSet()
      if let chunk = segment.claim(span: span) { return chunk }
    }
    return nil
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

  /// An event that no chunk can hold: it is encoded aside and copied over consecutive chunks.
  private func appendLarge<Event: TransferEvent>(_ event: Event) -> Bool {
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFormat.maximumRecord, alignment: 8)
    defer { scratch.deallocate() }
    for textLimit in [Self.generousText, Self.strictText] {
      for _ in 0..<Self.maximumMoves {
        var count = encode(event, into: scratch, textLimit: textLimit)
        if count == nil, failure == .noDefinition {
          guard moveOn(leavingSegment: true) else { return failed(.refused) }
          continue
        }
        guard let size = count else { break }
        let length = (RecordFormat.largePayload + size + 3) & ~3
        let span = SegmentFormat.span(ofLargeRecord: length)
        let before = segment
        guard moveOn(span: span, kind: .large) else { return failed(.refused) }
        if segment !== before {
          // The numbers in it belong to the segment that was left; in this one it has others, of the same size.
          count = encode(event, into: scratch, textLimit: textLimit)
          guard count == size else { continue }
        }
        return commitLarge(kind: Event.kind.rawValue, payload: .init(rebasing: scratch[..<size]), length: length)
      }
    }
    return failed(.tooLarge)
  }

  /// - Returns: the bytes written; `nil` when `failure` says why not.
  private func encode<Event: TransferEvent>(
    _ event: Event, into room: UnsafeMutableRawBufferPointer, textLimit: Int
  ) -> Int? {
    failure = .noDefinition
    guard define(Event.kind) else { return nil }
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
    // The chunks behind it hold nothing else.
    leaveChunk()
    return committed
  }

  // MARK: Leaving what may never reach the disk

  /// Takes the last event back out of an abandoned segment and appends it in another.
  ///
  /// - Returns: whether the event is in the log.
  func appendAgain<Event: TransferEvent>(_ event: Event) -> Bool {
    guard segment.isAbandoned else { return true }
    // A large record has left its chunk already and stays: that its segment failed is reported anyway.
    guard withdrawLast() else { return true }
    leaveAbandoned()
    return append(event)
  }

  /// Leaves an abandoned segment; the next event goes to another.
  func leaveAbandoned() {
    guard segment.isAbandoned else { return }
    leaveChunk()
    if let chunk = spare { segment.release(chunk) }
    spare = nil
  }

  /// Steps back over the last record of the chunk; leaving the chunk then ends it there.
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
      return true
    }
    return false
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
    // A chunk that cannot say whose records follow is left; the next one's header does.
    if !commit(length: RecordFormat.payload + 4) { leaveChunk() }
  }

  deinit {
    if let chunk { segment.release(chunk) }
    if let spare { segment.release(spare) }
  }
}
