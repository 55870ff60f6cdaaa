/// A hash of texts for tables that one run keeps in memory. It takes a fraction of the time of `Hasher`, but texts can be chosen to have
/// the same hash.
package struct WordHash: Sendable {
  package private(set) var value: UInt64 = 0x9e37_79b9_7f4a_7c15

  package init() {}

  package mutating func combine(_ word: UInt64) {
    // The two halves of a product depend on all bits of both factors.
    let product = (value ^ word).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
    value = product.high ^ product.low
  }

  package mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var place = 0
      while place + 8 <= bytes.count {
        combine(UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place += 8
      }
      var last = UInt64(truncatingIfNeeded: bytes.count)
      while place < bytes.count {
        last = last << 8 | UInt64(bytes[place])
        place += 1
      }
      combine(last)
    }
  }

  package mutating func combine(_ text: RecordedText) {
    switch text {
    case .plain(let text), .cut(let text, _): combine(text)
    case .hashed(let hash): combine(hash)
    case .redacted: combine(0)
    }
  }
}
