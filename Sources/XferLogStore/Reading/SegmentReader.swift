import XferEvents

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
  let slots: ChunkSlots
  /// The blocks of a sealed segment; `nil` for an unsealed segment.
  private(set) var sealed: SealedBlocks?
  /// Whether the segment is sealed. Unlike `sealed`, this copies nothing.
  var isSealed: Bool { sealed != nil }
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
  var places: [Int: Range<UInt64>]?
  /// The lane chunks that were found while searching for definitions.
  private var pendingChunks: [ChunkHeader] = []
  /// The number of slots that were claimed when `noteClaims` was called.
  private var notedClaims: Int?
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

  init(
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
    slots = ChunkSlots(file: file, header: header)
    self.source = source
    sealed =
      header.incompatible.contains(.compressed)
      ? SealedBlocks(file: file, nonce: header.nonce, isSelective: isSelective) : nil
    endWhenOpened = end
  }

  // MARK: File state

  /// Whether the writer has recorded that it claims no more chunks from the segment.
  var isFinished: Bool { slots.claimedWord & SegmentHeader.sealed != 0 || end != nil }

  /// The recorded end of the segment; `nil` while it is written, or if its writer could not record its end.
  var end: SegmentHeader.End? {
    let head = file.window(0..<SegmentFormat.headerSize)
    return withExtendedLifetime(head) { SegmentHeader.end(in: head.bytes) }
  }

  /// Whether no thread of the writer can write to the segment any more. A thread may finish a record long after the last
  /// claim.
  var isReleased: Bool { sealed != nil || slots.isReleased }

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
    guard let end = endWhenOpened else { return slots.claimedWord & SegmentHeader.sealed != 0 }
    return end.state == .rotated
  }

  /// The byte range after the largest size that the header allows; `nil` if the file is not larger. These bytes are not
  /// read.
  var excess: Range<UInt64>? {
    let end = sealed == nil ? UInt64(SegmentFormat.fileSize(chunks: Int(slots.limit))) : UInt64(SegmentBytes.largest)
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

  var isAppended: Bool { slots.isAppended }
  var isSalvaged: Bool { header.compatible.contains(.salvaged) }

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
    let found = pendingChunks + scan(everything: everything)
    pendingChunks = []
    guard let noted = notedClaims else { return found }
    // If the writer's count does not include a chunk even now, the count is damaged.
    let late = noted..<max(noted, slots.claimedChunks)
    pendingChunks = found.filter { late.contains(Int($0.index)) }
    return pendingChunks.isEmpty ? found : found.filter { !late.contains(Int($0.index)) }
  }

  /// Has `newChunks` leave the chunks for a later call that the writer claims from now on.
  ///
  /// A running writer begins chunks while a reader visits the slots. The reader may then find a chunk although it has passed over the
  /// chunk before it in the same lane. A reader of a log therefore notes the claims of all segments first, the newest first.
  func noteClaims() { notedClaims = sealed == nil ? slots.claimedChunks : nil }

  private func scan(everything: Bool) -> [ChunkHeader] {
    if let sealed { return scan(sealed) }
    if isSettled, !everything { return [] }
    // Check this before scanning: only a scan that starts after the writer has finished finds all chunks.
    let settles = isReleased
    file.refresh()
    let present = max(0, file.count - SegmentFormat.headerSize + SegmentFormat.chunkSize - 1) / SegmentFormat.chunkSize
    let existing = min(present, Int(slots.limit))
    let claimed = slots.claimedChunks
    var found: [ChunkHeader] = []
    var candidates = unresolved
    unresolved = []
    let end = everything ? existing : min(existing, claimed)
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
      switch slots.read(index, isClaimed: index < claimed, everything: everything) {
      case .empty: unresolved.append(index)
      case .header(let chunk): take(chunk)
      case .damaged:
        // The middle of a large record looks like damage until the header of its first chunk has been read.
        for place in unresolved.indices.reversed() {
          guard case .header(let chunk) = slots.read(unresolved[place], isClaimed: true, everything: false) else { continue }
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

  /// Returns whether a slot may have been claimed. After the writer has recorded the segment's end, the file contains only
  /// claimed slots.
  func mayBeClaimed(_ index: Int) -> Bool { index < slots.claimedChunks || end != nil }

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
    let window = slots.chunk(index, from: entry.offset)
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
      let tail = slots.tail(of: header)
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
