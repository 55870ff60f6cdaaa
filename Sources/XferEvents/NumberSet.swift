/// A set of numbers below 256, stored as bits. A membership test costs one load, where `Set` would hash the number.
package struct NumberSet: Hashable, Sendable {
  // Four properties, because an `Array` would be a reference, and the elements of a SIMD vector cannot be accessed directly by a
  // variable index.
  @usableFromInline var first: UInt64 = 0
  @usableFromInline var second: UInt64 = 0
  @usableFromInline var third: UInt64 = 0
  @usableFromInline var fourth: UInt64 = 0

  @inlinable package init() {}

  package init(_ numbers: some Sequence<Int>) { for number in numbers { insert(number) } }

  /// Returns false for numbers outside the range.
  @inlinable @inline(__always)
  package func contains(_ number: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(number & 63)
    return switch number >> 6 {
    case 0: first & bit != 0
    case 1: second & bit != 0
    case 2: third & bit != 0
    case 3: fourth & bit != 0
    default: false
    }
  }

  @inlinable
  package mutating func insert(_ number: Int) {
    let bit: UInt64 = 1 << UInt64(number & 63)
    switch number >> 6 {
    case 0: first |= bit
    case 1: second |= bit
    case 2: third |= bit
    case 3: fourth |= bit
    default: preconditionFailure("\(number) is not below 256")
    }
  }
}
