/// Dates of the Gregorian calendar as numbers of days.
package enum GregorianDay {
  /// Returns the number of days from 1970-01-01 to a date.
  ///
  /// Algorithm: Hinnant, "chrono-compatible low-level date algorithms". Years begin in March, and an era has 400 years.
  package static func number(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
