import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SegmentReader {
  /// Opens a segment.
  ///
  /// - Parameters:
  ///   - recovery: The recovery mode. With `salvage`, the segment's recoverable records are read.
  ///   - isSelective: Whether the caller calls `select` before it reads the segment.
  ///   - canDecompress: Whether this system can decompress zstd.
  /// - Returns: The segment and its source. The caller must retain the source while it reads the segment.
  /// - Throws: `LogError` if the segment cannot be read.
  static func open(
    number: UInt32, path: String, name: String, index: Int, recovery: RecoveryMode = .tail, isSelective: Bool = false,
    canDecompress: Bool = Zstandard.isAvailable
  ) throws(LogError) -> (segment: SegmentReader, source: RecordSource) {
    let file: SegmentBytes
    do throws(SystemError) {
      file = try SegmentBytes(path: path)
    } catch {
      throw Self.cannotOpen(path, error)
    }
    guard recovery == .salvage else {
      return try open(
        file, number: number, path: path, name: name, index: index, isSelective: isSelective, canDecompress: canDecompress)
    }
    let damaged = try open(
      file.loaded(), number: number, path: path, name: name, index: index, rebuildsHeader: true, canDecompress: canDecompress)
    let salvaged = withExtendedLifetime(damaged.source) { SalvagedSegment(damaged.segment, source: damaged.source) }
    let readable = try open(SegmentBytes(salvaged.bytes), number: number, path: path, name: name, index: index)
    readable.segment.places = salvaged.places
    return readable
  }

  /// - Parameters:
  ///   - rebuildsHeader: Whether to reconstruct a lost header from the chunks if no copy exists.
  ///   - isSelective: Whether the caller calls `select` before it reads the segment.
  ///   - canDecompress: Whether this system can decompress zstd.
  static func open(
    _ file: SegmentBytes, number: UInt32, path: String, name: String, index: Int, rebuildsHeader: Bool = false,
    isSelective: Bool = false, canDecompress: Bool = Zstandard.isAvailable
  ) throws(LogError) -> (segment: SegmentReader, source: RecordSource) {
    let header: SegmentHeader
    let isOwn: Bool
    do throws(LogError) {
      (header, isOwn) = try self.header(of: file, path: path)
    } catch {
      guard rebuildsHeader, !file.isTooLarge, error.code != .unknownVersion, error.code != .unknownFeature,
        let rebuilt = SegmentHeader.restored(of: file.memory) ?? SegmentHeader.rebuilt(of: file, number: number)
      else { throw error }
      (header, isOwn) = (rebuilt, false)
    }
    if header.incompatible.contains(.compressed) { file.readAtOnce() }
    let writer = WriterContext(
      launch: header.launch, boot: header.boot, pid: header.pid == 0 ? nil : Int(Int32(bitPattern: header.pid)),
      role: header.role, executable: header.executable, captureMode: header.captureMode, lowestLevel: header.lowestLevel,
      installation: header.installation,
      place: .init(directory: LogDirectory.parent(of: path), namespace: header.processNamespace))
    let layouts = EventLayout.layouts(version: header.vocabularyVersion, digest: header.vocabularyDigest)
    let source = RecordSource(number: number, name: name, writer: writer, index: index, bytes: file, layouts: layouts)
    let segment = SegmentReader(
      number: number, path: path, name: name, header: header, hasOwnHeader: isOwn, hasKnownVocabulary: !layouts.isEmpty,
      file: file, source: source, isSelective: isSelective)
    if !canDecompress, let sealed = segment.sealed, sealed.entries.contains(where: { $0.block.codec != .stored }) {
      throw LogError(
        .unknownFeature, place: path, problem: "the segment is compressed with zstd, which this system does not have",
        advice: "Read the log on macOS or Linux.")
    }
    // A definition that the source lacks can be read from the file, because it was committed before its number was used.
    source.refresh = { segment.refreshDictionary() }
    return (segment, source)
  }

  private static func header(of file: SegmentBytes, path: String) throws(LogError) -> (SegmentHeader, isOwn: Bool) {
    let head = file.window(0..<SegmentFormat.headerSize)
    switch withExtendedLifetime(head, { SegmentHeader.decode(head.bytes) }) {
    case .success(let header): return (header, true)
    case .failure(let failure) where failure.problem.isDamage: return try replacement(in: file, path: path)
    case .failure(let failure): throw failure.error(at: path)
    }
  }

  /// Returns the copy of a missing or damaged header.
  ///
  /// Searches a copy of the file in memory, because the writer may truncate the file during the search.
  private static func replacement(in file: SegmentBytes, path: String) throws(LogError) -> (SegmentHeader, isOwn: Bool) {
    if file.isTooLarge { throw SegmentHeader.Failure(.tooLarge(file.fileSize)).error(at: path) }
    let loaded = file.isInMemory ? file : file.loaded()
    switch SegmentHeader.decode(loaded.memory) {
    // The writer has completed the header in the meantime.
    case .success(let header): return (header, true)
    case .failure(let failure):
      if let copy = SegmentHeader.copied(in: loaded.memory) ?? SealedBlocks.copiedHeader(in: loaded) { return (copy, false) }
      // The writer may have completed the header while the rest of the file was read.
      let head = file.window(0..<SegmentFormat.headerSize)
      if case .success(let header) = withExtendedLifetime(head, { SegmentHeader.decode(head.bytes) }) { return (header, true) }
      guard failure.problem == .unfinished else { throw failure.error(at: path) }
      // The header is written before anything else, with its first word last. If the file contains anything else, the
      // header was lost.
      let hasSlots = loaded.count > SegmentFormat.headerSize && loaded.word(at: SegmentHeader.claimedChunks) != 0
      if hasSlots || loaded.memory.firstNonzero(from: SegmentFormat.headerSize) != nil {
        throw SegmentHeader.Failure(.lost).error(at: path)
      }
      guard SegmentFormat.isSizeOfNewFile(loaded.count) else {
        throw SegmentHeader.Failure(.erased(loaded.fileSize)).error(at: path)
      }
      throw failure.error(at: path)
    }
  }

  static func cannotOpen(_ path: String, _ error: SystemError) -> LogError {
    if let found = error.found {
      // This error is permanent: a directory or device will not become a segment.
      return LogError(
        .notAFile, place: path, problem: "the segment is \(found), not a file",
        advice: "Remove it from the log, or put the file back.")
    }
    let isLimit = error.number == EMFILE || error.number == ENFILE
    return LogError(
      .cannotOpen, place: path, problem: "the segment cannot be read (\(systemText(error.number)), errno \(error.number))",
      advice: isLimit
        ? "Raise the limit on open files (`ulimit -n`) and read the log again."
        : "Check its permissions.", osError: error.number)
  }
}
