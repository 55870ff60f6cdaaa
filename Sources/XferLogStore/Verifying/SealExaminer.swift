import XferEvents

/// Tells blocks that were edited from blocks that were damaged: bytes that were changed on purpose, with all checksums made right
/// again, still break the hash chain.
///
/// Each block is held against the link that the block before it carries, so that each edit is found by itself. Whoever makes the
/// whole chain anew is found only by the next segment's first link, or by a last link that was noted elsewhere.
struct SealExaminer {
  private let segment: SegmentReader
  private let sealed: SealedBlocks
  private let trailer: SealTrailer?

  init(_ segment: SegmentReader, _ sealed: SealedBlocks, trailer: SealTrailer?) {
    self.segment = segment
    self.sealed = sealed
    self.trailer = trailer
  }

  /// - Parameter previous: the writer's segment before it, if that is there.
  func flaws(previous: SegmentReader?) -> [SegmentFlaw] {
    var flaws: [SegmentFlaw] = []
    if let trailer, let previous, trailer.previous != .none, !isThinned(previous),
      let last = SealTrailer.decode(endOf: previous.file)?.last, trailer.previous != last
    {
      flaws.append(
        SegmentFlaw(
          kind: .edited(block: nil),
          text: "the segment before it, \(LogDirectory.name(of: segment.header.previous)), "
            + "is not the one that it was sealed behind"))
    }
    // Without its own header nobody knows what the chain began with.
    var link = segment.hasOwnHeader ? trailer.map { firstLink(after: $0.previous) } : nil
    for (number, entry) in sealed.entries.enumerated() {
      if let flaw = flaw(of: entry, number: number, after: link) { flaws.append(flaw) }
      link = standing(entry)?.chain ?? entry.block.chain
    }
    if sealed.isIndexWrong {
      flaws.append(
        SegmentFlaw(
          kind: .edited(block: nil), text: "the index's checksum is right, but it does not list the blocks that the file has"))
    } else if let link, let flaw = flawOfIndex(after: link) {
      flaws.append(flaw)
    }
    return flaws
  }

  /// Retention takes levels from old segments and chains them anew.
  private func isThinned(_ previous: SegmentReader) -> Bool { previous.header.lowestLevel > segment.header.lowestLevel }

  private func firstLink(after previous: HashChain.Link) -> HashChain.Link {
    let head = segment.file.window(0..<SegmentHeader.fixedSize)
    return withExtendedLifetime(head) { HashChain(header: head.bytes, after: previous).last }
  }

  /// The header that stands in the file, which the index has once more.
  private func standing(_ entry: SealIndex.Entry) -> BlockHeader? {
    BlockHeader.standing(at: entry.offset, in: segment.file, nonce: segment.header.nonce)
  }

  /// - Parameter link: of the block before; `nil` when it is not known.
  private func flaw(of entry: SealIndex.Entry, number: Int, after link: HashChain.Link?) -> SegmentFlaw? {
    func flaw(_ kind: SegmentFlaw.Kind, _ text: String) -> SegmentFlaw {
      let chunk = entry.block.chunk
      return SegmentFlaw(
        kind: kind, text: text, lane: entry.block.form == .unreadable ? nil : chunk.lane,
        sequences: entry.block.positions > 0 ? chunk.firstSequence..<entry.block.nextSequence : nil, bytes: entry.extent)
    }
    guard let block = standing(entry) else {
      return flaw(.repaired, "the header of block \(number) is damaged, and was read from the index")
    }
    // A checksum that does not fit is damage, which reading shows.
    guard let stored = block.stored(at: entry.offset, in: segment.file) else { return nil }
    let fits = withExtendedLifetime(stored) { link.map { block.chain == self.link(of: block, stored.bytes, after: $0) } ?? true }
    if fits, block == entry.block { return nil }
    return flaw(.edited(block: number), "all checksums of block \(number) are right, but the hash chain is not")
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
      kind: .edited(block: nil), text: "the index's checksum is right, but the end of the hash chain is not",
      bytes: trailer.indexOffset..<trailer.indexOffset + UInt64(trailer.storedSize))
  }
}
