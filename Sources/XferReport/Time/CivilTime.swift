import XferEvents

/// A date and a time of day without a time zone.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// - Parameter second: seconds since 1970-01-01T00:00:00 in the same zone.
  package init(second: Int64) {
    let (days, clock) = second.dividedDown(by: 86_400)
    let date = GregorianDay.date(number: days)
    (year, month, day) = (Int(date.year), Int(date.month), Int(date.day))
    hour = Int(clock / 3600)
    self.minute = Int(clock / 60 % 60)
    self.second = Int(clock % 60)
  }

  /// The number of days since 1970-01-01.
  package var days: Int64 { GregorianDay.number(year: Int64(year), month: Int64(month), day: Int64(day)) }

  /// The number of seconds since 1970-01-01T00:00:00 in the same zone.
  package var seconds: Int64 { days * 86_400 + Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second) }

  /// The day of the week; 0 is Sunday.
  package var weekday: Int { Int((days + 4).dividedDown(by: 7).remainder) }

  /// Whether the date and the time of day exist. A leap second counts as the next second.
  package var exists: Bool {
    guard (1...12).contains(month), day >= 1, (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second)
    else { return false }
    return CivilTime(second: days * 86_400).day == day
  }

  // MARK: As text

  package func appendDate(to text: inout TextBuffer) {
    text.append(UInt64(clamping: year), width: 4)
    text.append(UInt8(ascii: "-"))
    text.append(UInt64(month), width: 2)
    text.append(UInt8(ascii: "-"))
    text.append(UInt64(day), width: 2)
  }

  package func appendTime(to text: inout TextBuffer) {
    text.append(UInt64(hour), width: 2)
    text.append(UInt8(ascii: ":"))
    text.append(UInt64(minute), width: 2)
    text.append(UInt8(ascii: ":"))
    text.append(UInt64(second), width: 2)
  }
}
