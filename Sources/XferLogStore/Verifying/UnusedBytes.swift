import XferEvents

/// The bytes of a segment that no record, definition or field uses. Writers leave them zero, so another value was stored by
/// something else: a faulty disk, a faulty copy, or an editor. No event depends on these bytes.
struct UnusedBytes {
  private let segment: SegmentReader
  private var flaws: [SegmentFlaw] = []
  /// Whether the writer counts the records of chunks, which older writers do not.
  private var hasCounts = false
  /// The places of counts that are missing.
  private var missingCounts: [Range<Int>] = []

  private init(_ segment: SegmentReader) { self.segment = segment }

  /// Returns the changes of unused bytes, and of redundant fields. Bytes that a writer may be writing are not examined.
  static func flaws(of segment: SegmentReader) -> [SegmentFlaw] {
    var examiner = UnusedBytes(segment)
    guard segment.hasOwnHeader, !segment.isSalvaged else { return [] }
    examiner.examineHeader()
    if let sealed = segment.sealed {
      examiner.examinePadding(in: sealed)
      examiner.examineBegun(in: sealed)
    } else if segment.hasNoWriter(seenFrom: .current()) {
      examiner.examineChunks()
      if examiner.hasCounts {
        for place in examiner.missingCounts { examiner.add("the chunk's count of records was erased", place) }
      }
    }
    return examiner.flaws
  }

  private var file: SegmentBytes { segment.file }

  private mutating func add(_ text: String, _ bytes: Range<Int>) {
    flaws.append(SegmentFlaw(kind: .altered, text: text, bytes: UInt64(bytes.lowerBound)..<UInt64(bytes.upperBound)))
  }

  /// Adds a flaw if bytes are not zero. The flaw reaches from the first such byte to the last one.
  private mutating func expectZero(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<file.count)
    guard !range.isEmpty else { return }
    let window = file.window(range)
    let found = withExtendedLifetime(window) { window.bytes.nonzeroRange }
    guard let found else { return }
    add(
      "bytes that nothing uses are not zero: they were changed after they had been written",
      range.lowerBound + found.lowerBound..<range.lowerBound + found.upperBound)
  }

  // MARK: Header

  private mutating func examineHeader() {
    for range in SegmentHeader.unused { expectZero(range) }
    let released = file.word(at: SegmentHeader.isReleased)
    if released > 1 { add("the header's mark of released segments is neither 0 nor 1", field(SegmentHeader.isReleased)) }
    guard let end = segment.end else {
      // A writer records the end of a segment before it releases it.
      if released == 1 {
        add("the recorded end of the segment is damaged", SegmentHeader.claimedChunks..<SegmentHeader.endChecksum + 4)
      }
      return
    }
    let used = file.word(at: SegmentHeader.usedChunks)
    if file.word(at: SegmentHeader.claimedChunks) != used | SegmentHeader.sealed {
      add("the header's two counts of chunks differ", field(SegmentHeader.claimedChunks))
    }
    if segment.sealed == nil { examineSize(end) }
  }

  /// Examines the bytes after the end of the file that its writer recorded. The reader reports those after the largest possible size.
  private mutating func examineSize(_ end: SegmentHeader.End) {
    guard file.fileSize > end.finalSize, segment.excess == nil else { return }
    // A thread may append its last records when the end has been recorded already.
    if segment.isAppended { return }
    // A writer that was killed before it truncated the file leaves its reserved size.
    guard file.fileSize != UInt64(SegmentFormat.fileSize(chunks: Int(segment.header.chunkCapacity))) else { return }
    add("the file is larger than its writer left it", Int(clamping: end.finalSize)..<Int(clamping: file.fileSize))
  }

  private func field(_ offset: Int) -> Range<Int> { offset..<offset + 4 }

  // MARK: Chunks

  private mutating func examineChunks() {
    var begun: Set<Int> = []
    let slots = Int(segment.slots.limit)
    var slot = 0
    while slot < slots, SegmentFormat.chunkOffset(slot) < file.count {
      let place = SegmentFormat.chunkOffset(slot)
      guard let chunk = segment.slots.validHeader(of: slot) else {
        if !segment.damagedChunks.contains(slot) { expectZero(place..<place + SegmentFormat.chunkSize) }
        slot += 1
        continue
      }
      begun.insert(slot)
      if segment.slots.ownHeader(of: slot) != nil {
        expectZero(place + ChunkHeader.markOffset..<place + ChunkHeader.markOffset + 4)
      }
      switch chunk.kind {
      // The pages of rings are reused and contain earlier records.
      case .rings, .ringPage: slot += 1
      case .records, .dictionary, .large:
        examine(chunk, at: place)
        slot += Int(chunk.span)
      }
    }
    examineBegun(begun)
  }

  /// The chunks whose bits are set in the header. Older writers set none.
  private var markedChunks: Set<Int> { Set((0..<SegmentFormat.maximumChunks).filter(segment.slots.hasBegun)) }

  private mutating func examineBegun(_ begun: Set<Int>) {
    let marked = markedChunks
    guard !marked.isEmpty, segment.isReleased, segment.damagedChunks.isEmpty, !segment.isTruncated, marked != begun else {
      return
    }
    addMarks()
  }

  /// Examines the bytes between a sealed segment's blocks, which align the next block.
  private mutating func examinePadding(in sealed: SealedBlocks) {
    for entry in sealed.entries {
      let end = Int(entry.extent.upperBound)
      expectZero(Int(entry.offset) + BlockHeader.size + Int(entry.block.storedSize)..<end)
    }
  }

  /// Examines the bits of a sealed segment. A chunk may have no block, because it had no record that was kept.
  private mutating func examineBegun(in sealed: SealedBlocks) {
    let marked = markedChunks
    guard !marked.isEmpty else { return }
    let blocks = Set(sealed.entries.filter { $0.block.form != .unreadable }.map { Int($0.block.chunk.index) })
    if !blocks.isSubset(of: marked) || marked.contains(where: { $0 >= segment.slots.claimedChunks }) { addMarks() }
  }

  private mutating func addMarks() {
    let size = SegmentFormat.maximumChunks / 8
    add("the header's marks of chunks differ from the chunks", SegmentHeader.begunChunks..<SegmentHeader.begunChunks + size)
  }

  private mutating func examine(_ chunk: ChunkHeader, at place: Int) {
    let window = segment.slots.chunk(Int(chunk.index), span: Int(chunk.span))
    var walker = RecordWalker(window, header: chunk, isAppended: segment.isAppended)
    var isDamaged = false
    var hasEnded = false
    walk: while true {
      switch walker.next(isFinal: true) {
      case .record: continue
      case .damage: isDamaged = true
      case .endOfChunk:
        hasEnded = true
        break walk
      case .notYet: break walk
      }
    }
    let end = place + walker.offset
    if hasEnded {
      // An event that did not fit into the rest of a lane's chunk may have left a part of itself there.
      if chunk.kind != .records {
        expectZero(min(end + RecordFormat.alignment, place + chunk.copyOffset)..<place + chunk.copyOffset)
      }
    } else if !walker.hasTornRecord(isReleased: segment.isReleased), !hasRefusedRecords {
      expectZero(end..<place + chunk.copyOffset)
    }
    if !isDamaged { examineCopy(of: chunk, at: place, end: walker.sequence, isContinued: hasEnded) }
  }

  /// Whether parts of records may remain that the system refused to write completely and that later records overwrote.
  private var hasRefusedRecords: Bool { segment.isAppended && segment.end?.droppedEvents ?? 1 > 0 }

  /// Examines the second copy of a chunk's header and the mark in it.
  ///
  /// - Parameters:
  ///   - end: The lane position after the chunk's last record.
  ///   - isContinued: Whether the lane continues in another chunk. If not, the reader reports a damaged copy as a gap.
  private mutating func examineCopy(of chunk: ChunkHeader, at place: Int, end: UInt64, isContinued: Bool) {
    let copy = place + chunk.copyOffset..<place + chunk.copyOffset + ChunkHeader.size
    guard copy.upperBound <= file.count else { return }
    let count = field(copy.lowerBound + ChunkHeader.markOffset)
    let mark = file.word(at: count.lowerBound)
    if mark != 0 { hasCounts = true }
    switch segment.slots.tail(of: chunk) {
    case .damaged:
      if isContinued { add("the second copy of the chunk's header is damaged", copy) }
    case .unknown where mark == 0:
      // The file has no copy yet, or an older writer stored no mark.
      if segment.copyIsMissing(of: chunk) {
        expectZero(copy)
      } else if segment.isReleased, end != chunk.firstSequence, end & 0xFFFF_FFFF != 0 {
        missingCounts.append(count)
      }
    case .unknown: add("the chunk's count of records is damaged", count)
    case .end(let marked):
      // A writer counts a record after it has stored it.
      let isLate = !segment.isReleased && marked + 1 == end
      if marked < end, !isLate { add("the chunk has more records than it counts", count) }
    }
  }
}

extension SegmentReader {
  /// Whether a file has no second copy of a chunk's header. An appended file gets it when the lane leaves the chunk.
  fileprivate func copyIsMissing(of chunk: ChunkHeader) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: ChunkHeader.size, alignment: 8) { bytes in
      let place = SegmentFormat.chunkOffset(Int(chunk.index)) + chunk.copyOffset
      guard file.copy(from: place, into: bytes), let base = bytes.baseAddress else { return true }
      return ChunkHeader.decode(base, index: chunk.index, nonce: header.nonce) == nil
    }
  }
}
