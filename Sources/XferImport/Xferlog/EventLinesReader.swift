import XferEvents

/// Reads the events and gaps of an export line by line.
///
/// Only the thread that reads the log uses a reader, so the checks for overlapping access are off.
final class EventLinesReader: ForeignReader {
  let writers: [WriterContext]
  @exclusivity(unchecked) private var known: EventLineWriters
  private let input: ImportedInput
  @exclusivity(unchecked) private var lines: JSONLines
  /// The kinds of events that were read, by their numbers.
  @exclusivity(unchecked) private var kinds: [EventLine?] = []
  /// The difference of the clock with sleep and the one without, by writer.
  @exclusivity(unchecked) private var sleep: [Int: Int64] = [:]
  /// The position that follows the last one of each lane, and the thread and the time of the last one.
  @exclusivity(unchecked) private var lanes: [Lane: (next: UInt64, thread: Int64?, moment: Moment?)] = [:]
  /// The positions that are missing in each lane, because a line may come late.
  @exclusivity(unchecked) private var missing: [Lane: [Range<UInt64>]] = [:]
  private var unknown = 0
  private var isDisordered = false
  /// The number of times and positions that could not be read.
  @exclusivity(unchecked) private var unreadable = 0

  private struct Lane: Hashable {
    let writer: Int
    let number: UInt32
  }

  init?(_ input: ImportedInput) {
    guard let preview = LineSource(path: input.path), let lines = JSONLines(path: input.path) else { return nil }
    (self.input, self.lines) = (input, lines)
    known = EventLineWriters(preview, name: input.name)
    writers = known.contexts
  }

  func original(_ position: UInt64) -> String? { lines.original(position) }

  func read(into output: ForeignOutput) -> Bool {
    switch lines.next(output) {
    case .object(let row, let line): if take(row, line, output) { output.recognised += 1 }
    case .nothing: break
    case .end:
      if isDisordered {
        output.because("the lines of \(output.name) are not in the order of their positions; replay --stdin puts them in order")
      }
      let unreadable = kinds.reduce(unreadable + known.unplaced) { $0 + ($1?.unreadable ?? 0) }
      if unreadable > 0 { output.because("\(unreadable.counted("value")) of \(output.name) could not be read") }
      if unknown > 0 {
        output.because("this version does not know \(unknown.counted("event")) of \(output.name)")
      }
      lines.noteEnd(output)
      return false
    }
    return true
  }

  /// - Returns: whether the line is known.
  private func take(_ row: JSONNode, _ line: UInt64, _ output: ForeignOutput) -> Bool {
    guard row["schema"]?.equals("xferlog.event/1") ?? false else { return false }
    if let gap = row["gap"] {
      takeGap(gap, row, output)
      return true
    }
    if let reason = row["incomplete"]?.text {
      output.because(reason)
      return true
    }
    // The findings follow from the events again, and the writers are known already.
    if row["finding"] != nil || row["writer"] != nil { return true }
    guard let kind = row["event"]?.text.flatMap(EventKind.named), let event = eventLine(kind) else {
      unknown += 1
      return false
    }
    let source = row["source"]
    let writer = known.place(launch: row["launch"], file: source?["file"]?.integer)
    let moment = moment(row, kind, writer)
    let thread = row["thread"]?.integer
    if let (lane, sequence) = source.flatMap({ position($0, writer) }) {
      // An export may have been appended to a file twice.
      if row["launch"] != nil, isRepeated(sequence, in: lane) { return true }
      noteLoss(before: sequence, in: lane, at: moment, thread: thread, output)
    }
    event.find(in: row)
    output.emit(kind, at: moment, position: line, writer: writer, thread: thread.map { UInt32(clamping: $0) }) {
      event.encode(into: &$0)
    }
    return true
  }

  private func eventLine(_ kind: EventKind) -> EventLine? {
    let number = Int(kind.rawValue)
    if number < kinds.count, let known = kinds[number] { return known }
    while kinds.count <= number { kinds.append(nil) }
    kinds[number] = EventLine(kind)
    return kinds[number]
  }

  private func moment(_ row: JSONNode, _ kind: EventKind, _ writer: Int) -> Moment {
    let (mono, time) = (row["mono"], row["time"])
    let (monotonic, wall) = (mono?.integer, time?.time)
    if mono != nil, monotonic == nil { unreadable += 1 }
    if time != nil, wall == nil { unreadable += 1 }
    // The time since boot is exported only where the clocks were sampled.
    if kind == .clockSampled, let monotonic, let boottime = row["fields"]?["boottimeClock"]?.integer {
      sleep[writer] = boottime.subtractingClamped(monotonic)
    }
    let boottime = monotonic.flatMap { monotonic in sleep[writer].map { monotonic.addingClamped($0) } }
    return Moment(monotonic: monotonic, boottime: boottime, wall: wall)
  }

  // MARK: Missing records

  /// Returns the lane of an event and its position in it; `nil` if the line does not tell them.
  private func position(_ source: JSONNode, _ writer: Int) -> (Lane, UInt64)? {
    guard let number = source["lane"]?.integer, let position = source["seq"], !position.isNull else { return nil }
    guard let sequence = position.integer.flatMap({ UInt64(exactly: $0) }) else {
      unreadable += 1
      return nil
    }
    return (Lane(writer: writer, number: UInt32(clamping: number)), sequence)
  }

  /// Whether an earlier line had the same position in the log of the same process. A line of another program's log may be several
  /// events, which have the same position.
  private func isRepeated(_ sequence: UInt64, in lane: Lane) -> Bool {
    guard writers[lane.writer].coverage == nil, let next = lanes[lane]?.next, sequence < next else { return false }
    let ranges = missing[lane] ?? []
    let place = ranges.firstIndex { $0.contains(sequence) }
    if place == nil, ranges.count < Self.rangeLimit { return true }
    isDisordered = true
    guard let place else { return false }
    let range = ranges[place]
    let rest = [range.lowerBound..<sequence, sequence + 1..<range.upperBound].filter { !$0.isEmpty }
    missing[lane]?.replaceSubrange(place...place, with: rest)
    return false
  }

  /// The maximum number of missing ranges that are kept for a lane. With more of them, no line counts as repeated.
  private static let rangeLimit = 4096

  /// Emits a gap if records precede an event that the export lacks, for example because it was filtered.
  private func noteLoss(
    before sequence: UInt64, in lane: Lane, at moment: Moment, thread: Int64?, _ output: ForeignOutput
  ) {
    let (expected, earlier, last) = lanes[lane] ?? (0, thread, nil)
    if sequence < expected { return }
    lanes[lane] = (sequence &+ 1, thread, moment)
    if sequence == expected { return }
    if missing[lane, default: []].count < Self.rangeLimit { missing[lane, default: []].append(expected..<sequence) }
    // A change of the thread takes a position, and has no event.
    if sequence == expected &+ 1, thread != earlier { return }
    let gap = LogGap(
      cause: .missingSequence, segment: output.number, name: input.name, launch: writers[lane.writer].launch, lane: lane.number,
      sequences: expected..<sequence, after: last, before: moment)
    output.emit(gap, writer: lane.writer)
  }

  private func takeGap(_ gap: JSONNode, _ row: JSONNode, _ output: ForeignOutput) {
    func range(_ key: StaticString) -> Range<UInt64>? {
      guard let from = gap[key]?["from"]?.integer.flatMap({ UInt64(exactly: $0) }),
        let to = gap[key]?["to"]?.integer.flatMap({ UInt64(exactly: $0) }), from < to
      else { return nil }
      return from..<to
    }
    let launch = row["launch"]
    let writer = known.place(launch: launch, file: nil)
    let lane = gap["lane"]?.integer.map { UInt32(clamping: $0) }
    let sequences = range("sequences")
    var after = gap["afterMono"]?.integer.map { Moment(monotonic: $0) }
    if launch != nil, let lane, let sequences {
      let key = Lane(writer: writer, number: lane)
      after = after ?? lanes[key]?.moment
      lanes[key] = (max(lanes[key]?.next ?? 0, sequences.upperBound), lanes[key]?.thread, lanes[key]?.moment)
    }
    let before = Moment(monotonic: row["mono"]?.integer, wall: row["time"]?.time)
    let isForeign = writers[writer].coverage != nil
    output.emit(
      LogGap(
        cause: LogGap.Cause(name: gap["cause"]?.text ?? "", problem: gap["problem"]?.text ?? ""), segment: output.number,
        name: input.name, launch: launch?.launch, lane: lane, sequences: sequences, bytes: range("bytes"),
        after: after, before: before == Moment() ? nil : before, terms: isForeign ? .lines : .log),
      writer: writer)
  }
}
