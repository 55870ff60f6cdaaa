import LogTestSupport

/// A damaged copy of a file, with a record of where the pages of the original are in the copy.
struct DamagedCopy {
  enum Kind: String, CaseIterable, Sendable {
    case flips, zeroedPages, swapped, doubled, garbage, mixture
  }

  static let page = 4096

  private let original: [UInt8]
  private(set) var bytes: [UInt8]
  /// The index of the original page at each page of the copy.
  private var origins: [Int]
  private(set) var trial: String

  init(of original: [UInt8], _ kind: Kind, seed: UInt64) {
    self.original = original
    bytes = original
    origins = Array(0..<original.count / Self.page)
    trial = "\(kind), seed \(seed)"
    var random = SeededRandom(seed: seed &* 8 &+ UInt64(Kind.allCases.firstIndex(of: kind)!))
    if kind == .mixture {
      for kind in [Kind.flips, .zeroedPages, .swapped, .doubled, .garbage] where Bool.random(using: &random) {
        damage(kind, &random)
      }
    } else {
      damage(kind, &random)
    }
  }

  private mutating func damage(_ kind: Kind, _ random: inout SeededRandom) {
    switch kind {
    case .flips:
      for _ in 0..<Int.random(in: 2...64, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    case .zeroedPages:
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let start = Int.random(in: 0..<origins.count, using: &random) * Self.page
        for place in start..<start + Self.page { bytes[place] = 0 }
      }
    case .swapped, .doubled:
      // Move a single page or a whole chunk.
      let count = min(Bool.random(using: &random) ? 1 : 8, origins.count / 2)
      let from = Int.random(in: 0...origins.count - count, using: &random)
      let to = Int.random(in: 0...origins.count - count, using: &random)
      for page in 0..<count { move(from + page, to + page, swaps: kind == .swapped) }
    case .garbage: bytes += random.bytes(Int.random(in: 1...70_000, using: &random))
    case .mixture: break
    }
  }

  private mutating func move(_ from: Int, _ to: Int, swaps: Bool) {
    for place in 0..<Self.page {
      let (one, other) = (from * Self.page + place, to * Self.page + place)
      let moved = bytes[one]
      if swaps { bytes[one] = bytes[other] }
      bytes[other] = moved
    }
    let moved = origins[from]
    if swaps { origins[from] = origins[to] }
    origins[to] = moved
  }

  /// Returns whether a range of the original occurs unchanged anywhere in the copy.
  func has(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty else { return true }
    let pages = range.lowerBound / Self.page...(range.upperBound - 1) / Self.page
    // Bytes after the last complete page are never moved.
    if pages.upperBound >= original.count / Self.page { return isSame(range, at: range.lowerBound) }
    return origins.indices.contains { start in
      guard origins[start] == pages.lowerBound, start + pages.count <= origins.count else { return false }
      for (place, page) in pages.enumerated() where origins[start + place] != page { return false }
      return isSame(range, at: start * Self.page + range.lowerBound % Self.page)
    }
  }

  private func isSame(_ range: Range<Int>, at place: Int) -> Bool {
    place + range.count <= bytes.count && bytes[place..<place + range.count] == original[range]
  }
}
