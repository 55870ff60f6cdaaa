import CXferPlatform
package import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes a log with the events that importers derive from logs of other programs, and with the lines that they come from.
///
/// The log is written to a hidden directory next to its path and renamed when it is complete. A writer that is released without
/// `finish` leaves nothing behind. All members must come from one source, in its order.
package final class ConversionWriter {
  /// A file from which the log is converted.
  package struct File {
    /// The number that references give the file.
    package let number: UInt32
    package let name: String
    package let format: String
    /// The path from which the file is read.
    package let path: String

    package init(number: UInt32, name: String, format: String, path: String) {
      (self.number, self.name, self.format, self.path) = (number, name, format, path)
    }
  }

  private let output: String
  private let draft: ScratchDirectory
  private let log: EventLog
  /// Whether the writer with this index has been written.
  private var known: [Bool] = []
  private var lastQuoted = QuotedLines()
  package private(set) var events = 0
  /// The number of events that this version cannot write, because it does not know them.
  package private(set) var leftOut = 0

  /// Creates the directory in which the log is written.
  ///
  /// - Parameter wall: the wall clock, in nanoseconds since 1970.
  /// - Throws: `LogError` if the path exists, or if nothing can be written next to it.
  package init(_ output: String, files: [File], wall: Int64, version: String = LogConfiguration.libraryVersion) throws(LogError) {
    var output = output[...]
    while output.count > 1, output.hasSuffix("/") { output.removeLast() }
    self.output = String(output)
    try Self.checkAbsence(of: self.output)
    let parent = LogDirectory.parent(of: self.output)
    let name = self.output.fileName ?? "log.xlog"
    do throws(LogError) {
      try LogDirectory.create(parent.isEmpty ? "/" : parent)
    } catch {
      throw LogError(
        error.code, place: self.output, problem: error.problem, advice: "Choose another path with --output.",
        osError: error.osError)
    }
    // A hidden directory is not taken for a log while it is written.
    do throws(SystemError) {
      draft = try ScratchDirectory(prefix: "\(parent)/.\(name.prefix(200)).")
    } catch {
      throw Self.cannotWrite(self.output, error.number)
    }
    var configuration = LogConfiguration(
      role: .tool, privacy: PrivacyPolicy(mode: .full, key: (0, 0)), lowestLevel: .debug, startReason: .command, version: version,
      clock: .unchanging(wall: wall), retention: .everything, maintains: false)
    configuration.isConversion = true
    log = try EventLog(directory: draft.path, configuration: configuration)
    for file in files { try write(file) }
  }

  // The log must be closed before its directory is removed.
  deinit { log.close() }

  // MARK: Writing

  private func write(_ file: File) throws(LogError) {
    let digest = FileDigest(path: file.path)
    _ = try log.append(
      ImportFileOpened(
        importFile: Int(clamping: file.number), name: file.name, format: file.format, size: digest?.size,
        content: digest.map { ValueDigest($0.value) }))
  }

  package func write(_ member: LogMember, of source: any EventSource) throws(LogError) {
    switch member {
    case .gap(let gap):
      if let end = ConvertedGap.end(of: gap, file: Int(clamping: gap.segment)) { _ = try log.append(end) }
      _ = try log.append(ConvertedGap.event(gap, file: Int(clamping: gap.segment)))
    case .event(let event):
      try write(writerOf: event, source)
      _ = try log.append(
        ImportEventRead(
          importWriter: event.source.index + 1, importLine: line(of: event), wallClock: event.wall,
          boottimeClock: event.boottime.map { .nanoseconds($0) }, monotonicClock: event.monotonic.map { .nanoseconds($0) },
          threadNumber: event.thread.map(Int64.init), original: quote(event, source)))
      if try log.append(copyOf: event) { events += 1 } else { leftOut += 1 }
    }
  }

  private func line(of event: RecordedEvent) -> Int64? {
    if case .line(_, let line) = event.reference { Int64(clamping: line) } else { nil }
  }

  /// Returns the text of an event's line, unless it was written a moment ago, because a line may have several events.
  private func quote(_ event: RecordedEvent, _ source: any EventSource) -> String? {
    lastQuoted.isNew(event.reference) ? source.original(event.reference) : nil
  }

  /// Writes the writer of an event before its first event.
  private func write(writerOf event: RecordedEvent, _ source: any EventSource) throws(LogError) {
    let index = event.source.index
    if index < known.count, known[index] { return }
    while known.count <= index { known.append(false) }
    known[index] = true
    let writer = ConvertedWriter(number: index + 1, file: Int(clamping: event.source.number), context: event.source.writer)
    _ = try log.append(writer.event)
  }

  // MARK: The end

  /// Writes what is known at the end of the source, and moves the log to its path.
  ///
  /// - Parameters:
  ///   - numbers: the number of the file of each input.
  ///   - reasons: reasons why the log is incomplete, other than those of the source.
  package func finish(_ source: any EventSource, numbers: [UInt32], reasons: [String]) throws(LogError) {
    func number(_ input: Int) -> Int? { numbers.indices.contains(input) ? Int(clamping: numbers[input]) : nil }
    for figures in source.figures {
      _ = try log.append(
        ImportFileRead(
          importFile: number(figures.input), lastLine: Int64(clamping: figures.lines), count: Int64(clamping: figures.records),
          recognised: Int64(clamping: figures.recognised)))
    }
    for reason in source.incompleteness {
      _ = try log.append(ImportFileIncomplete(importFile: number(reason.input), message: reason.reason))
    }
    for reason in reasons { _ = try log.append(ImportFileIncomplete(message: reason)) }
    log.close()
    // Sealing compresses the log, and lets `verify` find later changes. A log that cannot be sealed is complete, too.
    _ = LogSealer(directory: draft.path).seal()
    LogDirectory.synchronise(draft.path)
    try Self.checkAbsence(of: output)
    guard rename(draft.path, output) == 0 else { throw Self.cannotWrite(output, errno) }
    LogDirectory.synchronise(LogDirectory.parent(of: output))
  }

  private static func checkAbsence(of output: String) throws(LogError) {
    var status = stat()
    guard lstat(output, &status) == 0 else { return }
    throw LogError(
      .exists, place: output, problem: "it already exists and was not changed", advice: "Choose a path that does not exist yet.")
  }

  private static func cannotWrite(_ path: String, _ problem: Int32) -> LogError {
    LogError(
      .cannotCreate, place: path, problem: "it cannot be written (\(systemText(problem)))",
      advice: "Choose another path with --output, in a directory that you may write to.", osError: problem)
  }
}

/// The lines that were quoted last.
private struct QuotedLines {
  private var lines: [EventReference] = []
  private var next = 0
  private static let count = 32

  /// Returns whether a line is not one of the last. A new line is remembered.
  mutating func isNew(_ line: EventReference) -> Bool {
    if lines.contains(line) { return false }
    if lines.count < Self.count {
      lines.append(line)
    } else {
      lines[next] = line
      next = (next + 1) % Self.count
    }
    return true
  }
}

extension LogClock {
  /// A clock that stands still, so that no change of the system's clocks is recorded between an event and the account of its line.
  fileprivate static func unchanging(wall: Int64) -> LogClock {
    let (monotonic, boottime) = (xp_clock_monotonic(), xp_clock_boottime())
    return LogClock(monotonic: { monotonic }, boottime: { boottime }, wall: { wall })
  }
}
