/// A set of rules, by their indexes in the catalogue.
///
/// A bit set, because the set of rules to ask is computed for every event, and is nearly always empty.
struct RulePlaces: Hashable, Sendable {
  private var words = SIMD4<UInt64>()

  /// The greatest number of rules.
  static let capacity = 256

  init() {}

  init(_ rules: some Sequence<Int>) { for rule in rules { insert(rule) } }

  @inline(__always)
  var isEmpty: Bool { words == .zero }

  @inline(__always)
  func contains(_ rule: Int) -> Bool { words[rule >> 6] & Self.bit(rule) != 0 }

  @inline(__always)
  func isSuperset(of other: RulePlaces) -> Bool { other.subtracting(self).isEmpty }

  @inline(__always)
  func union(_ other: RulePlaces) -> RulePlaces { RulePlaces(words: words | other.words) }

  @inline(__always)
  func intersection(_ other: RulePlaces) -> RulePlaces { RulePlaces(words: words & other.words) }

  @inline(__always)
  func subtracting(_ other: RulePlaces) -> RulePlaces { RulePlaces(words: words & ~other.words) }

  @inline(__always)
  mutating func insert(_ rule: Int) { words[rule >> 6] |= Self.bit(rule) }

  @inline(__always)
  mutating func remove(_ rule: Int) { words[rule >> 6] &= ~Self.bit(rule) }

  /// Removes and returns the smallest index; `nil` if the set is empty.
  @inline(__always)
  mutating func popFirst() -> Int? {
    for word in 0..<4 where words[word] != 0 {
      defer { words[word] &= words[word] &- 1 }
      return word << 6 + words[word].trailingZeroBitCount
    }
    return nil
  }

  private init(words: SIMD4<UInt64>) { self.words = words }

  private static func bit(_ rule: Int) -> UInt64 { 1 << UInt64(rule & 63) }
}
