import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads one segment: its header, its chunks and their lanes, and its definitions.
///
/// The source owns the reader, not the reverse: events keep their source alive and may need its names after the log reader
/// has been deallocated.
final class SegmentReader {
  let number: UInt32
  let path: String
  let name: String
  let header: SegmentHeader
  /// Whether the file's own header is valid. Otherwise `header` is a copy.
  let hasOwnHeader: Bool
  /// Whether the writer's layouts are built into this reader.
  private let hasKnownVocabulary: Bool
  unowned let source: RecordSource
  let file: SegmentBytes
  /// The blocks of a sealed segment; `nil` for an unsealed segment.
  private(set) var sealed: SealedBlocks?
  /// Returns, by means of the index, why a chunk contains no wanted event; `nil` if the chunk must be read. Set by `select`.
  private(set) var exclusion: ((ChunkHeader) -> BlockCounts.Exclusion?)?
  /// The symbols of the wanted tasks, if a reader leaves out the events that name none of them. Set by `select`.
  private(set) var wantedTasks: [UInt32]?

  /// The number of chunk slots scanned so far.
  private var scanned = 0
  /// The scanned slots that were empty or looked damaged, and must be scanned again.
  private var unresolved: [Int] = []
  private var dictionary: [DictionaryChunk] = []
  /// The original file ranges of the unreadable slots of a salvaged segment; `nil` if the segment was not salvaged while
  /// reading.
  fileprivate(set) var places: [Int: Range<UInt64>]?
  /// The lane chunks that were found while searching for definitions.
  private var pendingChunks: [ChunkHeader] = []
  private(set) var damagedChunks: [Int] = []
  /// The indexes of the ring chunks found so far.
  private var ringChunks: [Int] = []
  /// The keys of the ring pages that have been returned.
  private var takenPages: Set<UInt64> = []
  /// The byte ranges of damaged dictionary records.
  private(set) var damagedDefinitions: [Range<UInt64>] = []
  /// The value of `file.loads` when definitions were last read; `nil` if they have not been read yet.
  ///
  /// A definition is committed before its number is used, so new definitions matter only if something has been read since.
  private var lastDefined: Int?
  /// The recorded end of the segment when reading began.
  private(set) var endWhenOpened: SegmentHeader.End?
  /// Whether all definitions were read, although none was kept, and none is damaged.
  private var hasScannedDefinitions = false
  /// Whether all definitions are read when a lane enters the segment, instead of when an event needs one.
  private var definesOnEntry = false
  /// Whether a lane has entered the segment.
  private var isEntered = false
  private var isRedefiningTasks = false
  /// The number of chunks that the lanes have still to leave.
  private var chunksToLeave = 0
  /// Whether the last scan of all slots happened after the segment's writer had finished.
  private var isSettled = false

  /// Whether an event of the segment uses a definition that is damaged. Reads the segment once more.
  private(set) lazy var needsLostDefinitions = usesLostDefinitions()

  /// Whether the segment's events report the removal of segments.
  private(set) var mentionsRemoval = false

  /// The headers of the dictionary chunks found so far.
  var dictionaryChunks: [ChunkHeader] { dictionary.map(\.header) }

  private struct DictionaryChunk {
    let header: ChunkHeader
    var sequence: UInt64
    var offset = ChunkHeader.size
    var isFinished = false
  }

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
    if !canDecompress, let sealed = segment.sealed, sealed.entries.contains(where: { $0.block.codec == .zstd }) {
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

  private init(
    number: UInt32, path: String, name: String, header: SegmentHeader, hasOwnHeader: Bool, hasKnownVocabulary: Bool,
    file: SegmentBytes, source: RecordSource, isSelective: Bool
  ) {
    self.number = number
    self.path = path
    self.name = name
    self.header = header
    self.hasOwnHeader = hasOwnHeader
    self.hasKnownVocabulary = hasKnownVocabulary
    self.file = file
    self.source = source
    sealed =
      header.incompatible.contains(.compressed)
      ? SealedBlocks(file: file, nonce: header.nonce, isSelective: isSelective) : nil
    endWhenOpened = end
  }

  // MARK: File state

  /// Whether the writer has recorded that it claims no more chunks from the segment.
  var isFinished: Bool { claimedWord & SegmentHeader.sealed != 0 || end != nil }

  /// The recorded end of the segment; `nil` while it is written, or if its writer could not record its end.
  var end: SegmentHeader.End? {
    let head = file.window(0..<SegmentFormat.headerSize)
    return withExtendedLifetime(head) { SegmentHeader.end(in: head.bytes) }
  }

  /// Whether no thread of the writer can write to the segment any more. A thread may finish a record long after the last
  /// claim.
  var isReleased: Bool { sealed != nil || file.word(at: SegmentHeader.isReleased) == 1 }

  /// Returns whether, as far as this process can determine, no process can write to the segment any more.
  func hasNoWriter(seenFrom observer: @autoclosure () -> ProcessIdentity) -> Bool {
    isReleased || header.process.hasTerminated(seenFrom: observer())
  }

  /// Whether the writer is certainly running and has not closed the segment.
  func isBeingWritten(seenFrom observer: ProcessIdentity) -> Bool {
    !isReleased && header.process.fate(seenFrom: observer) == .running
  }

  /// Whether the file is smaller than its writer left it.
  var isTruncated: Bool {
    if let sealed { return sealed.isCut || header.compatible.contains(.cut) }
    if let end { return file.fileSize < end.finalSize }
    // Before the end had a checksum, a writer recorded only the size.
    if isFinished {
      let (low, high) = (file.word(at: SegmentHeader.finalSize), file.word(at: SegmentHeader.finalSize + 4))
      let size = UInt64(truncatingIfNeeded: high) << 32 | UInt64(truncatingIfNeeded: low)
      return file.fileSize < size
    }
    // An unfinished file has its full reserved size, because only the writer truncates it. This does not apply to an
    // appended file, which may have any size, or without a valid header, because the reserved size is then unknown.
    return hasOwnHeader && !isFinished && !isAppended
      && file.fileSize < UInt64(SegmentFormat.fileSize(chunks: Int(header.chunkCapacity)))
  }

  /// Whether the writer continued in another segment, or may have: the segment's recorded end is damaged.
  var wasLeft: Bool {
    guard let end = endWhenOpened else { return claimedWord & SegmentHeader.sealed != 0 }
    return end.state == .rotated
  }

  /// The number of chunk slots that the header and the format allow.
  private var slotCount: Int { min(Int(header.chunkCapacity), SegmentFormat.maximumChunks) }

  /// The byte range after the largest size that the header allows; `nil` if the file is not larger. These bytes are not
  /// read.
  var excess: Range<UInt64>? {
    let end = sealed == nil ? UInt64(SegmentFormat.fileSize(chunks: slotCount)) : UInt64(SegmentBytes.largest)
    return end < file.fileSize ? end..<file.fileSize : nil
  }

  /// The reason why part of the file could not be read or may have changed since reading began; `nil` if there is none.
  var readFailure: SegmentBytes.Failure? {
    if let failure = file.failure { return failure }
    if sealed != nil { return file.isUntouched() ? nil : .changed }
    file.refresh()
    // Another segment may have been copied over this file, so compare the file's current header with the one that was read.
    let head = file.window(0..<SegmentFormat.headerSize)
    let standing = withExtendedLifetime(head) { try? SegmentHeader.decode(head.bytes).get() }
    if hasOwnHeader, standing != header { return .changed }
    let end = end
    if let endWhenOpened, end != endWhenOpened { return .changed }
    // The file of a writer that truncated unused space is smaller too, but its writer recorded the final size.
    return file.hasShrunk && end?.finalSize != file.fileSize ? .changed : file.failure
  }

  var size: Int { Int(clamping: file.fileSize) }

  var isAppended: Bool { header.compatible.contains(.appended) }
  var isSalvaged: Bool { header.compatible.contains(.salvaged) }

  /// Returns the bytes of a chunk up to the end of its records, as far as the file contains them.
  ///
  /// - Parameters:
  ///   - index: The index of the chunk.
  ///   - span: The number of chunks that it covers.
  ///   - offset: The offset in the chunk at which copying begins. The bytes before it remain undefined.
  ///   - loading: The number of bytes to copy at first; the rest is copied on demand.
  func chunk(_ index: Int, span: Int = 1, from offset: Int = 0, loading: Int = .max) -> FileWindow {
    let start = min(SegmentFormat.chunkOffset(index), SegmentBytes.largest)
    let end = min(start + SegmentFormat.recordsEnd(span: span), SegmentBytes.largest)
    return FileWindow(file, start..<end, from: offset, loading: loading)
  }

  /// Finds out which chunks contain no wanted event, and compares the headers of the others with the index.
  func select(_ selection: BlockSelection) {
    guard exclusion == nil else { return }
    exclusion = { _ in nil }
    guard let sealed, let sessions = sealed.sessions else { return }
    pendingChunks += scan(everything: false)
    // The index refers to tasks by their symbols, and the segment may define layouts.
    let scan = selection.isTaskWanted.flatMap { scanDefinitions(for: $0, numbered: selection.wantedNumber, sealed) }
    if scan == nil, selection.isTaskWanted != nil || selection.kinds != nil && !hasKnownVocabulary { refreshDictionary() }
    let tasks = selection.isTaskWanted.map { scan?.wanted ?? symbols(ofTasks: $0) }
    let resolved = BlockSelection.Resolved(
      selection, source: source, tasks: tasks, sessions: sessions,
      hasAllLayouts: hasKnownVocabulary || damagedDefinitions.isEmpty)
    let exclusions = sealed.entries.map(resolved.exclusion)
    let isListed = zip(sealed.entries, exclusions).allSatisfy { entry, exclusion in
      exclusion != nil || SealedBlocks.lists(entry, of: file, nonce: header.nonce)
    }
    guard isListed else { return rescan() }
    if let scan, scan.wanted.count <= Self.mostWantedTasks {
      wantedTasks = scan.wanted
      scan.forEachDefinition(of: scan.wanted, define(task:))
    } else if let scan {
      let named = zip(sealed.entries, exclusions).filter { $1 == nil }.flatMap { $0.0.content.tasks }
      scan.forEachDefinition(of: Set(named), define(task:))
    }
    exclusion = { chunk in sealed.index(of: chunk).flatMap { exclusions[$0] } }
  }

  /// The maximum number of tasks with which each event is compared. For more, evaluating the caller's filter is faster.
  private static let mostWantedTasks = 16

  /// Finds the blocks again, without the index, which is wrong.
  private func rescan() {
    sealed = SealedBlocks(walking: file, nonce: header.nonce)
    (scanned, dictionary, pendingChunks, damagedChunks, damagedDefinitions) = (0, [], [], [], [])
    (lastDefined, hasScannedDefinitions) = (nil, false)
  }

  /// Reads the definitions for the symbols of the wanted tasks, and defines all that are not of tasks.
  ///
  /// - Parameter number: The number of all wanted tasks; `nil` if they may have several.
  /// - Returns: `nil` if a block with definitions is damaged, or if the definitions have been read already.
  private func scanDefinitions(
    for isWanted: (TaskIdentity) -> Bool, numbered number: UInt32?, _ sealed: SealedBlocks
  ) -> DefinitionScan? {
    let entries = dictionary.compactMap { sealed.entry(of: $0.header) }
    guard lastDefined == nil, entries.count == dictionary.count else { return nil }
    let scan = DefinitionScan(
      ofTasks: isWanted, in: entries.filter { number.map($0.content.mayDefine) ?? true }, numbered: number, file,
      define: define, name: source.definedString)
    hasScannedDefinitions = scan != nil
    return scan
  }

  /// Returns the symbols of the wanted tasks in ascending order, after all definitions were read.
  private func symbols(ofTasks isWanted: (TaskIdentity) -> Bool) -> [UInt32] {
    source.definedTasks.filter { isWanted($0.value) }.map(\.symbol).sorted()
  }

  /// Returns the chunks that were started since the last call.
  ///
  /// - Parameter everything: Whether to scan all slots of the file. Otherwise only the slots that the writer has claimed
  ///   are scanned.
  func newChunks(everything: Bool) -> [ChunkHeader] {
    let pending = pendingChunks
    pendingChunks = []
    return pending + scan(everything: everything)
  }

  private func scan(everything: Bool) -> [ChunkHeader] {
    if let sealed { return scan(sealed) }
    if isSettled, !everything { return [] }
    // Check this before scanning: only a scan that starts after the writer has finished finds all chunks.
    let settles = isReleased
    file.refresh()
    let present = max(0, file.count - SegmentFormat.headerSize + SegmentFormat.chunkSize - 1) / SegmentFormat.chunkSize
    let slots = min(present, slotCount)
    let claimed = claimedChunks
    var found: [ChunkHeader] = []
    var candidates = unresolved
    unresolved = []
    let end = everything ? slots : min(slots, claimed)
    if scanned < end { candidates.append(contentsOf: scanned..<end) }
    var covered = 0
    func take(_ chunk: ChunkHeader) {
      covered = Int(chunk.index) + ([.rings, .ringPage].contains(chunk.kind) ? 1 : Int(chunk.span))
      switch chunk.kind {
      case .dictionary: dictionary.append(.init(header: chunk, sequence: chunk.firstSequence))
      case .rings: ringChunks.append(Int(chunk.index))
      // A page header at the start of a slot is damage, because pages are stored inside ring chunks.
      case .ringPage: damagedChunks.append(Int(chunk.index))
      case .records, .large: found.append(chunk)
      }
    }
    for index in candidates where index >= covered {
      switch read(index, isClaimed: index < claimed, everything: everything) {
      case .empty: unresolved.append(index)
      case .header(let chunk): take(chunk)
      case .damaged:
        // The middle of a large record looks like damage until the header of its first chunk has been read.
        for place in unresolved.indices.reversed() {
          guard case .header(let chunk) = read(unresolved[place], isClaimed: true, everything: false) else { continue }
          unresolved.remove(at: place)
          take(chunk)
        }
        if index < covered { continue }
        // While the segment is written, check an apparently damaged slot again later.
        if everything { damagedChunks.append(index) } else { unresolved.append(index) }
      }
    }
    scanned = max(scanned, end, covered)
    isSettled = settles
    return found
  }

  /// Returns the headers of the ring pages that have not been returned yet.
  ///
  /// - Parameters:
  ///   - everything: Whether to include pages that their writers may still discard.
  ///   - meanwhile: Called before each page is read.
  func ringHeaders(everything: Bool, meanwhile: () -> Void) -> [ChunkHeader] {
    var found: [ChunkHeader] = []
    for index in ringChunks {
      for number in 1...RingFormat.pages {
        meanwhile()
        switch RingSnapshot.header(number, ofChunk: index, in: file, nonce: header.nonce, everything: everything) {
        case .empty: continue
        case .damaged: if everything, !damagedChunks.contains(index) { damagedChunks.append(index) }
        case .header(let page): if !takenPages.contains(page.place) { found.append(page) }
        }
      }
    }
    return found
  }

  /// Copies a ring page and marks it as returned; returns `nil` if its writer has reused it.
  func ringPage(_ page: ChunkHeader) -> RingSnapshot? {
    guard let copy = RingSnapshot.take(page, in: file) else { return nil }
    takenPages.insert(page.place)
    return copy
  }

  /// Returns all ring pages of a segment that is read on its own.
  func ringPages() -> [RingSnapshot] { RingScan.pages(of: [self], everything: true) { [self] }.map(\.page) }

  /// Returns the chunks of a sealed segment, which never changes.
  private func scan(_ sealed: SealedBlocks) -> [ChunkHeader] {
    guard scanned == 0 else { return [] }
    scanned = 1
    var found: [ChunkHeader] = []
    for entry in sealed.entries {
      let chunk = entry.block.chunk
      switch (entry.block.form, chunk.kind) {
      case (.unreadable, _): damagedChunks.append(Int(chunk.index))
      case (_, .dictionary): dictionary.append(.init(header: chunk, sequence: chunk.firstSequence))
      case (_, .records), (_, .large), (_, .ringPage), (_, .rings): found.append(chunk)
      }
    }
    return found
  }

  /// The number of claimed chunks according to the writer. No checksum protects this count.
  var claimedChunks: Int { Int(claimedWord & ~SegmentHeader.sealed) }

  private var claimedWord: UInt32 { file.word(at: SegmentHeader.claimedChunks) }

  /// Reads the header of a slot. Unclaimed slots are read as well, in case the claim count is damaged.
  private func read(_ index: Int, isClaimed: Bool, everything: Bool) -> ChunkHeader.Reading {
    let reading = beginning(of: index)
    guard isClaimed else {
      // The writer may have claimed and begun the chunk in the meantime.
      guard reading == .damaged, index < claimedChunks else { return reading ?? .empty }
      return read(index, isClaimed: true, everything: everything)
    }
    guard let reading else { return .empty }
    if reading == .damaged || everything && reading == .empty, let copy = copiedHeader(of: index) { return .header(copy) }
    guard reading == .empty, everything else { return reading }
    // A thread that was killed between the claim and the header leaves an empty slot. If the slot has other bytes, or every
    // thread had finished, the header was lost.
    let slot = chunk(index)
    let isUsed = withExtendedLifetime(slot) { slot.bytes.firstNonzero(from: ChunkHeader.size) != nil }
    guard isUsed || hasBegun(index) || isReleased && !isAppended else { return .empty }
    // The writer may have written the header in the meantime, so read it again.
    let again = beginning(of: index) ?? .empty
    return again == .empty ? .damaged : again
  }

  /// Whether the writer has written the header of a chunk.
  func hasBegun(_ index: Int) -> Bool {
    let word = file.word(at: SegmentHeader.begunChunks + index / UInt32.bitWidth * 4)
    return word & 1 << UInt32(index % UInt32.bitWidth) != 0
  }

  /// The end of an unsealed chunk, as recorded in the second copy of its header.
  enum Tail {
    /// The writer stored no mark, or has not yet written the copy.
    case unknown
    /// The lane position after the chunk's last record.
    case end(UInt64)
    /// The copy, which was written before the first record, is damaged.
    case damaged
  }

  func tail(of chunk: ChunkHeader) -> Tail {
    withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size, alignment: 8) { bytes in
      let place = SegmentFormat.chunkOffset(Int(chunk.index)) + chunk.copyOffset
      guard file.copy(from: place, into: bytes), let base = bytes.baseAddress else { return .unknown }
      guard ChunkHeader.decode(base, index: chunk.index, nonce: header.nonce) != nil else {
        // An appended file gets the copy when the lane leaves the chunk. Older writers stored none.
        return isAppended || !hasBegun(Int(chunk.index)) ? .unknown : .damaged
      }
      return chunk.markedEnd(inCopy: base).map(Tail.end) ?? .unknown
    }
  }

  /// Reads the chunk header at the beginning of a slot; returns `nil` if the file does not contain it.
  private func beginning(of index: Int) -> ChunkHeader.Reading? {
    func look() -> ChunkHeader.Reading? {
      withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size + RecordFormat.alignment, alignment: 8) { bytes in
        guard file.copy(from: SegmentFormat.chunkOffset(index), into: bytes), let base = bytes.baseAddress else { return nil }
        return ChunkHeader.read(base, index: UInt32(index), nonce: header.nonce)
      }
    }
    let reading = look()
    // A header or record that was written during the first copy is complete in the second one.
    return reading == .damaged ? look() : reading
  }

  /// Returns the second copy of the header, which follows the chunk's records, trying every possible span.
  private func copiedHeader(of index: Int) -> ChunkHeader? {
    withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size, alignment: 8) { bytes in
      for span in 1...Self.largestSpan {
        let place = SegmentFormat.chunkOffset(index) + SegmentFormat.recordsEnd(span: span)
        guard file.copy(from: place, into: bytes), let base = bytes.baseAddress else { return nil }
        let copy = ChunkHeader.decode(base, index: UInt32(index), nonce: header.nonce)
        if let copy, copy.span == UInt32(span) { return copy }
      }
      return nil
    }
  }

  /// Returns the header of the chunk at a slot, or its second copy; `nil` if neither is valid.
  func validHeader(of index: Int) -> ChunkHeader? {
    ownHeader(of: index) ?? copiedHeader(of: index)
  }

  /// Returns the header at the beginning of a slot; `nil` if it is not valid.
  func ownHeader(of index: Int) -> ChunkHeader? {
    withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size, alignment: 8) { bytes in
      guard file.copy(from: SegmentFormat.chunkOffset(index), into: bytes), let base = bytes.baseAddress else { return nil }
      return ChunkHeader.decode(base, index: UInt32(index), nonce: header.nonce)
    }
  }

  /// Returns whether a slot may have been claimed. After the writer has recorded the segment's end, the file contains only
  /// claimed slots.
  func mayBeClaimed(_ index: Int) -> Bool { index < claimedChunks || end != nil }

  private static let largestSpan = SegmentFormat.maximumRecord / SegmentFormat.chunkSize + 1

  /// Returns the file range of a slot that contains no recognisable chunk.
  func fileBytes(ofDamaged index: Int) -> Range<UInt64> {
    if let places { return places[index] ?? 0..<0 }
    if let sealed {
      let entry = sealed.entries.first { $0.block.form == .unreadable && Int($0.block.chunk.index) == index }
      return entry?.extent ?? 0..<0
    }
    let start = UInt64(SegmentFormat.chunkOffset(index))
    return start..<start + UInt64(SegmentFormat.chunkSize)
  }

  // MARK: Definitions

  /// Reads the definitions that have not been read in any way.
  func checkDictionary() { if !hasScannedDefinitions { refreshDictionary() } }

  /// Reads the definitions that were written since the last call.
  func refreshDictionary() {
    if let lastDefined, sealed != nil || lastDefined == file.loads { return }
    pendingChunks.append(contentsOf: scan(everything: false))
    for place in dictionary.indices where !dictionary[place].isFinished { read(&dictionary[place]) }
    lastDefined = file.loads
  }

  /// Reads all definitions before the first event of the segment is handed out, so that they do not change afterwards. The log must not
  /// be written any more.
  func defineOnEntry() {
    definesOnEntry = true
    if isEntered { endDefinitions() }
  }

  private func endDefinitions() {
    definesOnEntry = false
    refreshDictionary()
    source.endDefinitions()
  }

  func expectChunk() { chunksToLeave += 1 }

  /// Notes that a lane begins to read a chunk of the segment.
  @inline(__always)
  func enter() {
    isEntered = true
    if definesOnEntry { endDefinitions() }
  }

  /// Notes that a lane has read a chunk of the segment to its end.
  ///
  /// - Returns: Whether it was the last chunk of the segment.
  func leave() -> Bool {
    chunksToLeave -= 1
    return chunksToLeave == 0
  }

  /// Lets the source of a sealed segment, which never changes, forget its tasks when all events have been used.
  func allowForgetting() {
    guard sealed != nil else { return }
    source.redefineTasks = { self.redefineTasks() }
  }

  private func redefineTasks() {
    isRedefiningTasks = true
    for chunk in dictionary {
      var chunk = DictionaryChunk(header: chunk.header, sequence: chunk.header.firstSequence)
      read(&chunk)
    }
    isRedefiningTasks = false
  }

  private func read(_ entry: inout DictionaryChunk) {
    if let sealed { return read(&entry, of: sealed) }
    let index = Int(entry.header.index)
    let window = chunk(index, from: entry.offset)
    var walker = RecordWalker(
      window, header: entry.header, isAppended: isAppended, offset: entry.offset, sequence: entry.sequence)
    let fileOffset = UInt64(SegmentFormat.chunkOffset(index))
    loop: while true {
      switch walker.next(isFinal: true) {
      case .record(let record): define(record)
      case .damage(let range, _, _):
        noteDamage(fileOffset + UInt64(range.lowerBound)..<fileOffset + UInt64(range.upperBound))
      case .endOfChunk:
        entry.isFinished = walker.isWhole
        break loop
      case .notYet: break loop
      }
    }
    entry.offset = walker.offset
    entry.sequence = walker.sequence
  }

  /// Finds chunks of definitions whose last records were erased.
  func findErasedDefinitions() {
    guard sealed == nil else { return }
    for place in dictionary.indices where !dictionary[place].isFinished {
      let header = dictionary[place].header
      let tail = tail(of: header)
      // The mark was read first, so that all definitions that it counts are read now.
      read(&dictionary[place])
      let start = UInt64(SegmentFormat.chunkOffset(Int(header.index)) + dictionary[place].offset)
      switch tail {
      case .unknown: continue
      case .end(let end) where dictionary[place].sequence >= end: continue
      case .end, .damaged: noteDamage(start..<start + 1)
      }
    }
  }

  /// Notes damaged definitions, which may be read more than once.
  private func noteDamage(_ bytes: Range<UInt64>) {
    if !damagedDefinitions.contains(bytes) { damagedDefinitions.append(bytes) }
  }

  private func read(_ entry: inout DictionaryChunk, of sealed: SealedBlocks) {
    entry.isFinished = true
    guard let place = sealed.entry(of: entry.header) else { return }
    guard let decoded = DecodedBlock(place.block, at: place.offset, in: file) else {
      return noteDamage(place.extent)
    }
    defer { withExtendedLifetime(decoded) {} }
    if var walker = decoded.walker(of: place.block) {
      while case .record(let record) = walker.next() { define(record) }
      return
    }
    var walker = RecordWalker(chunk: decoded.bytes, header: entry.header, isAppended: isAppended)
    while true {
      switch walker.next(isFinal: true) {
      case .record(let record): define(record)
      case .damage: noteDamage(place.extent)
      case .endOfChunk, .notYet: return
      }
    }
  }

  func define(_ record: RecordWalker.Record) {
    if isRedefiningTasks, record.kind != RecordFormat.taskDefined { return }
    var reader = FixedReader(record.payload)
    switch record.kind {
    case RecordFormat.stringDefined:
      let symbol = reader.take(UInt32.self)
      guard let text = reader.takeString() else { return }
      source.define(string: SegmentDictionary.shortened(text), as: symbol)
    case RecordFormat.taskDefined: define(task: record.payload)
    case RecordFormat.layoutDefined:
      // The layouts of a known vocabulary are built in. Rules and accessors refer to these instances.
      let builtIn = hasKnownVocabulary ? source.definedLayout(reader.take(UInt16.self)) : nil
      guard let layout = builtIn ?? EventLayout.decode(definition: record.payload) else { return }
      if layout.number == EventKind.logSegmentsRemoved.rawValue { mentionsRemoval = true }
      if builtIn == nil { source.define(layout: layout) }
    default: return
    }
  }

  private func define(task payload: UnsafeRawBufferPointer) {
    guard let task = TaskDefinition(payload) else { return }
    let session = source.definedString(task.session)
    if session == nil { source.noteMissingDefinition() }
    source.define(task: TaskIdentity(uid: task.uid, session: session ?? "?", number: task.number), as: task.symbol)
  }
}

extension SegmentHeader.Failure {
  func error(at path: String) -> LogError {
    switch problem {
    case .unfinished:
      LogError(
        .unfinished, place: path,
        problem: "the segment is empty: its writer terminated before writing anything, or its bytes were lost",
        advice: "If its writer was killed at startup, remove the file. "
          + "After a power loss or a disk failure, restore it from a backup.")
    case .cut:
      LogError(
        .damagedHeader, place: path, problem: "the file ends inside its header; everything after it is lost",
        advice: "Exclude the segment, or restore it from a backup.")
    case .tooLarge(let size):
      LogError(
        .damagedHeader, place: path, problem: "the file has \(size) bytes, more than any segment, and no header",
        advice: "Exclude the segment, or restore it from a backup.")
    case .erased(let size):
      LogError(
        .damagedHeader, place: path,
        problem: "the file has \(size) bytes and no header, and no writer creates a file of this size: its bytes were lost",
        advice: "Exclude the segment, or restore it from a backup.")
    case .lost:
      LogError(
        .damagedHeader, place: path, problem: "the header is empty, although records follow it",
        advice: "Exclude the segment, or restore it from a backup.")
    case .notASegment:
      LogError(
        .notALog, place: path, problem: "not a segment of an xferlog log: its magic bytes are wrong",
        advice: "Pass a .xlog directory or one of its .seg files.")
    case .checksum(let stored, let computed):
      LogError(
        .damagedHeader, place: path,
        problem: "the header's checksum is \(String(stored, radix: 16)), but \(String(computed, radix: 16)) was computed",
        advice: "Exclude the segment, or restore it from a backup.")
    case .version(let version):
      LogError(
        .unknownVersion, place: path,
        problem: "the segment has format version \(version); this reader supports \(SegmentFormat.version)",
        advice: "Read it with a newer xferlog.")
    case .unknownFeature(let bits):
      LogError(
        .unknownFeature, place: path,
        problem: "the segment uses features that this reader does not support (flags \(String(bits, radix: 16)))",
        advice: "Read it with a newer xferlog.")
    case .unreadable:
      LogError(
        .damagedHeader, place: path, problem: "the header's fields are inconsistent",
        advice: "Exclude the segment, or restore it from a backup.")
    }
  }
}
