import LogTestSupport

/// Random damage as disks, memory and copying cause it: several kinds at once, chosen by a seed.
struct SegmentDamage {
  private var random: SeededRandom
  private static let page = 4096

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Damages the bytes.
  ///
  /// - Returns: A short description of the damage.
  mutating func apply(to bytes: inout [UInt8]) -> String {
    let kinds = 1...Int.random(in: 1...3, using: &random)
    return kinds.map { _ in
      switch Int.random(in: 0..<5, using: &random) {
      case 0: flip(&bytes)
      case 1: zero(&bytes)
      case 2: move(&bytes, isSwap: true)
      case 3: move(&bytes, isSwap: false)
      default: append(&bytes)
      }
    }.joined(separator: ", ")
  }

  private mutating func flip(_ bytes: inout [UInt8]) -> String {
    let count = Int.random(in: 2...64, using: &random)
    for _ in 0..<count {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    return "\(count) flips"
  }

  private mutating func zero(_ bytes: inout [UInt8]) -> String {
    let pages = (0..<Int.random(in: 1...3, using: &random)).map { _ in page(of: bytes) }
    for page in pages { bytes.replaceSubrange(page, with: repeatElement(0, count: page.count)) }
    return "\(pages.count) zeroed pages"
  }

  private mutating func move(_ bytes: inout [UInt8], isSwap: Bool) -> String {
    let (from, to) = (page(of: bytes), page(of: bytes))
    let (moved, covered) = (Array(bytes[from]), Array(bytes[to]))
    bytes.replaceSubrange(to, with: moved)
    if isSwap { bytes.replaceSubrange(from, with: covered) }
    return isSwap ? "pages swapped" : "a page duplicated"
  }

  private mutating func append(_ bytes: inout [UInt8]) -> String {
    let count = Int.random(in: 1...70_000, using: &random)
    bytes += random.bytes(count)
    return "\(count) bytes of garbage"
  }

  private mutating func page(of bytes: [UInt8]) -> Range<Int> {
    let start = Int.random(in: 0..<bytes.count / Self.page, using: &random) * Self.page
    return start..<start + Self.page
  }
}
