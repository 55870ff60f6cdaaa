/// The format of an integer, with os.Logger's names. The log stores the number itself.
public struct LogIntegerFormat: Sendable {
  package let style: ArgumentStyle

  public static let decimal = LogIntegerFormat(style: .init(.decimal))
  public static let hex = LogIntegerFormat(style: .init(.hexadecimal))
  public static let octal = LogIntegerFormat(style: .init(.octal))
  /// A format for byte counts, such as `512 B` or `33.1 MiB`.
  public static let byteCount = LogIntegerFormat(style: .init(.byteCount))

  /// - Parameter minDigits: the minimum number of digits, at most 254. Shorter numbers get leading zeros.
  public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int? = nil) -> LogIntegerFormat {
    LogIntegerFormat(style: .init(.decimal, digits: minDigits, sign: explicitPositiveSign))
  }

  /// - Parameter includePrefix: whether `0x` precedes the digits.
  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int? = nil
  ) -> LogIntegerFormat {
    LogIntegerFormat(
      style: .init(.hexadecimal, digits: minDigits, sign: explicitPositiveSign, uppercase: uppercase, prefix: includePrefix))
  }

  /// - Parameter includePrefix: whether `0o` precedes the digits.
  public static func octal(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int? = nil
  ) -> LogIntegerFormat {
    LogIntegerFormat(
      style: .init(.octal, digits: minDigits, sign: explicitPositiveSign, uppercase: uppercase, prefix: includePrefix))
  }
}

/// The format of a floating-point number, as in printf. The log stores the number itself.
public struct LogFloatFormat: Sendable {
  package let style: ArgumentStyle

  /// printf's `%f`, with six digits after the point.
  public static let fixed = LogFloatFormat(style: .init(.fixed))
  /// printf's `%a`.
  public static let hex = LogFloatFormat(style: .init(.hexadecimal))
  /// printf's `%e`.
  public static let exponential = LogFloatFormat(style: .init(.exponential))
  /// printf's `%g`.
  public static let hybrid = LogFloatFormat(style: .init(.hybrid))

  public static func fixed(
    precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> LogFloatFormat {
    LogFloatFormat(style: .init(.fixed, digits: precision, sign: explicitPositiveSign, uppercase: uppercase))
  }

  public static func hex(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> LogFloatFormat {
    LogFloatFormat(style: .init(.hexadecimal, sign: explicitPositiveSign, uppercase: uppercase))
  }

  public static func exponential(
    precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> LogFloatFormat {
    LogFloatFormat(style: .init(.exponential, digits: precision, sign: explicitPositiveSign, uppercase: uppercase))
  }

  public static func hybrid(
    precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> LogFloatFormat {
    LogFloatFormat(style: .init(.hybrid, digits: precision, sign: explicitPositiveSign, uppercase: uppercase))
  }
}

/// The format of a Boolean.
public struct LogBoolFormat: Sendable {
  package let style: ArgumentStyle

  /// Shows `true` or `false`.
  public static let truth = LogBoolFormat(style: .init(.truth))
  /// Shows `yes` or `no`.
  public static let answer = LogBoolFormat(style: .init(.answer))
}

/// The padding of an argument with spaces when it is shown.
public struct LogAlignment: Sendable {
  package let columns: Int

  public static let none = LogAlignment(columns: 0)

  /// - Parameter columns: the minimum width, at most 127.
  public static func left(columns: Int) -> LogAlignment { LogAlignment(columns: -max(0, columns)) }
  /// - Parameter columns: the minimum width, at most 127.
  public static func right(columns: Int) -> LogAlignment { LogAlignment(columns: max(0, columns)) }
}
