package import XferEvents

/// Reads Apple's unified log as text, in all forms in which people copy and export it.
package struct AppleImporter: EventImporter {
  package let format = "apple-log"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    if AppleDetection.isApple(candidate.head) { return true }
    // A paste may begin with other text. Standard input cannot be read twice.
    guard candidate.head.count == ImportCandidate.headSize, candidate.path != "-" else { return false }
    return AppleDetection.isApple(path: candidate.path)
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try AppleSource(inputs, firstIndex: firstIndex)
  }
}

/// Decides from the first bytes of a file whether it is a log of Apple's.
enum AppleDetection {
  /// The number of lines of a file that are examined, at most.
  private static let examinedLines: UInt64 = 2000

  static func isApple(_ head: [UInt8]) -> Bool {
    head.withUnsafeBytes { bytes in
      let finder = Finder()
      var assembler = finder.assembler
      var scanner = ByteScanner(bytes)
      _ = scanner.take("\u{FEFF}")
      var number: UInt64 = 1
      while !scanner.isAtEnd, !finder.isFound {
        var line = scanner.take(until: 0x0A)
        if line == nil {
          line = scanner.rest
          scanner.move(to: bytes.count)
        }
        for piece in (line ?? scanner.rest).split(separator: 0) {
          let text = UnsafeRawBufferPointer(rebasing: piece)
          assembler.take(TextLine(number: number, offset: 0, bytes: text.last == 0x0D ? text.slice(0, text.count - 1) : text))
        }
        number += 1
      }
      if !finder.isFound { assembler.finish() }
      return finder.isFound
    }
  }

  static func isApple(path: String) -> Bool {
    guard let source = LineSource(path: path) else { return false }
    let finder = Finder()
    var assembler = finder.assembler
    while !finder.isFound, let line = source.next(), line.number <= examinedLines { assembler.take(line) }
    if !finder.isFound { assembler.finish() }
    return finder.isFound
  }

  private final class Finder {
    private(set) var isFound = false

    /// An assembler that shows its records to this finder.
    var assembler: RecordAssembler {
      RecordAssembler { part in
        switch part {
        case .record(let record), .loss(let record): self.look(at: record)
        case .proseBefore, .damaged: break
        }
      }
    }

    func look(at record: AppleRecord) {
      if isFound { return }
      isFound =
        record.form.isDistinctive(record)
        || record.message.withUnsafeBytes { ShapeTable.standard.recognise($0, by: record.process) } != nil
    }
  }
}

/// The events of logs of Apple's, merged by the wall clock.
package final class AppleSource: EventSource {
  package private(set) var origins: [SourceOrigin] = []
  package private(set) var unreadable: [UnreadablePart] = []
  package private(set) var incompleteness: [SourceIncompleteness] = []
  package private(set) var figures: [SourceFigures] = []
  private var files: [AppleEvents] = []
  private var heads: [Head] = []
  private var paths: [UInt32: String] = [:]

  private struct Head {
    var member: LogMember?
    /// The wall-clock time of the file's last event that has one.
    var wall = WallTime(nanoseconds: .min)
  }

  init(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) {
    for input in inputs {
      guard let lines = LineSource(path: input.path) else {
        let error = SourceError(.unreadable, place: input.name, problem: "it cannot be opened", advice: "Check its permissions.")
        if inputs.count == 1 { throw error }
        unreadable.append(UnreadablePart(input: input.place, error: error))
        continue
      }
      var log = AppleLog(input: input.place, options: input.options)
      log.read(lines)
      add(log, of: input, firstIndex: firstIndex)
    }
    heads = files.map { _ in Head() }
    for place in files.indices { advance(place) }
  }

  private func add(_ log: AppleLog, of input: ImportedInput, firstIndex: Int) {
    let number = UInt32(clamping: input.place + 1)
    paths[number] = input.path
    var archives: [EventArchive] = []
    for writer in log.writers {
      let context = WriterContext.of(writer)
      origins.append(
        SourceOrigin(input: input.place, path: input.path, number: number, name: input.name, launch: context.launch))
      archives.append(
        EventArchive(number: number, name: input.name, writer: context, index: firstIndex + origins.count - 1))
    }
    if archives.isEmpty {
      // A source without records has one origin, so that its gaps belong to the input.
      origins.append(SourceOrigin(input: input.place, path: input.path, number: number, name: input.name))
    }
    files.append(AppleEvents(log, archives: archives, number: number, name: input.name))
    figures.append(
      SourceFigures(input: input.place, lines: log.lineCount, records: log.records, recognised: log.recognised))
    note(log, of: input)
  }

  /// Notes why the input is not the whole story.
  private func note(_ log: AppleLog, of input: ImportedInput) {
    func because(_ reason: String) { incompleteness.append(SourceIncompleteness(input: input.place, reason: reason)) }
    let name = input.name == "-" ? "standard input" : input.name
    if !log.hasTrailer { because("\(name) is an excerpt without a known beginning or end") }
    if log.cutLines == 1 { because("1 line of \(name) exceeds 1 MiB and was cut") }
    if log.cutLines > 1 { because("\(log.cutLines) lines of \(name) exceed 1 MiB and were cut") }
  }

  package func original(_ reference: EventReference) -> String? {
    guard case .line(let file, let line) = reference, let path = paths[file],
      let place = files.first(where: { $0.number == file })?.place(ofLine: line),
      let bytes = LineSource.bytes(at: place.offset, count: min(place.count, Self.quoted), path: path)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The maximum number of bytes of a line that is quoted.
  private static let quoted = 2000

  package func next() -> LogMember? {
    var first: Int?
    for place in heads.indices where heads[place].member != nil {
      if first.map({ heads[place].wall < heads[$0].wall }) ?? true { first = place }
    }
    guard let first else { return nil }
    defer { advance(first) }
    return heads[first].member
  }

  private func advance(_ place: Int) {
    heads[place].member = files[place].next()
    if case .event(let event)? = heads[place].member { heads[place].wall = event.wall ?? heads[place].wall }
  }
}

extension WriterContext {
  fileprivate static func of(_ writer: AppleWriter) -> WriterContext {
    var context = WriterContext(
      launch: writer.launch, boot: writer.boot, pid: writer.pid, role: writer.role, executable: writer.name,
      installation: AppleEvents.installation)
    context.coverage = AppleEvents.coverage
    return context
  }
}
