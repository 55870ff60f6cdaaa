import XferEvents

/// Reads a log of JSON lines with a mapping.
final class NDJSONReader: ForeignReader {
  private(set) var writers: [WriterContext] = []
  private let input: ImportedInput
  private let mapping: ImportMapping
  private var lines: JSONLines
  private var tracker: ForeignTracker?
  private var writerOf: [String: Int] = [:]

  private static let mostWriters = 1000

  static let coverage = ImportCoverage(log: "a log of JSON lines", kinds: ForeignTracker.kinds)

  init?(_ input: ImportedInput, _ mapping: ImportMapping) {
    guard let lines = JSONLines(path: input.path) else { return nil }
    (self.input, self.mapping, self.lines) = (input, mapping, lines)
    if mapping.keys[.process] != nil || mapping.keys[.pid] != nil { numberProcesses() }
    if writers.isEmpty { writers = [.foreign(nil, installation: "ndjson", coverage: Self.coverage)] }
  }

  private func numberProcesses() {
    guard let preview = LineSource(path: input.path) else { return }
    while let line = preview.next(), writers.count < Self.mostWriters {
      guard let record = JSONValue(line.bytes), mapping.value(.task, record) != nil else { continue }
      let process = process(record)
      if writerOf[process.key] != nil { continue }
      writerOf[process.key] = writers.count
      writers.append(
        .foreign(
          process.name, pid: process.pid, seed: ["ndjson", process.key], installation: "ndjson", coverage: Self.coverage))
    }
  }

  private func process(_ record: JSONValue) -> (key: String, name: String?, pid: Int?) {
    let (name, pid) = (mapping.value(.process, record)?.scalarText, mapping.value(.pid, record)?.int)
    return ("\(name ?? "")\u{0}\(pid ?? -1)", name, pid)
  }

  func original(_ position: UInt64) -> String? { lines.original(position) }

  func read(into output: ForeignOutput) -> Bool {
    let tracker = tracker ?? ForeignTracker(output, seed: "ndjson")
    self.tracker = tracker
    switch lines.next(output) {
    case .object(let record, let line): if take(record.value, line, tracker, output) { output.recognised += 1 }
    case .nothing: break
    case .end:
      lines.noteEnd(output)
      output.because("\(output.name) is an excerpt without a known beginning or end")
      return false
    }
    return true
  }

  /// - Returns: whether the record tells something about a transfer.
  private func take(_ record: JSONValue, _ number: UInt64, _ tracker: ForeignTracker, _ output: ForeignOutput) -> Bool {
    func text(_ role: ImportMapping.Role) -> String? { mapping.value(role, record)?.scalarText }
    let word = text(.event) ?? text(.outcome)
    let step = word.flatMap { mapping.steps[$0] ?? TransferFact.step($0) }
    let named = text(.outcome).flatMap { mapping.steps[$0] ?? TransferFact.step($0) }
    let values: [String: String?] = [
      "TASK": text(.task) ?? (mapping.keys[.task] == nil ? "\(number)" : nil), "EVENT": (step ?? named)?.rawValue,
      "URL": text(.url),
      "METHOD": text(.method), "TYPE": text(.type), "STATUS": text(.status), "ERROR": text(.error),
      "ERROR_CODE": text(.errorCode),
      "RECEIVED": text(.received), "SENT": text(.sent), "EXPECTED": text(.expected),
    ]
    guard let fact = TransferFact(named: { (values[$0] ?? nil).flatMap { $0.isEmpty ? nil : $0 } }, message: text(.message))
    else {
      return false
    }
    let session = text(.session) ?? text(.process) ?? input.shortName
    let moment = Moment(wall: time(record))
    tracker.position = number
    let process = process(record)
    tracker.writer = writerOf[process.key] ?? 0
    let processKey = process.pid == nil ? nil : process.key
    let duration = mapping.value(.duration, record)?.number.flatMap { TimeText.nanoseconds($0, unit: mapping.durationUnit) }
    tracker.moment = moment
    // A record with a duration tells of the beginning, too.
    if let duration, duration >= 0, [.finished, .failed, .cancelled].contains(fact.step),
      !tracker.isKnown(fact.key(session: session, process: processKey))
    {
      var begin = fact
      begin.step = .started
      tracker.moment = mapping.isTimeOfStart ? moment : moment.advanced(by: -duration)
      begin.tell(tracker, session: session, process: processKey)
      tracker.moment = mapping.isTimeOfStart ? moment.advanced(by: duration) : moment
    }
    fact.tell(tracker, session: session, process: processKey)
    return true
  }

  private func time(_ record: JSONValue) -> WallTime? {
    guard let value = mapping.value(.time, record) else { return nil }
    if case .string(let text) = value, let wall = TimeText.wall(text, input.options) { return wall }
    guard let text = value.scalarText else { return nil }
    if let unit = mapping.timeUnit { return TimeText.nanoseconds(text, unit: unit).map { WallTime(nanoseconds: $0) } }
    return TimeText.epoch(text)
  }
}
