/// Collects the recoverable records of a segment from anywhere in the file, including chunks that were moved or duplicated,
/// or have lost their headers.
///
/// Each record is returned once, at its original position.
struct SegmentSalvager {
  /// Bytes that could not be decoded.
  struct Residue {
    let slot: UInt32
    /// The file range from the first to the last of the bytes.
    let place: Range<UInt64>
    let bytes: [UInt8]
  }

  /// The damaged segment, loaded into memory.
  private let segment: SegmentReader
  private let carver: RecordCarver
  private var gathered: [UInt32: SalvagedChunk] = [:]
  /// The decompressed blocks, retained because the records refer to their bytes.
  private var decoded: [DecodedBlock] = []
  private(set) var residues: [Residue] = []
  /// The ring pages of an unsealed segment.
  private(set) var pages: [RingSnapshot] = []
  /// The ring pages of a sealed segment whose blocks are valid.
  private(set) var sealedPages: [(header: ChunkHeader, block: DecodedBlock)] = []
  /// The number of records in chunks whose lane could not be determined. The salvaged segment lacks these records.
  private(set) var unplaced = 0

  init(_ segment: SegmentReader) {
    self.segment = segment
    carver = RecordCarver(nonce: segment.header.nonce, chunkLimit: segment.slots.limit)
    if let sealed = segment.sealed { gather(sealed) } else { gatherSlots() }
    for index in gathered.keys {
      leaveOutLarge(of: index)
      gathered[index]?.settle()
    }
    placeOrphans()
  }

  /// The chunks with known lanes: dictionary chunks first, then by index.
  var chunks: [SalvagedChunk] {
    gathered.values.filter { $0.header != nil }.sorted {
      ($0.header?.kind == .dictionary ? 0 : 1, $0.index) < ($1.header?.kind == .dictionary ? 0 : 1, $1.index)
    }
  }

  /// Removes records that are larger than a chunk from a chunk that is not marked as large.
  ///
  /// No writer produces them, and the chunk's sealed form could not represent their length.
  private mutating func leaveOutLarge(of index: UInt32) {
    guard let chunk = gathered[index], chunk.header?.kind != .large, chunk.header != nil else { return }
    let fitting = chunk.carved.filter { $0.payload.count < SegmentFormat.chunkSize }
    unplaced += chunk.carved.count - fitting.count
    gathered[index]?.carved = fitting
  }

  // MARK: Unsealed chunks

  private mutating func gatherSlots() {
    let bytes = segment.file.memory
    _ = segment.newChunks(everything: true)
    pages = segment.ringPages()
    // Start at the beginning of the file, because damage may have swapped the header's page with a page of records.
    let finds = carver.carve(bytes)
    take(finds)
    var next = finds.firstIndex { $0.bytes.lowerBound >= SegmentFormat.headerSize } ?? finds.endIndex
    var covering: (header: ChunkHeader, end: Int)?
    let end = min(bytes.count, SegmentFormat.fileSize(chunks: Int(segment.header.chunkCapacity)))
    for (slot, start) in stride(from: SegmentFormat.headerSize, to: end, by: SegmentFormat.chunkSize).enumerated() {
      let room = start..<min(start + SegmentFormat.chunkSize, end)
      let first = next
      while next < finds.endIndex, finds[next].bytes.lowerBound < room.upperBound { next += 1 }
      if covering.map({ $0.end <= start }) ?? true {
        covering = segment.slots.validHeader(of: slot).map {
          ($0, start + Int($0.span) * SegmentFormat.chunkSize)
        }
      }
      // Space in a ring chunk outside its pages is unused.
      if covering?.header.kind == .rings { continue }
      // The last record before this slot may extend into it, as large records do.
      let earlier = first > 0 ? [finds[first - 1].bytes] : []
      let known = residues.count
      keepResidue(
        of: room, around: earlier + finds[first..<next].map(\.bytes), in: bytes, slot: UInt32(slot), header: covering?.header,
        fileOffset: 0)
      // An erased chunk leaves no bytes, but its records are lost.
      if first == next, residues.count == known, segment.damagedChunks.contains(slot) {
        let place = UInt64(room.lowerBound)..<UInt64(room.upperBound)
        residues.append(Residue(slot: UInt32(slot), place: place, bytes: Array(bytes[room].prefix(ChunkHeader.size))))
      }
    }
    noteEnds()
  }

  /// Notes the position after the last record of each chunk, which shows whether records at its end were erased.
  ///
  /// If the end of a lane's last chunk is damaged, its bytes are kept, because records before it may have been erased. For other chunks, the
  /// position of the lane's next record shows it.
  private mutating func noteEnds() {
    var last: [UInt32: UInt64] = [:]
    for case let header? in gathered.values.map(\.header) where header.kind != .dictionary {
      last[header.lane] = max(last[header.lane] ?? 0, header.firstSequence)
    }
    for (index, chunk) in gathered.sorted(by: { $0.key < $1.key }) {
      guard let header = chunk.header else { continue }
      switch segment.slots.tail(of: header) {
      case .unknown: break
      case .end(let end): gathered[index]?.end = end
      case .damaged:
        // The end of a chunk that was moved is elsewhere.
        guard header.kind != .dictionary, segment.slots.ownHeader(of: Int(index)) != nil,
          last[header.lane] == header.firstSequence,
          !residues.contains(where: { $0.slot == index })
        else { continue }
        let start = SegmentFormat.chunkOffset(Int(index)) + header.copyOffset
        let place = start..<start + ChunkHeader.size
        residues.append(
          Residue(
            slot: index, place: UInt64(place.lowerBound)..<UInt64(place.upperBound), bytes: Array(segment.file.memory[place])))
      }
    }
  }

  private mutating func take(_ finds: [RecordCarver.Find]) {
    for find in finds {
      switch find.thing {
      case .header(let header):
        // Ring pages are found through their ring chunk instead.
        if header.kind == .rings || header.kind == .ringPage { continue }
        gathered[header.index, default: SalvagedChunk(index: header.index)].header = header
      case .record(let record, let chunk, let isLarge):
        gathered[chunk, default: SalvagedChunk(index: chunk)].carved.append(record)
        if isLarge { gathered[chunk]?.isLarge = true }
      }
    }
  }

  // MARK: Sealed blocks

  private mutating func gather(_ sealed: SealedBlocks) {
    keepDamage(sealed.damage)
    // The indexes of chunks with a valid block, and the offsets of blocks that are handled without a chunk.
    var (taken, places): (Set<UInt32>, Set<UInt64>) = ([], [])
    let file = segment.file
    // Limit the bytes that are decoded, because a forged file may consist only of headers that all refer to the same bytes.
    var rest = 4 * SegmentBytes.largest
    for entry in SealedBlocks.allBlocks(in: file.memory, nonce: segment.header.nonce) + sealed.entries {
      let chunk = entry.block.chunk
      rest -= Int(entry.block.decodedSize)
      if rest < 0 { break }
      if entry.block.form == .unreadable {
        guard places.insert(entry.offset).inserted,
          let block = DecodedBlock(entry.block, at: entry.offset, in: file)
        else { continue }
        let known = residues.count
        gather(block, header: nil, slot: chunk.index, place: entry.extent)
        // Erased bytes are zero, and remain a loss when a salvaged segment is salvaged again.
        if residues.count == known, block.bytes.allSatisfy({ $0 == 0 }) {
          residues.append(Residue(slot: chunk.index, place: entry.extent, bytes: Array(block.bytes)))
        }
        continue
      }
      if chunk.kind == .ringPage {
        guard places.insert(entry.offset).inserted,
          let block = DecodedBlock(entry.block, at: entry.offset, in: file), block.walker(of: entry.block) != nil
        else { continue }
        sealedPages.append((chunk, block))
        continue
      }
      if taken.contains(chunk.index) { continue }
      gathered[chunk.index, default: SalvagedChunk(index: chunk.index)].header = chunk
      gathered[chunk.index]?.end = entry.block.nextSequence
      guard let block = DecodedBlock(entry.block, at: entry.offset, in: file) else { continue }
      taken.insert(chunk.index)
      if var walker = block.walker(of: entry.block) {
        decoded.append(block)
        gathered[chunk.index]?.add(walker.rest())
        gathered[chunk.index]?.whole = block
      } else {
        gather(block, header: chunk, slot: chunk.index, place: entry.extent)
      }
    }
  }

  /// Keeps the damaged bytes between the blocks.
  private mutating func keepDamage(_ ranges: [Range<UInt64>]) {
    for (number, range) in ranges.enumerated() {
      let bytes = segment.file.memory[Int(range.lowerBound)..<Int(range.upperBound)].prefix(SegmentFormat.largestBlock)
      let slot = segment.slots.limit + UInt32(number)
      residues.append(Residue(slot: slot, place: range, bytes: Array(bytes)))
    }
  }

  private mutating func gather(_ block: DecodedBlock, header: ChunkHeader?, slot: UInt32, place: Range<UInt64>) {
    decoded.append(block)
    let finds = carver.carve(block.bytes)
    take(finds)
    keepResidue(
      of: 0..<block.bytes.count, around: finds.map(\.bytes), in: block.bytes, slot: slot, header: header,
      fileOffset: place.lowerBound)
  }

  // MARK: Undecodable bytes

  /// Stores the undecodable bytes of a slot.
  ///
  /// - Parameters:
  ///   - room: The byte range of the slot.
  ///   - finds: The byte ranges of the records and headers found in the slot, in order.
  ///   - bytes: The bytes of the file or block.
  ///   - slot: The number of the slot.
  ///   - header: The header of the chunk in the slot; `nil` if unknown.
  ///   - fileOffset: The file offset of `bytes`.
  private mutating func keepResidue(
    of room: Range<Int>, around finds: [Range<Int>], in bytes: UnsafeRawBufferPointer, slot: UInt32, header: ChunkHeader?,
    fileOffset: UInt64
  ) {
    var room = room
    if let header {
      // The areas of the header and its second copy never contain records.
      let start = fileOffset == 0 && segment.sealed == nil ? SegmentFormat.chunkOffset(Int(header.index)) : 0
      room = room.clamped(to: start + ChunkHeader.size..<start + header.copyOffset)
      let records = finds.last { $0.lowerBound >= start + ChunkHeader.size && $0.upperBound <= start + header.copyOffset }
      let end = records?.upperBound ?? start + ChunkHeader.size
      if laneEnded(at: end, in: bytes) { room = room.clamped(to: room.lowerBound..<max(room.lowerBound, end)) }
    }
    var lost: [Range<Int>] = []
    var offset = room.lowerBound
    for find in finds + [room.upperBound..<room.upperBound] where find.upperBound > offset {
      let range = (offset..<max(offset, find.lowerBound)).clamped(to: room)
      if let used = UnsafeRawBufferPointer(rebasing: bytes[range]).nonzeroRange {
        lost.append(range.lowerBound + used.lowerBound..<range.lowerBound + used.upperBound)
      }
      offset = find.upperBound
    }
    guard let first = lost.first, let last = lost.last else { return }
    residues.append(
      Residue(
        slot: slot, place: fileOffset + UInt64(first.lowerBound)..<fileOffset + UInt64(last.upperBound),
        bytes: lost.flatMap { bytes[$0] }))
  }

  /// Returns whether the lane ended at an offset because it continued in another chunk or its writer terminated during a
  /// record.
  private func laneEnded(at end: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard end + 4 <= bytes.count else { return true }
    let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    return word == 0 || word == RecordFormat.endOfChunk || segment.isAppended && !segment.isFinished
  }

  // MARK: Chunks without headers

  private mutating func placeOrphans() {
    let placement = OrphanPlacement(gathered.values)
    for (index, chunk) in gathered.sorted(by: { $0.key < $1.key }) where chunk.header == nil {
      var header = ChunkHeader.placeholder(index: Int(index), nonce: segment.header.nonce)
      header.clocks = .unknown
      if chunk.holdsDefinitions {
        header.kind = .dictionary
        header.firstSequence = chunk.carved.map(\.sequence).min() ?? 0
      } else if chunk.carved.count > 1, let place = placement.place(chunk.carved) {
        (header.lane, header.firstSequence) = (place.lane, place.firstSequence)
        if chunk.isLarge { (header.kind, header.span) = (.large, Self.span(of: chunk)) }
      } else {
        unplaced += chunk.carved.count
        continue
      }
      gathered[index]?.carved = chunk.carved.map(\.withoutTime)
      gathered[index]?.header = header
      gathered[index]?.settle()
    }
  }

  /// Returns the number of consecutive chunks that a large record and its chunk's two headers occupy.
  private static func span(of chunk: SalvagedChunk) -> UInt32 {
    let length = RecordFormat.largePayload + (chunk.carved.first?.payload.count ?? 0)
    return UInt32(SegmentFormat.span(ofLargeRecord: length))
  }
}

extension ClockReading {
  /// The placeholder clocks of a chunk that has lost its headers.
  static let unknown = ClockReading(monotonic: .min, boottime: .min, wall: .min)
}
