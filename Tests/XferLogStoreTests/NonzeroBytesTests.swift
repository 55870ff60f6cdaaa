import LogTestSupport
import Testing

@testable import XferLogStore

/// Tests the search for bytes that are not zero.
struct NonzeroBytesTests {
  @Test(arguments: seeds(200, campaign: 20_000))
  func `The first and the last byte that is not zero are found in any bytes`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var bytes = [UInt8](repeating: 0, count: Int.random(in: 0...1200, using: &random))
    for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: .min ... .max, using: &random)
    }
    let start = Int.random(in: 0...bytes.count, using: &random)
    let (first, last) = (bytes.firstIndex { $0 != 0 }, bytes.lastIndex { $0 != 0 })
    bytes.withUnsafeBytes { found in
      #expect(found.firstNonzero() == first)
      #expect(found.lastNonzero() == last)
      #expect(found.firstNonzero(from: start) == bytes[start...].firstIndex { $0 != 0 })
      #expect(found.nonzeroRange == first.flatMap { first in last.map { first..<$0 + 1 } })
    }
  }
}
