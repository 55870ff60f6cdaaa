import CXferPlatform
package import XferEvents

/// Reads Apple's unified log as text, in all forms in which people copy and export it.
package struct AppleImporter: EventImporter {
  package let format = "apple-log"
  package let addsOrigins = true

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    if AppleDetection.isApple(candidate.head) { return true }
    // A paste may begin with other text. Standard input cannot be read twice.
    guard candidate.isHeadFull, candidate.path != "-", !FileKind.isCode(candidate.head) else {
      return false
    }
    return AppleDetection.isApple(path: candidate.path)
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try AppleSource(inputs, firstIndex: firstIndex)
  }
}

/// Decides from the first bytes of a file whether it is a log of Apple's.
enum AppleDetection {
  /// The maximum numbers of lines and bytes of a file that are examined.
  private static let examinedLines: UInt64 = 2000
  private static let examinedBytes: UInt64 = 16 << 20

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
      return finder.isFound || assembler.isCapture || finder.hasHint && !FileKind.isCode(head)
    }
  }

  static func isApple(path: String) -> Bool {
    guard let source = LineSource(path: path) else { return false }
    let finder = Finder()
    var assembler = finder.assembler
    while !finder.isFound, let line = source.next(), line.number <= examinedLines, line.offset <= examinedBytes {
      assembler.take(line)
    }
    if !finder.isFound { assembler.finish() }
    return finder.isFound || assembler.isCapture || finder.hasHint
  }

  private final class Finder {
    private(set) var isFound = false
    /// Whether a line has the words of a message anywhere, which may also be those of a program that handles such messages.
    private(set) var hasHint = false

    /// An assembler that shows its records to this finder.
    var assembler: RecordAssembler {
      RecordAssembler { part in
        switch part {
        case .record(let record), .loss(let record): self.look(at: record)
        case .plain, .proseBefore, .damaged: break
        }
      }
    }

    func look(at record: AppleRecord) {
      if isFound { return }
      isFound = record.form.isDistinctive(record)
      guard !isFound, let message = record.recognise(by: .standard) else { return }
      if record.form == .bare, AppleShape.all[message.shape].isAnywhere { hasHint = true } else { isFound = true }
    }
  }
}

/// The events of logs of Apple's, merged by the wall clock.
///
/// The inputs are read while events are taken, so that the memory does not depend on their size. A writer that appears late in a long
/// input adds an origin when it is found.
package final class AppleSource: EventSource {
  package private(set) var origins: [SourceOrigin] = []
  package private(set) var unreadable: [UnreadablePart] = []
  private let firstIndex: Int
  private let memory = ArchiveMemory()
  @exclusivity(unchecked) private var files: [File] = []

  private struct File {
    let input: ImportedInput
    let number: UInt32
    var events: AppleEvents
    /// The next event or gap.
    var head: LogMember?
    /// The wall-clock time of the file's last event that has one.
    var wall = WallTime(nanoseconds: .min)
  }

  /// The archives of a file's writers, in the order of the writers.
  private final class Archives {
    @exclusivity(unchecked) var all: [EventArchive] = []
  }

  /// The maximum number of inputs that are read on threads of their own.
  private static let threads = 4

  init(_ inputs: [ImportedInput], firstIndex: Int, window: AppleLog.Window? = nil) throws(SourceError) {
    self.firstIndex = firstIndex
    let window = window ?? .shared(by: inputs.count)
    let usesThread = xp_processor_count() > 1 && inputs.count <= Self.threads
    for input in inputs {
      guard let lines = LineSource(path: input.path) else {
        let error = SourceError.unopened(input)
        if inputs.count == 1 { throw error }
        unreadable.append(UnreadablePart(input: input.place, error: error))
        continue
      }
      add(AppleLog(lines, input: input.place, options: input.options, window: window, usesThread: usesThread), of: input)
    }
    // The events of a single file need not be merged.
    if files.count > 1 { for place in files.indices { advance(place) } }
  }

  private func add(_ log: AppleLog, of input: ImportedInput) {
    let number = UInt32(clamping: input.place + 1)
    let archives = Archives()
    let events = AppleEvents(log, number: number, name: input.name) { [unowned self] writer in
      while archives.all.count <= writer {
        archives.all.append(archive(of: log.writers[archives.all.count], number, input))
      }
      return archives.all[writer]
    }
    files.append(File(input: input, number: number, events: events))
    log.readAhead()
    for writer in log.writers { archives.all.append(archive(of: writer, number, input)) }
    if archives.all.isEmpty {
      // A source without records has one origin, so that its gaps belong to the input.
      origins.append(SourceOrigin(input: input.place, path: input.path, number: number, name: input.name))
    }
  }

  private func archive(of writer: AppleWriter, _ number: UInt32, _ input: ImportedInput) -> EventArchive {
    let context = WriterContext.of(writer)
    origins.append(
      SourceOrigin(input: input.place, path: input.path, number: number, name: input.name, launch: context.launch))
    return EventArchive(
      number: number, name: input.name, writer: context, index: firstIndex + origins.count - 1, memory: memory)
  }

  // MARK: What is known at the end

  package var figures: [SourceFigures] {
    files.map { file in
      let log = file.events.log
      return SourceFigures(input: file.input.place, lines: log.lineCount, records: log.records, recognised: log.recognised)
    }
  }

  /// Why the inputs are not the whole story.
  package var incompleteness: [SourceIncompleteness] {
    files.flatMap { file in
      let (log, name) = (file.events.log, file.input.name == "-" ? "standard input" : file.input.name)
      var reasons: [String] = []
      if log.isAtEnd, !log.hasTrailer { reasons.append("\(name) is an excerpt without a known beginning or end") }
      if log.cutLines == 1 { reasons.append("1 line of \(name) exceeds 1 MiB and was cut") }
      if log.cutLines > 1 { reasons.append("\(log.cutLines) lines of \(name) exceed 1 MiB and were cut") }
      return reasons.map { SourceIncompleteness(input: file.input.place, reason: $0) }
    }
  }

  package func original(_ reference: EventReference) -> String? {
    guard case .line(let number, let line) = reference, let file = files.first(where: { $0.number == number }),
      let bytes = file.events.log.lines.text(
        ofLine: line, path: file.input.path,
        where: { AppleDetection.isApple(Array($0.slice(0, ImportCandidate.headSize))) })
    else { return nil }
    return bytes.withUnsafeBytes { bytes in AppleJSON.first(in: bytes).slice(0, Self.quoted).text }
  }

  /// The maximum number of bytes of a line that is quoted.
  private static let quoted = 2000

  // MARK: Merging

  package func fill(_ batch: inout EventBatch) -> Bool {
    files.count == 1 ? files[0].events.fill(&batch) : fillOneByOne(&batch)
  }

  package func next() -> LogMember? {
    if files.count == 1 { return files[0].events.next() }
    var first: Int?
    for place in files.indices where files[place].head != nil {
      if first.map({ files[place].wall < files[$0].wall }) ?? true { first = place }
    }
    guard let first else { return nil }
    defer { advance(first) }
    return files[first].head
  }

  private func advance(_ place: Int) {
    files[place].head = files[place].events.next()
    if case .event(let event)? = files[place].head { files[place].wall = event.wall ?? files[place].wall }
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
