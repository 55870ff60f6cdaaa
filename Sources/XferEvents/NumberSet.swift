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

  @inlinable
  package func isSuperset(of other: NumberSet) -> Bool {
    first & other.first == other.first && second & other.second == other.second && third & other.third == other.third
      && fourth & other.fourth == other.fourth
  }

  @inlinable @inline(__always)
  package func isEmpty() -> Bool { first | second | third | fourth == 0 }

  @inlinable
  package func union(_ other: NumberSet) -> NumberSet {
    var union = self
    union.first |= other.first
    union.second |= other.second
    union.third |= other.third
    union.fourth |= other.fourth
    return union
  }

  @inlinable
  package func intersection(_ other: NumberSet) -> NumberSet {
    var common = self
    common.first &= other.first
    common.second &= other.second
    common.third &= other.third
    common.fourth &= other.fourth
    return common
  }

  @inlinable
  package func subtracting(_ other: NumberSet) -> NumberSet {
    var rest = self
    rest.first &= ~other.first
    rest.second &= ~other.second
    rest.third &= ~other.third
    rest.fourth &= ~other.fourth
    return rest
  }

  /// Takes the smallest out.
  @inlinable
  package mutating func popFirst() -> Int? {
    func pop(_ word: inout UInt64, _ base: Int) -> Int {
      defer { word &= word &- 1 }
      return base + word.trailingZeroBitCount
    }
    if first != 0 { return pop(&first, 0) }
    if second != 0 { return pop(&second, 64) }
    if third != 0 { return pop(&third, 128) }
    return fourth != 0 ? pop(&fourth, 192) : nil
  }

  @inlinable package mutating func insert(_ number: Int) { change(number) { $0 |= $1 } }
  @inlinable package mutating func remove(_ number: Int) { change(number) { $0 &= ~$1 } }

  @inlinable @inline(__always)
  mutating func change(_ number: Int, _ apply: (inout UInt64, UInt64) -> Void) {
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
