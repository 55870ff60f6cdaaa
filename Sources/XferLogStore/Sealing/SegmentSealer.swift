import XferEvents

/// Produces the sealed form of a segment: compressed and hash-chained blocks, followed by an index.
///
/// Reading the sealed form yields the same events and gaps as reading the original. A chunk that contains anything other
/// than valid records is therefore stored unchanged.
struct SegmentSealer: ~Copyable {
  let segment: SegmentReader
  let page: RecordPage
  private let previous: HashChain.Link
  private let write: (UnsafeRawBufferPointer) -> Bool
  let header: [UInt8]
  private let compresses: Bool
  private var chain: HashChain
  private var zstd = Zstandard()
  private var contents: BlockContents
  private var entries: [SealIndex.Entry] = []
  private var tasks = TaskNumbers()
  private var offset = 0
  private let lowest: Level
  /// The number of events that were removed.
  private(set) var thinned = 0

  /// Creates a sealer.
  ///
  /// - Parameters:
  ///   - segment: The segment, which no process may write to any more.
  ///   - source: The segment's source.
  ///   - previous: The last link of the writer's previous segment.
  ///   - lowest: The lowest level that `thin()` keeps.
  ///   - marks: Additional flags of the sealed form.
  ///   - isMasked: Whether the sealed form has hashes in the place of private values.
  ///   - compresses: Whether to compress blocks. Compression is wasteful for output that is only kept in memory and read
  ///     immediately.
  ///   - write: Writes the next piece of output and returns whether that succeeded.
  init(
    _ segment: SegmentReader, source: RecordSource, after previous: HashChain.Link, lowest: Level = .debug,
    marks: SegmentFormat.CompatibleFlags = [], isMasked: Bool = false, compresses: Bool = true,
    write: @escaping (UnsafeRawBufferPointer) -> Bool
  ) {
    self.segment = segment
    self.previous = previous
    self.write = write
    self.compresses = compresses
    page = RecordPage(source: source)
    contents = BlockContents(page: page)
    header = segment.sealedHeader(
      lowest: lowest, marks: marks, isMasked: isMasked, isGrouped: compresses && Zstandard.isAvailable)
    self.lowest = lowest
    chain = header.withUnsafeBytes {
      HashChain(header: .init(rebasing: $0[..<SegmentHeader.fixedSize]), after: previous)
    }
  }

  /// Writes the sealed form.
  ///
  /// - Returns: `false` if writing failed. The output is then unusable.
  mutating func seal() -> Bool {
    guard put(header) else { return false }
    for part in segment.parts() where !put(block(of: part)) { return false }
    return finish()
  }

  /// Writes the sealed form of a segment that is already sealed, without the events below the lowest level.
  ///
  /// Blocks that store chunks unchanged are not thinned.
  ///
  /// - Returns: `false` if writing failed or a block is damaged.
  mutating func thin() -> Bool {
    guard let sealed = segment.sealed, put(header) else { return false }
    for entry in sealed.entries {
      guard let decoded = DecodedBlock(entry.block, at: entry.offset, in: segment.file) else { return false }
      guard put(withExtendedLifetime(decoded, { withoutLowLevels(entry.block, decoded) })) else { return false }
    }
    return finish()
  }

  private mutating func withoutLowLevels(_ block: BlockHeader, _ decoded: DecodedBlock) -> Draft {
    if block.isThinnable { return thinned(block, decoded) }
    // Build the block again although its records do not change, because the new index numbers the sessions differently.
    if block.form == .image { return image(of: block.chunk, decoded.bytes) }
    return Draft(chunk: block.chunk, form: block.form, bytes: Array(decoded.bytes), positions: UInt64(block.positions))
  }

  private mutating func thinned(_ block: BlockHeader, _ decoded: DecodedBlock) -> Draft {
    var encoder = ColumnEncoder()
    var content = BlockContent()
    var (left, kinds): (UInt32, PlainKinds) = (0, PlainKinds())
    var walker = decoded.walker(of: block) ?? ColumnWalker()
    while case .record(let record) = walker.next() {
      let level = record.kind < RecordFormat.firstInternalKind ? page.source.table(record.kind)?.pointee.level : nil
      if let level, level < lowest {
        left += 1
        continue
      }
      encoder.append(thinned: &left, time: record.time)
      encoder.append(kind: record.kind, time: record.time, payload: record.payload)
      kinds.insert(record.kind, isEvent: contents.note(record, lane: block.chunk.lane, in: &content))
    }
    encoder.append(thinned: &left, time: 0)
    contents.close(&content)
    thinned += encoder.thinned
    let isWhole = encoder.thinned == 0 && encoder.count == Int(block.positions)
    return Draft(
      chunk: block.chunk, form: .columns, bytes: encoder.finish(), positions: UInt64(block.positions), content: content,
      kinds: isWhole ? kinds.set : KindSet())
  }

  /// A block before compression and hashing.
  struct Draft {
    let chunk: ChunkHeader
    let form: BlockHeader.Form
    let bytes: [UInt8]
    let positions: UInt64
    let content: BlockContent
    /// The kinds of a plain block's records; see `BlockColumns`.
    let kinds: KindSet

    init(
      chunk: ChunkHeader, form: BlockHeader.Form, bytes: [UInt8], positions: UInt64 = 0, content: BlockContent = BlockContent(),
      kinds: KindSet = KindSet()
    ) {
      self.chunk = chunk
      self.form = form
      self.bytes = bytes
      self.positions = positions
      self.content = content
      self.kinds = kinds
    }
  }

  /// Collects the kinds of a block's records as long as all of them are events.
  private struct PlainKinds {
    private var kinds = KindSet()
    private var isPlain = true

    mutating func insert(_ kind: UInt16, isEvent: Bool) {
      isPlain = isPlain && isEvent
      kinds.insert(kind)
    }

    var set: KindSet { isPlain ? kinds : KindSet() }
  }

  private mutating func block(of part: SegmentReader.Part) -> Draft {
    switch part {
    case .chunk(let chunk):
      block(of: chunk, segment.slots.chunk(Int(chunk.index), span: Int(chunk.span)))
    case .page(let page): withExtendedLifetime(page) { block(of: page.header, page.bytes) }
    case .unreadable(let index):
      Draft(chunk: .placeholder(index: index, nonce: segment.header.nonce), form: .unreadable, bytes: segment.slotBytes(index))
    }
  }

  private mutating func block(of chunk: ChunkHeader, _ window: FileWindow) -> Draft {
    withExtendedLifetime(window) { block(of: chunk, window.bytes) }
  }

  mutating func block(of chunk: ChunkHeader, _ bytes: UnsafeRawBufferPointer) -> Draft {
    columns(of: chunk, bytes) ?? image(of: chunk, bytes)
  }

  /// Encodes a chunk as columns.
  ///
  /// - Returns: `nil` if the chunk contains anything other than valid records, or is a large record, whose length does not
  ///   fit into the column of lengths.
  private mutating func columns(of chunk: ChunkHeader, _ bytes: UnsafeRawBufferPointer) -> Draft? {
    guard chunk.kind != .large else { return nil }
    var records: [RecordWalker.Record] = []
    var walker = RecordWalker(chunk: bytes, header: chunk, isAppended: segment.isAppended)
    loop: while true {
      switch walker.next(isFinal: true) {
      case .record(let record): records.append(record)
      case .damage: return nil
      case .endOfChunk: break loop
      case .notYet:
        if walker.hasUncommittedBytes { return nil }
        break loop
      }
    }
    return columns(of: chunk, records)
  }

  /// - Parameter records: The chunk's records, contiguous from its first position.
  mutating func columns(of chunk: ChunkHeader, _ records: some Collection<RecordWalker.Record>) -> Draft {
    var encoder = ColumnEncoder()
    var content = BlockContent()
    var kinds = PlainKinds()
    for record in records {
      encoder.append(kind: record.kind, time: record.time, payload: record.payload)
      let isEvent = chunk.kind != .dictionary && contents.note(record, lane: chunk.lane, in: &content)
      kinds.insert(record.kind, isEvent: isEvent)
    }
    contents.close(&content)
    return Draft(
      chunk: chunk, form: .columns, bytes: encoder.finish(), positions: UInt64(records.count), content: content,
      kinds: kinds.set)
  }

  /// Encodes records of a sealed chunk, between which retention has removed others.
  ///
  /// - Parameter end: The position after the chunk's last record.
  mutating func columns(of chunk: ChunkHeader, _ records: [RecordWalker.Record], end: UInt64) -> Draft {
    var encoder = ColumnEncoder()
    var content = BlockContent()
    var kinds = PlainKinds()
    var next = chunk.firstSequence
    for record in records {
      var left = UInt32(clamping: record.sequence.subtractingClamped(next))
      encoder.append(thinned: &left, time: record.time)
      encoder.append(kind: record.kind, time: record.time, payload: record.payload)
      kinds.insert(record.kind, isEvent: contents.note(record, lane: chunk.lane, in: &content))
      next = record.sequence &+ 1
    }
    var left = UInt32(clamping: max(end, next) - next)
    encoder.append(thinned: &left, time: 0)
    contents.close(&content)
    let positions = max(end, next).subtractingClamped(chunk.firstSequence)
    let isWhole = encoder.thinned == 0 && UInt64(encoder.count) == positions
    return Draft(
      chunk: chunk, form: .columns, bytes: encoder.finish(), positions: positions, content: content,
      kinds: isWhole ? kinds.set : KindSet())
  }

  /// Copies a block from another sealed segment.
  ///
  /// - Parameter records: The records in the block.
  mutating func verbatim(
    _ chunk: ChunkHeader, _ block: DecodedBlock, _ records: [RecordWalker.Record], positions: UInt64
  ) -> Draft {
    var content = BlockContent()
    var kinds = PlainKinds()
    for record in records {
      let isEvent = chunk.kind != .dictionary && contents.note(record, lane: chunk.lane, in: &content)
      kinds.insert(record.kind, isEvent: isEvent)
    }
    contents.close(&content)
    return Draft(
      chunk: chunk, form: .columns, bytes: Array(block.bytes), positions: positions, content: content,
      kinds: positions == UInt64(records.count) ? kinds.set : KindSet())
  }

  /// - Parameter bytes: The bytes of the chunk, including its header.
  mutating func image(of chunk: ChunkHeader, _ bytes: UnsafeRawBufferPointer) -> Draft {
    var content = BlockContent()
    var walker = RecordWalker(chunk: bytes, header: chunk, isAppended: segment.isAppended)
    loop: while true {
      switch walker.next(isFinal: true) {
      case .record(let record): if chunk.kind != .dictionary { contents.note(record, lane: chunk.lane, in: &content) }
      case .damage: continue
      case .endOfChunk, .notYet: break loop
      }
    }
    contents.close(&content)
    return Draft(
      chunk: chunk, form: .image, bytes: Array(bytes), positions: walker.sequence &- chunk.firstSequence, content: content)
  }

  mutating func put(_ draft: Draft) -> Bool {
    let content = definitions(in: draft) ?? draft.content
    if draft.chunk.kind == .dictionary { tasks.note(content) }
    var columns = BlockColumns()
    columns.kinds = draft.kinds
    var (codec, stored) = (BlockHeader.Codec.stored, draft.bytes)
    if compresses {
      if let (bytes, sizes) = frames(of: draft) {
        (codec, stored) = (.grouped, bytes)
        (columns.kindsSize, columns.timesSize) = sizes
      } else if let bytes = zstd.compress(draft.bytes) {
        (codec, stored) = (.zstd, bytes)
      }
    }
    var header = BlockHeader(
      chunk: draft.chunk, form: draft.form, codec: codec,
      positions: UInt32(clamping: draft.positions), decodedSize: UInt32(draft.bytes.count), storedSize: UInt32(stored.count),
      checksum: 0, chain: .none, columns: columns)
    return withUnsafeTemporaryAllocation(byteCount: BlockHeader.size, alignment: 8) { room in
      stored.withUnsafeBytes { bytes in
        header.checksum = Checksum.crc32c(bytes, seed: Checksum.folded(draft.chunk.nonce))
        header.write(to: room)
        chain.append([.init(rebasing: room[..<BlockHeader.chainOffset]), bytes])
        header.chain = chain.last
        header.write(to: room)
      }
      entries.append(.init(offset: UInt64(offset), block: header, content: content))
      let padding = [UInt8](repeating: 0, count: header.extent - BlockHeader.size - stored.count)
      return put(Array(room)) && put(stored) && put(padding)
    }
  }

  /// Returns the content of a block with definitions; `nil` for other blocks, and for output that is read as a whole.
  private func definitions(in draft: Draft) -> BlockContent? {
    guard compresses, draft.chunk.kind == .dictionary, draft.form == .columns else { return nil }
    return draft.bytes.withUnsafeBytes { ColumnWalker($0, firstSequence: 0).map(BlockContent.init(definitions:)) }
  }

  /// Compresses a plain block as one frame for each part that readers decode alone.
  ///
  /// - Returns: The frames, and the sizes of the first two; `nil` if the block is not plain or is stored in another form.
  private mutating func frames(of draft: Draft) -> (bytes: [UInt8], sizes: (UInt16, UInt16))? {
    guard !draft.kinds.isUnknown, let parts = ColumnParts(draft.bytes) else { return nil }
    return draft.bytes.withUnsafeBytes { bytes in
      var groups = KindGroups(bytes, parts)
      guard let columns = groups.columns(of: bytes),
        let frames = columns.withUnsafeBytes({ columns in
          zstd.compress([.init(rebasing: bytes[parts.kinds]), .init(rebasing: bytes[parts.times]), columns])
        }), frames.bytes.count < bytes.count, let kinds = UInt16(exactly: frames.sizes[0]),
        let times = UInt16(exactly: frames.sizes[1])
      else { return nil }
      return (frames.bytes, (kinds, times))
    }
  }

  /// Writes the index and the trailer.
  mutating func finish() -> Bool {
    let encoded = header.withUnsafeBytes { header in
      SealIndex(
        header: Array(header[..<SegmentHeader.encodedCount(header)]), sessions: contents.sessions, entries: entries
      ).encoded()
    }
    let compressed = compresses ? zstd.compress(encoded) : nil
    let content = compressed == nil ? [] : content?.frame() ?? []
    let stored = (compressed ?? encoded) + content
    stored.withUnsafeBytes { chain.append([$0]) }
    let trailer = SealTrailer(
      indexOffset: UInt64(offset), storedSize: UInt32(stored.count), decodedSize: UInt32(encoded.count),
      checksum: stored.withUnsafeBytes { Checksum.crc32c($0) }, codec: compressed == nil ? .stored : .zstd, previous: previous,
      last: chain.last, lastEvent: SealIndex.lastEvent(of: entries), contentSize: UInt32(content.count))
    return put(stored)
      && withUnsafeTemporaryAllocation(byteCount: SealTrailer.size, alignment: 8) { room in
        trailer.write(to: room)
        return put(Array(room))
      }
  }

  /// The summary of the segment; `nil` if something is missing from the segment.
  private var content: SegmentContent? {
    segment.isTruncated || segment.isSalvaged ? nil : SegmentContent(of: entries, tasks: tasks)
  }

  mutating func put(_ bytes: [UInt8]) -> Bool {
    offset += bytes.count
    return bytes.withUnsafeBytes(write)
  }

  /// The last link of the hash chain, after the segment has been sealed.
  var last: HashChain.Link { chain.last }
}
