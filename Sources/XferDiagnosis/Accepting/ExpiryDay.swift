package import XferEvents

/// A day in UTC.
package struct ExpiryDay: Sendable, Comparable, CustomStringConvertible {
  /// The number of days since 1970-01-01.
  let number: Int64
  private static let nanosecondsPerDay: Int64 = 86_400_000_000_000

  /// The day of a time.
  package init(of time: WallTime) {
    let (days, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: Self.nanosecondsPerDay)
    number = rest < 0 ? days - 1 : days
  }

  /// - Parameter text: a date such as `2027-01-31`.
  /// - Returns: `nil` if the text is not a date, or if no such day exists.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]), (1...12).contains(month), day >= 1
    else { return nil }
    let number = GregorianDay.number(year: year, month: month, day: day)
    let next = month == 12 ? (year + 1, 1) : (year, month + 1)
    guard number < GregorianDay.number(year: next.0, month: next.1, day: 1) else { return nil }
    self.number = number
  }

  /// The date, such as `2027-01-31`. Dates after the year 2262 are shown as the last day that a time can have.
  package var description: String {
    let (nanoseconds, overflow) = number.multipliedReportingOverflow(by: Self.nanosecondsPerDay)
    return String("\(WallTime(nanoseconds: overflow ? .max : nanoseconds))".prefix(10))
  }

  package static func < (left: ExpiryDay, right: ExpiryDay) -> Bool { left.number < right.number }
}
