import XferEvents

/// A gap in a converted log, as an `import.gapFound` stores it. An `import.gapEnded` before it has the time at which the gap ended.
enum ConvertedGap {
  static func end(of gap: LogGap, file: Int) -> ImportGapEnded? {
    guard let before = gap.before else { return nil }
    return ImportGapEnded(
      importFile: file, wallClock: before.wall, boottimeClock: before.boottime.map { .nanoseconds($0) },
      monotonicClock: before.monotonic.map { .nanoseconds($0) })
  }

  static func event(_ gap: LogGap, file: Int) -> ImportGapFound {
    var (problem, installation, boot): (String?, InstallationID?, BootID?)
    if case .damaged(let text) = gap.cause { problem = text }
    switch gap.scope {
    case .installation(let id): installation = id
    case .boot(let id): boot = id
    case .directory, .unknown: break
    }
    return ImportGapFound(
      importFile: file, reason: gap.cause.name, message: problem,
      importLine: gap.sequences.map { Int64(clamping: $0.lowerBound) },
      lastLine: gap.sequences.map { Int64(clamping: $0.upperBound) - 1 }, wallClock: gap.after?.wall,
      boottimeClock: gap.after?.boottime.map { .nanoseconds($0) },
      monotonicClock: gap.after?.monotonic.map { .nanoseconds($0) }, launch: gap.launch, installation: installation?.text,
      boot: boot, terms: gap.terms.words)
  }

  /// - Parameters:
  ///   - number: the number of the file in references.
  ///   - before: the moment at which the gap ended.
  static func gap(_ event: RecordedEvent, number: UInt32, name: String, before: Moment?) -> LogGap {
    var sequences: Range<UInt64>?
    if let first = event.view.importLine.flatMap({ UInt64(exactly: $0) }),
      let last = event.view.lastLine.flatMap({ UInt64(exactly: $0) }), last >= first
    {
      sequences = first..<last + 1
    }
    var problem = ""
    if case .plain(let text)? = event.view.message { problem = text }
    let after = Moment(imported: event.view)
    var gap = LogGap(
      cause: LogGap.Cause(name: event.view.reason ?? "", problem: problem), segment: number, name: name,
      launch: event.view.launch, sequences: sequences, after: after == Moment() ? nil : after, before: before,
      terms: event.view.terms.flatMap(SourceTerms.init(words:)) ?? .lines)
    if let installation = event.view.installation.flatMap({ InstallationID(text: $0) }) {
      gap.scope = .installation(installation)
    } else if let boot = event.view.boot {
      gap.scope = .boot(boot)
    }
    return gap
  }
}

extension Moment {
  /// The moment that an `import` event stores. Clocks that the original lacked are `nil`.
  init(imported event: EventView) {
    self.init(
      monotonic: event.monotonicClock?.nanoseconds, boottime: event.boottimeClock?.nanoseconds, wall: event.wallClock)
  }
}

extension SourceTerms {
  /// The words, such as `file/files stream/streams line/lines`.
  var words: String { [file, stream, record].map { "\($0.singular)/\($0.plural)" }.joined(separator: " ") }

  init?(words: String) {
    let nouns = words.split(separator: " ").map { $0.split(separator: "/").map(String.init) }
    guard nouns.count == 3, nouns.allSatisfy({ $0.count == 2 }) else { return nil }
    self.init(
      file: Noun(nouns[0][0], nouns[0][1]), stream: Noun(nouns[1][0], nouns[1][1]), record: Noun(nouns[2][0], nouns[2][1]))
  }
}
