/// Query parameters that grant access for a limited time. `LoggedURL` keeps them out of the log.
package enum SignedParameters {
  /// Returns when the access that the parameters grant ends; `nil` if they do not say so in a known form.
  ///
  /// Known forms are `Expires` in seconds since 1970, and the date and lifetime of version 4 of Amazon's and Google's
  /// signatures.
  package static func expiry(in query: String) -> WallTime? {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { values[PercentEncoding.decoded(parts[0]).lowercased()] = PercentEncoding.decoded(parts[1]) }
    }
    if let seconds = values["expires"].flatMap({ Int64($0) }), 0..<1 << 33 ~= seconds {
      return WallTime(nanoseconds: seconds * 1_000_000_000)
    }
    for prefix in ["x-amz-", "x-goog-"] {
      guard let begin = values[prefix + "date"].flatMap(epochSeconds),
        let lifetime = values[prefix + "expires"].flatMap({ Int64($0) }),
        0..<1 << 32 ~= lifetime
      else { continue }
      // Nanoseconds since 1970 overflow 64 bits after the year 2262, so a later end counts as unknown.
      let (nanoseconds, overflows) = (begin + lifetime).multipliedReportingOverflow(by: 1_000_000_000)
      return overflows ? nil : WallTime(nanoseconds: nanoseconds)
    }
    return nil
  }

  /// Returns the seconds since 1970 of a time such as `20260131T235959Z`.
  private static func epochSeconds(_ text: String) -> Int64? {
    let digits = text.utf8.filter { 48...57 ~= $0 }.map { Int64($0) - 48 }
    guard text.utf8.count == 16, digits.count == 14 else { return nil }
    let number = { (range: Range<Int>) in digits[range].reduce(0) { $0 * 10 + $1 } }
    // Days since 1970 in the proleptic Gregorian calendar, with years that begin in March (algorithm by Hinnant).
    let (month, day) = (number(4..<6), number(6..<8))
    let year = number(0..<4) - (month <= 2 ? 1 : 0)
    let (era, yearOfEra) = (year / 400, year % 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return days * 86_400 + number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14)
  }
}
