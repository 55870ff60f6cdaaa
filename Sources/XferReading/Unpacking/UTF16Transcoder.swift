#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Converts a file from UTF-16 to UTF-8, a piece at a time. PowerShell writes UTF-16 when output is redirected.
struct UTF16Transcoder {
  let source: Int32
  let target: Int32
  var budget: UnpackingBudget

  private static let (little, big): ([UInt8], [UInt8]) = ([0xFF, 0xFE], [0xFE, 0xFF])

  /// Whether a file with these first bytes begins with the byte order mark of UTF-16, and not with that of UTF-32.
  static func recognises(_ head: some Collection<UInt8>) -> Bool {
    head.count >= 4 && (head.starts(with: big) || head.starts(with: little) && !head.starts(with: little + [0, 0]))
  }

  /// - Returns: why the text ends too early; `nil` if it is complete.
  mutating func transcode() throws -> String? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var place = 0
    // The bytes of a character whose end is in the next piece.
    var kept: [UInt8] = []
    var isBig = false
    while true {
      try Interruption.check()
      let got = buffer.withUnsafeMutableBytes { pread(source, $0.baseAddress, $0.count, off_t(place)) }
      if got <= 0 { break }
      var bytes = kept + buffer[..<got]
      if place == 0 {
        isBig = bytes.starts(with: Self.big)
        bytes.removeFirst(min(2, bytes.count))
      }
      place += got
      var units = Self.units(of: bytes, isBig: isBig)
      if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
      kept = Array(bytes[(units.count * 2)...])
      try put(units)
    }
    try put(Self.units(of: kept, isBig: isBig))
    return kept.isEmpty ? nil : "the text ends within a character"
  }

  private static func units(of bytes: [UInt8], isBig: Bool) -> [UInt16] {
    stride(from: 0, to: bytes.count & ~1, by: 2).map { place in
      let (one, other) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBig ? one << 8 | other : other << 8 | one
    }
  }

  private mutating func put(_ units: [UInt16]) throws {
    var text = String(decoding: units, as: UTF16.self)
    try text.withUTF8 { try budget.put(UnsafeRawBufferPointer($0), to: target) }
  }
}
