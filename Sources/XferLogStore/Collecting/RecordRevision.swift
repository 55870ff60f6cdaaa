import XferEvents

/// The changes that a copy of a segment makes to its records: private values are masked, and unselected events are left out.
///
/// Positions of events that are left out stay missing, so that a reader of the copy sees a gap.
final class RecordRevision {
  private let mask: ValueMask?
  private let selection: [UInt32: EventRanges]?
  private let note: ((RecordedEvent) -> Void)?
  private var payloads: [UnsafeMutableRawBufferPointer] = []
  /// The number of events that the copy has.
  private(set) var kept = 0
  /// The number of records that were left out because they cannot be decoded, so that their private values are unknown.
  private(set) var undecodable = 0

  /// - Parameters:
  ///   - mask: Masks private values. `nil` keeps them.
  ///   - selection: The selected positions of each lane. `nil` selects all.
  ///   - note: Called with each event of the copy before its values are masked.
  init(mask: ValueMask?, selection: [UInt32: EventRanges]?, note: ((RecordedEvent) -> Void)?) {
    (self.mask, self.selection, self.note) = (mask, selection, note)
  }

  deinit { for payload in payloads { payload.deallocate() } }

  /// Whether a lane has a selected position in a range.
  func selects(_ lane: UInt32, _ sequences: some Sequence<UInt64>) -> Bool {
    guard let selection else { return true }
    return selection[lane].map { ranges in sequences.contains { ranges.contains($0) } } ?? false
  }

  /// Returns the records of the copy. Their payloads stay valid as long as the revision.
  ///
  /// - Parameter isWhole: Whether all events are kept if one of them is selected.
  func revised(
    _ records: [RecordWalker.Record], lane: UInt32, page: RecordPage, isWhole: Bool = false
  ) -> [RecordWalker.Record] {
    records.compactMap { record in
      if record.kind >= RecordFormat.firstInternalKind { return record }
      if !isWhole, !selects(lane, CollectionOfOne(record.sequence)) { return nil }
      guard let table = page.source.table(record.kind),
        let event = RecordedEvent(
          page: page, table: table, lane: lane, sequence: record.sequence, thread: 0,
          clocks: .init(monotonic: 0, boottime: 0, wall: 0), payload: record.payload)
      else {
        // Without a mask, nothing in the record has to be recognised.
        if mask == nil { return record }
        undecodable += 1
        return nil
      }
      kept += 1
      note?(event)
      guard let mask else { return record }
      let payload = event.payload(masking: mask)
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: payload.count, alignment: 8)
      room.copyBytes(from: payload)
      payloads.append(room)
      return RecordWalker.Record(
        kind: record.kind, time: record.time, sequence: record.sequence, payload: UnsafeRawBufferPointer(room))
    }
  }
}

/// Positions of selected events in one lane, as ranges.
package struct EventRanges: Sendable {
  private var ranges: [Range<UInt64>] = []

  package init() {}

  /// Adds a position. Positions are usually added in ascending order.
  package mutating func add(_ position: UInt64) {
    // No lane has so many events.
    if position == .max { return }
    if let last = ranges.last, last.upperBound == position {
      ranges[ranges.count - 1] = last.lowerBound..<position &+ 1
      return
    }
    let place = index(of: position)
    if place < ranges.count, ranges[place].contains(position) { return }
    ranges.insert(position..<position &+ 1, at: place)
  }

  package func contains(_ position: UInt64) -> Bool {
    let place = index(of: position)
    return place < ranges.count && ranges[place].contains(position)
  }

  /// Returns the index of the first range that ends behind a position.
  private func index(of position: UInt64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound > position { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
