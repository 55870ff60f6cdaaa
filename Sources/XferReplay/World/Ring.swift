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
    // Not `+` of two slices: it is generic, and for its first use the runtime searches the conformances of all types.
    var larger: [Element?] = []
    larger.reserveCapacity(max(16, 2 * elements.count))
    for place in elements.indices { larger.append(elements[(first + place) & (elements.count - 1)]) }
    while larger.count < max(16, 2 * elements.count) { larger.append(nil) }
    (elements, first) = (larger, 0)
  }
}
