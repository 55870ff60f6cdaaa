import Testing
import XferReplay

@Suite struct RingTests {
  /// The queue grows when its first element is at any place of its memory.
  @Test func `A queue returns its elements in their order, however it grew`() {
    for removed in 0..<40 {
      var ring = Ring<Int>()
      for number in 0..<removed { ring.append(number) }
      for _ in 0..<removed { _ = ring.popFirst() }
      for number in 0..<100 { ring.append(number) }
      #expect(ring.count == 100)
      var elements: [Int] = []
      while let element = ring.popFirst() { elements.append(element) }
      #expect(elements == Array(0..<100) && ring.count == 0)
    }
  }
}
