import XferEvents

/// Finds deliberately edited blocks. Even if all checksums were recomputed, an edit breaks the hash chain.
///
/// Each block is checked against the link stored in the previous block, so every edit is found individually. If the entire
/// chain was recomputed, only the first link of the next segment or a separately stored last link reveals the edit.
struct SealExaminer {
  private let segment: SegmentReader
  private let sealed: SealedBlocks
  private let trailer: SealTrailer?

  init(_ segment: SegmentReader, _ sealed: SealedBlocks, trailer: SealTrailer?) {
    self.segment = segment
    self.sealed = sealed
    self.trailer = trailer
  }

  /// - Parameters:
  ///   - previous: The copies of the writer's previous segment; empty if it is missing.
  ///   - includingColumns: Whether the blocks' columns and the segment's content are compared with the records, which decompresses all
  ///     blocks. A replay uses neither.
  func flaws(previous: [SegmentReader], includingColumns: Bool) -> [SegmentFlaw] {
    var flaws: [SegmentFlaw] = []
    if let trailer, trailer.previous != .none, isChained(trailer.previous, toAny: previous) == false {
      flaws.append(
        SegmentFlaw(
          kind: .edited(block: nil),
          text: "the segment before it, \(LogDirectory.name(of: segment.header.previous)), "
            + "is not the one that it was chained to"))
    }
    // The chain starts with the header, so it cannot be verified if the segment's own header is lost.
    var link = segment.hasOwnHeader ? trailer.map { firstLink(after: $0.previous) } : nil
    for (number, entry) in sealed.entries.enumerated() {
      if let flaw = flaw(of: entry, number: number, after: link, includingColumns: includingColumns) { flaws.append(flaw) }
      link = standing(entry)?.chain ?? entry.block.chain
    }
    if sealed.isIndexWrong {
      flaws.append(
        SegmentFlaw(
          kind: .edited(block: nil), text: "the index's checksum is valid, but the index does not match the file's blocks"))
    } else if let link, let flaw = flawOfIndex(after: link) {
      flaws.append(flaw)
    }
    if let trailer, let time = trailer.lastEvent, sealed.sessions != nil, time != SealIndex.lastEvent(of: sealed.entries) {
      flaws.append(
        SegmentFlaw(
          kind: .edited(block: nil),
          text: "the trailer's checksum is valid, but its time of the last event is not that of the blocks"))
    }
    if includingColumns, sealed.sessions != nil, let content = SegmentContent(of: segment.file), let tasks = definedTasks(),
      content != SegmentContent(of: sealed.entries, tasks: tasks)
    {
      flaws.append(
        SegmentFlaw(
          kind: .edited(block: nil),
          text: "the index's checksum is valid, but its summary of the segment is not that of the blocks"))
    }
    return flaws
  }

  /// Returns the numbers of the tasks that the blocks define; `nil` if a block with definitions is damaged, which is reported elsewhere.
  private func definedTasks() -> TaskNumbers? {
    var tasks = TaskNumbers()
    for entry in sealed.entries where entry.block.chunk.kind == .dictionary {
      guard let decoded = DecodedBlock(entry.block, at: entry.offset, in: segment.file) else { return nil }
      withExtendedLifetime(decoded) {
        if let walker = decoded.walker(of: entry.block) { tasks.note(BlockContent(definitions: walker)) }
      }
    }
    return tasks
  }

  /// Returns whether the last link of any copy of the previous segment is this one; `nil` if no copy can tell.
  private func isChained(_ link: HashChain.Link, toAny previous: [SegmentReader]) -> Bool? {
    // A segment that was salvaged with the one before it is chained to the salvaged one.
    let comparable = previous.filter { !isThinned($0) && (!segment.isSalvaged || $0.isSalvaged) }
    let links = comparable.compactMap { SealTrailer.decode(endOf: $0.file)?.last }
    return links.isEmpty ? nil : links.contains(link)
  }

  /// Returns whether retention has removed levels from the previous segment, which changes its chain.
  private func isThinned(_ previous: SegmentReader) -> Bool { previous.header.lowestLevel > segment.header.lowestLevel }

  private func firstLink(after previous: HashChain.Link) -> HashChain.Link {
    let head = segment.file.window(0..<SegmentHeader.fixedSize)
    return withExtendedLifetime(head) { HashChain(header: head.bytes, after: previous).last }
  }

  /// Returns the block's header from the file. The index contains a copy of it.
  private func standing(_ entry: SealIndex.Entry) -> BlockHeader? {
    BlockHeader.read(at: entry.offset, in: segment.file, nonce: segment.header.nonce)
  }

  /// - Parameter link: The link of the previous block; `nil` if unknown.
  private func flaw(
    of entry: SealIndex.Entry, number: Int, after link: HashChain.Link?, includingColumns: Bool
  ) -> SegmentFlaw? {
    func flaw(_ kind: SegmentFlaw.Kind, _ text: String) -> SegmentFlaw {
      let chunk = entry.block.chunk
      return SegmentFlaw(
        kind: kind, text: text, lane: entry.block.form == .unreadable ? nil : chunk.lane,
        sequences: entry.block.positions > 0 ? chunk.firstSequence..<entry.block.nextSequence : nil, bytes: entry.extent)
    }
    guard let block = standing(entry) else {
      return flaw(.repaired, "the header of block \(number) is damaged; the copy in the index was used")
    }
    // A failed checksum means damage, which is reported when the segment is read.
    guard let stored = block.stored(at: entry.offset, in: segment.file) else { return nil }
    let fits = withExtendedLifetime(stored) { link.map { block.chain == self.link(of: block, stored.bytes, after: $0) } ?? true }
    if fits, block == entry.block {
      return !includingColumns || block.hasRightColumns(stored)
        ? nil : flaw(.edited(block: number), "the columns of block \(number) do not match its records")
    }
    return flaw(.edited(block: number), "all checksums of block \(number) are valid, but the hash chain is broken")
  }

  private func link(of block: BlockHeader, _ stored: UnsafeRawBufferPointer, after link: HashChain.Link) -> HashChain.Link {
    withUnsafeTemporaryAllocation(byteCount: BlockHeader.size, alignment: 8) { room in
      block.write(to: room)
      var chain = HashChain(from: link)
      chain.append([.init(rebasing: room[..<BlockHeader.chainOffset]), stored])
      return chain.last
    }
  }

  private func flawOfIndex(after link: HashChain.Link) -> SegmentFlaw? {
    guard let trailer, sealed.sessions != nil else { return nil }
    let start = Int(trailer.indexOffset)
    let index = segment.file.window(start..<start + Int(trailer.storedSize))
    var chain = HashChain(from: link)
    withExtendedLifetime(index) { chain.append([index.bytes]) }
    if chain.last == trailer.last { return nil }
    return SegmentFlaw(
      kind: .edited(block: nil), text: "the index's checksum is valid, but the end of the hash chain does not match",
      bytes: trailer.indexOffset..<trailer.indexOffset + UInt64(trailer.storedSize))
  }
}

extension BlockHeader {
  /// Whether the block's columns are those of its records. The columns are not part of the hash chain.
  fileprivate func hasRightColumns(_ stored: FileWindow) -> Bool {
    if !columns.isPlain { return columns == BlockColumns() }
    // Another check reports bytes that cannot be decompressed.
    guard let whole = DecodedBlock(self, stored) else { return true }
    guard let walker = ColumnWalker(whole.bytes, firstSequence: 0), walker.count == Int(positions) else { return false }
    var kinds = KindSet()
    for place in 0..<walker.count { kinds.insert(walker.kind(at: place)) }
    guard kinds == columns.kinds else { return false }
    if codec == .stored || codec == .zstd && !columns.hasFrames { return columns.kindsSize == 0 && columns.timesSize == 0 }
    let partial = PartialBlock()
    return partial.open(self, stored) && partial.decode(.whole) && partial.bytes.elementsEqual(whole.bytes)
  }
}
