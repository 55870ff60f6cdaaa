import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One segment as it is read: its header, which chunk is whose, and what its numbers stand for.
///
/// Its source owns it, not the other way round: events keep their source, and their names may be asked for when the log's
/// reader is long gone.
final class SegmentReader {
  let number: UInt32
  let path: String
  let name: String
  let header: SegmentHeader
  /// Whether the file's own header is whole; otherwise this is its copy.
  let hasOwnHeader: Bool
  unowned let source: RecordSource
  let file: SegmentBytes
  /// `nil` for a segment that is not sealed.
  let sealed: SealedBlocks?

  /// Chunk slots looked at so far, and those below that were still empty.
  private var scanned = 0
  private var unresolved: [Int] = []
  private var dictionary: [DictionaryChunk] = []
  /// Where the bytes of unreadable slots stand in the file that this was salvaged from; `nil` for a file as it is.
  fileprivate(set) var places: [Int: Range<UInt64>]?
  /// Chunks of lanes that were found while looking for definitions.
  private var pendingChunks: [ChunkHeader] = []
  private(set) var damagedChunks: [Int] = []
  /// Chunks of rings that were found so far, and the pages of them that were given out.
  private var ringChunks: [Int] = []
  private var takenPages: Set<UInt64> = []
  /// Bytes of dictionary records that cannot be right.
  private(set) var damagedDefinitions: [Range<UInt64>] = []
  /// `file.loads` when definitions were read last; `nil` before. A definition is committed before its number is used, so there are
  /// others to look for only if something has been read since.
  private var lastDefined: Int?
  /// How its writer had left the segment when reading began.
  private var firstEnd: SegmentHeader.End?
  /// Whether nobody could write to the segment any more when all of its slots had been looked at.
  private var isSettled = false

  /// Chunks of definitions that were found so far.
  var dictionaryChunks: [ChunkHeader] { dictionary.map(\.header) }

  private struct DictionaryChunk {
    let header: ChunkHeader
    var sequence: UInt64
    var offset = ChunkHeader.size
    var isFinished = false
  }

  /// - Parameter recovery: with `salvage` what is read is what can be had of the segment.
  /// - Returns: the segment's source, to be kept for as long as the segment is read.
  static func open(
    number: UInt32, path: String, name: String, index: Int, recovery: RecoveryMode = .tail
  ) throws(LogError) -> (segment: SegmentReader, source: RecordSource) {
    let file: SegmentBytes
    do throws(SystemError) {
      file = try SegmentBytes(path: path)
    } catch {
      throw Self.cannotOpen(path, error)
    }
    guard recovery == .salvage else { return try open(file, number: number, path: path, name: name, index: index) }
    let damaged = try open(file.loaded(), number: number, path: path, name: name, index: index, rebuildsHeader: true)
    let salvaged = withExtendedLifetime(damaged.source) { SalvagedSegment(damaged.segment, source: damaged.source) }
    let readable = try open(SegmentBytes(salvaged.bytes), number: number, path: path, name: name, index: index)
    readable.segment.places = salvaged.places
    return readable
  }

  /// - Parameter rebuildsHeader: whether a header that is lost, copies included, is made anew of what the chunks say.
  static func open(
    _ file: SegmentBytes, number: UInt32, path: String, name: String, index: Int, rebuildsHeader: Bool = false
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
    let writer = WriterContext(
      launch: header.launch, boot: header.boot, pid: header.pid == 0 ? nil : Int(Int32(bitPattern: header.pid)),
      role: header.role, executable: header.executable, captureMode: header.captureMode, lowestLevel: header.lowestLevel)
    let source = RecordSource(
      number: number, name: name, writer: writer, index: index, bytes: file,
      hasKnownLayouts: header.vocabularyDigest == EventLayout.knownDigest)
    let segment = SegmentReader(
      number: number, path: path, name: name, header: header, hasOwnHeader: isOwn, file: file, source: source)
    // A definition is committed before its number is used, so one that is missing is in the file by now.
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

  /// The copy of a header that is not there or is damaged.
  ///
  /// Looked for in what the file has now: its writer may be at work, and cut off what was never claimed.
  private static func replacement(in file: SegmentBytes, path: String) throws(LogError) -> (SegmentHeader, isOwn: Bool) {
    if file.isTooLarge { throw SegmentHeader.Failure(.tooLarge(file.fileSize)).error(at: path) }
    let loaded = file.isInMemory ? file : file.loaded()
    switch SegmentHeader.decode(loaded.memory) {
    // It has come meanwhile.
    case .success(let header): return (header, true)
    case .failure(let failure):
      if let copy = SegmentHeader.copied(in: loaded.memory) ?? SealedBlocks.copiedHeader(in: loaded) { return (copy, false) }
      guard failure.problem == .unfinished else { throw failure.error(at: path) }
      // The header is written before anything else, its first word last. So where anything else stands, the header is lost.
      let hasSlots = loaded.count > SegmentFormat.headerSize && loaded.word(at: SegmentHeader.claimedChunks) != 0
      if hasSlots || loaded.memory.dropFirst(SegmentFormat.headerSize).contains(where: { $0 != 0 }) {
        throw SegmentHeader.Failure(.lost).error(at: path)
      }
      throw failure.error(at: path)
    }
  }

  static func cannotOpen(_ path: String, _ error: SystemError) -> LogError {
    if let found = error.found {
      // Not for later: what stands there will not become a segment.
      return LogError(
        .notAFile, place: path, problem: "the segment is \(found), not a file",
        advice: "Remove it from the log, or put the file back.")
    }
    let isLimit = error.number == EMFILE || error.number == ENFILE
    return LogError(
      .cannotOpen, place: path, problem: "the segment cannot be read (\(systemText(error.number)), errno \(error.number))",
      advice: isLimit
        ? "Raise the limit of open files (`ulimit -n`) and read the log again."
        : "Check that it is a file and that you may read it.", osError: error.number)
  }

  private init(
    number: UInt32, path: String, name: String, header: SegmentHeader, hasOwnHeader: Bool, file: SegmentBytes,
    source: RecordSource
  ) {
    self.number = number
    self.path = path
    self.name = name
    self.header = header
    self.hasOwnHeader = hasOwnHeader
    self.file = file
    self.source = source
    sealed = header.incompatible.contains(.compressed) ? SealedBlocks(file: file, nonce: header.nonce) : nil
    damagedDefinitions = sealed?.damage ?? []
    firstEnd = end
  }

  // MARK: What the file has

  /// Whether its writer said that it would take no more chunks from it.
  var isFinished: Bool { claimedWord & SegmentHeader.sealed != 0 || end != nil }

  /// How its writer left the segment; `nil` while it is written, or when its writer could not say.
  var end: SegmentHeader.End? {
    let head = file.window(0..<SegmentFormat.headerSize)
    return withExtendedLifetime(head) { SegmentHeader.end(in: head.bytes) }
  }

  /// Whether no thread of its writer can write to it any more: one may be amid a record for long after it took no more chunks.
  var isLeft: Bool { sealed != nil || file.word(at: SegmentHeader.isLeft) == 1 }

  /// Whether nobody can write to it any more, as far as this process can see: its writer said so, or is gone.
  func isOver(seenFrom observer: ProcessIdentity) -> Bool { isLeft || header.process.isOver(seenFrom: observer) }

  /// Whether the file is shorter than its writer left it: it was cut.
  var isTruncated: Bool {
    if let sealed { return sealed.isCut || header.compatible.contains(.cut) }
    if let end { return file.fileSize < end.finalSize }
    // Reserved space is cut only by its writer; a file that grows has any length. With the header went what tells.
    return hasOwnHeader && !isFinished && !isAppended
      && file.fileSize < UInt64(SegmentFormat.fileSize(chunks: Int(header.chunkCapacity)))
  }

  /// Slots that the header allows, or any segment has.
  private var slotCount: Int { min(Int(header.chunkCapacity), SegmentFormat.maximumChunks) }

  /// Bytes behind those that a segment with this header has; nobody looks at them.
  var excess: Range<UInt64>? {
    let end = sealed == nil ? UInt64(SegmentFormat.fileSize(chunks: slotCount)) : UInt64(SegmentBytes.largest)
    return end < file.fileSize ? end..<file.fileSize : nil
  }

  /// Why some of the file could not be read, or may not be what it was when reading began.
  var disturbance: SegmentBytes.Failure? {
    if let failure = file.failure { return failure }
    if sealed != nil { return file.isUntouched() ? nil : .changed }
    file.refresh()
    // Another segment may have been copied over this one.
    let head = file.window(0..<SegmentFormat.headerSize)
    let standing = withExtendedLifetime(head) { try? SegmentHeader.decode(head.bytes).get() }
    if hasOwnHeader, standing != header { return .changed }
    let end = end
    if let firstEnd, end != firstEnd { return .changed }
    // A writer cuts what it has not used, and says so.
    return file.hasShrunk && end?.finalSize != file.fileSize ? .changed : file.failure
  }

  var size: Int { Int(clamping: file.fileSize) }

  var isAppended: Bool { header.compatible.contains(.appended) }
  var isSalvaged: Bool { header.compatible.contains(.salvaged) }

  /// The bytes of a chunk, up to where its records end and as far as the file has them.
  ///
  /// - Parameters:
  ///   - offset: where copying begins, from the chunk's beginning; what is before stays undefined.
  ///   - loading: how many bytes are copied at first; the others when they are asked for.
  func chunk(_ index: Int, span: Int = 1, from offset: Int = 0, loading: Int = .max) -> FileWindow {
    let start = min(SegmentFormat.chunkOffset(index), SegmentBytes.largest)
    let end = min(start + SegmentFormat.recordsEnd(span: span), SegmentBytes.largest)
    return FileWindow(file, start..<end, from: offset, loading: loading)
  }

  /// Which chunks hold nothing of what is wanted, as far as the segment's index tells.
  func passesOver(_ selection: BlockSelection) -> (ChunkHeader) -> Bool {
    guard let sealed, let sessions = sealed.sessions else { return { _ in false } }
    refreshDictionary()
    let resolved = BlockSelection.Resolved(selection, source: source, sessions: sessions)
    return { chunk in sealed.entry(of: chunk).map { !resolved.admits($0) } ?? false }
  }

  /// Looks for chunks that were begun since the last look.
  ///
  /// - Parameter everything: look at all slots of the file; otherwise only at those that the writer says it claimed.
  func newChunks(everything: Bool) -> [ChunkHeader] {
    let pending = pendingChunks
    pendingChunks = []
    return pending + scan(everything: everything)
  }

  private func scan(everything: Bool) -> [ChunkHeader] {
    if let sealed { return scan(sealed) }
    if isSettled, !everything { return [] }
    // In this order: what is there once nobody writes any more is all there will be.
    let settles = isLeft
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
      // In place of a chunk's header it is none of ours.
      case .ringPage: damagedChunks.append(Int(chunk.index))
      case .records, .large: found.append(chunk)
      }
    }
    for index in candidates where index >= covered {
      switch read(index, isClaimed: index < claimed, everything: everything) {
      case .empty: unresolved.append(index)
      case .header(let chunk): take(chunk)
      case .damaged:
        // The middle of a large record looks like damage until the header that covers it is there.
        for place in unresolved.indices.reversed() {
          guard case .header(let chunk) = read(unresolved[place], isClaimed: true, everything: false) else { continue }
          unresolved.remove(at: place)
          take(chunk)
        }
        if index < covered { continue }
        // While the segment is written, what looks damaged is looked at again.
        if everything { damagedChunks.append(index) } else { unresolved.append(index) }
      }
    }
    scanned = max(scanned, end, covered)
    isSettled = settles
    return found
  }

  /// Which pages of rings stand in the segment, of those that were not given out yet.
  ///
  /// - Parameters:
  ///   - everything: those of tasks that have not ended, too; otherwise only what stays in the log for good.
  ///   - meanwhile: called before each is looked at.
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

  /// Gives out a page of a ring, unless its writer has taken it back meanwhile.
  func ringPage(_ page: ChunkHeader) -> RingSnapshot? {
    guard let copy = RingSnapshot.take(page, in: file) else { return nil }
    takenPages.insert(page.place)
    return copy
  }

  /// All pages of rings of a segment that is read by itself.
  func ringPages() -> [RingSnapshot] { RingLook.pages(of: [self], everything: true) { [self] }.map(\.page) }

  /// A sealed segment is as it will ever be.
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

  /// Chunks that were given out, by the writer's own count, which no checksum protects.
  private var claimedChunks: Int { Int(claimedWord & ~SegmentHeader.sealed) }

  private var claimedWord: UInt32 { file.word(at: SegmentHeader.claimedChunks) }

  /// Looks at the header of a chunk. One that was never claimed is looked at in case the count is wrong.
  private func read(_ index: Int, isClaimed: Bool, everything: Bool) -> ChunkHeader.Reading {
    let reading = beginning(of: index)
    guard isClaimed else {
      // Its writer may have claimed it, and have begun it, meanwhile.
      guard reading == .damaged, index < claimedChunks else { return reading ?? .empty }
      return read(index, isClaimed: true, everything: everything)
    }
    guard let reading else { return .empty }
    if reading == .damaged || everything && reading == .empty, let copy = copiedHeader(of: index) { return .header(copy) }
    guard reading == .empty, everything else { return reading }
    // A thread that was killed between claim and header leaves nothing. Where something stands, or where no thread has been
    // left to write the header, it has been lost.
    let slot = chunk(index)
    let isUsed = withExtendedLifetime(slot) { slot.bytes.dropFirst(ChunkHeader.size).contains { $0 != 0 } }
    guard isUsed || isLeft && !isAppended else { return .empty }
    // Unless it has come meanwhile.
    let again = beginning(of: index) ?? .empty
    return again == .empty ? .damaged : again
  }

  /// What the beginning of a slot says; `nil` where the file has none.
  private func beginning(of index: Int) -> ChunkHeader.Reading? {
    func look() -> ChunkHeader.Reading? {
      withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size + RecordFormat.alignment, alignment: 8) { bytes in
        guard file.copy(from: SegmentFormat.chunkOffset(index), into: bytes), let base = bytes.baseAddress else { return nil }
        return ChunkHeader.read(base, index: UInt32(index), nonce: header.nonce)
      }
    }
    let reading = look()
    // A header and a record that came amid the copy are there by now.
    return reading == .damaged ? look() : reading
  }

  /// What stands behind a chunk's records, for one of any span.
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

  /// The header of the chunk that begins at a slot, or its copy; `nil` when neither stands there.
  func standingHeader(of index: Int) -> ChunkHeader? {
    ownHeader(of: index) ?? copiedHeader(of: index)
  }

  /// The header that stands at the slot's beginning.
  func ownHeader(of index: Int) -> ChunkHeader? {
    withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size, alignment: 8) { bytes in
      guard file.copy(from: SegmentFormat.chunkOffset(index), into: bytes), let base = bytes.baseAddress else { return nil }
      return ChunkHeader.decode(base, index: UInt32(index), nonce: header.nonce)
    }
  }

  /// Whether a slot may have been given out, so that its bytes are there to stay.
  func mayBeClaimed(_ index: Int) -> Bool { index < claimedChunks || end != nil }

  private static let largestSpan = SegmentFormat.maximumRecord / SegmentFormat.chunkSize + 1

  /// The bytes of a slot in which no chunk could be recognised.
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

  /// Reads the definitions that were written since the last time.
  func refreshDictionary() {
    if let lastDefined, sealed != nil || lastDefined == file.loads { return }
    pendingChunks.append(contentsOf: scan(everything: false))
    for place in dictionary.indices where !dictionary[place].isFinished { read(&dictionary[place]) }
    lastDefined = file.loads
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
      case .damage(let range, _):
        damagedDefinitions.append(fileOffset + UInt64(range.lowerBound)..<fileOffset + UInt64(range.upperBound))
      case .endOfChunk:
        entry.isFinished = walker.isWhole
        break loop
      case .notYet: break loop
      }
    }
    entry.offset = walker.offset
    entry.sequence = walker.sequence
  }

  private func read(_ entry: inout DictionaryChunk, of sealed: SealedBlocks) {
    entry.isFinished = true
    guard let place = sealed.entry(of: entry.header) else { return }
    guard let decoded = DecodedBlock(place.block, at: place.offset, in: file) else {
      return damagedDefinitions.append(place.extent)
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
      case .damage: damagedDefinitions.append(place.extent)
      case .endOfChunk, .notYet: return
      }
    }
  }

  func define(_ record: RecordWalker.Record) {
    var reader = FixedReader(record.payload)
    switch record.kind {
    case RecordFormat.stringDefined:
      let symbol = reader.take(UInt32.self)
      guard let text = reader.takeString() else { return }
      source.define(string: SegmentDictionary.shortened(text), as: symbol)
    case RecordFormat.taskDefined:
      let (symbol, high, low) = (reader.take(UInt32.self), reader.take(UInt64.self), reader.take(UInt64.self))
      let (session, number) = (reader.take(UInt32.self), reader.take(UInt32.self))
      guard !reader.failed else { return }
      let uid = TaskUID(high: high, low: low)
      source.define(task: TaskIdentity(uid: uid, session: source.definedString(session) ?? "?", number: number), as: symbol)
    case RecordFormat.layoutDefined:
      guard let layout = EventLayout.decode(definition: record.payload) else { return }
      // An equal layout keeps the compiled one, which rules and accessors were built for.
      if let known = source.definedLayout(layout.number), known.fields == layout.fields, known.name == layout.name { return }
      source.define(layout: layout)
    default: return
    }
  }
}

extension SegmentHeader.Failure {
  func error(at path: String) -> LogError {
    switch problem {
    case .unfinished:
      LogError(
        .unfinished, place: path,
        problem: "the segment is empty: its writer ended before it wrote anything, or its bytes are lost",
        advice: "Remove the file if its writer was killed as it began. "
          + "After a power cut or a failed disk, restore it from a copy.")
    case .cut:
      LogError(
        .damagedHeader, place: path, problem: "the file ends within its header: what stood behind is lost",
        advice: "Leave the segment out, or restore it from a copy.")
    case .tooLarge(let size):
      LogError(
        .damagedHeader, place: path, problem: "the file has \(size) bytes, more than any segment, and no header",
        advice: "Leave the segment out, or restore it from a copy.")
    case .lost:
      LogError(
        .damagedHeader, place: path, problem: "the header is empty though records were written behind it",
        advice: "Leave the segment out, or restore it from a copy.")
    case .notASegment:
      LogError(
        .notALog, place: path, problem: "this is not a segment of an xferlog log: its first bytes are not the format's",
        advice: "Name a .xlog directory or one of its .seg files.")
    case .checksum(let stored, let computed):
      LogError(
        .damagedHeader, place: path,
        problem: "the header's checksum is \(String(stored, radix: 16)) but its bytes give \(String(computed, radix: 16))",
        advice: "Leave the segment out, or restore it from a copy.")
    case .version(let version):
      LogError(
        .unknownVersion, place: path,
        problem: "the segment has format version \(version), this reader knows \(SegmentFormat.version)",
        advice: "Read it with a newer xferlog.")
    case .unknownFeature(let bits):
      LogError(
        .unknownFeature, place: path,
        problem: "the segment needs features that this reader lacks (flags \(String(bits, radix: 16)))",
        advice: "Read it with a newer xferlog.")
    case .unreadable:
      LogError(
        .damagedHeader, place: path, problem: "the header's fields do not fit together",
        advice: "Leave the segment out, or restore it from a copy.")
    }
  }
}
