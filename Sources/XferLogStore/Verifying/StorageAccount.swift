import XferEvents

/// An account of what every byte of a log's files is used for.
///
/// The stored bytes of a compressed block are divided among its records in proportion to their decoded sizes.
package struct StorageAccount: Equatable, Sendable {
  package struct Share: Equatable, Sendable {
    package var count = 0
    package var bytes = 0
  }

  /// The number and size of the events, by event number.
  package private(set) var events: [UInt16: Share] = [:]
  package private(set) var strings = Share()
  package private(set) var tasks = Share()
  package private(set) var layouts = Share()
  /// The bytes of segment, chunk and block headers and their copies, indexes of sealed segments, and the format's own
  /// records.
  package private(set) var headers = 0
  /// The bytes that no record uses.
  package private(set) var unused = 0
  package private(set) var damaged = 0
  /// The total size of all files in bytes.
  package private(set) var total = 0

  /// - Parameter reader: A reader of the logs.
  package init(_ reader: LogReader) {
    for segment in reader.segments {
      total = total.addingClamped(segment.size)
      let head = min(SegmentFormat.headerSize, segment.size)
      headers += head
      if let sealed = segment.sealed {
        add(sealed, of: segment)
      } else {
        addSlots(of: segment)
      }
    }
  }

  // MARK: Chunks

  private mutating func addSlots(of segment: SegmentReader) {
    var slot = 0
    var offset = SegmentFormat.headerSize
    let end = min(segment.file.count, SegmentFormat.fileSize(chunks: Int(segment.slots.limit)))
    while offset < end {
      let header = segment.slots.validHeader(of: slot)
      let span = Int(header?.span ?? 1)
      let room = offset..<min(offset + span * SegmentFormat.chunkSize, end)
      if let header {
        addChunk(header, in: segment, size: room.count)
      } else if !segment.mayBeClaimed(slot) || segment.slotBytes(slot).allSatisfy({ $0 == 0 }) {
        unused += room.count
      } else {
        damaged += room.count
      }
      slot += span
      offset = room.upperBound
    }
    damaged = damaged.addingClamped(max(0, segment.size - max(end, SegmentFormat.headerSize)))
  }

  private mutating func addChunk(_ header: ChunkHeader, in segment: SegmentReader, size: Int) {
    let window = segment.slots.chunk(Int(header.index), span: Int(header.span))
    let framing = min(ChunkHeader.size, size) + max(0, size - window.bytes.count)
    headers += framing
    let rest = size - framing
    if header.kind == .rings { return addPages(header, of: segment, size: rest) }
    withExtendedLifetime(window) { addRecords(of: header, window.bytes, size: rest, isAppended: segment.isAppended) }
  }

  private mutating func addPages(_ header: ChunkHeader, of segment: SegmentReader, size: Int) {
    var rest = size
    for number in 1...RingFormat.pages {
      switch RingSnapshot.header(
        number, ofChunk: Int(header.index), in: segment.file, nonce: header.nonce, everything: true)
      {
      case .empty: continue
      case .damaged: damaged += RingFormat.pageSize
      case .header(let found):
        guard let page = RingSnapshot.take(found, in: segment.file) else { continue }
        headers += RingFormat.records
        withExtendedLifetime(page) {
          addRecords(of: page.header, page.bytes, size: RingFormat.pageSize - RingFormat.records, isAppended: false)
        }
      }
      rest -= RingFormat.pageSize
    }
    unused += rest
  }

  private mutating func addRecords(
    of header: ChunkHeader, _ bytes: UnsafeRawBufferPointer, size: Int, isAppended: Bool
  ) {
    var rest = size
    var walker = RecordWalker(chunk: bytes, header: header, isAppended: isAppended)
    walk: while true {
      let before = walker.offset
      switch walker.next(isFinal: true) {
      case .record(let record):
        add(record, bytes: walker.offset - before)
        rest -= walker.offset - before
      case .damage(let range, _, _):
        damaged += range.count
        rest -= range.count
      case .endOfChunk, .notYet: break walk
      }
    }
    unused += rest
  }

  // MARK: Blocks

  private mutating func add(_ sealed: SealedBlocks, of segment: SegmentReader) {
    var rest = max(0, segment.size - SegmentFormat.headerSize)
    for entry in sealed.entries {
      let extent = min(entry.block.extent, rest)
      rest -= extent
      guard extent == entry.block.extent, entry.block.form != .unreadable,
        let block = DecodedBlock(entry.block, at: entry.offset, in: segment.file)
      else {
        damaged += extent
        continue
      }
      headers += extent - Int(entry.block.storedSize)
      withExtendedLifetime(block) {
        addStored(entry.block, records: records(of: entry.block, block, isAppended: segment.isAppended))
      }
    }
    let lost = min(rest, sealed.damage.reduce(0) { $0 + $1.count })
    // Bytes after the maximum segment size are not read.
    let excess = max(0, rest - segment.file.count)
    damaged = damaged.addingClamped(lost.addingClamped(min(excess, rest - lost)))
    // Everything else is the index and the trailer.
    headers += rest - lost - min(excess, rest - lost)
  }

  private func records(
    of header: BlockHeader, _ block: DecodedBlock, isAppended: Bool
  ) -> [RecordWalker.Record] {
    if var columns = block.walker(of: header) { return columns.rest() }
    var records: [RecordWalker.Record] = []
    var walker = RecordWalker(chunk: block.bytes, header: header.chunk, isAppended: isAppended)
    while true {
      switch walker.next(isFinal: true) {
      case .record(let record): records.append(record)
      case .damage: continue
      case .endOfChunk, .notYet: return records
      }
    }
  }

  /// Divides a block's stored bytes among its records, so that each byte is counted exactly once.
  private mutating func addStored(_ block: BlockHeader, records: [RecordWalker.Record]) {
    let stored = Int(block.storedSize)
    let weights = records.map { RecordFormat.payload + $0.payload.count }
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return headers += stored }
    var (passed, given) = (0, 0)
    for (record, weight) in zip(records, weights) {
      passed += weight
      let upTo = stored * passed / sum
      add(record, bytes: upTo - given)
      given = upTo
    }
  }

  private mutating func add(_ record: RecordWalker.Record, bytes: Int) {
    switch record.kind {
    case RecordFormat.stringDefined: strings.add(bytes)
    case RecordFormat.taskDefined: tasks.add(bytes)
    case RecordFormat.layoutDefined: layouts.add(bytes)
    case RecordFormat.firstInternalKind...: headers += bytes
    default: events[record.kind, default: Share()].add(bytes)
    }
  }
}

extension StorageAccount.Share {
  fileprivate mutating func add(_ bytes: Int) {
    count += 1
    self.bytes += bytes
  }
}
