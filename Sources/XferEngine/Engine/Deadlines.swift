/// A min-heap of times at which items have to be checked.
///
/// A deadline that moves later needs no update: the caller notices at the old time and adds the item again.
struct Deadlines<Item: Hashable> {
  private var heap: [(time: Int64, item: Item)] = []

  /// The earliest time, in nanoseconds. `nil` when the heap is empty.
  var next: Int64? { heap.first?.time }

  mutating func add(_ item: Item, at time: Int64) {
    heap.append((time, item))
    var child = heap.count - 1
    while child > 0, heap[child].time < heap[(child - 1) / 2].time {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes and returns an item whose time has passed. `nil` when no item is due.
  mutating func popDue(at now: Int64) -> Item? {
    guard let first = heap.first, first.time <= now else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sink(0)
    return first.item
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].time < heap[least].time {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  /// Removes entries of ended items once they make up most of the heap.
  ///
  /// Without this the heap would grow, because timeouts are long and most tasks are short.
  mutating func prune(live: Int, isLive: (Item) -> Bool) {
    guard heap.count > 1024, heap.count > 4 * live else { return }
    heap.removeAll { !isLive($0.item) }
    for start in heap.indices.reversed() where 2 * start + 1 < heap.count { sink(start) }
  }
}
