/// A reproducible random number generator (SplitMix64, Steele, Lea and Flood 2014).
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }

  /// Returns a random text in several scripts, whose characters take one to four bytes each.
  package mutating func text(characters count: Int) -> String {
    let alphabet: [Character] = ["a", "Z", "7", "/", " ", "é", "ß", "م", "ر", "ح", "日", "本", "語", "😀", "\u{0}", "\n"]
    return String((0..<count).map { _ in alphabet.randomElement(using: &self)! })
  }

  package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) } }

  /// Returns true with a probability of one in the given number.
  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &self) == 0 }

  private static let edges: [UInt64] = [
    0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0xFF_FFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
    1 << 47, 1 << 62, 1 << 62 - 1, .max >> 1, 1 << 63, 1 << 63 + 1, .max - 1, .max,
  ]

  /// Returns an extreme value, a small number or any number.
  mutating func edgyWord() -> UInt64 {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: next()
    case 1: UInt64.random(in: 0...1000, using: &self)
    default: Self.edges.randomElement(using: &self)!
    }
  }
}
