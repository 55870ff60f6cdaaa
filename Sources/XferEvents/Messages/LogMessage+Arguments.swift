extension LogMessage.StringInterpolation {
  /// A string; private by default.
  public mutating func appendInterpolation(
    _ text: String, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    var text = text
    text.withUTF8 {
      pieces.append(.init(.text, privacy: privacy, style: ArgumentStyle.plain.aligned(align)), name: "", text: .init($0))
    }
  }

  /// What it says of itself; private by default.
  public mutating func appendInterpolation<Value: CustomStringConvertible>(
    _ value: Value, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    appendInterpolation(value.description, align: align, privacy: privacy)
  }

  /// An error in its own words; private by default.
  public mutating func appendInterpolation(_ error: any Error, align: LogAlignment = .none, privacy: LogPrivacy = .auto) {
    appendInterpolation(String(describing: error), align: align, privacy: privacy)
  }

  /// A type's name; private by default.
  public mutating func appendInterpolation(_ type: Any.Type, align: LogAlignment = .none, privacy: LogPrivacy = .auto) {
    appendInterpolation(String(describing: type), align: align, privacy: privacy)
  }

  /// An integer; public by default.
  // Apart from the one with a format: the compiler would take what describes itself before a default.
  @inlinable
  public mutating func appendInterpolation<Number: FixedWidthInteger>(
    _ number: Number, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    appendInterpolation(number, format: .decimal, align: align, privacy: privacy)
  }

  /// An integer; public by default.
  @inlinable
  public mutating func appendInterpolation<Number: FixedWidthInteger>(
    _ number: Number, format: LogIntegerFormat, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    if let value = UInt64(exactly: number) {
      append(unsigned: value, isSigned: Number.isSigned, format, align, privacy)
    } else if let value = Int64(exactly: number) {
      append(negative: value, width: Number.bitWidth, format, align, privacy)
    } else {
      // More than 64 bits have only their decimal digits; a number's default privacy stays.
      appendInterpolation(String(number), align: align, privacy: privacy == .auto ? .public : privacy)
    }
  }

  @usableFromInline
  mutating func append(
    unsigned value: UInt64, isSigned: Bool, _ format: LogIntegerFormat, _ align: LogAlignment, _ privacy: LogPrivacy
  ) {
    let isSigned = isSigned && value <= Int64.max
    pieces.append(
      .init(isSigned ? .signed : .unsigned, privacy: privacy, style: format.style.short.aligned(align)), word: value)
  }

  @usableFromInline
  mutating func append(
    negative value: Int64, width: Int, _ format: LogIntegerFormat, _ align: LogAlignment, _ privacy: LogPrivacy
  ) {
    switch format.style.notation {
    case .hexadecimal, .octal:
      // As printf shows it: the bits of a number of its own width.
      let bits = width < 64 ? UInt64(bitPattern: value) & (1 << UInt64(width) - 1) : UInt64(bitPattern: value)
      pieces.append(.init(.unsigned, privacy: privacy, style: format.style.aligned(align)), word: bits)
    default:
      pieces.append(
        .init(.signed, privacy: privacy, style: format.style.short.aligned(align)), word: UInt64(bitPattern: value))
    }
  }

  /// A floating-point number; public by default.
  public mutating func appendInterpolation(
    _ number: Double, format: LogFloatFormat = .fixed, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    pieces.append(.init(.double, privacy: privacy, style: format.style.short.aligned(align)), word: number.bitPattern)
  }

  /// A floating-point number; public by default.
  public mutating func appendInterpolation(
    _ number: Float, format: LogFloatFormat = .fixed, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    appendInterpolation(Double(number), format: format, align: align, privacy: privacy)
  }

  /// A boolean; public by default.
  public mutating func appendInterpolation(_ flag: Bool, format: LogBoolFormat = .truth, privacy: LogPrivacy = .auto) {
    pieces.append(.init(.flag, privacy: privacy, style: format.style.short), word: flag ? 1 : 0)
  }

  /// An address, with `0x` in front; public by default.
  public mutating func appendInterpolation(_ pointer: UnsafeRawPointer?, privacy: LogPrivacy = .auto) {
    let address = UInt64(UInt(bitPattern: pointer))
    let style = LogIntegerFormat.hex(includePrefix: true).style
    pieces.append(.init(.unsigned, privacy: privacy, style: style), word: address)
  }
}

extension ArgumentStyle {
  /// Nothing where it says what would be done without it.
  @inline(__always)
  fileprivate var short: ArgumentStyle {
    let defaults = [Notation.decimal, .fixed, .truth]
    return defaults.contains { bits == UInt32($0.rawValue) } ? .plain : self
  }
}
