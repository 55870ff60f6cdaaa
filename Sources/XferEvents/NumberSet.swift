/// Numbers below 256 as bits: events, fields, rules. Membership costs one load, where a `Set` would hash.
package struct NumberSet: Hashable, Sendable {
  @usableFromInline var words: SIMD4<UInt64> = .zero

  @inlinable package init() {}

  package init(_ numbers: some Sequence<Int>) { for number in numbers { insert(number) } }

  /// Numbers outside are in no set.
  @inlinable @inline(__always)
  package func contains(_ number: Int) -> Bool {
    number & ~255 == 0 && words[number >> 6] & (1 << UInt64(number & 63)) != 0
  }

  @inlinable package func isSuperset(of other: NumberSet) -> Bool { words & other.words == other.words }

  package mutating func insert(_ number: Int) {
    precondition(0..<256 ~= number, "\(number) is below 256")
    words[number >> 6] |= 1 << UInt64(number & 63)
  }

  package mutating func remove(_ number: Int) {
    if contains(number) { words[number >> 6] &= ~(1 << UInt64(number & 63)) }
  }
}
