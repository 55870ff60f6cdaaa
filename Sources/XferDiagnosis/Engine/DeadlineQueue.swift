/// Questions to be asked again when a process's log covers a moment of its monotonic clock.
struct DeadlineQueue<Question: Sendable>: Sendable {
  private var heap: [(at: Int64, order: Int, question: Question)] = []
  private var added = 0
  /// The moment of the earliest question; it is looked at with every event.
  private(set) var earliest = Int64.max
  /// At how many questions it is worth while to look for those that have been answered.
  private var crowd = 1024

  mutating func add(_ question: Question, at moment: Int64) {
    heap.append((moment, added, question))
    added += 1
    var place = heap.count - 1
    while place > 0, isBefore(place, (place - 1) / 2) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
    earliest = heap[0].at
  }

  var isCrowded: Bool { heap.count >= crowd }

  /// Forgets the questions that need not be asked again, so that it grows with what is open and not with what was.
  mutating func keep(_ isOpen: (Question) -> Bool) {
    // What is in order is a heap.
    heap = heap.filter { isOpen($0.question) }.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
    crowd = max(1024, 2 * heap.count)
    earliest = heap.first?.at ?? .max
  }

  /// The earliest question whose moment has come.
  mutating func take(upTo moment: Int64) -> Question? {
    guard let first = heap.first, first.at <= moment else { return nil }
    defer { earliest = heap.first?.at ?? .max }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      var place = 0
      while true {
        let left = 2 * place + 1
        guard left < heap.count else { break }
        let right = left + 1
        let child = right < heap.count && isBefore(right, left) ? right : left
        guard isBefore(child, place) else { break }
        heap.swapAt(place, child)
        place = child
      }
    }
    return first.question
  }

  /// Equal moments in the order in which they were asked for, so that nothing depends on chance.
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (heap[left].at, heap[left].order) < (heap[right].at, heap[right].order)
  }
}
