/// SipHash-2-4 (Aumasson and Bernstein, 2012): a 64-bit hash that cannot be computed without the key.
///
/// Equal values have equal hashes under one key, so that masked values can still be joined. Hashes under different keys are
/// unrelated.
package struct KeyedHash: Sendable {
  package struct Key: Sendable, Equatable {
    package let first: UInt64
    package let second: UInt64

    package init(first: UInt64, second: UInt64) {
      self.first = first
      self.second = second
    }
  }

  package static func hash(_ bytes: UnsafeRawBufferPointer, key: Key) -> UInt64 {
    var state = State(key)
    var offset = 0
    while offset + 8 <= bytes.count {
      state.absorb(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) << 56
    var shift: UInt64 = 0
    while offset < bytes.count {
      last |= UInt64(bytes[offset]) << shift
      shift += 8
      offset += 1
    }
    state.absorb(last)
    return state.finish()
  }

  private struct State {
    var v0, v1, v2, v3: UInt64

    init(_ key: Key) {
      v0 = key.first ^ 0x736f_6d65_7073_6575
      v1 = key.second ^ 0x646f_7261_6e64_6f6d
      v2 = key.first ^ 0x6c79_6765_6e65_7261
      v3 = key.second ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    mutating func absorb(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    @inline(__always)
    mutating func finish() -> UInt64 {
      v2 ^= 0xff
      for _ in 0..<4 { round() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    @inline(__always)
    private mutating func round() {
      v0 &+= v1
      v1 = rotate(v1, 13) ^ v0
      v0 = rotate(v0, 32)
      v2 &+= v3
      v3 = rotate(v3, 16) ^ v2
      v0 &+= v3
      v3 = rotate(v3, 21) ^ v0
      v2 &+= v1
      v1 = rotate(v1, 17) ^ v2
      v2 = rotate(v2, 32)
    }

    @inline(__always)
    private func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
  }
}
