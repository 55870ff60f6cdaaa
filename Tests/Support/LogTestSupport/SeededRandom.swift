/// Random numbers that a seed repeats (SplitMix64, Steele, Lea and Flood 2014).
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

  /// Letters of several scripts, of one to four bytes each.
  package mutating func text(characters count: Int) -> String {
    let alphabet: [Character] = ["a", "Z", "7", "/", " ", "é", "ß", "م", "ر", "ح", "日", "本", "語", "😀", "\u{0}", "\n"]
    return String((0..<count).map { _ in alphabet.randomElement(using: &self)! })
  }

  package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) } }
}
