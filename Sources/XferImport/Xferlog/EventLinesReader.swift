import XferEvents

/// Reads the events and gaps of an export line by line.
final class EventLinesReader: ForeignReader {
  let writers: [WriterContext]
  private let known: EventLineWriters
  private let input: ImportedInput
  private var lines: JSONLines
  /// The difference of the clock with sleep and the one without, by writer.
  private var sleep: [Int: Int64] = [:]
  /// The position that follows the last one of each lane, and the thread that wrote the last one.
  private var lanes: [Lane: (next: UInt64, thread: Int64?)] = [:]
  private var last: Moment?
  private var unknown = 0

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
      if unknown > 0 { output.because("\(unknown) events of \(output.name) are unknown to this version") }
      lines.noteEnd(output)
      return false
    }
    return true
  }

  /// - Returns: whether the line is known.
  private func take(_ row: JSONValue, _ line: UInt64, _ output: ForeignOutput) -> Bool {
    guard row["schema"]?.text == "xferlog.event/1" else { return false }
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
    guard let event = EventLine.event(row) else {
      unknown += 1
      return false
    }
    let writer = known.place(launch: row["launch"]?.text, file: row["source"]?["file"]?.integer)
    let moment = moment(row, event, writer)
    noteLoss(before: row, writer, output)
    output.emit(event, at: moment, position: line, writer: writer, thread: row["thread"]?.integer.map { UInt32(clamping: $0) })
    last = moment
    return true
  }

  private func moment(_ row: JSONValue, _ event: ComposedEvent, _ writer: Int) -> Moment {
    let monotonic = row["mono"]?.integer
    // The time since boot is exported only where the clocks were sampled.
    if event.kind == .clockSampled, let monotonic, case .duration(let boottime)? = event.values[.boottimeClock] {
      sleep[writer] = boottime.nanoseconds.subtractingClamped(monotonic)
    }
    let boottime = monotonic.flatMap { monotonic in sleep[writer].map { monotonic.addingClamped($0) } }
    return Moment(monotonic: monotonic, boottime: boottime, wall: row["time"]?.text.flatMap { TimeText.wall($0) })
  }

  // MARK: Missing records

  /// Emits a gap if records precede an event that the export lacks, for example because it was filtered.
  private func noteLoss(before row: JSONValue, _ writer: Int, _ output: ForeignOutput) {
    guard let source = row["source"], let number = source["lane"]?.integer,
      let sequence = source["seq"]?.integer.flatMap({ UInt64(exactly: $0) })
    else { return }
    let lane = Lane(writer: writer, number: UInt32(clamping: number))
    let thread = row["thread"]?.integer
    let (expected, earlier) = lanes[lane] ?? (0, thread)
    lanes[lane] = (sequence &+ 1, thread)
    // A change of the thread takes a position, and has no event.
    if sequence <= expected || sequence == expected &+ 1 && thread != earlier { return }
    let gap = LogGap(
      cause: .missingSequence, segment: output.number, name: input.name, launch: writers[writer].launch, lane: lane.number,
      sequences: expected..<sequence, after: last)
    output.emit(gap, writer: writer)
  }

  private func takeGap(_ gap: JSONValue, _ row: JSONValue, _ output: ForeignOutput) {
    func range(_ key: String) -> Range<UInt64>? {
      guard let from = gap[key]?["from"]?.integer.flatMap({ UInt64(exactly: $0) }),
        let to = gap[key]?["to"]?.integer.flatMap({ UInt64(exactly: $0) }), from < to
      else { return nil }
      return from..<to
    }
    let launch = row["launch"]?.text
    let writer = known.place(launch: launch, file: nil)
    let lane = gap["lane"]?.integer.map { UInt32(clamping: $0) }
    let sequences = range("sequences")
    if launch != nil, let lane, let sequences {
      let key = Lane(writer: writer, number: lane)
      lanes[key] = (max(lanes[key]?.next ?? 0, sequences.upperBound), lanes[key]?.thread)
    }
    let before = Moment(monotonic: row["mono"]?.integer, wall: row["time"]?.text.flatMap { TimeText.wall($0) })
    let isForeign = writers[writer].coverage != nil
    output.emit(
      LogGap(
        cause: LogGap.Cause(name: gap["cause"]?.text ?? "", problem: gap["problem"]?.text ?? ""), segment: output.number,
        name: input.name, launch: launch.flatMap { LaunchID($0) }, lane: lane, sequences: sequences, bytes: range("bytes"),
        after: last, before: before == Moment() ? nil : before, terms: isForeign ? .lines : .log),
      writer: writer)
  }
}
