/// A queue. The elements are stored in one array, whose used beginning is removed from time to time.
struct FirstInFirstOut<Element> {
  private var elements: [Element?] = []
  private var start = 0

  var count: Int { elements.count - start }
  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : elements[start] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = elements[start].take()
    start += 1
    if start >= 1024, start * 2 >= elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return first
  }
}
