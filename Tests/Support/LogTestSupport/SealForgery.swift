/// Seeded random changes to the bytes of a sealed segment: to the entries of its index, to its trailer and to its blocks. In
/// nine of ten files, all checksums are updated, so that only the contents are inconsistent.
package struct SealForgery {
  private var random: SeededRandom
  /// Whether the checksums are updated after the changes.
  package let isConsistent: Bool

  package init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    isConsistent = Int.random(in: 0..<100, using: &random) < 94
  }

  /// The positions of the parts of a sealed segment without compression.
  private struct Parts {
    var bytes: [UInt8]
    let folded: UInt32
    /// The start and size of each block, and the position of the copy of its header in the index.
    var blocks: [(start: Int, size: Int, entry: Int)]
    var index: Range<Int>
    var trailer: Int { bytes.count - SealedDraft.trailerSize }

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      let nonce: UInt64 = bytes.number(at: 24)
      folded = UInt32(truncatingIfNeeded: nonce ^ nonce >> 32)
      let trailer = bytes.count - SealedDraft.trailerSize
      let start = Int(bytes.number(at: trailer + 8, as: UInt64.self))
      index = start..<trailer
      var blocks: [(start: Int, size: Int, entry: Int)] = []
      var place = SegmentDraft.headerSize
      while place < start {
        let header = bytes[place..<place + SealedDraft.blockHeaderSize]
        let size = Int(bytes.number(at: place + 68, as: UInt32.self))
        let entry = (start..<trailer - header.count).first { bytes[$0..<$0 + header.count].elementsEqual(header) }
        blocks.append((place, size, entry ?? start))
        place = (place + SealedDraft.blockHeaderSize + size + 7) & ~7
      }
      self.blocks = blocks
    }
  }

  /// - Parameter bytes: The bytes of a sealed segment without compression.
  package mutating func forged(_ bytes: [UInt8]) -> [UInt8] {
    var parts = Parts(bytes)
    for _ in 0..<Int.random(in: 1...3, using: &random) { change(&parts) }
    if isConsistent { renewChecksums(&parts) }
    return parts.bytes
  }

  private mutating func change(_ parts: inout Parts) {
    guard let block = parts.blocks.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<12, using: &random) {
    // Change the position of a block in the index.
    case 0, 1, 2: parts.bytes.put(offset(parts), at: block.entry - 8)
    case 3: changeField(ofHeaderAt: block.entry, in: &parts)
    case 4: changeField(ofHeaderAt: block.start, in: &parts)
    case 5:
      changeField(ofHeaderAt: block.start, in: &parts)
      for place in 0..<SealedDraft.blockHeaderSize { parts.bytes[block.entry + place] = parts.bytes[block.start + place] }
    case 6: removeEntry(block.entry, from: &parts)
    case 7: swapEntries(block.entry, &parts)
    case 8: changeTrailer(&parts)
    // Change counts, sessions or contents of the index.
    case 9: put(random.edgyWord(), at: Int.random(in: parts.index, using: &random), in: &parts, before: parts.trailer)
    case 10:
      if block.size > 0 {
        let start = block.start + SealedDraft.blockHeaderSize
        put(
          random.edgyWord(), at: Int.random(in: start..<start + block.size, using: &random), in: &parts,
          before: start + block.size)
      }
    default: changeBoth(block.start, block.entry, &parts)
    }
  }

  private mutating func offset(_ parts: Parts) -> UInt64 {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: UInt64(bitPattern: Int64.max) &- UInt64.random(in: 0...300, using: &random)
    case 1: UInt64(parts.bytes.count) &- UInt64.random(in: 0...300, using: &random)
    default: random.edgyWord()
    }
  }

  private mutating func put(_ word: UInt64, at offset: Int, in parts: inout Parts, before end: Int) {
    for place in 0..<min([1, 2, 4, 8].randomElement(using: &random)!, end - offset) {
      parts.bytes[offset + place] = UInt8(truncatingIfNeeded: word >> UInt64(8 * place))
    }
  }

  /// Changes one field of a block header: kind, index, lane, thread, span, first position, clocks, form, codec, positions,
  /// sizes or columns.
  private mutating func changeField(ofHeaderAt place: Int, in parts: inout Parts) {
    let offset = [4, 8, 12, 16, 20, 24, 32, 40, 48, 56, 57, 60, 64, 68, 112, 116].randomElement(using: &random)!
    switch offset {
    case 4: parts.bytes.put(UInt32.random(in: 0...6, using: &random), at: place + 4)
    case 24, 32, 40, 48, 116: parts.bytes.put(random.edgyWord(), at: place + offset)
    case 56, 57: parts.bytes.put(UInt8.random(in: 0...3, using: &random), at: place + offset)
    default: parts.bytes.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: place + offset)
    }
  }

  /// Makes the same change in the block's header and in its copy in the index.
  private mutating func changeBoth(_ start: Int, _ entry: Int, _ parts: inout Parts) {
    let offset = [8, 12, 20, 60, 64, 68].randomElement(using: &random)!
    let word = UInt32(truncatingIfNeeded: random.edgyWord())
    for place in [start, entry] { parts.bytes.put(word, at: place + offset) }
  }

  /// Removes an entry from the index without removing its block.
  private mutating func removeEntry(_ entry: Int, from parts: inout Parts) {
    guard let next = parts.blocks.map(\.entry).filter({ $0 > entry }).min(), let first = parts.blocks.map(\.entry).min() else {
      return
    }
    let count = first - 8 - 4
    let entries: UInt32 = parts.bytes.number(at: count)
    parts.bytes.put(entries &- 1, at: count)
    parts.bytes.removeSubrange(entry - 8..<next - 8)
    parts.blocks.removeAll { $0.entry == entry }
    for place in parts.blocks.indices where parts.blocks[place].entry > entry { parts.blocks[place].entry -= next - entry }
    parts.index = parts.index.lowerBound..<parts.index.upperBound - (next - entry)
    parts.bytes.put(UInt32(parts.index.count), at: parts.trailer + 16)
    parts.bytes.put(UInt32(parts.index.count), at: parts.trailer + 20)
  }

  private mutating func swapEntries(_ entry: Int, _ parts: inout Parts) {
    guard let other = parts.blocks.randomElement(using: &random)?.entry else { return }
    for place in -8..<SealedDraft.blockHeaderSize where other + place < parts.trailer && entry + place < parts.trailer {
      parts.bytes[entry + place] = parts.bytes[other + place]
    }
  }

  private mutating func changeTrailer(_ parts: inout Parts) {
    let trailer = parts.trailer
    switch Int.random(in: 0..<5, using: &random) {
    case 0: parts.bytes.put(random.edgyWord(), at: trailer + 8)
    case 1: parts.bytes.put(UInt64(Int.random(in: 0...parts.bytes.count, using: &random)), at: trailer + 8)
    case 2: parts.bytes.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: trailer + 16)
    case 3: parts.bytes.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: trailer + 20)
    default: parts.bytes.put(UInt8.random(in: 0...2, using: &random), at: trailer + 28)
    }
  }

  private func renewChecksums(_ parts: inout Parts) {
    for block in parts.blocks {
      let start = block.start + SealedDraft.blockHeaderSize
      // The checksum covers the number of bytes given in the header, or all existing bytes if the number is too large.
      let said = Int(parts.bytes.number(at: block.start + 68, as: UInt32.self))
      let end = min(start + (said <= parts.bytes.count ? said : block.size), parts.bytes.count)
      let stored = SegmentDraft.checksum(parts.bytes[start..<max(start, end)], seed: parts.folded)
      for place in [block.start, block.entry] where place + SealedDraft.blockHeaderSize <= parts.bytes.count {
        if parts.bytes.number(at: place, as: UInt32.self) != 0x4B4C_4258 { continue }
        if place == block.start || parts.bytes[place + 8..<place + 12] == parts.bytes[block.start + 8..<block.start + 12] {
          parts.bytes.put(stored, at: place + 72)
        }
        parts.bytes.put(SegmentDraft.checksum(parts.bytes[place + 4..<place + 124], seed: parts.folded), at: place + 124)
      }
    }
    let trailer = parts.trailer
    let start = parts.bytes.number(at: trailer + 8, as: UInt64.self)
    let size = UInt64(parts.bytes.number(at: trailer + 16, as: UInt32.self))
    let index =
      start <= UInt64(trailer) && size <= UInt64(trailer) - start ? Int(start)..<Int(start + size) : parts.index
    parts.bytes.put(SegmentDraft.checksum(parts.bytes[index]), at: trailer + 24)
    parts.bytes.put(SegmentDraft.checksum(parts.bytes[trailer..<trailer + 124]), at: trailer + 124)
  }
}
