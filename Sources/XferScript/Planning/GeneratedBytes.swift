internal import NIOCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A deterministic body, defined by a seed and a size, whose bytes can be computed at any offset.
///
/// Let P = 1,048,573, and let T be the first P bytes of SplitMix64 started at 0, with each output in little-endian order.
/// Byte `i` is `T[(i + r) mod P]` with `r = mix(seed) mod P`, where `mix` returns the first SplitMix64 output for a state.
/// The first 16 bytes of each block of P bytes are replaced by `mix(seed)` and `mix(seed + 1 + i / P)`, both little-endian.
/// This layout reveals bytes that were misplaced, duplicated, left out or taken from another seed, and lets the server send
/// slices of one shared table without copying.
package struct GeneratedBytes: Sendable, Equatable {
  package let seed: UInt64
  package let count: Int

  package init(seed: UInt64, count: Int) {
    self.seed = seed
    self.count = count
  }

  package func bytes(in range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    forEachRun(in: range) { run in run.withUnsafeReadableBytes { bytes.append(contentsOf: $0) } }
    return bytes
  }

  /// Returns the offset of the first byte that differs from the expected body, or `nil` when all bytes match.
  ///
  /// - Parameters:
  ///   - part: The received bytes. A part that extends beyond the end of the body differs at the body's end.
  ///   - offset: The offset of the part's first byte in the whole body.
  package func firstDifference(from part: [UInt8], at offset: Int = 0) -> Int? {
    part.withUnsafeBytes { firstDifference(from: $0, at: offset) }
  }

  package func firstDifference(from part: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    var position = offset
    var difference: Int?
    forEachRun(in: offset..<min(count, offset + part.count)) { run in
      defer { position += run.readableBytes }
      guard difference == nil else { return }
      run.withUnsafeReadableBytes { expected in
        let actual = UnsafeRawBufferPointer(rebasing: part[(position - offset)...].prefix(expected.count))
        guard memcmp(expected.baseAddress!, actual.baseAddress!, expected.count) != 0 else { return }
        difference = expected.indices.first { expected[$0] != actual[$0] }.map { position + $0 }
      }
    }
    return difference ?? (offset + part.count > count ? count : nil)
  }

  /// Calls `body` with consecutive non-empty slices of the range. The slices share the table's memory.
  func forEachRun(in range: Range<Int>, _ body: (ByteBuffer) -> Void) {
    let rotation = Int(Self.mix(seed) % UInt64(Self.period))
    var position = range.lowerBound
    while position < range.upperBound {
      let (index, phase) = position.quotientAndRemainder(dividingBy: Self.period)
      let left = min(range.upperBound - position, Self.period - phase)
      let run: ByteBuffer
      if phase < 16 {
        let stamp = stamp(index)
        run = stamp.getSlice(at: phase, length: min(left, 16 - phase))!
      } else {
        let start = (phase + rotation) % Self.period
        run = Self.table.getSlice(at: start, length: min(left, Self.period - start))!
      }
      body(run)
      position += run.readableBytes
    }
  }

  private func stamp(_ index: Int) -> ByteBuffer {
    var stamp = ByteBuffer()
    stamp.writeInteger(Self.mix(seed), endianness: .little)
    stamp.writeInteger(Self.mix(seed &+ 1 &+ UInt64(index)), endianness: .little)
    return stamp
  }

  /// The length of the repeated table, in bytes. The length is prime, so that no common block size divides it evenly.
  static let period = 1_048_573

  private static let table: ByteBuffer = {
    var table = ByteBuffer()
    table.writeWithUnsafeMutableBytes(minimumWritableBytes: period + 8) { bytes in
      for word in 0...(period / 8) {
        let value = mix(UInt64(word) &* 0x9E37_79B9_7F4A_7C15).littleEndian
        bytes.storeBytes(of: value, toByteOffset: word * 8, as: UInt64.self)
      }
      return period
    }
    return table
  }()

  /// Returns the SplitMix64 output for a state.
  private static func mix(_ state: UInt64) -> UInt64 {
    var z = state &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
