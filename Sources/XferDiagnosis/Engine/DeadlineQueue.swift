/// Questions to be asked again when a process's log covers a moment of its monotonic clock.
struct DeadlineQueue: Sendable {
  private var heap: [(at: Int64, order: Int, question: Diagnosis.Question)] = []
  private var added = 0

  mutating func add(_ question: Diagnosis.Question, at moment: Int64) {
    heap.append((moment, added, question))
    added += 1
    var place = heap.count - 1
    while place > 0, isBefore(place, (place - 1) / 2) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// The earliest question whose moment has come.
  @inline(__always)
  mutating func take(upTo moment: Int64) -> Diagnosis.Question? {
    guard let first = heap.first, first.at <= moment else { return nil }
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
