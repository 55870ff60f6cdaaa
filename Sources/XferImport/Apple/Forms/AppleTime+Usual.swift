import CXferPlatform

/// The form of times that nearly all records have.
extension AppleTime {
  /// The number of bytes of `yyyy-MM-dd HH:mm:ss.SSSSSS±HHmm`.
  static let usualCount = 31

  /// Reads `yyyy-MM-dd HH:mm:ss.SSSSSS±HHmm` at the beginning of a text; `nil` if the text begins in another way. Other forms are left to
  /// `ByteScanner`.
  @inline(__always)
  init?(usual text: UnsafeRawBufferPointer) {
    guard Self.isUsual(text), let base = text.baseAddress else { return nil }
    func pair(_ place: Int) -> Int { Self.pair(base, place) }
    self.init()
    (year, month, day) = (pair(0) * 100 + pair(2), pair(5), pair(8))
    let microseconds = pair(20) * 10_000 + pair(22) * 100 + pair(24)
    ofDay = Int64(pair(11) * 3600 + pair(14) * 60 + pair(17)) * 1_000_000_000 + Int64(microseconds) * 1000
    offset = (text[26] == 0x2D ? -1 : 1) * (pair(27) * 3600 + pair(29) * 60)
  }

  /// Whether `init(usual:)` can read a text.
  @inline(__always)
  static func isUsual(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= usualCount, let base = text.baseAddress, xp_has_log_time(base) else { return false }
    // A digit that follows belongs to the offset, which then is in another form.
    if text.count > usualCount, text[usualCount].isDigit { return false }
    // The digits of years compare like numbers whose first byte is the most significant one. The first year is 1970.
    return UInt32(bigEndian: base.loadUnaligned(as: UInt32.self)) >= 0x3139_3730
  }

  @inline(__always)
  private static func pair(_ base: UnsafeRawPointer, _ place: Int) -> Int {
    Int(base.load(fromByteOffset: place, as: UInt8.self) &- 0x30) * 10
      + Int(base.load(fromByteOffset: place + 1, as: UInt8.self) &- 0x30)
  }
}
