import XferEvents

/// Seeded random changes to a segment that its checksums do not reveal, as made by an attacker who knows the format or by a
/// faulty version of the writer.
package struct SegmentMutation {
  private var random: SeededRandom

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Changes at least one event and, with some probability, other parts of the segment.
  package mutating func change(_ draft: inout SegmentDraft) {
    for _ in 0..<Int.random(in: 1...4, using: &random) { changeEvent(in: &draft) }
    if random.chance(3) { changeDefinition(in: &draft) }
    if random.chance(4) { changeVocabulary(of: &draft) }
    if random.chance(4) { changeChunk(in: &draft) }
    if random.chance(5) { changeHeader(of: &draft) }
    if random.chance(8) { rearrange(&draft) }
  }

  // MARK: Events

  private mutating func changeEvent(in draft: inout SegmentDraft) {
    let candidates = draft.chunks.indices.filter { place in
      !draft.chunks[place].isDictionary && draft.chunks[place].records.contains(where: \.isEvent)
    }
    guard let chunk = candidates.randomElement(using: &random) else { return }
    let events = draft.chunks[chunk].records.indices.filter { draft.chunks[chunk].records[$0].isEvent }
    guard let place = events.randomElement(using: &random) else { return }
    changeEvent(&draft.chunks[chunk].records[place])
    draft.chunks[chunk].records[place].isChanged = true
  }

  private mutating func changeEvent(_ record: inout SegmentDraft.Record) {
    switch Int.random(in: 0..<24, using: &random) {
    case 0: record.payload.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: 0)
    case 1: record.payload[Int.random(in: 0..<4, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: record.payload.removeLast(max(0, min(record.payload.count - 8, 4 * Int.random(in: 0...20, using: &random))))
    case 3: record.payload += random.bytes(4 * Int.random(in: 1...40, using: &random))
    case 4: record.time = random.edgyWord()
    case 5: record.kind = UInt16.random(in: 0...220, using: &random)
    case 6: record.kind = UInt16(truncatingIfNeeded: random.edgyWord())
    case 7: record.claimedLength = Int(truncatingIfNeeded: random.edgyWord() & 0xF_FFFF)
    case 8...14: changeVarying(&record)
    default: changeBytes(&record.payload, from: 4)
    }
  }

  /// Changes one to eight bytes at a random position.
  private mutating func changeBytes(_ bytes: inout [UInt8], from start: Int) {
    guard start < bytes.count else { return }
    let offset = Int.random(in: start..<bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.put(UInt8(truncatingIfNeeded: random.edgyWord()), at: offset)
    case 1: bytes.put(UInt16(truncatingIfNeeded: random.edgyWord()), at: offset)
    case 2: bytes.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: offset & ~3)
    default: bytes.put(random.edgyWord(), at: offset & ~3)
    }
  }

  /// Changes the form, length or count of a field of variable size.
  private mutating func changeVarying(_ record: inout SegmentDraft.Record) {
    guard let layout = Int(record.kind) < EventLayout.known.count ? EventLayout.known[Int(record.kind)] : nil else {
      return changeBytes(&record.payload, from: 0)
    }
    let presenceSize = layout.fields.count > 32 ? 8 : 4
    var presence = UInt64(record.payload.number(at: 0, as: UInt32.self))
    if presenceSize == 8 { presence = record.payload.number(at: 0) }
    let fixed = layout.fields.indices.reduce(0) { size, place in
      presence >> UInt64(place) & 1 == 1 ? size + (layout.fields[place].type.storedSize ?? 0) : size
    }
    let offset = presenceSize + fixed
    guard offset < record.payload.count else { return changeBytes(&record.payload, from: 4) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: record.payload.put(UInt8.random(in: 0...6, using: &random), at: offset)
    case 1: record.payload.put(UInt16(truncatingIfNeeded: random.edgyWord()), at: offset + 1)
    case 2: record.payload.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: offset + Int.random(in: 0...5, using: &random))
    // Write bytes that are invalid UTF-8, or control sequences for terminals and documents.
    default: changeBytes(&record.payload, from: offset)
    }
  }

  // MARK: Definitions

  private mutating func changeDefinition(in draft: inout SegmentDraft) {
    guard let chunk = draft.chunks.indices.filter({ draft.chunks[$0].isDictionary }).randomElement(using: &random),
      let place = draft.chunks[chunk].records.indices.randomElement(using: &random)
    else { return }
    var record = draft.chunks[chunk].records[place]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: draft.chunks[chunk].records.remove(at: place)
    case 1:
      record.payload.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: 0)
      draft.chunks[chunk].records.append(record)
    case 2:
      record.kind = [0xFFF0, 0xFFF1, 0xFFF2, 0xFFF3, 0xFFFF].randomElement(using: &random)!
      draft.chunks[chunk].records[place] = record
    case 3:
      record.payload.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: [0, 4, 20, 24].randomElement(using: &random)!)
      draft.chunks[chunk].records[place] = record
    default:
      changeBytes(&record.payload, from: 0)
      draft.chunks[chunk].records[place] = record
    }
  }

  /// Changes the types and fields of layouts. The header's digest is changed too, so that the reader uses these layouts.
  private mutating func changeVocabulary(of draft: inout SegmentDraft) {
    draft.header.put(UInt32(truncatingIfNeeded: random.next()), at: 128)
    for chunk in draft.chunks.indices where draft.chunks[chunk].isDictionary {
      for place in draft.chunks[chunk].records.indices where draft.chunks[chunk].records[place].kind == 0xFFF3 {
        guard random.chance(3) else { continue }
        changeLayout(&draft.chunks[chunk].records[place].payload)
      }
    }
  }

  private mutating func changeLayout(_ bytes: inout [UInt8]) {
    var offset = 3
    // Skip the name and the message.
    for _ in 0..<2 { offset += 2 + Int(offset + 2 <= bytes.count ? bytes.number(at: offset, as: UInt16.self) : 0) }
    guard offset < bytes.count else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return bytes.put(UInt8(truncatingIfNeeded: random.edgyWord()), at: offset)
    case 1: return bytes.put(UInt16(truncatingIfNeeded: random.edgyWord()), at: 0)
    case 2: return changeBytes(&bytes, from: 0)
    default: break
    }
    var places: [Int] = []
    let count = Int(bytes[offset])
    offset += 1
    for _ in 0..<count where offset + 2 < bytes.count {
      offset += 2 + Int(bytes.number(at: offset, as: UInt16.self))
      guard offset < bytes.count else { break }
      places.append(offset)
      let isChoice = bytes[offset] == 15
      offset += 1
      if isChoice, offset + 2 <= bytes.count { offset += 2 + Int(bytes.number(at: offset, as: UInt16.self)) }
    }
    // Keep the type of a choice (15), because its number is followed by a name.
    for place in places where bytes[place] != 15 && random.chance(2) {
      bytes[place] = [UInt8](0...19).filter { $0 != 15 }.randomElement(using: &random)!
    }
  }

  // MARK: Headers

  private mutating func changeChunk(in draft: inout SegmentDraft) {
    guard let place = draft.chunks.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: draft.chunks[place].header.put(UInt32.random(in: 1...3, using: &random), at: SegmentDraft.chunkKind)
    case 1: draft.chunks[place].header.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: SegmentDraft.chunkLane)
    case 2: draft.chunks[place].header.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: SegmentDraft.chunkSpan)
    case 3: draft.chunks[place].header.put(random.edgyWord(), at: SegmentDraft.chunkFirstSequence)
    case 4: draft.chunks[place].header.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: 16)
    // Change one of the three clocks.
    default: draft.chunks[place].header.put(random.edgyWord(), at: [32, 40, 48].randomElement(using: &random)!)
    }
  }

  private mutating func changeHeader(of draft: inout SegmentDraft) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: draft.header.put(UInt32(truncatingIfNeeded: random.edgyWord()) & 0xFF, at: 16)
    case 1:
      draft.header.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: [32, 36, 112, 116, 120].randomElement(using: &random)!)
    case 2, 3: draft.header.put(random.edgyWord(), at: [72, 80, 88, 96, 104].randomElement(using: &random)!)
    case 4:
      draft.header.put(UInt8(truncatingIfNeeded: random.edgyWord()), at: [124, 125, 126, 127].randomElement(using: &random)!)
    case 5: draft.header.put(UInt16.random(in: 0...900, using: &random), at: 132)
    case 6:
      draft.header.put(UInt32(truncatingIfNeeded: random.edgyWord()), at: [2048, 2052, 2056].randomElement(using: &random)!)
    case 7: draft.header.put(random.edgyWord(), at: [2064, 2072].randomElement(using: &random)!)
    // Change the boot or launch identifier.
    default: draft.header.put(random.edgyWord(), at: [40, 48, 56, 64].randomElement(using: &random)!)
    }
  }

  // MARK: Order

  private mutating func rearrange(_ draft: inout SegmentDraft) {
    guard let one = draft.chunks.indices.randomElement(using: &random),
      let other = draft.chunks.indices.randomElement(using: &random)
    else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: draft.chunks.swapAt(one, other)
    case 1: draft.chunks.insert(draft.chunks[one], at: other)
    case 2: draft.chunks[one].records.shuffle(using: &random)
    default: if draft.chunks.count > 2 { draft.chunks.remove(at: one) }
    }
  }
}
