/// Numbers below 256 as bits: events, fields. Membership costs one load, where a `Set` would hash.
package struct NumberSet: Hashable, Sendable {
  // Four fields: an array would be a reference, and a vector's elements cannot be had by number without a detour.
  @usableFromInline var first: UInt64 = 0
  @usableFromInline var second: UInt64 = 0
  @usableFromInline var third: UInt64 = 0
  @usableFromInline var fourth: UInt64 = 0

  @inlinable package init() {}

  package init(_ numbers: some Sequence<Int>) { for number in numbers { insert(number) } }

  /// Numbers outside are in no set.
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
