/// How an integer is shown; os.Logger's names. The log keeps the number itself.
public struct LogIntegerFormat: Sendable {
  package let style: ArgumentStyle

  public static let decimal = LogIntegerFormat(style: .init(.decimal))
  public static let hex = LogIntegerFormat(style: .init(.hexadecimal))
  public static let octal = LogIntegerFormat(style: .init(.octal))
  /// `512 B`, `33.1 MiB`.
  public static let byteCount = LogIntegerFormat(style: .init(.byteCount))

  /// - Parameter minDigits: zeros are put in front of fewer; at most 254.
  public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int? = nil) -> LogIntegerFormat {
    LogIntegerFormat(style: .init(.decimal, digits: minDigits, sign: explicitPositiveSign))
  }

  /// - Parameter includePrefix: `0x` in front.
  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int? = nil
  ) -> LogIntegerFormat {
    LogIntegerFormat(
      style: .init(.hexadecimal, digits: minDigits, sign: explicitPositiveSign, uppercase: uppercase, prefix: includePrefix))
  }

  /// - Parameter includePrefix: `0o` in front.
  public static func octal(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int? = nil
  ) -> LogIntegerFormat {
    LogIntegerFormat(
      style: .init(.octal, digits: minDigits, sign: explicitPositiveSign, uppercase: uppercase, prefix: includePrefix))
  }
}

/// How a floating-point number is shown, as printf does it. The log keeps the number itself.
public struct LogFloatFormat: Sendable {
  package let style: ArgumentStyle

  /// `%f`: six digits after the point.
  public static let fixed = LogFloatFormat(style: .init(.fixed))
  /// `%a`.
  public static let hex = LogFloatFormat(style: .init(.hexadecimal))
  /// `%e`.
  public static let exponential = LogFloatFormat(style: .init(.exponential))
  /// `%g`.
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

/// How a boolean is shown.
public struct LogBoolFormat: Sendable {
  package let style: ArgumentStyle

  /// `true` or `false`.
  public static let truth = LogBoolFormat(style: .init(.truth))
  /// `yes` or `no`.
  public static let answer = LogBoolFormat(style: .init(.answer))
}

/// Whether an argument is padded with spaces when it is shown.
public struct LogAlignment: Sendable {
  package let columns: Int

  public static let none = LogAlignment(columns: 0)

  /// - Parameter columns: at most 127.
  public static func left(columns: Int) -> LogAlignment { LogAlignment(columns: -max(0, columns)) }
  /// - Parameter columns: at most 127.
  public static func right(columns: Int) -> LogAlignment { LogAlignment(columns: max(0, columns)) }
}
