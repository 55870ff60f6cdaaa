import CXferPlatform

/// Writes little-endian values one after another into a fixed buffer.
struct FixedWriter {
  private let bytes: UnsafeMutableRawBufferPointer
  private(set) var offset = 0

  init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

  mutating func put<Value: FixedWidthInteger>(_ value: Value) {
    bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
    offset += MemoryLayout<Value>.size
  }

  /// Writes a 16-bit length followed by the UTF-8 bytes.
  mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      put(UInt16(utf8.count))
      UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).copyMemory(from: .init(utf8))
      offset += utf8.count
    }
  }
}

/// Reads little-endian values one after another. A read past the end returns zero and sets `failed`.
struct FixedReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private(set) var failed = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all bytes have been read.
  var isAtEnd: Bool { offset == bytes.count }

  mutating func take<Value: FixedWidthInteger>(_: Value.Type) -> Value {
    guard offset + MemoryLayout<Value>.size <= bytes.count else {
      failed = true
      return 0
    }
    defer { offset += MemoryLayout<Value>.size }
    return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  mutating func take(count: Int) -> UnsafeRawBufferPointer? {
    guard !failed, count >= 0, count <= bytes.count - offset else {
      failed = true
      return nil
    }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  mutating func takeString() -> String? {
    let count = Int(take(UInt16.self))
    return take(count: count).map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func takeVarint() -> UInt64 {
    // Most numbers are the difference from the previous one and take one byte.
    if !failed, offset < bytes.count, bytes[offset] < 0x80 {
      defer { offset += 1 }
      return UInt64(bytes[offset])
    }
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while shift < 64, !failed {
      let byte = take(UInt8.self)
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    failed = true
    return 0
  }

  /// Reads a count and that many ascending numbers, each stored as its difference from the previous one.
  mutating func takeAscending() -> [UInt32]? {
    var last: UInt64 = 0
    // Each number takes at least one byte, so a larger count is damage and must not reserve memory.
    guard let count = Int(exactly: takeVarint()), count <= bytes.count - offset else { return nil }
    let numbers = [UInt32](unsafeUninitializedCapacity: count) { room, filled in
      while filled < count {
        last &+= takeVarint()
        guard !failed, last >> 32 == 0 else { return }
        room.initializeElement(at: filled, to: UInt32(truncatingIfNeeded: last))
        filled += 1
      }
    }
    return failed || numbers.count < count ? nil : numbers
  }

  /// Skips numbers that `takeAscending` would return.
  ///
  /// - Returns: `false` if `takeAscending` would return `nil`.
  mutating func skipAscending() -> Bool {
    var last: UInt64 = 0
    guard let count = Int(exactly: takeVarint()), count <= bytes.count - offset else { return false }
    for _ in 0..<count {
      last &+= takeVarint()
      guard !failed, last >> 32 == 0 else { return false }
    }
    return !failed
  }
}

enum Checksum {
  static func crc32c(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
    xp_crc32c(seed, bytes.baseAddress, bytes.count)
  }

  /// Returns the 32-bit seed that the checksums of a segment have in common: the XOR of the nonce's two halves.
  static func folded(_ nonce: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: nonce ^ nonce >> 32) }
}
