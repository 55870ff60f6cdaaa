extension LogMessage.StringInterpolation {
  /// Appends a string, which is private by default.
  public mutating func appendInterpolation(
    _ text: String, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    var text = text
    text.withUTF8 {
      pieces.append(.init(.text, privacy: privacy, style: ArgumentStyle.plain.aligned(align)), name: "", text: .init($0))
    }
  }

  /// Appends the description of a value, which is private by default.
  public mutating func appendInterpolation<Value: CustomStringConvertible>(
    _ value: Value, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    appendInterpolation(value.description, align: align, privacy: privacy)
  }

  /// Appends the description of an error, which is private by default.
  public mutating func appendInterpolation(_ error: any Error, align: LogAlignment = .none, privacy: LogPrivacy = .auto) {
    appendInterpolation(String(describing: error), align: align, privacy: privacy)
  }

  /// Appends the name of a type, which is private by default.
  public mutating func appendInterpolation(_ type: Any.Type, align: LogAlignment = .none, privacy: LogPrivacy = .auto) {
    appendInterpolation(String(describing: type), align: align, privacy: privacy)
  }

  /// Appends an integer, which is public by default.
  // This overload has no format, because the compiler would prefer the overload for `CustomStringConvertible` to one with a
  // default argument.
  @inlinable
  public mutating func appendInterpolation<Number: FixedWidthInteger>(
    _ number: Number, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    appendInterpolation(number, format: .decimal, align: align, privacy: privacy)
  }

  /// Appends an integer in a format. It is public by default.
  @inlinable
  public mutating func appendInterpolation<Number: FixedWidthInteger>(
    _ number: Number, format: LogIntegerFormat, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    if let value = UInt64(exactly: number) {
      append(unsigned: value, isSigned: Number.isSigned, format, align, privacy)
    } else if let value = Int64(exactly: number) {
      append(negative: value, width: Number.bitWidth, format, align, privacy)
    } else {
      // Integers of more than 64 bits are stored as decimal text, but stay public by default like other numbers.
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
      // As in printf, a negative number shows the bits of its own width.
      let bits = width < 64 ? UInt64(bitPattern: value) & (1 << UInt64(width) - 1) : UInt64(bitPattern: value)
      pieces.append(.init(.unsigned, privacy: privacy, style: format.style.aligned(align)), word: bits)
    default:
      pieces.append(
        .init(.signed, privacy: privacy, style: format.style.short.aligned(align)), word: UInt64(bitPattern: value))
    }
  }

  /// Appends a floating-point number, which is public by default.
  public mutating func appendInterpolation(
    _ number: Double, format: LogFloatFormat = .fixed, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    pieces.append(.init(.double, privacy: privacy, style: format.style.short.aligned(align)), word: number.bitPattern)
  }

  /// Appends a floating-point number in a format. It is public by default.
  public mutating func appendInterpolation(
    _ number: Float, format: LogFloatFormat = .fixed, align: LogAlignment = .none, privacy: LogPrivacy = .auto
  ) {
    appendInterpolation(Double(number), format: format, align: align, privacy: privacy)
  }

  /// Appends a Boolean, which is public by default.
  public mutating func appendInterpolation(_ flag: Bool, format: LogBoolFormat = .truth, privacy: LogPrivacy = .auto) {
    pieces.append(.init(.flag, privacy: privacy, style: format.style.short), word: flag ? 1 : 0)
  }

  /// Appends an address with the prefix `0x`, which is public by default.
  public mutating func appendInterpolation(_ pointer: UnsafeRawPointer?, privacy: LogPrivacy = .auto) {
    let address = UInt64(UInt(bitPattern: pointer))
    let style = LogIntegerFormat.hex(includePrefix: true).style
    pieces.append(.init(.unsigned, privacy: privacy, style: style), word: address)
  }
}

extension ArgumentStyle {
  /// The style, or `plain` if the notation is the default one of its type, so that the record needs no bytes for the style.
  @inline(__always)
  fileprivate var short: ArgumentStyle {
    let defaults = [Notation.decimal, .fixed, .truth]
    return defaults.contains { bits == UInt32($0.rawValue) } ? .plain : self
  }
}
