import XferEvents

/// The blocks of a sealed segment: found through its index, or one behind the other where the index is damaged or does not list
/// the blocks that the file has.
struct SealedBlocks {
  private(set) var entries: [SealIndex.Entry] = []
  /// Sessions by their place in the contents of blocks; `nil` when the index could not be used, and contents are unknown.
  private(set) var sessions: [String]?
  /// Whether the index is whole, but does not list the blocks of the file.
  private(set) var isIndexWrong = false
  /// Bytes between the blocks that are none.
  private(set) var damage: [Range<UInt64>] = []
  /// Whether the file ends before its blocks and index do.
  private(set) var isCut = false
  private var placeOfChunk: [UInt64: Int] = [:]
  /// Bytes of all blocks, once they are decompressed.
  private var decodedSize = 0

  init(file: SegmentBytes, nonce: UInt64) {
    if let index = Self.index(of: file, nonce: nonce) {
      if Self.lists(index, blocksOf: file, nonce: nonce) {
        for entry in index.entries { add(entry, in: file) }
        sessions = index.sessions
        return
      }
      isIndexWrong = true
    }
    walk(file.isInMemory ? file : file.loaded(), nonce: nonce)
  }

  /// A segment's blocks hold at most this many bytes, decompressed: what lies behind is no writer's.
  private static let largestContent = 2 * SegmentBytes.largest

  /// A chunk is one block; of several, as copied pages leave them, one that is whole.
  private mutating func add(_ entry: SealIndex.Entry, in file: SegmentBytes) {
    decodedSize += Int(entry.block.decodedSize)
    guard decodedSize <= Self.largestContent else { return damage.append(entry.extent) }
    if entry.block.form != .unreadable {
      if let known = placeOfChunk[entry.block.chunk.place] { return add(entry, besides: known, in: file) }
      placeOfChunk[entry.block.chunk.place] = entries.count
    }
    entries.append(entry)
  }

  private mutating func add(_ entry: SealIndex.Entry, besides known: Int, in file: SegmentBytes) {
    func isWhole(_ entry: SealIndex.Entry) -> Bool { entry.block.stored(at: entry.offset, in: file) != nil }
    // A copy adds nothing.
    if entries[known].block == entry.block, isWhole(entries[known]) { return }
    guard isWhole(entry) else { return damage.append(entry.extent) }
    if isWhole(entries[known]) { return damage.append(entry.extent) }
    damage.append(entries[known].extent)
    entries[known] = entry
  }

  /// The index, when both it and the trailer that leads to it are whole.
  static func index(of file: SegmentBytes, nonce: UInt64?) -> SealIndex? {
    guard let trailer = SealTrailer.decode(endOf: file) else { return nil }
    let start = Int(trailer.indexOffset)
    let window = file.window(start..<start + Int(trailer.storedSize))
    return withExtendedLifetime(window) { index(window.bytes, trailer, nonce: nonce) }
  }

  private static func index(_ stored: UnsafeRawBufferPointer, _ trailer: SealTrailer, nonce: UInt64?) -> SealIndex? {
    guard Checksum.crc32c(stored) == trailer.checksum else { return nil }
    guard trailer.codec == .zstd else { return SealIndex.decode(stored, nonce: nonce) }
    guard Int(trailer.decodedSize) <= largestIndex else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: Int(trailer.decodedSize), alignment: 8) { room in
      Zstandard.decompress(stored, into: room) ? SealIndex.decode(.init(room), nonce: nonce) : nil
    }
  }

  /// Decoded, an index takes a few hundred bytes a block, and up to 5 for each task of each block.
  private static let largestIndex = 32 << 20

  /// Whether the index has every block of the file: the first begins behind the header, each next one where the one before ends,
  /// and the index behind the last. A header that is whole must be the one that the index has.
  private static func lists(_ index: SealIndex, blocksOf file: SegmentBytes, nonce: UInt64) -> Bool {
    guard let trailer = SealTrailer.decode(endOf: file),
      trailer.indexOffset + UInt64(trailer.storedSize) == UInt64(file.count - SealTrailer.size)
    else { return false }
    var end = UInt64(SegmentFormat.headerSize)
    for entry in index.entries {
      guard entry.offset == end else { return false }
      end = entry.extent.upperBound
      if let standing = BlockHeader.standing(at: entry.offset, in: file, nonce: nonce), standing != entry.block { return false }
    }
    return end == trailer.indexOffset
  }

  /// - Parameter file: in memory.
  private mutating func walk(_ file: SegmentBytes, nonce: UInt64) {
    let bytes = file.memory
    var offset = SegmentFormat.headerSize
    var skipped: Int?
    let trailer = SealTrailer.decode(endOf: file)
    isCut = trailer == nil
    while offset + BlockHeader.size <= bytes.count {
      let here = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      // A file may end in a block's padding.
      guard let block = BlockHeader.decode(here, nonce: nonce), BlockHeader.size + Int(block.storedSize) <= here.count else {
        skipped = skipped ?? offset
        offset += BlockHeader.alignment
        continue
      }
      if let start = skipped { damage.append(UInt64(start)..<UInt64(offset)) }
      skipped = nil
      add(.init(offset: UInt64(offset), block: block, content: BlockContent()), in: file)
      offset = Self.end(of: block, at: offset, in: file)
    }
    // Where the index begins it is known that no block is missing.
    if let start = skipped, let trailer, UInt64(start) < trailer.indexOffset {
      damage.append(UInt64(start)..<trailer.indexOffset)
    }
  }

  /// Where the next block may begin: behind this one, or where a whole one stands in what is not this one's, whose header is
  /// then all that a copied page has of it.
  ///
  /// Only so many candidates are looked at: a file may be made of nothing else.
  private static func end(of block: BlockHeader, at offset: Int, in file: SegmentBytes) -> Int {
    let end = offset + block.extent
    if block.stored(at: UInt64(offset), in: file) != nil { return end }
    var candidates = 64
    for other in stride(
      from: offset + BlockHeader.alignment, to: min(end, file.memory.count - BlockHeader.size), by: BlockHeader.alignment)
    {
      let here = UnsafeRawBufferPointer(rebasing: file.memory[other...])
      guard let found = BlockHeader.decode(here, nonce: block.chunk.nonce) else { continue }
      if found.stored(at: UInt64(other), in: file) != nil { return other }
      candidates -= 1
      if candidates == 0 { break }
    }
    return end
  }

  /// Blocks by their own headers alone, wherever in the file they stand, in the header's place and doubled ones included.
  static func everywhere(in file: UnsafeRawBufferPointer, nonce: UInt64) -> [SealIndex.Entry] {
    var entries: [SealIndex.Entry] = []
    var offset = 0
    while offset + BlockHeader.size <= file.count {
      if let block = BlockHeader.decode(.init(rebasing: file[offset...]), nonce: nonce) {
        entries.append(.init(offset: UInt64(offset), block: block, content: BlockContent()))
      }
      offset += BlockHeader.alignment
    }
    return entries
  }

  /// The block that a chunk became.
  func entry(of chunk: ChunkHeader) -> SealIndex.Entry? { placeOfChunk[chunk.place].map { entries[$0] } }

  /// The segment's header, from its index or its dictionary, for a segment that has lost its own.
  ///
  /// - Parameter file: in memory.
  static func copiedHeader(in file: SegmentBytes) -> SegmentHeader? {
    if let index = index(of: file, nonce: nil) { return index.header.withUnsafeBytes { SegmentHeader.decode(copy: $0) } }
    // What is decompressed in vain; a file may be made of nothing else.
    var rest = largestContent
    for offset in stride(from: 0, to: file.memory.count - BlockHeader.size, by: BlockHeader.alignment) {
      let here = UnsafeRawBufferPointer(rebasing: file.memory[offset...])
      guard let nonce = BlockHeader.foldedNonce(of: here), let block = BlockHeader.decode(here, nonce: UInt64(nonce)),
        block.chunk.kind == .dictionary, rest > 0
      else { continue }
      rest -= Int(block.decodedSize)
      guard let decoded = DecodedBlock(block, at: UInt64(offset), in: file), var walker = decoded.walker(of: block) else {
        continue
      }
      while case .record(let record) = walker.next() {
        guard record.kind == RecordFormat.headerCopied, var header = SegmentHeader.decode(copy: record.payload) else { continue }
        // It is the header that the writer wrote.
        header.incompatible.insert(.compressed)
        return withExtendedLifetime(decoded) { header }
      }
    }
    return nil
  }
}

extension BlockHeader {
  /// The header that a file has at an offset; `nil` when it is damaged.
  static func standing(at offset: UInt64, in file: SegmentBytes, nonce: UInt64) -> BlockHeader? {
    guard offset <= UInt64(file.count) else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { room in
      file.copy(from: Int(offset), into: room) ? decode(.init(room), nonce: nonce) : nil
    }
  }
}

/// What a block holds, decompressed; goes with the last event that lies in it.
final class DecodedBlock {
  let bytes: UnsafeRawBufferPointer
  /// `nil` where the stored bytes are read as they are.
  private let room: UnsafeMutableRawBufferPointer?
  private let stored: FileWindow?

  /// - Parameter offset: any value: it may come from a file.
  /// - Returns: `nil` when the stored bytes are not those that were sealed.
  init?(_ block: BlockHeader, at offset: UInt64, in file: SegmentBytes) {
    guard let stored = block.stored(at: offset, in: file) else { return nil }
    switch block.codec {
    case .stored:
      room = nil
      self.stored = stored
      bytes = stored.bytes
    case .zstd:
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(block.decodedSize), alignment: 8)
      guard withExtendedLifetime(stored, { Zstandard.decompress(stored.bytes, into: room) }) else {
        room.deallocate()
        return nil
      }
      self.room = room
      self.stored = nil
      bytes = .init(room)
    }
  }

  /// `nil` for a block that is no columns.
  func walker(of block: BlockHeader) -> ColumnWalker? {
    block.form == .columns ? ColumnWalker(bytes, firstSequence: block.chunk.firstSequence) : nil
  }

  deinit { room?.deallocate() }
}
