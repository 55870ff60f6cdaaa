import LogTestSupport
import Testing

@testable import XferLogStore

/// Tests of grouped columns: what is restored from them, and that forged lengths are rejected.
struct KindGroupsTests {
  /// Returns the columns of a block with random kinds, lengths, times and payloads.
  private static func block(using random: inout SeededRandom) -> [UInt8] {
    var encoder = ColumnEncoder()
    let kinds = (0..<Int.random(in: 1...6, using: &random)).map { _ in UInt16.random(in: 0..<0xFFF0, using: &random) }
    for _ in 0..<Int.random(in: 0...200, using: &random) {
      let words = Int.random(in: 0...(Bool.random(using: &random) ? 3 : 30), using: &random)
      let payload = (0..<4 * words).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      payload.withUnsafeBytes {
        encoder.append(
          kind: kinds.randomElement(using: &random)!, time: Int64.random(in: 0..<1 << 40, using: &random), payload: $0)
      }
    }
    return encoder.finish()
  }

  @Test func `A block is restored from its grouped columns`() throws {
    for seed in seeds(100, campaign: 10_000) {
      var random = SeededRandom(seed: seed)
      let block = Self.block(using: &random)
      let parts = try #require(ColumnParts(block))
      var restored = block
      for place in parts.lengths.lowerBound..<parts.lengths.upperBound { restored[place] = 0xEE }
      for place in parts.payloads { restored[place] = 0xEE }
      var (writer, reader) = block.withUnsafeBytes { (KindGroups($0, parts), KindGroups($0, parts)) }
      let columns = try #require(block.withUnsafeBytes { writer.columns(of: $0) })
      #expect(columns.count == reader.size, "seed \(seed)")
      let fits = columns.withUnsafeBytes { columns in restored.withUnsafeMutableBytes { reader.restore(columns, into: $0) } }
      #expect(fits && restored == block, "seed \(seed)")
    }
  }

  @Test func `The payloads of a single kind are those of its records, in their order`() throws {
    for seed in seeds(100, campaign: 10_000) {
      var random = SeededRandom(seed: seed)
      let block = Self.block(using: &random)
      let parts = try #require(ColumnParts(block))
      var expected: [Int: [[UInt8]]] = [:]
      block.withUnsafeBytes { bytes in
        var walker = ColumnWalker(bytes, firstSequence: 0) ?? ColumnWalker()
        while case .record(let record) = walker.next() { expected[Int(record.kind), default: []].append(Array(record.payload)) }
      }
      var writer = block.withUnsafeBytes { KindGroups($0, parts) }
      let columns = try #require(block.withUnsafeBytes { writer.columns(of: $0) })
      var room = [UInt8](repeating: 0, count: max(1, parts.payloads.count))
      let kinds = expected.keys.sorted()
      var counts = [Int](repeating: 0, count: (kinds.last ?? 0) + 1)
      for (kind, payloads) in expected { counts[kind] = payloads.count }
      var reader = KindGroups(kinds, counts, parts)
      var found: [Int: [[UInt8]]] = [:]
      columns.withUnsafeBytes { columns in
        room.withUnsafeMutableBytes { room in
          guard reader.measure(columns) else { return }
          for (group, kind) in kinds.enumerated() {
            reader.forEachPayload(ofGroup: group, in: columns, room) { found[kind, default: []].append(Array($0)) }
          }
        }
      }
      #expect(found == expected, "seed \(seed)")
    }
  }

  @Test func `Lengths that do not fill the payloads are rejected`() throws {
    var rejected = 0
    for seed in seeds(200, campaign: 10_000) {
      var random = SeededRandom(seed: seed)
      var block = Self.block(using: &random)
      let parts = try #require(ColumnParts(block))
      var groups = block.withUnsafeBytes { KindGroups($0, parts) }
      var columns = try #require(block.withUnsafeBytes { groups.columns(of: $0) })
      guard parts.lengths.count > 0 else { continue }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        columns[Int.random(in: 0..<parts.lengths.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      var reader = block.withUnsafeBytes { KindGroups($0, parts) }
      let fits = columns.withUnsafeBytes { columns in block.withUnsafeMutableBytes { reader.restore(columns, into: $0) } }
      // Two changes can cancel each other out, so a forged block may still be readable.
      rejected += fits ? 0 : 1
      var short = block.withUnsafeBytes { KindGroups($0, parts) }
      columns.removeLast()
      #expect(
        !columns.withUnsafeBytes { columns in block.withUnsafeMutableBytes { short.restore(columns, into: $0) } }, "seed \(seed)")
    }
    #expect(rejected > 150, "\(rejected)")
  }
}
