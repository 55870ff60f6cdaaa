#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Searches for bytes that are not zero. Segments are created with their final size, so most of a young segment is zero.
extension UnsafeRawBufferPointer {
  /// The range from the first byte that is not zero to the last one; `nil` if all bytes are zero.
  var nonzeroRange: Range<Int>? {
    guard let first = firstNonzero(), let last = lastNonzero() else { return nil }
    return first..<last + 1
  }

  /// Returns the offset of the first byte that is not zero, from an offset on; `nil` if there is none.
  func firstNonzero(from start: Int = 0) -> Int? {
    var start = start
    while start < count, isZero(start..<Swift.min(start + Self.blockSize, count)) { start += Self.blockSize }
    while start < count, self[start] == 0 { start += 1 }
    return start < count ? start : nil
  }

  /// Returns the offset of the last byte that is not zero; `nil` if there is none.
  func lastNonzero() -> Int? {
    var end = count
    while end > 0, isZero(Swift.max(0, end - Self.blockSize)..<end) { end -= Self.blockSize }
    while end > 0, self[end - 1] == 0 { end -= 1 }
    return end > 0 ? end - 1 : nil
  }

  /// Returns the offset of the next unit to examine after the unit at an offset, whose first word is zero: units that are all zero are
  /// skipped. `nil` if all bytes from the offset on are zero.
  func nextUsedUnit(after offset: Int, size: Int) -> Int? {
    firstNonzero(from: offset).map { offset + Swift.max(size, ($0 - offset) / size * size) }
  }

  private static var blockSize: Int { 256 }

  /// Whether the bytes of a range, which is not empty, are all zero: the first byte is zero, and each one equals the one before it.
  private func isZero(_ range: Range<Int>) -> Bool {
    guard let start = baseAddress.map({ $0 + range.lowerBound }) else { return true }
    return self[range.lowerBound] == 0 && memcmp(start, start + 1, range.count - 1) == 0
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Whether two buffers of the same size have the same bytes.
  func hasSameBytes(as other: UnsafeMutableRawBufferPointer) -> Bool {
    guard let base = baseAddress, let otherBase = other.baseAddress, count == other.count else { return count == other.count }
    return memcmp(base, otherBase, count) == 0
  }
}
