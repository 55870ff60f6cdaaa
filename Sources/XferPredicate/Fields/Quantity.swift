/// Reads numbers with units exactly.
package enum Quantity {
  /// The bytes in each unit. Upper and lower case are the same in queries.
  private static let sizes: [String: Int64] = [
    "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000, "kib": 1 << 10, "mib": 1 << 20,
    "gib": 1 << 30, "tib": 1 << 40,
  ]

  /// The nanoseconds in each unit.
  private static let times: [String: Int64] = [
    "ns": 1, "us": 1000, "µs": 1000, "μs": 1000, "ms": 1_000_000, "s": 1_000_000_000, "sec": 1_000_000_000, "m": 60_000_000_000,
    "min": 60_000_000_000, "h": 3_600_000_000_000, "d": 86_400_000_000_000, "w": 604_800_000_000_000,
  ]

  /// The reason why a text is not a quantity.
  package enum Problem: Error {
    case malformed
    /// A duration is a number without a unit.
    case noUnit
    /// The quantity exceeds 64 bits.
    case tooLarge
  }

  /// Returns the bytes of a text such as `10MB` or `1.5 KiB`.
  package static func bytes(_ text: String) throws(Problem) -> Int64 { try sum(of: text, units: sizes, isSum: false) }

  /// Returns the nanoseconds of a text such as `2s` or `1h30m`.
  package static func nanoseconds(_ text: String) throws(Problem) -> Int64 {
    // Zero needs no unit.
    text == "0" ? 0 : try sum(of: text, units: times, isSum: true)
  }

  /// Returns the nanoseconds of a text such as `2s`, with at most one unit for each piece of the value.
  package static func text(nanoseconds: Int64) -> String {
    for (unit, scale) in [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000)] as [(String, Int64)]
    where nanoseconds % scale == 0 {
      return "\(nanoseconds / scale)\(unit)"
    }
    return "\(nanoseconds)ns"
  }

  package static func text(bytes: Int64) -> String {
    if bytes == 0 { return "0" }
    for (unit, scale) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)] as [(String, Int64)] where bytes % scale == 0 {
      return "\(bytes / scale)\(unit)"
    }
    return "\(bytes)"
  }

  /// Reads one number with a unit, or a sum of several if `isSum`.
  private static func sum(of text: String, units: [String: Int64], isSum: Bool) throws(Problem) -> Int64 {
    var rest = text.lowercased().filter { $0 != " " && $0 != "_" }[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    guard !rest.isEmpty else { throw .malformed }
    var total: Int64 = 0
    var count = 0
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { !($0.isASCII && ($0.isNumber || $0 == ".")) }
      rest = rest.dropFirst(unit.count)
      guard !number.isEmpty else { throw .malformed }
      guard let scale = units[String(unit)] else { throw unit.isEmpty ? .noUnit : .malformed }
      let (sum, overflows) = total.addingReportingOverflow(try scaled(number, by: scale, isNegative: isNegative))
      if overflows { throw .tooLarge }
      total = sum
      count += 1
    }
    guard isSum || count == 1 else { throw .malformed }
    return total
  }

  /// The maximum number of digits after the point that count.
  private static let precision = 18

  private static func scaled(_ number: Substring, by scale: Int64, isNegative: Bool) throws(Problem) -> Int64 {
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let sign = isNegative ? "-" : ""
    guard let whole = Int64(sign + parts[0]) else { throw parts[0].isEmpty ? .malformed : .tooLarge }
    let (product, overflows) = whole.multipliedReportingOverflow(by: scale)
    if overflows { throw .tooLarge }
    guard parts.count == 2 else { return product }
    let digits = parts[1].prefix(precision)
    guard !digits.isEmpty, !parts[1].contains("."), let fraction = Int64(digits) else { throw .malformed }
    var divisor: Int64 = 1
    for _ in digits { divisor *= 10 }
    // The fraction is less than the divisor, so the quotient is less than the scale.
    let piece = divisor.dividingFullWidth(fraction.multipliedFullWidth(by: scale)).quotient
    let (sum, exceeds) = isNegative ? product.subtractingReportingOverflow(piece) : product.addingReportingOverflow(piece)
    if exceeds { throw .tooLarge }
    return sum
  }
}
