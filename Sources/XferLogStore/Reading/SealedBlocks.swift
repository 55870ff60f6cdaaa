import XferEvents

/// The blocks of a sealed segment, found through its index. If the index is damaged or incomplete, the blocks are found by
/// scanning the file.
struct SealedBlocks {
  private(set) var entries: [SealIndex.Entry] = []
  /// The session identifiers that block contents refer to by index; `nil` if the index is unusable and contents are
  /// unknown.
  private(set) var sessions: [String]?
  /// Whether the index is valid but does not match the blocks in the file.
  private(set) var isIndexWrong = false
  /// The byte ranges between blocks that are not valid blocks.
  private(set) var damage: [Range<UInt64>] = []
  /// Whether the file was truncated before the end of its blocks and index.
  private(set) var isCut = false
  private var placeOfChunk = ChunkPlaces()
  /// The decompressed size of all blocks in bytes.
  private var decodedSize = 0

  /// - Parameter isSelective: Whether the reader skips blocks. It then compares the headers of the blocks that it reads with the index,
  ///   with `lists`, and scans the file if one differs. Otherwise the headers of all blocks are compared here, and the contents of the
  ///   entries do not list tasks and sessions.
  init(file: SegmentBytes, nonce: UInt64, isSelective: Bool = false) {
    if let index = Self.index(of: file, nonce: nonce, listsTasks: isSelective) {
      if Self.isContiguous(index, in: file),
        isSelective || index.entries.allSatisfy({ Self.lists($0, of: file, nonce: nonce) })
      {
        add(index.entries, in: file)
        sessions = index.sessions
        return
      }
      isIndexWrong = true
    }
    walk(file, nonce: nonce)
  }

  /// Finds the blocks by scanning a file whose index is wrong.
  init(walking file: SegmentBytes, nonce: UInt64) {
    isIndexWrong = true
    walk(file, nonce: nonce)
  }

  /// The maximum decompressed size of a segment's blocks in bytes. No writer produces more.
  private static let largestContent = 2 * SegmentBytes.largest

  /// Adds the blocks of an index.
  private mutating func add(_ listed: [SealIndex.Entry], in file: SegmentBytes) {
    placeOfChunk.reserveCapacity(listed.count)
    // Most indexes are taken as they are: each block stores another chunk.
    var size = 0
    for (number, entry) in listed.enumerated() {
      size += Int(entry.block.decodedSize)
      if entry.block.form == .unreadable { continue }
      guard size <= Self.largestContent, placeOfChunk[entry.block.chunk.place] == nil else {
        placeOfChunk = ChunkPlaces()
        for entry in listed { add(entry, in: file) }
        return
      }
      placeOfChunk[entry.block.chunk.place] = number
    }
    (entries, decodedSize) = (listed, size)
  }

  /// Adds a block. If damage has left several blocks for one chunk, only one valid block is kept.
  private mutating func add(_ entry: SealIndex.Entry, in file: SegmentBytes) {
    decodedSize += Int(entry.block.decodedSize)
    guard decodedSize <= Self.largestContent else { return damage.append(entry.extent) }
    if entry.block.form != .unreadable {
      if let known = placeOfChunk[entry.block.chunk.place] { return add(entry, replacing: known, in: file) }
      placeOfChunk[entry.block.chunk.place] = entries.count
    }
    entries.append(entry)
  }

  private mutating func add(_ entry: SealIndex.Entry, replacing known: Int, in file: SegmentBytes) {
    func isWhole(_ entry: SealIndex.Entry) -> Bool { entry.block.stored(at: entry.offset, in: file) != nil }
    // An identical copy adds no information.
    if entries[known].block == entry.block, isWhole(entries[known]) { return }
    guard isWhole(entry) else { return damage.append(entry.extent) }
    if isWhole(entries[known]) { return damage.append(entry.extent) }
    damage.append(entries[known].extent)
    entries[known] = entry
  }

  /// Returns the index if both the index and the trailer that locates it are valid.
  static func index(of file: SegmentBytes, nonce: UInt64?, listsTasks: Bool = true) -> SealIndex? {
    guard let trailer = SealTrailer.decode(endOf: file) else { return nil }
    let start = Int(trailer.indexOffset)
    let window = file.window(start..<start + Int(trailer.storedSize))
    return withExtendedLifetime(window) { index(window.bytes, trailer, nonce: nonce, listsTasks: listsTasks) }
  }

  private static func index(
    _ stored: UnsafeRawBufferPointer, _ trailer: SealTrailer, nonce: UInt64?, listsTasks: Bool
  ) -> SealIndex? {
    guard Checksum.crc32c(stored) == trailer.checksum else { return nil }
    guard trailer.codec == .zstd else { return SealIndex.decode(stored, nonce: nonce, listsTasks: listsTasks) }
    guard Int(trailer.decodedSize) <= largestIndex else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: Int(trailer.decodedSize), alignment: 8) { room in
      guard Zstandard.decompress(stored, into: room) else { return nil }
      return SealIndex.decode(.init(room), nonce: nonce, listsTasks: listsTasks)
    }
  }

  /// Returns the decoded bytes of the index; `nil` if the file has no valid index.
  static func decodedIndex(of file: SegmentBytes) -> [UInt8]? {
    guard let trailer = SealTrailer.decode(endOf: file) else { return nil }
    let start = Int(trailer.indexOffset)
    let window = file.window(start..<start + Int(trailer.storedSize))
    return withExtendedLifetime(window) {
      guard Checksum.crc32c(window.bytes) == trailer.checksum else { return nil }
      guard trailer.codec == .zstd else { return Array(window.bytes) }
      guard Int(trailer.decodedSize) <= largestIndex else { return nil }
      var bytes = [UInt8](repeating: 0, count: Int(trailer.decodedSize))
      return bytes.withUnsafeMutableBytes({ Zstandard.decompress(window.bytes, into: $0) }) ? bytes : nil
    }
  }

  /// The maximum decoded index size in bytes. A block takes a few hundred bytes, plus up to 5 for each of its tasks.
  private static let largestIndex = 32 << 20

  /// Whether the blocks of an index fill the file: the first follows the header, each follows the previous one, and the index follows the
  /// last.
  private static func isContiguous(_ index: SealIndex, in file: SegmentBytes) -> Bool {
    guard let trailer = SealTrailer.decode(endOf: file),
      trailer.indexOffset + UInt64(trailer.storedSize) == UInt64(file.count - SealTrailer.size)
    else { return false }
    var end = UInt64(SegmentFormat.headerSize)
    for entry in index.entries {
      guard entry.offset == end else { return false }
      end = entry.extent.upperBound
    }
    return end == trailer.indexOffset
  }

  /// Whether the header of a block in the file equals the one in the index, or is damaged.
  static func lists(_ entry: SealIndex.Entry, of file: SegmentBytes, nonce: UInt64) -> Bool {
    BlockHeader.read(at: entry.offset, in: file, nonce: nonce).map { $0 == entry.block } ?? true
  }

  private mutating func walk(_ file: SegmentBytes, nonce: UInt64) {
    let file = file.isInMemory ? file : file.loaded()
    let bytes = file.memory
    var offset = SegmentFormat.headerSize
    var skipped: Int?
    let trailer = SealTrailer.decode(endOf: file)
    while offset + BlockHeader.size <= bytes.count {
      let here = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      // A truncated file may end inside a block's padding, so only the stored bytes must be complete.
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
    isCut = trailer == nil && !SealTrailer.stands(endOf: file, after: skipped ?? offset)
    // No block can be missing after the offset at which the index begins.
    if let start = skipped, let trailer, UInt64(start) < trailer.indexOffset {
      damage.append(UInt64(start)..<trailer.indexOffset)
    }
  }

  /// Returns the offset at which the next block may begin.
  ///
  /// The next block begins at the end of this block. If this block's bytes are invalid, however, the next block is the first
  /// valid one inside them, because this block's header may be a stray copy. The number of candidates is limited, because a
  /// forged file may consist only of headers.
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

  /// Finds all blocks whose headers are valid, at any aligned offset of the file, including duplicates.
  static func allBlocks(in file: UnsafeRawBufferPointer, nonce: UInt64) -> [SealIndex.Entry] {
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

  /// Returns the block that stores a chunk; `nil` if there is none.
  func entry(of chunk: ChunkHeader) -> SealIndex.Entry? { index(of: chunk).map { entries[$0] } }

  /// Returns the index in `entries` of the block that stores a chunk; `nil` if there is none.
  @inline(__always)
  func index(of chunk: ChunkHeader) -> Int? { placeOfChunk[chunk.place] }

  /// Returns the lane position after the last record of a chunk; `nil` if no block stores the chunk.
  func nextSequence(of chunk: ChunkHeader) -> UInt64? { index(of: chunk).map { entries[$0].block.nextSequence } }

  /// Returns the number of bytes that the block of a chunk takes in the file; `nil` if no block stores the chunk.
  func extent(of chunk: ChunkHeader) -> Int? { index(of: chunk).map { entries[$0].block.extent } }

  /// Returns the number of lane positions of a chunk; `nil` if no block stores the chunk.
  func positions(of chunk: ChunkHeader) -> Int? { index(of: chunk).map { Int(entries[$0].block.positions) } }

  /// Returns a copy of the segment's header from the index or the dictionary, for a segment whose own header is lost.
  ///
  /// - Parameter file: The file, loaded into memory.
  static func copiedHeader(in file: SegmentBytes) -> SegmentHeader? {
    if let index = index(of: file, nonce: nil) { return index.header.withUnsafeBytes { SegmentHeader.decode(copy: $0) } }
    // Limit the total size of decompressed blocks, because a forged file may contain very many.
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
        // The copy was made before sealing, so it lacks this flag.
        header.incompatible.insert(.compressed)
        return withExtendedLifetime(decoded) { header }
      }
    }
    return nil
  }
}

extension BlockHeader {
  /// Reads the block header at an offset of a file; returns `nil` if it is damaged.
  static func read(at offset: UInt64, in file: SegmentBytes, nonce: UInt64) -> BlockHeader? {
    guard offset <= UInt64(file.count) else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { room in
      file.copy(from: Int(offset), into: room) ? decode(.init(room), nonce: nonce) : nil
    }
  }
}

/// The decompressed contents of a block. Events that refer to the contents keep it alive.
final class DecodedBlock {
  let bytes: UnsafeRawBufferPointer
  /// The decompressed bytes; `nil` if the block is stored uncompressed.
  private let room: UnsafeMutableRawBufferPointer?
  private let stored: FileWindow?

  /// Decodes a block.
  ///
  /// - Parameter offset: The block's offset. Any value is allowed, because it may come from a damaged file.
  /// - Returns: `nil` if the stored bytes fail their checksum or cannot be decompressed.
  convenience init?(_ block: BlockHeader, at offset: UInt64, in file: SegmentBytes) {
    guard let stored = block.stored(at: offset, in: file) else { return nil }
    self.init(block, stored)
  }

  /// Decodes a block from its stored bytes, whose checksum is valid.
  init?(_ block: BlockHeader, _ stored: FileWindow) {
    switch block.codec {
    case .stored:
      room = nil
      self.stored = stored
      bytes = stored.bytes
    case .zstd, .grouped:
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(block.decodedSize), alignment: 8)
      let isDecoded =
        block.codec == .zstd
        ? withExtendedLifetime(stored) { Zstandard.decompress(stored.bytes, into: room) }
        : BlockFrames(searching: block, stored)?.decode(into: room) ?? false
      guard isDecoded else {
        room.deallocate()
        return nil
      }
      self.room = room
      self.stored = nil
      bytes = .init(room)
    }
  }

  /// Returns a walker over the records; `nil` for a block that is not in column form.
  func walker(of block: BlockHeader) -> ColumnWalker? {
    block.form == .columns ? ColumnWalker(bytes, firstSequence: block.chunk.firstSequence) : nil
  }

  deinit { room?.deallocate() }
}

/// The indexes of blocks by the places of the chunks that they store. A reader looks for every block of a segment, and most places are
/// small numbers, for which an array is faster than a dictionary.
private struct ChunkPlaces {
  private var small: [Int?] = []
  private var others: [UInt64: Int] = [:]

  mutating func reserveCapacity(_ count: Int) { small.reserveCapacity(min(count, SegmentFormat.maximumChunks)) }

  @inline(__always)
  subscript(_ place: UInt64) -> Int? {
    get {
      guard let index = Self.index(place) else { return others[place] }
      return index < small.count ? small[index] : nil
    }
    set {
      guard let index = Self.index(place) else { return others[place] = newValue }
      while small.count <= index { small.append(nil) }
      small[index] = newValue
    }
  }

  /// Returns the index of a small place; `nil` for other places, such as those of ring pages and salvaged chunks.
  @inline(__always)
  private static func index(_ place: UInt64) -> Int? {
    Int(exactly: place).flatMap { $0 < SegmentFormat.maximumChunks ? $0 : nil }
  }
}
