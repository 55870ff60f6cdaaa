/// A priority queue of deadlines at which rules are asked again. A question is due when the log of one process has reached the
/// question's moment on that process's monotonic clock.
struct DeadlineQueue<Question: Sendable>: Sendable {
  private var heap: [(at: Int64, order: Int, question: Question)] = []
  private var added = 0
  /// The moment of the earliest question; `Int64.max` if the queue is empty. Stored because it is read with every event.
  private(set) var earliest = Int64.max
  /// The queue length at which removing answered questions is worth its cost.
  private var pruningThreshold = 1024

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

  /// Whether the queue is long enough to remove answered questions from it.
  var isCrowded: Bool { heap.count >= pruningThreshold }

  /// Removes the questions that are no longer open, so that the queue's size follows the number of open questions.
  mutating func keep(_ isOpen: (Question) -> Bool) {
    // A sorted array is a valid heap.
    heap = heap.filter { isOpen($0.question) }.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
    pruningThreshold = max(1024, 2 * heap.count)
    earliest = heap.first?.at ?? .max
  }

  /// Removes and returns the earliest question that is due at a moment; `nil` if none is.
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

  /// Orders equal moments by insertion, which keeps the result deterministic.
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (heap[left].at, heap[left].order) < (heap[right].at, heap[right].order)
  }
}
