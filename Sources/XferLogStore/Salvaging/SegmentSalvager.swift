/// Gathers what can be had of a segment, wherever in the file it stands: records of chunks that were moved, that have lost their
/// headers, or that are there twice. Each is given once, at the position that it was written with.
struct SegmentSalvager {
  /// Bytes of which no record could be made.
  struct Rest {
    let slot: UInt32
    /// In the file, from the first of the bytes to behind the last.
    let place: Range<UInt64>
    let bytes: [UInt8]
  }

  /// In memory.
  private let segment: SegmentReader
  private let carver: RecordCarver
  private var gathered: [UInt32: SalvagedChunk] = [:]
  /// Keeps decompressed bytes for as long as records lie in them.
  private var decoded: [DecodedBlock] = []
  private(set) var rests: [Rest] = []
  /// Pages of rings, where they lie in the file; where they are sealed, those whose blocks are whole.
  private(set) var pages: [RingSnapshot] = []
  private(set) var sealedPages: [(header: ChunkHeader, block: DecodedBlock)] = []
  /// Records of chunks that fit no lane: they are left out.
  private(set) var unplaced = 0

  init(_ segment: SegmentReader) {
    self.segment = segment
    carver = RecordCarver(nonce: segment.header.nonce, chunkLimit: segment.slotLimit)
    if let sealed = segment.sealed { gather(sealed) } else { gatherSlots() }
    for index in gathered.keys {
      leaveOutLarge(of: index)
      gathered[index]?.settle()
    }
    placeOrphans()
  }

  /// Chunks whose lane is known, those of definitions first, then by number.
  var chunks: [SalvagedChunk] {
    gathered.values.filter { $0.header != nil }.sorted {
      ($0.header?.kind == .dictionary ? 0 : 1, $0.index) < ($1.header?.kind == .dictionary ? 0 : 1, $1.index)
    }
  }

  /// A record that is larger than a chunk, in a chunk that is not of one: no writer makes it, and the sealed form of the chunk has no
  /// room to say how long it is.
  private mutating func leaveOutLarge(of index: UInt32) {
    guard let chunk = gathered[index], chunk.header?.kind != .large, chunk.header != nil else { return }
    let fitting = chunk.carved.filter { $0.payload.count < SegmentFormat.chunkSize }
    unplaced += chunk.carved.count - fitting.count
    gathered[index]?.carved = fitting
  }

  // MARK: Chunks where they lie in the file

  private mutating func gatherSlots() {
    let bytes = segment.file.memory
    _ = segment.newChunks(everything: true)
    pages = segment.ringPages()
    // From the beginning: a page may have changed places with the header's.
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
        covering = segment.standingHeader(of: slot).map {
          ($0, start + Int($0.span) * SegmentFormat.chunkSize)
        }
      }
      // What is not in a page is free.
      if covering?.header.kind == .rings { continue }
      // The last one may reach into the next slot, as a large record does.
      let earlier = first > 0 ? [finds[first - 1].bytes] : []
      keepRest(
        of: room, around: earlier + finds[first..<next].map(\.bytes), in: bytes, slot: UInt32(slot), header: covering?.header,
        fileOffset: 0)
    }
  }

  private mutating func take(_ finds: [RecordCarver.Find]) {
    for find in finds {
      switch find.thing {
      case .header(let header):
        // Pages are found by their place in a chunk of rings.
        if header.kind == .rings || header.kind == .ringPage { continue }
        gathered[header.index, default: SalvagedChunk(index: header.index)].header = header
      case .record(let record, let chunk, let isLarge):
        gathered[chunk, default: SalvagedChunk(index: chunk)].carved.append(record)
        if isLarge { gathered[chunk]?.isLarge = true }
      }
    }
  }

  // MARK: Chunks in blocks

  private mutating func gather(_ sealed: SealedBlocks) {
    keepDamage(sealed.damage)
    // Chunks whose block was whole, and where blocks without a chunk stand.
    var (taken, places): (Set<UInt32>, Set<UInt64>) = ([], [])
    let file = segment.file
    // What is looked at; a file may be made of nothing but headers, each of which speaks of all that is behind it.
    var rest = 4 * SegmentBytes.largest
    for entry in SealedBlocks.everywhere(in: file.memory, nonce: segment.header.nonce) + sealed.entries {
      let chunk = entry.block.chunk
      rest -= Int(entry.block.decodedSize)
      if rest < 0 { break }
      if entry.block.form == .unreadable {
        guard places.insert(entry.offset).inserted,
          let block = DecodedBlock(entry.block, at: entry.offset, in: file)
        else { continue }
        gather(block, header: nil, slot: chunk.index, place: entry.extent)
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

  /// Bytes between blocks of which not even a header is left.
  private mutating func keepDamage(_ ranges: [Range<UInt64>]) {
    for (number, range) in ranges.enumerated() {
      let bytes = segment.file.memory[Int(range.lowerBound)..<Int(range.upperBound)].prefix(SegmentFormat.largestBlock)
      let slot = segment.slotLimit + UInt32(number)
      rests.append(Rest(slot: slot, place: range, bytes: Array(bytes)))
    }
  }

  private mutating func gather(_ block: DecodedBlock, header: ChunkHeader?, slot: UInt32, place: Range<UInt64>) {
    decoded.append(block)
    let finds = carver.carve(block.bytes)
    take(finds)
    keepRest(
      of: 0..<block.bytes.count, around: finds.map(\.bytes), in: block.bytes, slot: slot, header: header,
      fileOffset: place.lowerBound)
  }

  // MARK: What nothing could be made of

  /// - Parameters:
  ///   - room: the slot.
  ///   - finds: what was found there, in order.
  ///   - header: of the chunk that stands there; `nil` when that is not known.
  private mutating func keepRest(
    of room: Range<Int>, around finds: [Range<Int>], in bytes: UnsafeRawBufferPointer, slot: UInt32, header: ChunkHeader?,
    fileOffset: UInt64
  ) {
    var room = room
    if let header {
      // What stands in place of a header or of its copy is no record.
      let start = fileOffset == 0 && segment.sealed == nil ? SegmentFormat.chunkOffset(Int(header.index)) : 0
      room = room.clamped(to: start + ChunkHeader.size..<start + header.copyOffset)
      let records = finds.last { $0.lowerBound >= start + ChunkHeader.size && $0.upperBound <= start + header.copyOffset }
      let end = records?.upperBound ?? start + ChunkHeader.size
      if isQuiet(behind: end, in: bytes) { room = room.clamped(to: room.lowerBound..<max(room.lowerBound, end)) }
    }
    var lost: [Range<Int>] = []
    var offset = room.lowerBound
    for find in finds + [room.upperBound..<room.upperBound] where find.upperBound > offset {
      let range = (offset..<max(offset, find.lowerBound)).clamped(to: room)
      if let first = bytes[range].firstIndex(where: { $0 != 0 }), let last = bytes[range].lastIndex(where: { $0 != 0 }) {
        lost.append(first..<last + 1)
      }
      offset = find.upperBound
    }
    guard let first = lost.first, let last = lost.last else { return }
    rests.append(
      Rest(
        slot: slot, place: fileOffset + UInt64(first.lowerBound)..<fileOffset + UInt64(last.upperBound),
        bytes: lost.flatMap { bytes[$0] }))
  }

  /// Whether the lane ended there: it went on elsewhere, or its writer ended while a record was being written.
  private func isQuiet(behind end: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard end + 4 <= bytes.count else { return true }
    let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    return word == 0 || word == RecordFormat.endOfChunk || segment.isAppended && !segment.isFinished
  }

  // MARK: Chunks that nobody's header speaks of

  private mutating func placeOrphans() {
    let placement = OrphanPlacement(gathered.values)
    for (index, chunk) in gathered.sorted(by: { $0.key < $1.key }) where chunk.header == nil {
      var header = ChunkHeader.nobodys(index: Int(index), nonce: segment.header.nonce)
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

  /// Chunks that a large record takes, both headers included.
  private static func span(of chunk: SalvagedChunk) -> UInt32 {
    let length = RecordFormat.largePayload + (chunk.carved.first?.payload.count ?? 0)
    return UInt32(SegmentFormat.span(ofLargeRecord: length))
  }
}

extension SegmentReader {
  /// Chunks that the file may have, whatever its header says.
  var slotLimit: UInt32 { min(header.chunkCapacity, UInt32(SegmentFormat.maximumChunks)) }
}

extension ClockReading {
  /// The clocks of a chunk that has lost its headers.
  static let unknown = ClockReading(monotonic: .min, boottime: .min, wall: .min)
}
