/// When something has to be looked at next: a heap of promises that are checked only when they fall due.
///
/// A deadline that moves later costs nothing: it is found to have moved when its old time comes.
struct Deadlines<Item: Hashable> {
  private var heap: [(time: Int64, item: Item)] = []

  /// Nanoseconds; `nil` when nothing is due ever.
  var next: Int64? { heap.first?.time }

  mutating func add(_ item: Item, at time: Int64) {
    heap.append((time, item))
    var child = heap.count - 1
    while child > 0, heap[child].time < heap[(child - 1) / 2].time {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes one that is due.
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

  /// Forgets what is no longer there, once that is most of the heap: limits are long and tasks are short.
  mutating func prune(live: Int, isLive: (Item) -> Bool) {
    guard heap.count > 1024, heap.count > 4 * live else { return }
    heap.removeAll { !isLive($0.item) }
    for start in heap.indices.reversed() where 2 * start + 1 < heap.count { sink(start) }
  }
}
