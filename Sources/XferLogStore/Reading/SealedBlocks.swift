import XferEvents

/// The blocks of a sealed segment: found through its index, or one behind the other where that is damaged.
struct SealedBlocks {
  private(set) var entries: [SealIndex.Entry] = []
  /// Sessions by their place in the contents of blocks; `nil` when the index could not be read, and contents are unknown.
  private(set) var sessions: [String]?
  /// Bytes between the blocks that are none.
  private(set) var damage: [Range<UInt64>] = []
  /// Whether the file ends before its blocks and index do.
  private(set) var isCut = false
  private var placeOfChunk: [UInt64: Int] = [:]

  init(file: UnsafeRawBufferPointer, nonce: UInt64) {
    if let index = Self.index(of: file, nonce: nonce) {
      for entry in index.entries { add(entry, in: file) }
      sessions = index.sessions
    } else {
      walk(file, nonce: nonce)
    }
  }

  /// A chunk is one block; of several, as copied pages leave them, one that is whole.
  private mutating func add(_ entry: SealIndex.Entry, in file: UnsafeRawBufferPointer) {
    func isWhole(_ entry: SealIndex.Entry) -> Bool { entry.block.storedBytes(at: entry.offset, in: file) != nil }
    if entry.block.form != .unreadable {
      if let known = placeOfChunk[entry.block.chunk.place] {
        if !isWhole(entries[known]), isWhole(entry) { entries[known] = entry }
        return
      }
      placeOfChunk[entry.block.chunk.place] = entries.count
    }
    entries.append(entry)
  }

  /// The index, when both it and the trailer that leads to it are whole.
  static func index(of file: UnsafeRawBufferPointer, nonce: UInt64?) -> SealIndex? {
    guard let trailer = SealTrailer.decode(endOf: file) else { return nil }
    let start = Int(trailer.indexOffset)
    let stored = UnsafeRawBufferPointer(rebasing: file[start..<start + Int(trailer.storedSize)])
    guard Checksum.crc32c(stored) == trailer.checksum else { return nil }
    guard trailer.codec == .zstd else { return SealIndex.decode(stored, nonce: nonce) }
    guard Int(trailer.decodedSize) <= largestIndex else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: Int(trailer.decodedSize), alignment: 8) { room in
      Zstandard.decompress(stored, into: room) ? SealIndex.decode(.init(room), nonce: nonce) : nil
    }
  }

  /// Decoded, an index takes a few hundred bytes a block, and 4 for each task of each block.
  private static let largestIndex = 64 << 20

  private mutating func walk(_ file: UnsafeRawBufferPointer, nonce: UInt64) {
    var offset = SegmentFormat.headerSize
    var skipped: Int?
    let trailer = SealTrailer.decode(endOf: file)
    isCut = trailer == nil
    while offset + BlockHeader.size <= file.count {
      let here = UnsafeRawBufferPointer(rebasing: file[offset...])
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
  private static func end(of block: BlockHeader, at offset: Int, in file: UnsafeRawBufferPointer) -> Int {
    let end = offset + block.extent
    if block.storedBytes(at: UInt64(offset), in: file) != nil { return end }
    for other in stride(
      from: offset + BlockHeader.alignment, to: min(end, file.count - BlockHeader.size), by: BlockHeader.alignment)
    {
      let here = UnsafeRawBufferPointer(rebasing: file[other...])
      if let found = BlockHeader.decode(here, nonce: block.chunk.nonce), found.storedBytes(at: UInt64(other), in: file) != nil {
        return other
      }
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
  static func copiedHeader(in file: UnsafeRawBufferPointer) -> SegmentHeader? {
    if let index = index(of: file, nonce: nil) { return index.header.withUnsafeBytes { SegmentHeader.decode(copy: $0) } }
    for offset in stride(from: 0, to: file.count - BlockHeader.size, by: BlockHeader.alignment) {
      let here = UnsafeRawBufferPointer(rebasing: file[offset...])
      guard let nonce = BlockHeader.foldedNonce(of: here), let block = BlockHeader.decode(here, nonce: UInt64(nonce)),
        block.chunk.kind == .dictionary, let decoded = DecodedBlock(block, at: UInt64(offset), in: file)
      else { continue }
      var walker = decoded.walker(of: block)
      while case .record(let record)? = walker?.next() {
        guard record.kind == RecordFormat.headerCopied, var header = SegmentHeader.decode(copy: record.payload) else { continue }
        // It is the header that the writer wrote.
        header.incompatible.insert(.compressed)
        return header
      }
    }
    return nil
  }
}

/// What a block holds, decompressed; goes with the last event that lies in it.
final class DecodedBlock {
  let bytes: UnsafeRawBufferPointer
  /// `nil` where the file's own bytes are read.
  private let room: UnsafeMutableRawBufferPointer?

  /// - Returns: `nil` when the stored bytes are not those that were sealed.
  init?(_ block: BlockHeader, at offset: UInt64, in file: UnsafeRawBufferPointer) {
    guard let stored = block.storedBytes(at: offset, in: file) else { return nil }
    switch block.codec {
    case .stored:
      room = nil
      bytes = stored
    case .zstd:
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(block.decodedSize), alignment: 8)
      guard Zstandard.decompress(stored, into: room) else {
        room.deallocate()
        return nil
      }
      self.room = room
      bytes = .init(room)
    }
  }

  /// `nil` for a block that is no columns.
  func walker(of block: BlockHeader) -> ColumnWalker? {
    block.form == .columns ? ColumnWalker(bytes, firstSequence: block.chunk.firstSequence) : nil
  }

  deinit { room?.deallocate() }
}
