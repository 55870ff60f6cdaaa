import XferEvents

/// Scans blocks of one sealed segment: hands their events to a receiver, as far as it needs them.
final class SegmentScan {
  private let segment: SegmentReader
  private let source: RecordSource
  private let receiver: any ScanReceiver
  /// The parts that the receiver needs of each kind's events; `nil` for kinds that have no layout.
  private let parts: [ScannedParts?]
  /// Whether the receiver needs times or fields of each kind's events.
  private let isRead: [Bool]
  /// Whether the receiver needs fields of each kind's events.
  private let hasFields: [Bool]
  /// The number of events in the current block, by kind.
  private var counts: [Int]
  /// The kinds of the events in the current block, in ascending order. Only this class uses them, so accesses need not be checked.
  @exclusivity(unchecked) private var kinds: [Int] = []
  private let partial = PartialBlock()
  /// The payload of an event without fields.
  private let nothing = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)

  init(_ segment: SegmentReader, _ receiver: any ScanReceiver) {
    self.segment = segment
    self.receiver = receiver
    let source = segment.source
    self.source = source
    segment.refreshDictionary()
    nothing.initializeMemory(as: UInt8.self, repeating: 0)
    receiver.begin(source)
    parts = (0..<source.layoutCount).map { source.definedTable($0).map(receiver.parts) }
    isRead = parts.map { $0.map { !$0.isSubset(of: .kind) } ?? false }
    hasFields = parts.map { $0?.contains(.fields) ?? false }
    counts = [Int](repeating: 0, count: parts.count)
  }

  deinit { nothing.deallocate() }

  func scan(_ entry: SealIndex.Entry) -> ScanJob.Outcome {
    guard let stored = entry.block.stored(at: entry.offset, in: segment.file) else { return .unread }
    if partial.open(entry.block, stored), let outcome = scanColumns(of: entry.block) { return outcome }
    guard let decoded = DecodedBlock(entry.block, stored) else { return .unread }
    return withExtendedLifetime(decoded) { scanRecords(decoded, entry.block) }
  }

  /// Scans a plain block.
  ///
  /// - Returns: `nil` if the columns cannot be read, so that the whole block must be.
  private func scanColumns(of block: BlockHeader) -> ScanJob.Outcome? {
    guard let kinds = ColumnWalker(partial.bytes, firstSequence: block.chunk.firstSequence, decoded: .kind),
      kinds.count == Int(block.positions), let needed = parts(of: kinds)
    else { return nil }
    if needed == .fields, scanGroups(of: block) { return .partly }
    guard
      partial.decode(needed), let columns = ColumnWalker(partial.bytes, firstSequence: block.chunk.firstSequence, decoded: needed)
    else { return nil }
    handOut(columns, needed, block, bytes: nil)
    return needed == .whole ? .whole : .partly
  }

  /// Scans a grouped block if the receiver needs only kinds and fields.
  ///
  /// - Returns: `false` if the block is not grouped or its columns cannot be read.
  private func scanGroups(of block: BlockHeader) -> Bool {
    let page = RecordPage(source: source)
    defer { withExtendedLifetime(page) {} }
    let origin = origin(of: block, page)
    let isDecoded = partial.decodePayloads(kinds, counts, where: isRead) { kind, payload in
      if let event = view(UInt16(truncatingIfNeeded: kind), origin, payload: payload) { receiver.take(event, count: 1) }
    }
    if isDecoded { handOutCounts(origin) }
    return isDecoded
  }

  private func scanRecords(_ decoded: DecodedBlock, _ block: BlockHeader) -> ScanJob.Outcome {
    guard let columns = ColumnWalker(decoded.bytes, firstSequence: block.chunk.firstSequence),
      columns.count == Int(block.positions), let needed = parts(of: columns), isDecodable(columns, block)
    else { return .unread }
    handOut(columns, needed, block, bytes: decoded)
    return .whole
  }

  /// Counts a block's events by kind, and returns the parts that the receiver needs of them; `nil` if the block has a record that is not an
  /// event with a known layout.
  private func parts(of columns: ColumnWalker) -> ScannedParts? {
    guard counts.withUnsafeMutableBufferPointer({ columns.countKinds($0) }) else { return nil }
    kinds.removeAll(keepingCapacity: true)
    var needed: UInt8 = 0
    for (kind, count) in counts.enumerated() where count > 0 {
      guard let parts = parts[kind] else { return nil }
      needed |= parts.rawValue
      kinds.append(kind)
    }
    return ScannedParts(rawValue: needed)
  }

  /// Whether all records have the times and fields that they claim to have.
  private func isDecodable(_ columns: ColumnWalker, _ block: BlockHeader) -> Bool {
    let page = RecordPage(source: source)
    defer { withExtendedLifetime(page) {} }
    let origin = origin(of: block, page)
    var walker = columns
    var count = 0
    while case .record(let record) = walker.next() {
      if view(record.kind, origin, payload: record.payload) == nil { return false }
      count += 1
    }
    return count == columns.count
  }

  private func view(
    _ kind: UInt16, _ origin: UnsafePointer<EventOrigin>, position: UInt64 = 0, time: Int64 = 0, payload: UnsafeRawBufferPointer
  ) -> EventView? {
    guard let table = source.definedTable(Int(kind)), let shape = source.shape(table, number: kind, of: payload) else {
      return nil
    }
    return EventView(origin, shape: shape, position: position, time: time, payload: payload)
  }

  private func origin(of block: BlockHeader, _ page: RecordPage) -> UnsafePointer<EventOrigin> {
    let clocks = block.chunk.clocks
    return page.origin(
      lane: block.chunk.lane, thread: block.chunk.thread,
      clocks: .init(monotonic: clocks.monotonic, boottime: clocks.boottime, wall: clocks.wall))
  }

  /// - Parameter bytes: The object that keeps the records' memory; `nil` if the scan itself does.
  private func handOut(_ columns: ColumnWalker, _ needed: ScannedParts, _ block: BlockHeader, bytes: AnyObject?) {
    let page = RecordPage(source: source, bytes: bytes)
    defer { withExtendedLifetime(page) {} }
    let origin = origin(of: block, page)
    handOutCounts(origin)
    if needed.isSubset(of: .kind) { return }
    var walker = columns
    while case .record(let record) = walker.next() {
      let kind = Int(record.kind)
      guard isRead[kind] else { continue }
      let payload = hasFields[kind] ? record.payload : UnsafeRawBufferPointer(nothing)
      if let event = view(record.kind, origin, position: record.sequence, time: record.time, payload: payload) {
        receiver.take(event, count: 1)
      }
    }
  }

  /// Hands out one event with the count of its kind, for each kind whose times and fields the receiver does not need.
  private func handOutCounts(_ origin: UnsafePointer<EventOrigin>) {
    var ignored = 0
    for kind in kinds where !isRead[kind] {
      guard parts[kind] == .kind else {
        ignored += counts[kind]
        continue
      }
      if let event = view(UInt16(truncatingIfNeeded: kind), origin, payload: UnsafeRawBufferPointer(nothing)) {
        receiver.take(event, count: counts[kind])
      }
    }
    if ignored > 0 { receiver.ignore(ignored) }
  }
}
