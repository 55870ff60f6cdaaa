package import XferEvents

/// Reads a converted log: its events with the times, writers and lines of the original logs, in the order of the conversion.
package final class ConvertedSource: EventSource {
  package private(set) var origins: [SourceOrigin] = []
  package private(set) var incompleteness: [SourceIncompleteness] = []
  package private(set) var figures: [SourceFigures] = []
  package let remarks: [String] = []
  package var unreadable: [UnreadablePart] {
    reader.unreadable.map { UnreadablePart(input: place, error: $0.error) }
  }

  private let input: LogReader.Input
  private let place: Int
  private let recovery: RecoveryMode
  private let firstNumber: UInt32
  private let firstIndex: Int
  private let reader: LogReader
  private let memory = ArchiveMemory()
  private var files: [Int: String] = [:]
  private var writers: [Int: Writer] = [:]
  /// The last `import.eventRead` of each lane, whose event follows directly.
  private var accounts: [Lane: Account] = [:]
  /// The moment at which the next gap ends.
  private var gapEnd: Moment?
  /// The moment of the last event.
  private var last: Moment?
  private var quotes: [EventReference: String] = [:]

  private struct Lane: Hashable {
    let launch: LaunchID?
    let number: UInt32
  }

  private struct Account {
    let sequence: UInt64
    let writer: Int
    let line: UInt64
    let moment: Moment
    let thread: UInt32?
  }

  private final class Writer {
    let number: UInt32
    let name: String
    let context: WriterContext
    let index: Int
    var archive: EventArchive?

    init(number: UInt32, name: String, context: WriterContext, index: Int) {
      (self.number, self.name, self.context, self.index) = (number, name, context, index)
    }
  }

  /// The maximum number of writers and of files that are told apart. A conversion has fewer.
  private static let limit = 4096

  /// - Parameters:
  ///   - place: the index of the input among all inputs of the command.
  ///   - isAlone: whether the command has no other input. References then have the numbers that the original logs had.
  ///   - firstIndex: the index of the first `RecordSource`.
  package init(_ input: LogReader.Input, place: Int, isAlone: Bool, firstIndex: Int, recovery: RecoveryMode) {
    (self.input, self.place, self.recovery, self.firstIndex) = (input, place, recovery, firstIndex)
    firstNumber = isAlone ? 0 : UInt32(clamping: place + 1) << 16
    reader = LogReader([input], recovery: recovery)
    readAccount()
  }

  // MARK: What the log tells about its origins

  /// Reads the files and the writers, which the replay has to know before the first event.
  private func readAccount() {
    var (lines, records, recognised, hasFigures): (UInt64, Int, Int, Bool) = (0, 0, 0, false)
    let reader = LogReader([input], recovery: recovery)
    while let member = reader.next() {
      guard case .event(let event) = member else { continue }
      let view = event.view
      switch event.kind {
      case .importFileOpened:
        if let file = view.importFile, let name = view.name, files.count < Self.limit { files[file] = name }
      case .importWriterFound: if let writer = ConvertedWriter(view) { add(writer) }
      case .importFileRead:
        hasFigures = true
        lines = lines.addingClamped(UInt64(clamping: view.lastLine ?? 0))
        records = records.addingClamped(Int(clamping: view.count ?? 0))
        recognised = recognised.addingClamped(Int(clamping: view.recognised ?? 0))
      case .importFileIncomplete:
        if case .plain(let reason)? = view.message, incompleteness.count < Self.limit {
          incompleteness.append(SourceIncompleteness(input: place, reason: reason))
        }
      default: break
      }
    }
    if hasFigures { figures = [SourceFigures(input: place, lines: lines, records: records, recognised: recognised)] }
    // The segments have origins, too, so that damage of this log belongs to its input.
    origins += reader.origins.map { SourceOrigin(input: place, path: $0.path, number: $0.number, name: $0.name) }
    for (file, name) in files.sorted(by: { $0.key < $1.key })
    where !origins.contains(where: { $0.number == number(of: file) && $0.name == name }) {
      origins.append(SourceOrigin(input: place, path: name, number: number(of: file), name: name))
    }
  }

  private func add(_ writer: ConvertedWriter) {
    guard writers[writer.number] == nil, writers.count < Self.limit else { return }
    let name = files[writer.file] ?? "?"
    let made = Writer(
      number: number(of: writer.file), name: name, context: writer.context, index: firstIndex + origins.count)
    writers[writer.number] = made
    origins.append(
      SourceOrigin(input: place, path: name, number: made.number, name: name, launch: writer.context.launch))
  }

  /// Returns the number of a file in references.
  private func number(of file: Int) -> UInt32 { firstNumber | UInt32(clamping: file) }

  // MARK: Events

  package func next() -> LogMember? {
    while let member = reader.next() {
      switch member {
      case .gap(let gap): return .gap(own(gap))
      case .event(let event): if let member = translate(event) { return member }
      }
    }
    return nil
  }

  private func translate(_ event: RecordedEvent) -> LogMember? {
    guard case .record(_, let lane, let sequence, _) = event.reference else { return nil }
    let key = Lane(launch: event.source.writer.launch, number: lane)
    if let account = accounts[key] {
      accounts[key] = nil
      if account.sequence &+ 1 == sequence { return copy(event, account).map(LogMember.event) }
    }
    switch event.kind {
    case .importEventRead:
      guard let writer = event.view.importWriter else { return nil }
      accounts[key] = Account(
        sequence: sequence, writer: writer, line: UInt64(clamping: event.view.importLine ?? 0),
        moment: Moment(imported: event.view), thread: event.view.threadNumber.map { UInt32(truncatingIfNeeded: $0) })
    case .importGapEnded: gapEnd = Moment(imported: event.view)
    case .importGapFound:
      let file = event.view.importFile ?? 0
      let gap = ConvertedGap.gap(event, number: number(of: file), name: files[file] ?? "?", before: gapEnd)
      gapEnd = nil
      return .gap(gap)
    default: break
    }
    return nil
  }

  private func copy(_ event: RecordedEvent, _ account: Account) -> RecordedEvent? {
    guard let writer = writers[account.writer] else { return nil }
    let archive =
      writer.archive
      ?? EventArchive(
        number: writer.number, name: writer.name, writer: writer.context, index: writer.index, memory: memory)
    writer.archive = archive
    last = account.moment
    return archive.record(copyOf: event.view, at: account.moment, line: account.line, thread: account.thread)
  }

  /// Returns damage of the converted log itself. Its clocks are those of the conversion, so only its place is known.
  private func own(_ gap: LogGap) -> LogGap {
    var result = LogGap(
      cause: gap.cause, segment: gap.segment, name: gap.name, lane: gap.lane, sequences: gap.sequences, bytes: gap.bytes,
      after: last)
    result.scope = writers.values.min { $0.index < $1.index }.map { InstallationScope($0.context) } ?? .unknown
    return result
  }

  // MARK: Lines

  package func original(_ reference: EventReference) -> String? {
    guard case .line(let number, _) = reference, origins.contains(where: { $0.number == number }) else { return nil }
    if let known = quotes[reference] { return known }
    var found: [EventReference: String] = [:]
    collect([reference], into: &found)
    return found[reference]
  }

  package func prepareQuotes(of references: [EventReference]) {
    let wanted = Set(references).subtracting(quotes.keys)
    if !wanted.isEmpty { collect(wanted, into: &quotes) }
  }

  /// Searches the log for the texts of lines.
  private func collect(_ wanted: Set<EventReference>, into found: inout [EventReference: String]) {
    var missing = wanted
    let reader = LogReader([input], recovery: recovery)
    while !missing.isEmpty, let member = reader.next() {
      guard case .event(let event) = member, event.kind == .importEventRead, let line = event.view.importLine,
        let writer = event.view.importWriter.flatMap({ writers[$0] })
      else { continue }
      let reference = EventReference.line(file: writer.number, line: UInt64(clamping: line))
      guard missing.contains(reference), let text = event.view.original else { continue }
      found[reference] = Self.text(text)
      missing.remove(reference)
    }
  }

  private static func text(_ text: RecordedText) -> String {
    if case .plain(let text) = text { text } else { "\(text)" }
  }
}
