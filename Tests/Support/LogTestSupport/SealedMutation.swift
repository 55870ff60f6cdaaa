/// Seeded random changes to a sealed segment that its checksums do not reveal.
package struct SealedMutation {
  private var random: SeededRandom

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Changes some events and, with some probability, other parts of the segment.
  package mutating func change(_ draft: inout SealedDraft) {
    for _ in 0..<Int.random(in: 2...6, using: &random) { changeEvent(in: &draft) }
    if random.chance(8) { changeColumns(in: &draft) }
    if random.chance(4) { changeDefinition(in: &draft) }
    if random.chance(8) { changeBlock(in: &draft) }
    if random.chance(4) { changeBytes(&draft.index, from: 0) }
    if random.chance(6) { changeHeader(of: &draft) }
    if random.chance(8) { changeBytes(&draft.trailer, from: 20) }
    if random.chance(8) { rearrange(&draft) }
  }

  /// Changes one to eight bytes at a random position.
  private mutating func changeBytes(_ bytes: inout [UInt8], from start: Int, to end: Int? = nil) {
    let end = end ?? bytes.count
    guard start < end else { return }
    let offset = Int.random(in: start..<end, using: &random)
    let word = random.edgyWord()
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.put(UInt8(truncatingIfNeeded: word), at: offset)
    case 1: bytes.put(UInt16(truncatingIfNeeded: word), at: offset)
    case 2: bytes.put(UInt32(truncatingIfNeeded: word), at: offset)
    default: bytes.put(word, at: offset)
    }
  }

  // MARK: Columns

  /// The positions of the parts of a block of columns.
  private struct Columns {
    let count: Int
    let lengths: Int
    let times: Int
    let payloads: Int

    init(_ bytes: [UInt8]) {
      count = Int(bytes.number(at: 0, as: UInt32.self))
      lengths = 8 + 2 * count
      times = lengths + 2 * count
      payloads = times + Int(bytes.number(at: 4, as: UInt32.self))
    }
  }

  private mutating func changeEvent(in draft: inout SealedDraft) {
    let candidates = draft.blocks.indices.filter { draft.blocks[$0].isColumns && !draft.blocks[$0].isDictionary }
    guard let place = candidates.randomElement(using: &random) else { return }
    changeRecord(in: &draft.blocks[place], isEvent: true)
  }

  private mutating func changeRecord(in block: inout SealedDraft.Block, isEvent: Bool) {
    let columns = Columns(block.stored)
    let stored = block.stored
    func kind(_ record: Int) -> UInt16 { stored.number(at: 8 + 2 * record) }
    guard columns.count > 0, columns.payloads <= stored.count,
      let record = (0..<columns.count).filter({ !isEvent || kind($0) < 0xFFF0 }).randomElement(using: &random)
    else { return }
    let before = (0..<record).reduce(0) { $0 + 4 * Int(stored.number(at: columns.lengths + 2 * $1, as: UInt16.self)) }
    let start = columns.payloads + before
    let length = 4 * Int(stored.number(at: columns.lengths + 2 * record, as: UInt16.self))
    guard start + length <= stored.count else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: block.stored.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: start)
    case 1: block.stored.put(UInt16.random(in: 0...220, using: &random), at: 8 + 2 * record)
    // Change bytes after the word that lists the present fields.
    default: changeBytes(&block.stored, from: min(start + 4, start + length), to: start + length)
    }
    if isEvent { block.changed.insert(record) }
  }

  /// Changes counts, kinds, lengths or times, which determine the positions of all other data.
  private mutating func changeColumns(in draft: inout SealedDraft) {
    guard let place = draft.blocks.indices.filter({ draft.blocks[$0].isColumns }).randomElement(using: &random) else { return }
    let columns = Columns(draft.blocks[place].stored)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: draft.blocks[place].stored.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: 0)
    case 1: draft.blocks[place].stored.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: 4)
    case 2:
      draft.blocks[place].stored.put(
        0xFFF0 + UInt16.random(in: 0...15, using: &random), at: 8 + 2 * Int.random(in: 0..<max(1, columns.count), using: &random))
    case 3:
      draft.blocks[place].stored.removeLast(Int.random(in: 0...min(64, draft.blocks[place].stored.count), using: &random))
    default: changeBytes(&draft.blocks[place].stored, from: 8, to: min(columns.payloads, draft.blocks[place].stored.count))
    }
  }

  private mutating func changeDefinition(in draft: inout SealedDraft) {
    let candidates = draft.blocks.indices.filter { draft.blocks[$0].isColumns && draft.blocks[$0].isDictionary }
    guard let place = candidates.randomElement(using: &random) else { return }
    changeRecord(in: &draft.blocks[place], isEvent: false)
    // A reader uses the segment's layouts only if the header's digest differs from that of the reader's own layouts.
    if random.chance(2) { draft.header.put(UInt32(truncatingIfNeeded: random.next()), at: 128) }
  }

  // MARK: Structure

  private mutating func changeBlock(in draft: inout SealedDraft) {
    guard let place = draft.blocks.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: draft.blocks[place].header.put(UInt32.random(in: 0...6, using: &random), at: 4)
    case 1: draft.blocks[place].header.put(UInt8.random(in: 0...3, using: &random), at: 56)
    case 2: draft.blocks[place].header.put(UInt8.random(in: 0...2, using: &random), at: 57)
    // Change the number of positions or the decompressed size.
    case 3, 4:
      draft.blocks[place].header.put(
        UInt32(truncatingIfNeeded: random.edgyWord()), at: [60, 64].randomElement(using: &random)!)
    case 5: draft.blocks[place].stored = random.bytes(Int.random(in: 0...300, using: &random))
    // Change the index, lane, thread, span, first position or clocks.
    default: changeBytes(&draft.blocks[place].header, from: 8, to: 56)
    }
    if random.chance(4) { draft.blocks[place].indexed = nil }
  }

  private mutating func changeHeader(of draft: inout SealedDraft) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: draft.header.put(UInt32(truncatingIfNeeded: random.edgyWord()) & 0xFF, at: 16)
    case 1: changeBytes(&draft.header, from: 32, to: 140)
    case 2: changeBytes(&draft.header, from: 2048, to: 2088)
    default: changeBytes(&draft.header, from: 72, to: 128)
    }
  }

  private mutating func rearrange(_ draft: inout SealedDraft) {
    guard let one = draft.blocks.indices.randomElement(using: &random),
      let other = draft.blocks.indices.randomElement(using: &random)
    else { return }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: draft.blocks.swapAt(one, other)
    case 1: draft.blocks.insert(draft.blocks[one], at: other)
    default: if draft.blocks.count > 2 { draft.blocks.remove(at: one) }
    }
  }
}
