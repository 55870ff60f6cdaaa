import CXferPlatform
import XferDiagnosis
import XferEvents
import XferLogStore
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The making of a bundle: copies of logs with masked private values, in a temporary directory.
///
/// Logs of this package become sealed segments. The events of other logs become lines of JSON, because the lines of these logs may contain
/// anything.
struct BundleMaker {
  let inputs: LogInputs
  let filter: EventFilter
  /// The options that select events, without their values, which may be private. Empty if all events are selected.
  let selectedBy: [String]
  let surroundings: Surroundings
  let scratch: ScratchDirectory

  let masked = MaskedValues()
  /// The names of the files, in the order of the bundle.
  private(set) var files: [String] = []
  /// The files of rules, baselines and suppressions.
  private(set) var rules: [String] = []
  private(set) var accepted: [String] = []
  /// The days on which the accepted files with dates are judged, by their names.
  private(set) var days: [(name: String, day: ExpiryDay)] = []
  private(set) var reasons: [String] = []
  private(set) var logs: [Log] = []
  /// The number of events in the bundle, and that of all events, if events were selected.
  private(set) var selected: (events: Int, all: Int)?

  /// A log in the bundle.
  struct Log {
    let name: String
    let format: String
    let isMasked: Bool
  }

  static let lines = "events.ndjson"

  init(
    _ inputs: LogInputs, _ filter: EventFilter, selectedBy: [String], _ surroundings: Surroundings
  ) throws {
    (self.inputs, self.filter, self.selectedBy, self.surroundings) = (inputs, filter, selectedBy, surroundings)
    // Without handlers, these signals would leave the directory behind.
    Interruption.handle(SIGTERM)
    Interruption.handle(SIGHUP)
    scratch = try ScratchDirectory("xferlog-collect")
  }

  // MARK: Logs

  /// Copies the logs.
  mutating func copyLogs() throws {
    let isSelecting = !selectedBy.isEmpty
    let isFull = inputs.own.contains { if case .log(let log) = $0.location { LogCollector.isFull(log) } else { false } }
    let hasLines = inputs.inputs.contains { if case .log = $0.location { false } else { true } }
    let mask = isFull || hasLines ? try makeMask() : nil
    // The formats and paths of inputs.
    reasons += inputs.inputs.compactMap(\.flaw).map(shown)
    reasons += inputs.unread.map { "an input could not be read: \(shown($0.problem.problem))" }
    if isSelecting { reasons.append("the bundle has the events that \(selectedBy.joined(separator: " ")) selected") }
    var selection: LogCollector.Selection = [:]
    if isSelecting || hasLines { selection = try readEvents(mask) }
    var numbers = (logs: 0, segments: 0)
    for (place, input) in inputs.inputs.enumerated() {
      guard case .log(let log) = input.location else {
        logs.append(Log(name: Self.lines, format: inputs.format(of: input), isMasked: true))
        continue
      }
      try Interruption.check()
      let name: String
      switch log {
      case .directory:
        numbers.logs += 1
        name = "log-\(numbers.logs).xlog"
      case .segment:
        numbers.segments += 1
        name = "segment-\(numbers.segments).seg"
      }
      let values = masked
      let collector = LogCollector(
        log, to: "\(scratch.path)/\(name)", mask: mask, selection: isSelecting ? selection : nil,
        note: { values.note(namesOf: $0) })
      let outcome = try collector.collect()
      if outcome.isRewritten { reasons += try alterations(of: place) }
      reasons += outcome.unreadable.map { "a segment could not be read: \(shown($0.message.problem))" }
      if outcome.undecodable > 0 {
        reasons.append("\(outcome.undecodable) records were left out, because they cannot be decoded and may be private")
      }
      logs.append(Log(name: name, format: "xferlog", isMasked: outcome.masked > 0))
      files += try names(in: name)
    }
    if hasLines { files.append(Self.lines) }
  }

  private func makeMask() throws -> ValueMask {
    let key = try MaskKey.load(stateDirectory: LogDirectory.stateDirectory(environment: surroundings.environment))
    let values = masked
    return ValueMask(key: key, note: { values.note($0) })
  }

  /// Reads all events: notes which records of logs are selected, and writes the selected events of other logs.
  private mutating func readEvents(_ mask: ValueMask?) throws -> LogCollector.Selection {
    let source = try inputs.source()
    let isOwn = inputs.inputs.map { if case .log = $0.location { true } else { false } }
    let writesLines = isOwn.contains(false)
    let output = try writesLines ? OutputFile("\(scratch.path)/\(Self.lines)") : nil
    var document = EventJSON.passedOn
    var selection: LogCollector.Selection = [:]
    var run = ExportRun(source, filter)
    try run.read(isOrdered: false) { member, isSelected in
      guard isSelected else { return }
      switch member {
      case .event(let event):
        let origins = source.origins
        guard origins.indices.contains(event.source.index) else { return }
        let origin = origins[event.source.index]
        if isOwn[origin.input] {
          if case .record(_, let lane, let sequence, _) = event.reference {
            selection[origin.path, default: [:]][lane, default: EventRanges()].add(sequence)
          }
        } else if let output {
          masked.note(namesOf: event)
          let isMasked = ValueMask.isNeeded(for: event.source.writer)
          document.append(isMasked ? mask.map(event.masked) ?? event : event, to: &output.output.buffer)
          try output.output.flushIfLarge()
        }
      case .gap(let gap):
        guard let output, let origin = source.origins.first(where: { $0.holds(gap) }), !isOwn[origin.input] else { return }
        document.append(gap, to: &output.output.buffer)
      }
    }
    if !selectedBy.isEmpty {
      let counts = run.counts
      selected = (counts.matched, counts.events)
    }
    if let output {
      let own = Set(source.origins.filter { isOwn[$0.input] }.map(\.input))
      let others = source.incompleteness.filter { !own.contains($0.input) }.map { shown($0.reason) }
      document.append(incompleteness: others, to: &output.output.buffer)
      try output.output.flush()
    }
    return selection
  }

  /// Returns the places in which a log was changed after it had been written, because its copy no longer shows them.
  private func alterations(of place: Int) throws -> [String] {
    guard let source = try? inputs.source() else { return [] }
    return source.alterations().filter { $0.input == place }.map { shown($0.reason) }
  }

  /// Returns a sentence in which files are named without their directories.
  private func shown(_ sentence: String) -> String {
    var sentence = sentence
    for path in inputs.inputs.map(\.path).sorted(by: { $0.count > $1.count }) where path.contains("/") {
      sentence = sentence.replacing(path, with: path.fileName ?? path)
    }
    return sentence
  }

  /// Returns the files of a log in the scratch directory.
  private func names(in name: String) throws -> [String] {
    var status = stat()
    guard stat("\(scratch.path)/\(name)", &status) == 0 else { return [] }
    if status.st_mode & S_IFMT != S_IFDIR { return [name] }
    return LogDirectory.names(in: "\(scratch.path)/\(name)").sorted().map { "\(name)/\($0)" }
  }

  // MARK: Other files

  /// Copies files of rules, baselines and suppressions under neutral names.
  mutating func copy(rules: [RuleSources.File], accepted: [AcceptanceSource]) throws {
    for (number, file) in rules.enumerated() {
      self.rules.append(try write(file.copy(), as: "rules-\(number + 1).yaml"))
    }
    var numbers: [AcceptedEntry.Kind: Int] = [:]
    for source in accepted {
      let number = numbers[source.kind, default: 0] + 1
      numbers[source.kind] = number
      let name =
        switch source.kind {
        case .baseline: number == 1 ? "baseline.yaml" : "baseline-\(number).yaml"
        case .suppression: "suppressions-\(number).yaml"
        }
      self.accepted.append(try write(source.bytes, as: name))
      if try source.entries().contains(where: { $0.expires != nil }) {
        days.append((name, source.day ?? ExpiryDay(of: surroundings.now())))
      }
    }
    files += self.rules + self.accepted
  }

  private func write(_ bytes: [UInt8], as name: String) throws -> String {
    let file = try OutputFile("\(scratch.path)/\(name)")
    bytes.withUnsafeBytes { file.output.buffer.append($0) }
    try file.output.flush()
    return name
  }

  // MARK: The manifest

  /// Writes the file that says what the bundle has.
  ///
  /// - Parameter verdict: the verdict of a replay; `nil` before it is known.
  mutating func writeManifest(_ verdict: BundleVerdict?, limits: [String]) throws {
    let path = "\(scratch.path)/\(BundleManifest.name)"
    unlink(path)
    let file = try OutputFile(path)
    var compact = TextBuffer()
    compact.appendJSON { json in
      json.beginObject()
      json.member("schema", BundleManifest.schema)
      json.member("version", LogConfiguration.libraryVersion)
      json.object("system") { json in
        for (name, value) in Self.system() { json.member(name, value) }
      }
      json.array("logs", logs) { log, json in
        json.beginObject()
        json.member("name", log.name)
        json.member("format", log.format)
        json.member("masked", log.isMasked)
        json.endObject()
      }
      if !selectedBy.isEmpty { json.array("selectedBy", selectedBy) { $1.string($0) } }
      verdict?.write(to: &json)
      json.array("incompleteBecause", reasons) { $1.string($0) }
      json.array("rules", rules) { $1.string($0) }
      json.array("limits", limits) { $1.string($0) }
      json.array("accepted", accepted) { $1.string($0) }
      if !days.isEmpty {
        json.object("judgedOn") { json in
          for (name, day) in days {
            json.key(name)
            json.string("\(day)")
          }
        }
      }
      json.endObject()
    }
    file.output.buffer.append(indenting: compact)
    try file.output.flush()
    if files.first != BundleManifest.name { files.insert(BundleManifest.name, at: 0) }
  }

  /// The name and version of the operating system, and the processor. The name of the machine may be private.
  private static func system() -> [(name: StaticString, value: String)] {
    var facts = utsname()
    guard uname(&facts) == 0 else { return [] }
    func text(_ field: some Any) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return [("name", text(facts.sysname)), ("release", text(facts.release)), ("machine", text(facts.machine))]
  }

  // MARK: The archive

  /// Writes the bundle.
  func write(to output: StandardOutput) throws {
    var archive = ZipWriter(output)
    for name in files {
      // The manifest is not compressed, so that a bundle can be recognised by its first bytes.
      let compresses = name != BundleManifest.name && !isSealed(name)
      try archive.append("\(scratch.path)/\(name)", as: name, compresses: compresses)
    }
    try archive.finish()
  }

  private func isSealed(_ name: String) -> Bool { name.hasSuffix(".seg") && SealedContents.isSealed("\(scratch.path)/\(name)") }
}

/// A new file in the scratch directory.
final class OutputFile {
  let output: StandardOutput
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = xp_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandExit(.failed, "the temporary file \(path) cannot be created: \(systemText(errno))")
    }
    output = StandardOutput(descriptor: descriptor, name: path)
  }

  deinit { close(descriptor) }
}
