/// The segments of a writer that may hold what is not on the disk, oldest first.
struct WrittenSegments {
  private var entries: [Entry] = []

  private struct Entry {
    let number: UInt32
    weak var segment: SegmentWriter?
    /// Until it is synchronised and cut; see `SegmentWriter.finish`.
    var held: SegmentWriter?
    /// Whether the directory's own entry is on the disk.
    var isListed = false
    /// Whether the system would not say that it is on the disk.
    var hasFailed = false
  }

  /// - Parameter isHeld: whether the segment is kept until it has been synchronised.
  mutating func add(_ segment: SegmentWriter, isHeld: Bool) {
    entries.append(Entry(number: segment.header.number, segment: segment, held: isHeld ? segment : nil))
  }

  /// Those that some lane may still write into.
  var live: [SegmentWriter] { entries.compactMap(\.segment) }

  /// One to synchronise.
  struct Item {
    let number: UInt32
    /// `nil` when no lane can write there any more: its file has all there is.
    let segment: SegmentWriter?
    let isListed: Bool
    /// Whether its end was stored before this look.
    let isFinished: Bool
  }

  var items: [Item] {
    entries.filter { !$0.hasFailed }.map { entry in
      let segment = entry.segment
      return Item(
        number: entry.number, segment: segment, isListed: entry.isListed, isFinished: segment?.isFinished ?? true)
    }
  }

  /// What was synchronised needs to be so again only if somebody may have written there since.
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

  /// It will not be tried again, also when no lane can write there any more.
  mutating func note(failed number: UInt32) {
    guard let place = entries.firstIndex(where: { $0.number == number }) else { return }
    entries[place].hasFailed = true
    entries[place].held = nil
    entries.removeAll { $0.hasFailed && $0.segment == nil }
  }
}
