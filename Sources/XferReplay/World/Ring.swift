/// A first-in, first-out queue that reuses its memory.
///
/// The functions can be inlined in other modules, because a call of generic code for each event would first look for the type's metadata.
@usableFromInline package struct Ring<Element>: Sendable where Element: Sendable {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var first = 0
  @usableFromInline package internal(set) var count = 0

  @inlinable package init() {}

  @inlinable package mutating func append(_ element: Element) {
    if count == elements.count { grow() }
    elements[(first + count) & (elements.count - 1)] = element
    count += 1
  }

  @inlinable package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = elements[first].take()
    first = (first + 1) & (elements.count - 1)
    count -= 1
    return element
  }

  /// Doubles the capacity, which is a power of two, and moves the oldest element to the front.
  @inlinable mutating func grow() {
    // Not `+` of two slices: it is generic, and for its first use the runtime searches the conformances of all types.
    var larger: [Element?] = []
    larger.reserveCapacity(max(16, 2 * elements.count))
    for place in elements.indices { larger.append(elements[(first + place) & (elements.count - 1)]) }
    while larger.count < max(16, 2 * elements.count) { larger.append(nil) }
    (elements, first) = (larger, 0)
  }
}
