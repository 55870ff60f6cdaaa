/// A first-in, first-out queue that reuses its memory.
package struct Ring<Element>: Sendable where Element: Sendable {
  private var elements: [Element?] = []
  private var first = 0
  package private(set) var count = 0

  package init() {}

  package mutating func append(_ element: Element) {
    if count == elements.count { grow() }
    elements[(first + count) & (elements.count - 1)] = element
    count += 1
  }

  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = elements[first].take()
    first = (first + 1) & (elements.count - 1)
    count -= 1
    return element
  }

  /// Doubles the capacity, which is a power of two, and moves the oldest element to the front.
  private mutating func grow() {
    let ordered = elements[first...] + elements[..<first]
    elements = Array(ordered) + [Element?](repeating: nil, count: max(16, elements.count))
    first = 0
  }
}
