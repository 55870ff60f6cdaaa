import CXferPlatform
package import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes a sealed copy of a log in a form that may be passed on. The log itself is only read.
///
/// Segments in the capture modes `hashed` and `redacted` have no private values, so their copies have the same records. Segments in the
/// mode `full` are written again with masked values; their copies have the mode `hashed`. Segments keep their numbers, lanes and
/// positions.
package struct LogCollector {
  private let input: LogReader.Input
  private let output: String
  private let mask: ValueMask?
  private let selection: Selection?
  private let note: ((RecordedEvent) -> Void)?

  /// The selected positions of each lane, by the path of the segment.
  package typealias Selection = [String: [UInt32: EventRanges]]

  /// The result of copying a log.
  package struct Outcome: Sendable {
    package var segments = 0
    /// The number of segments whose private values were masked.
    package var masked = 0
    /// The number of records that were left out because they cannot be decoded, so that their private values are unknown.
    package var undecodable = 0
    /// The segments that could not be read.
    package var unreadable: [LogError] = []
    /// Whether the copies have other bytes than the log in places that `verify` examines.
    package var isRewritten = false
  }

  /// - Parameters:
  ///   - input: The log.
  ///   - output: For a directory, the path of the directory to create. For a segment, the path of the new segment.
  ///   - mask: Masks the private values of segments in the mode `full`. `nil` if the log has none.
  ///   - selection: The selected events. `nil` selects all.
  ///   - note: Called with each event whose values are masked, before they are.
  package init(
    _ input: LogReader.Input, to output: String, mask: ValueMask?, selection: Selection? = nil,
    note: ((RecordedEvent) -> Void)? = nil
  ) {
    (self.input, self.output, self.mask, self.selection, self.note) = (input, output, mask, selection, note)
  }

  /// Returns whether a segment of a log has private values in plain text.
  package static func isFull(_ input: LogReader.Input) -> Bool {
    let paths =
      switch input {
      case .segment(let path): [path]
      case .directory(let directory): LogDirectory.segments(in: directory).map(\.path)
      }
    return paths.contains { path in
      guard let (segment, source) = try? open(path) else { return false }
      defer { withExtendedLifetime(source) {} }
      return segment.header.captureMode == .full
    }
  }

  /// Copies all segments.
  ///
  /// - Throws: `LogError` if the copy cannot be written.
  package func collect() throws(LogError) -> Outcome {
    var outcome = Outcome()
    switch input {
    case .segment(let path): try copy(path, to: output, &outcome)
    case .directory(let directory):
      guard mkdir(output, 0o700) == 0 else { throw cannotWrite(output, errno) }
      for (number, path) in LogDirectory.segments(in: directory) {
        try copy(path, to: LogDirectory.path(of: number, in: output), &outcome)
      }
      // The marks of removed segments, which are therefore not missing, and of ends that other processes recorded.
      for suffix in [LogDirectory.retiredSuffix, LogDirectory.observedSuffix] {
        for (number, _) in LogDirectory.numbered(suffix, in: directory) {
          try write([], to: LogDirectory.path(of: number, in: output, suffix))
        }
      }
    }
    return outcome
  }

  private static func open(_ path: String) throws(LogError) -> (segment: SegmentReader, source: RecordSource) {
    let name = path.fileName ?? path
    let file: SegmentBytes
    do throws(SystemError) {
      // A copy in memory, because a process may still write to the segment.
      file = try SegmentBytes(path: path).loaded()
    } catch {
      throw SegmentReader.cannotOpen(path, error)
    }
    let number = SegmentSummary(path: path)?.header.number ?? LogDirectory.number(of: name) ?? 1
    return try SegmentReader.open(file, number: number, path: path, name: name, index: 0)
  }

  private func copy(_ path: String, to copy: String, _ outcome: inout Outcome) throws(LogError) {
    let (segment, source): (SegmentReader, RecordSource)
    do throws(LogError) {
      (segment, source) = try Self.open(path)
    } catch {
      outcome.unreadable.append(error)
      return
    }
    defer { withExtendedLifetime(source) {} }
    outcome.segments += 1
    let isMasked = segment.header.captureMode == .full
    if !isMasked, selection == nil {
      if segment.sealed == nil, try seal(segment, source, like: path, to: copy) { return }
      // A sealed segment stays as it is, and so does one whose sealed form would read differently. The bytes of a damaged block cannot be
      // searched for private values, so that segment is written again.
      if segment.sealed.map({ sealed in sealed.isIntact(in: segment.file) }) ?? true {
        return try write(segment.file.contents(), to: copy)
      }
    }
    let revision = RecordRevision(
      mask: isMasked ? mask : nil, selection: selection.map { $0[path] ?? [:] }, note: isMasked ? note : nil)
    try revise(segment, source, revision, to: copy)
    outcome.isRewritten = true
    outcome.undecodable += revision.undecodable
    if isMasked { outcome.masked += 1 }
  }

  /// Writes the sealed form of a segment.
  ///
  /// - Returns: Whether the sealed form reads like the segment. If it does not, nothing was written.
  private func seal(
    _ segment: SegmentReader, _ source: RecordSource, like path: String, to copy: String
  ) throws(LogError) -> Bool {
    var written: [UInt8] = []
    let previous = HashChain.Link.last(of: segment.header.previous, in: LogDirectory.parent(of: copy))
    var sealer = SegmentSealer(segment, source: source, after: previous) { piece in
      written.append(contentsOf: piece)
      return true
    }
    guard sealer.seal() else { return false }
    try write(written, to: copy)
    // Events may have been added since the segment was loaded.
    if segment.isBeingWritten(seenFrom: .current()) || LogSealer.reads(copy, like: path) { return true }
    unlink(copy)
    return false
  }

  /// Writes the recoverable events of a segment with masked values.
  private func revise(
    _ segment: SegmentReader, _ source: RecordSource, _ revision: RecordRevision, to copy: String
  ) throws(LogError) {
    let salvager = SegmentSalvager(segment)
    for chunk in salvager.chunks where chunk.header?.kind == .dictionary { chunk.records.forEach(segment.define) }
    var written: [UInt8] = []
    let previous = HashChain.Link.last(of: segment.header.previous, in: LogDirectory.parent(of: copy))
    var sealer = SegmentSealer(
      segment, source: source, after: previous, marks: segment.isTruncated ? [.salvaged, .cut] : [], isMasked: true
    ) { piece in
      written.append(contentsOf: piece)
      return true
    }
    guard sealer.seal(salvager, revising: revision) else { throw cannotWrite(copy, EIO) }
    try write(written, to: copy)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(LogError) {
    let descriptor = xp_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw cannotWrite(path, errno) }
    defer { close(descriptor) }
    if let problem = bytes.withUnsafeBytes({ writeAll($0, to: descriptor, at: 0) }) { throw cannotWrite(path, problem) }
  }

  private func cannotWrite(_ path: String, _ problem: Int32) -> LogError {
    LogError(
      .cannotCreate, place: path, problem: "the copy of a log cannot be written (\(systemText(problem)))",
      advice: [ENOSPC, EDQUOT].contains(problem)
        ? "Free disk space, or choose another directory for temporary files with $TMPDIR."
        : "Choose another directory for temporary files with $TMPDIR.", osError: problem)
  }
}

extension SealedBlocks {
  /// Whether all bytes of the segment belong to blocks that can be decoded.
  fileprivate func isIntact(in file: SegmentBytes) -> Bool {
    damage.isEmpty && entries.allSatisfy { DecodedBlock($0.block, at: $0.offset, in: file) != nil }
  }
}
