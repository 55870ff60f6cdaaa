/// The form of times that nearly all records have.
extension AppleTime {
  /// The number of bytes of `yyyy-MM-dd HH:mm:ss.SSSSSS±HHmm`.
  static let usualCount = 31

  /// Reads `yyyy-MM-dd HH:mm:ss.SSSSSS±HHmm` at the beginning of a text; `nil` if the text begins in another way. Other forms are left to
  /// `ByteScanner`.
  @inline(__always)
  init?(usual text: UnsafeRawBufferPointer) {
    guard text.count >= Self.usualCount, let base = text.baseAddress else { return nil }
    if text.count > Self.usualCount, text[Self.usualCount].isDigit { return nil }
    // Two overlapping halves, of which each digit is replaced with 0.
    let first = base.loadUnaligned(as: SIMD16<UInt8>.self)
    var second = base.loadUnaligned(fromByteOffset: 15, as: SIMD16<UInt8>.self)
    let isWest = second[11] == 0x2D
    if isWest { second[11] = 0x2B }
    let date = SIMD16<UInt8>(
      0x30, 0x30, 0x30, 0x30, 0x2D, 0x30, 0x30, 0x2D, 0x30, 0x30, 0x20, 0x30, 0x30, 0x3A, 0x30, 0x30)
    let rest = SIMD16<UInt8>(
      0x30, 0x3A, 0x30, 0x30, 0x2E, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x2B, 0x30, 0x30, 0x30, 0x30)
    guard first.replacing(with: 0x30, where: (first &- 0x30) .< 10) == date,
      second.replacing(with: 0x30, where: (second &- 0x30) .< 10) == rest
    else { return nil }
    func pair(_ place: Int) -> Int { Int(text[place] &- 0x30) * 10 + Int(text[place + 1] &- 0x30) }
    let (year, month, day) = (pair(0) * 100 + pair(2), pair(5), pair(8))
    let (hour, minute, second1) = (pair(11), pair(14), pair(17))
    let (hours, minutes) = (pair(27), pair(29))
    guard year >= 1970, month >= 1, month <= 12, day >= 1, day <= 31, hour < 24, minute < 60, second1 < 61, hours <= 14,
      minutes < 60
    else { return nil }
    let microseconds = pair(20) * 10_000 + pair(22) * 100 + pair(24)
    self.init()
    (self.year, self.month, self.day) = (year, month, day)
    ofDay = Int64(hour * 3600 + minute * 60 + second1) * 1_000_000_000 + Int64(microseconds) * 1000
    offset = (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
