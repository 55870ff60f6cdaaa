import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct GeneratedBytesTests {
  private let period = 1_048_573

  /// A second implementation of the documented definition, one byte at a time.
  private func defined(_ seed: UInt64, _ index: Int) -> UInt8 {
    func mix(_ state: UInt64) -> UInt64 {
      var z = state &+ 0x9E37_79B9_7F4A_7C15
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
    let phase = index % period
    if phase < 16 {
      let word = phase < 8 ? mix(seed) : mix(seed &+ 1 &+ UInt64(index / period))
      return UInt8(truncatingIfNeeded: word >> UInt64(phase % 8 * 8))
    }
    let place = (phase + Int(mix(seed) % UInt64(period))) % period
    return UInt8(truncatingIfNeeded: mix(UInt64(place / 8) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(place % 8 * 8))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Every byte equals the documented definition`(seed: UInt64) {
    let bytes = ScriptBody.bytes(seed: seed, size: 3 * period)
    for index in [0, 1, 7, 8, 15, 16, 17, period - 1, period, period + 8, period + 16, 2 * period + 8, 3 * period - 1] {
      #expect(bytes[index] == defined(seed, index))
    }
    for index in stride(from: 0, to: bytes.count, by: 99_991) { #expect(bytes[index] == defined(seed, index)) }
  }

  @Test func `The first bytes of seed 0 never change`() {
    #expect(
      ScriptBody.bytes(seed: 0, size: 20) == [
        175, 205, 29, 123, 57, 168, 32, 226, 193, 92, 2, 137, 236, 45, 10, 145, 31, 197, 167, 194,
      ])
  }

  @Test func `A part of the body has the same bytes as the whole body`() {
    let whole = GeneratedBytes(seed: 11, count: 2 * period + 100)
    let bytes = whole.bytes(in: 0..<whole.count)
    for range in [0..<0, 0..<1, 5..<12, 14..<18, 65_536..<65_540, (period - 3)..<(period + 20), (2 * period)..<whole.count] {
      #expect(whole.bytes(in: range) == Array(bytes[range]))
    }
  }

  @Test(arguments: [0, 1, 15, 16, 4097, 1_048_572, 1_048_573, 1_500_000])
  func `The offset of the first differing byte is found`(index: Int) {
    let body = GeneratedBytes(seed: 2, count: 1_500_001)
    var bytes = body.bytes(in: 0..<body.count)
    #expect(body.firstDifference(from: bytes) == nil)
    bytes[index] ^= 0x80
    #expect(body.firstDifference(from: bytes) == index)
    #expect(body.firstDifference(from: Array(bytes[index...]), at: index) == index)
    #expect(body.firstDifference(from: Array(bytes[..<index])) == nil)
  }

  @Test func `Bytes beyond the end, from another offset or of another seed are reported as different`() {
    let body = GeneratedBytes(seed: 2, count: 3 * period)
    #expect(body.firstDifference(from: body.bytes(in: 0..<body.count) + [0]) == body.count)
    for shift in [1, 4096, 16_384, 65_536, period, 2 * period] {
      #expect(body.firstDifference(from: body.bytes(in: shift..<(shift + 65_536))) != nil)
    }
    #expect(body.firstDifference(from: ScriptBody.bytes(seed: 3, size: 16)) != nil)
  }
}
