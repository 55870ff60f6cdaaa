import XferEvents

/// Memory for the entries of a log, in blocks. A block is freed with the last of its entries.
///
/// One thread adds entries. Another one may use the entries that were handed to it, because no function changes the fields that it reads.
final class EntryMemory {
  /// The texts of the entries.
  let texts = ArchiveMemory()
  @exclusivity(unchecked) private var block = Block()

  final class Block {
    private let entries: UnsafeMutablePointer<AppleEntry.Fields>
    @exclusivity(unchecked) private var count = 0

    private static let capacity = 64

    fileprivate init() { entries = .allocate(capacity: Self.capacity) }

    deinit {
      entries.deinitialize(count: count)
      entries.deallocate()
    }

    fileprivate var isFull: Bool { count == Self.capacity }

    fileprivate func add(_ fields: consuming AppleEntry.Fields) -> UnsafeMutablePointer<AppleEntry.Fields> {
      let place = entries + count
      place.initialize(to: fields)
      count += 1
      return place
    }
  }

  /// Returns the place of the fields, and the block that keeps it.
  func add(_ fields: consuming AppleEntry.Fields) -> (UnsafeMutablePointer<AppleEntry.Fields>, Block) {
    if block.isFull { block = Block() }
    return (block.add(fields), block)
  }
}
