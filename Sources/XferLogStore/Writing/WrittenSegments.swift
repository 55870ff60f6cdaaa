/// The segments of a writer that may contain unsynced data, oldest first.
struct WrittenSegments {
  private var entries: [Entry] = []

  private struct Entry {
    let number: UInt32
    weak var segment: SegmentWriter?
    /// A strong reference to a segment that must stay in memory until it has been synced and truncated; otherwise `nil`. See
    /// `SegmentWriter.finish`.
    var held: SegmentWriter?
    /// Whether the file's directory entry is on disk.
    var isListed = false
    /// Whether syncing the segment has failed.
    var hasFailed = false
  }

  /// - Parameter isHeld: Whether to retain the segment until it has been synced.
  mutating func add(_ segment: SegmentWriter, isHeld: Bool) {
    entries.append(Entry(number: segment.header.number, segment: segment, held: isHeld ? segment : nil))
  }

  /// The segments that a lane may still write to.
  var live: [SegmentWriter] { entries.compactMap(\.segment) }

  /// A segment to sync.
  struct Item {
    let number: UInt32
    /// The segment's writer; `nil` if no lane can write to the segment any more, so that its file is complete.
    let segment: SegmentWriter?
    let isListed: Bool
    /// Whether the segment's end had been recorded when this item was made.
    let isFinished: Bool
  }

  var items: [Item] {
    entries.filter { !$0.hasFailed }.map { entry in
      let segment = entry.segment
      return Item(
        number: entry.number, segment: segment, isListed: entry.isListed, isFinished: segment?.isFinished ?? true)
    }
  }

  /// Updates the list after segments were synced. A segment that no lane can write to any more is removed from the list.
  mutating func note(synchronised items: [Item]) {
    for item in items {
      guard let place = entries.firstIndex(where: { $0.number == item.number }) else { continue }
      if item.segment == nil {
        entries.remove(at: place)
      } else {
        entries[place].isListed = true
        if item.isFinished { entries[place].held = nil }
      }
    }
  }

  /// Marks a segment as failed, so that it is not synced again.
  mutating func note(failed number: UInt32) {
    guard let place = entries.firstIndex(where: { $0.number == number }) else { return }
    entries[place].hasFailed = true
    entries[place].held = nil
    entries.removeAll { $0.hasFailed && $0.segment == nil }
  }
}
