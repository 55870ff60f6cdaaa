#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A reader of one piece of text, from left to right, as bytes.
///
/// Each `take` function moves behind what it accepts, or leaves the scanner where it was.
package struct ByteScanner {
  package let bytes: UnsafeRawBufferPointer
  package private(set) var place = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var isAtEnd: Bool { place >= bytes.count }
  package var rest: UnsafeRawBufferPointer { bytes.slice(place, bytes.count) }
  /// The next byte; `nil` at the end.
  package var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  package mutating func move(to place: Int) { self.place = min(max(0, place), bytes.count) }

  package mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    place += 1
    return true
  }

  @inline(__always)
  package mutating func take(_ literal: StaticString) -> Bool {
    guard bytes.hasLiteral(literal, at: place) else { return false }
    place += literal.utf8CodeUnitCount
    return true
  }

  /// Moves behind spaces and tabs.
  ///
  /// - Returns: the number of bytes passed.
  @discardableResult
  package mutating func takeSpaces() -> Int {
    let start = place
    while let byte = peek, byte == 0x20 || byte == 0x09 { place += 1 }
    return place - start
  }

  /// Takes a decimal number with a number of digits in the range.
  package mutating func takeNumber(digits: ClosedRange<Int>) -> Int? {
    var (end, value) = (place, 0)
    while end < bytes.count, end - place < digits.upperBound, bytes[end].isDigit {
      value = value * 10 + Int(bytes[end] - 0x30)
      end += 1
    }
    guard digits.contains(end - place), end >= bytes.count || !bytes[end].isDigit || end - place == digits.upperBound else {
      return nil
    }
    place = end
    return value
  }

  /// Takes a decimal number that fits in 64 bits, with an optional minus sign.
  package mutating func takeInteger() -> Int64? {
    let start = place
    let isNegative = take(0x2D)
    var (value, digits): (Int64, Int) = (0, 0)
    while let byte = peek, byte.isDigit {
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = product.addingReportingOverflow(Int64(byte - 0x30))
      if isTooLarge || overflows { break }
      (value, digits) = (sum, digits + 1)
      place += 1
    }
    guard digits > 0, !(peek?.isDigit ?? false) else {
      place = start
      return nil
    }
    return isNegative ? -value : value
  }

  /// Takes a negative integer that was printed as an unsigned one, with or without commas, such as `18,446,744,073,709,550,607` for -1009.
  package mutating func takeWrappedInteger() -> Int64? {
    let start = place
    var (value, digits): (UInt64, Int) = (0, 0)
    while let byte = peek, byte.isDigit || byte == 0x2C, digits <= 20 {
      place += 1
      if byte == 0x2C { continue }
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = product.addingReportingOverflow(UInt64(byte - 0x30))
      guard !isTooLarge, !overflows else { break }
      (value, digits) = (sum, digits + 1)
    }
    guard digits == 20, value > UInt64(Int64.max) else {
      place = start
      return nil
    }
    return Int64(bitPattern: value)
  }

  /// Takes hexadecimal digits, at most 16.
  package mutating func takeHexadecimal() -> UInt64? {
    var (end, value): (Int, UInt64) = (place, 0)
    while end < bytes.count, end - place < 16, let digit = bytes[end].hexadecimalValue {
      value = value << 4 | UInt64(digit)
      end += 1
    }
    guard end > place else { return nil }
    place = end
    return value
  }

  /// Takes a UUID of the form 8-4-4-4-12.
  package mutating func takeUUID() -> (high: UInt64, low: UInt64)? {
    guard place + 36 <= bytes.count, bytes[place + 8] == 0x2D, bytes[place + 13] == 0x2D, bytes[place + 18] == 0x2D,
      bytes[place + 23] == 0x2D
    else { return nil }
    func four(_ offset: Int) -> UInt64 {
      UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt32.self)))
    }
    func eight(_ offset: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt64.self))
    }
    guard let first = Self.hexadecimal(eight(0)), let second = Self.hexadecimal(four(9) << 32 | four(14)),
      let third = Self.hexadecimal(four(19) << 32 | four(24)), let fourth = Self.hexadecimal(eight(28))
    else { return nil }
    place += 36
    return (first << 32 | second, third << 32 | fourth)
  }

  /// Returns the number that eight hexadecimal digits represent; `nil` if a byte is none. All digits are converted at once.
  ///
  /// - Parameter text: the digits, the first one in the highest byte.
  @inline(__always)
  private static func hexadecimal(_ text: UInt64) -> UInt64? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Letters have the bit 0x40. Capital letters become small ones.
    let letters = text >> 6 & ones
    let small = text | letters << 5
    let low = small & (ones &* 0x0F)
    // The upper half of a byte must be 3 for a digit and 6 for a letter. No sum below exceeds its byte.
    var wrong = small & (ones &* 0xF0) ^ (ones &+ letters) &* 0x30
    // The lower half must be at most 9 for a digit, and 1 to 6 for a letter.
    wrong |= (low &+ (ones &* 6) &+ letters &* 3) & (ones &* 0x10)
    wrong |= ~(low &+ (ones &* 0x0F)) & letters << 4
    guard wrong == 0 else { return nil }
    var digits = low &+ letters &* 9
    digits = (digits | digits >> 4) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits >> 8) & 0x0000_FFFF_0000_FFFF
    return (digits | digits >> 16) & 0xFFFF_FFFF
  }

  /// Takes the bytes before the next occurrence of a byte, and that byte.
  package mutating func take(until end: UInt8) -> UnsafeRawBufferPointer? {
    guard let found = bytes.first(end, from: place) else { return nil }
    defer { place = found + 1 }
    return bytes.slice(place, found)
  }

  /// Takes the bytes before the next space, tab or end. `nil` if there are none.
  package mutating func takeWord() -> UnsafeRawBufferPointer? {
    var end = place
    while end < bytes.count, bytes[end] != 0x20, bytes[end] != 0x09 { end += 1 }
    guard end > place else { return nil }
    defer { place = end }
    return bytes.slice(place, end)
  }
}

extension UInt8 {
  package var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  package var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the bytes from `start` up to `end`, as far as they exist.
  package func slice(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    let end = Swift.min(Swift.max(0, end), count)
    let start = Swift.min(Swift.max(0, start), end)
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }

  /// Returns the index of a byte at or after `start`.
  package func first(_ byte: UInt8, from start: Int) -> Int? {
    let place = Swift.max(0, start)
    guard let base = baseAddress, place < count else { return nil }
    return memchr(base + place, Int32(byte), count - place).map { base.distance(to: UnsafeRawPointer($0)) }
  }

  // A comparison with a text of a known length needs no call if it is inlined.
  @inline(__always)
  package func hasLiteral(_ literal: StaticString, at place: Int) -> Bool {
    let size = literal.utf8CodeUnitCount
    guard place >= 0, place + size <= count else { return false }
    guard let base = baseAddress else { return size == 0 }
    return memcmp(base + place, literal.utf8Start, size) == 0
  }

  /// Returns the index of the first occurrence of a text at or after `start`.
  package func first(_ literal: StaticString, from start: Int = 0) -> Int? {
    let size = literal.utf8CodeUnitCount
    return first(UnsafeRawBufferPointer(start: literal.utf8Start, count: size), from: start)
  }

  /// Returns the index of the first occurrence of a text at or after `start`; `nil` for an empty text.
  package func first(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = baseAddress, let wanted = text.baseAddress, let byte = text.first else { return nil }
    var place = Swift.max(0, start)
    while place + text.count <= count {
      guard let found = memchr(base + place, Int32(byte), count - text.count - place + 1) else { return nil }
      if memcmp(found, wanted, text.count) == 0 { return base.distance(to: UnsafeRawPointer(found)) }
      place = base.distance(to: UnsafeRawPointer(found)) + 1
    }
    return nil
  }

  /// Whether a text is at a place.
  func has(_ text: [UInt8], at place: Int) -> Bool {
    guard place >= 0, place + text.count <= count else { return false }
    return text.withUnsafeBytes { text in
      guard let base = baseAddress, let start = text.baseAddress else { return true }
      return memcmp(base + place, start, text.count) == 0
    }
  }

  /// Returns the index of the first occurrence of a text at or after `start`; `start` for an empty text.
  func first(_ text: [UInt8], from start: Int) -> Int? {
    if text.isEmpty { return start }
    return text.withUnsafeBytes { first($0, from: start) }
  }

  @inline(__always)
  package func hasPrefix(_ literal: StaticString) -> Bool { hasLiteral(literal, at: 0) }

  /// Whether another text has the same bytes.
  @inline(__always)
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let base = baseAddress, let start = other.baseAddress else { return true }
    return memcmp(base, start, count) == 0
  }

  /// A copy of the bytes, which the caller must deallocate.
  var copied: UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    copy.copyMemory(from: self)
    return UnsafeRawBufferPointer(copy)
  }

  /// Whether all bytes are ASCII.
  var isASCII: Bool {
    var (place, bits) = (0, 0 as UInt64)
    while place + 8 <= count {
      bits |= loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < count {
      bits |= UInt64(self[place])
      place += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// The bytes without spaces and tabs at both ends.
  package var trimmed: UnsafeRawBufferPointer {
    var (start, end) = (0, count)
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    return slice(start, end)
  }

  /// Returns the bytes without one kind of byte at both ends.
  package func trimmed(of byte: UInt8) -> UnsafeRawBufferPointer {
    var (start, end) = (0, count)
    while start < end, self[start] == byte { start += 1 }
    while end > start, self[end - 1] == byte { end -= 1 }
    return slice(start, end)
  }

  package var isBlank: Bool { trimmed.isEmpty }

  @inline(__always)
  package func equals(_ literal: StaticString) -> Bool { count == literal.utf8CodeUnitCount && hasLiteral(literal, at: 0) }

  /// The text. Bytes that are not UTF-8 become replacement characters.
  package var text: String { String(decoding: self, as: UTF8.self) }
}
