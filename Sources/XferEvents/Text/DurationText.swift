/// Parses durations as people write them.
package enum DurationText {
  /// Returns the nanoseconds of a text such as `30s`, `1h30m` or `2 hours`; `nil` if it is empty, invalid or exceeds 64 bits.
  package static func nanoseconds(_ text: String) -> Int64? {
    var rest = text.lowercased().filter { $0 != " " }[...]
    guard !rest.isEmpty else { return nil }
    var total: Int64 = 0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isLetter || $0 == "µ" }
      rest = rest.dropFirst(unit.count)
      guard let scale = scale(of: unit), let value = decimalSeconds(digits) else { return nil }
      // `value` is in billionths of the unit.
      let (product, overflow) = scaled(value, by: scale)
      let (sum, overflowed) = total.addingReportingOverflow(product)
      if overflow || overflowed { return nil }
      total = sum
    }
    return total
  }

  private static func scaled(_ billionths: Int64, by nanoseconds: Int64) -> (Int64, Bool) {
    let (high, low) = billionths.multipliedFullWidth(by: nanoseconds)
    let divisor: Int64 = 1_000_000_000
    guard high >= 0, high < divisor else { return (0, true) }
    let quotient = divisor.magnitude.dividingFullWidth((UInt64(high), low)).quotient
    return quotient > UInt64(Int64.max) ? (0, true) : (Int64(quotient), false)
  }

  private static func scale(of unit: Substring) -> Int64? {
    switch unit {
    case "ns": 1
    case "us", "µs": 1000
    case "ms": 1_000_000
    case "s", "sec", "secs", "second", "seconds": 1_000_000_000
    case "m", "min", "mins", "minute", "minutes": 60_000_000_000
    case "h", "hr", "hour", "hours": 3_600_000_000_000
    case "d", "day", "days": 86_400_000_000_000
    case "w", "week", "weeks": 604_800_000_000_000
    default: nil
    }
  }

  /// Returns the nanoseconds of a decimal number of seconds; `nil` if the text is invalid or exceeds 64 bits. Digits beyond
  /// nanoseconds are dropped.
  package static func decimalSeconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = number(first), whole <= Int64.max / 1_000_000_000 - 1 else { return nil }
    var nanoseconds: Int64 = 0
    if parts.count == 2 {
      guard let fraction = fraction(parts[1]) else { return nil }
      nanoseconds = fraction
    }
    return whole * 1_000_000_000 + nanoseconds
  }

  /// Returns the number that a text of ASCII digits denotes; `nil` for any other text and if the number exceeds 64 bits.
  package static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int64(text)
  }

  /// Returns the nanoseconds that the digits after the decimal point of a number of seconds denote; `nil` if the text has other
  /// characters. Digits after the ninth are dropped.
  package static func fraction(_ text: Substring) -> Int64? {
    guard number(text.prefix(18)) != nil, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    let nine = text.prefix(9)
    return number(nine + String(repeating: "0", count: 9 - nine.count))
  }
}
