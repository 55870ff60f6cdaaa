/// Numbers below 256 as bits: events, fields, rules. Membership costs one load, where a `Set` would hash.
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

  package func isSuperset(of other: NumberSet) -> Bool {
    first & other.first == other.first && second & other.second == other.second && third & other.third == other.third
      && fourth & other.fourth == other.fourth
  }

  package func intersects(_ other: NumberSet) -> Bool {
    first & other.first | second & other.second | third & other.third | fourth & other.fourth != 0
  }

  package func union(_ other: NumberSet) -> NumberSet {
    var union = self
    union.first |= other.first
    union.second |= other.second
    union.third |= other.third
    union.fourth |= other.fourth
    return union
  }

  package mutating func insert(_ number: Int) { change(number) { $0 |= $1 } }
  package mutating func remove(_ number: Int) { change(number) { $0 &= ~$1 } }

  private mutating func change(_ number: Int, _ apply: (inout UInt64, UInt64) -> Void) {
    let bit: UInt64 = 1 << UInt64(number & 63)
    switch number >> 6 {
    case 0: apply(&first, bit)
    case 1: apply(&second, bit)
    case 2: apply(&third, bit)
    case 3: apply(&fourth, bit)
    default: preconditionFailure("\(number) is not below 256")
    }
  }
}
