import XferEvents

/// One lane of one process life, read in order over its chunks and segments.
struct LaneReader {
  let launch: LaunchID
  let lane: UInt32
  private var chunks: [Place] = []
  private var current = 0
  private var walker: RecordWalker?
  /// The position that the next record must have; `nil` before the first chunk.
  private var expected: UInt64?
  private var thread: UInt32 = 0
  /// Monotonic clock of the last event.
  private var last: Int64?
  private var tornReported = false

  struct Place {
    let segment: SegmentReader
    let chunk: ChunkHeader
  }

  enum Item {
    case event(RecordedEvent)
    case gap(LogGap)
  }

  init(launch: LaunchID, lane: UInt32) {
    self.launch = launch
    self.lane = lane
  }

  mutating func add(_ chunk: ChunkHeader, of segment: SegmentReader) {
    chunks.append(Place(segment: segment, chunk: chunk))
    // Slots are claimed in order but filled in any; unread chunks are put in the order of the lane.
    var place = chunks.count - 1
    while place > current + (walker == nil ? 0 : 1), follows(chunks[place - 1], chunks[place]) {
      chunks.swapAt(place - 1, place)
      place -= 1
    }
  }

  private func follows(_ left: Place, _ right: Place) -> Bool {
    (left.chunk.firstSequence, left.segment.number, left.chunk.index)
      > (right.chunk.firstSequence, right.segment.number, right.chunk.index)
  }

  /// The lane's next event or gap; `nil` when there is none (yet).
  ///
  /// - Parameter isFinal: whether nothing will be added to the log while it is read.
  mutating func next(isFinal: Bool) -> Item? {
    while current < chunks.count {
      let place = chunks[current]
      if walker == nil {
        if let gap = enter(place) { return .gap(gap) }
      }
      let isLast = current == chunks.count - 1
      let fileOffset = UInt64(SegmentFormat.chunkOffset(Int(place.chunk.index)))
      // Stepping in place: a copy of the walker in and out would cost more than the step.
      switch walker!.next(isFinal: isFinal || !isLast) {
      case .record(let record):
        expected = record.sequence + 1
        if record.kind >= RecordFormat.firstInternalKind {
          note(record)
          continue
        }
        if let event = event(record, at: place) {
          last = event.monotonic
          return .event(event)
        }
        let sequences = record.sequence..<record.sequence + 1
        return .gap(
          gap(.damaged(problem: "what event \(record.kind) means is not known"), at: place, sequences: sequences, bytes: nil))
      case .damage(let range, let next):
        let missing = expected.map { $0..<max($0, next) }
        expected = next
        return .gap(
          gap(
            .damaged(problem: "no record of the lane fits these bytes"), at: place,
            sequences: missing.flatMap { $0.isEmpty ? nil : $0 },
            bytes: fileOffset + UInt64(range.lowerBound)..<fileOffset + UInt64(range.upperBound)))
      case .endOfChunk: leave()
      case .notYet:
        guard isLast else {
          leave()
          continue
        }
        if !tornReported, isFinal || place.segment.isFinished, walker!.hasUncommittedBytes {
          tornReported = true
          let start = fileOffset + UInt64(walker!.offset)
          return .gap(gap(.torn, at: place, sequences: nil, bytes: start..<start + 1))
        }
        return nil
      }
    }
    return nil
  }

  /// Begins a chunk, and says what is missing before it.
  private mutating func enter(_ place: Place) -> LogGap? {
    let first = place.chunk.firstSequence
    thread = place.chunk.thread
    let bytes = place.segment.chunk(Int(place.chunk.index), span: Int(place.chunk.span))
    walker = RecordWalker(chunk: bytes, sequence: first, isLarge: place.chunk.kind == .large)
    guard let expected else {
      self.expected = first
      return first == 0 ? nil : gap(.missingHead, at: place, sequences: 0..<first, bytes: nil)
    }
    guard first > expected else { return nil }
    self.expected = first
    // Where a chunk's header is damaged nobody can say whose it was; a lane that jumps there has its answer.
    let cause: LogGap.Cause =
      place.segment.damagedChunks.isEmpty ? .missingSequence : .damaged(problem: "a chunk before it cannot be read")
    return gap(cause, at: place, sequences: expected..<first, bytes: nil)
  }

  private mutating func leave() {
    walker = nil
    current += 1
  }

  private mutating func note(_ record: RecordWalker.Record) {
    guard record.kind == RecordFormat.threadChanged, record.payload.count >= 4 else { return }
    thread = UInt32(littleEndian: record.payload.loadUnaligned(as: UInt32.self))
  }

  @inline(__always)
  private func event(_ record: RecordWalker.Record, at place: Place) -> RecordedEvent? {
    let source = place.segment.source
    let clocks = place.chunk.clocks
    guard let layout = layout(record.kind, of: place.segment) else { return nil }
    return RecordedEvent(
      source: source, layout: layout,
      reference: .record(segment: place.segment.number, lane: lane, sequence: record.sequence), thread: thread,
      monotonic: clocks.monotonic &+ record.time, boottime: clocks.boottime &+ record.time,
      wall: WallTime(nanoseconds: clocks.wall &+ record.time), payload: record.payload)
  }

  @inline(__always)
  private func layout(_ number: UInt16, of segment: SegmentReader) -> EventLayout? {
    if let layout = segment.source.layout(number) { return layout }
    segment.refreshDictionary()
    return segment.source.layout(number)
  }

  private func gap(_ cause: LogGap.Cause, at place: Place, sequences: Range<UInt64>?, bytes: Range<UInt64>?) -> LogGap {
    let clocks = place.chunk.clocks
    return LogGap(
      cause: cause, segment: place.segment.number, name: place.segment.name, launch: launch, lane: lane,
      sequences: sequences, bytes: bytes, after: last.map { Moment(monotonic: $0) },
      before: Moment(monotonic: clocks.monotonic, boottime: clocks.boottime, wall: WallTime(nanoseconds: clocks.wall)))
  }
}
