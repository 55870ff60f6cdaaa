/// The format of a message argument, as the four bytes that a record stores.
package struct ArgumentStyle: Hashable, Sendable {
  /// The notation of a value. The raw values are stored; a reader treats an unknown one as `plain`.
  package enum Notation: UInt8, Sendable {
    case plain, decimal, hexadecimal, octal, byteCount, fixed, exponential, hybrid, truth, answer
  }

  package let bits: UInt32

  package init(bits: UInt32) { self.bits = bits }

  package static let plain = ArgumentStyle(bits: 0)

  private static let sign: UInt32 = 1 << 16
  private static let upper: UInt32 = 1 << 17
  private static let prefix: UInt32 = 1 << 18
  private static let left: UInt32 = 1 << 31

  /// - Parameter digits: 0 to 254. For an integer, the minimum number of digits; for a floating-point number, the exact number
  ///   of digits after the point.
  package init(
    _ notation: Notation, digits: Int? = nil, sign: Bool = false, uppercase: Bool = false, prefix: Bool = false
  ) {
    var bits = UInt32(notation.rawValue)
    // The number of digits is stored plus one, because 0 means that none is given.
    if let digits { bits |= UInt32(min(max(digits, 0), 254) + 1) << 8 }
    if sign { bits |= Self.sign }
    if uppercase { bits |= Self.upper }
    if prefix { bits |= Self.prefix }
    self.bits = bits
  }

  /// - Parameter alignment: a negative number of columns aligns to the left.
  package func aligned(_ alignment: LogAlignment) -> ArgumentStyle {
    if alignment.columns == 0 { return self }
    let columns = UInt32(min(alignment.columns.magnitude, 127)) << 24
    return ArgumentStyle(bits: bits | columns | (alignment.columns < 0 ? Self.left : 0))
  }

  package var notation: Notation { Notation(rawValue: UInt8(truncatingIfNeeded: bits)) ?? .plain }

  package var digits: Int? {
    let stored = Int(bits >> 8 & 0xFF)
    return stored == 0 ? nil : stored - 1
  }

  package var hasSign: Bool { bits & Self.sign != 0 }
  package var isUppercase: Bool { bits & Self.upper != 0 }
  package var hasPrefix: Bool { bits & Self.prefix != 0 }
  package var columns: Int { Int(bits >> 24 & 0x7F) }
  package var isLeft: Bool { bits & Self.left != 0 }
}
