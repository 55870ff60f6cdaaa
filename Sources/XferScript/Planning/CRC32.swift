/// A CRC-32 checksum as used by zlib, gzip and PNG (polynomial 0x04C11DB7, reflected), computed eight bytes at a time.
///
/// Public so that tests can compare a request body with what the server received.
package struct CRC32: Sendable {
  package private(set) var value: UInt32 = 0

  package init() {}

  package init(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var crc = ~value
    Self.tables.withUnsafeBufferPointer { tables in
      var index = 0
      while index + 8 <= bytes.count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ UInt64(crc)
        crc =
          tables[1792 + Int(word & 0xFF)] ^ tables[1536 + Int(word >> 8 & 0xFF)] ^ tables[1280 + Int(word >> 16 & 0xFF)]
          ^ tables[1024 + Int(word >> 24 & 0xFF)] ^ tables[768 + Int(word >> 32 & 0xFF)]
          ^ tables[512 + Int(word >> 40 & 0xFF)] ^ tables[256 + Int(word >> 48 & 0xFF)] ^ tables[Int(word >> 56)]
        index += 8
      }
      while index < bytes.count {
        crc = tables[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[index])] ^ crc >> 8
        index += 1
      }
    }
    value = ~crc
  }

  /// Eight lookup tables of 256 entries each. Table `n` gives a byte's contribution when `n` more bytes follow it in the word.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 2048)
    for index in 0..<2048 {
      var crc = index < 256 ? UInt32(index) : tables[index - 256]
      if index < 256 {
        for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
      } else {
        crc = tables[Int(crc & 0xFF)] ^ crc >> 8
      }
      tables[index] = crc
    }
    return tables
  }()
}
