package import XferEvents

/// Turns the times that records state into moments.
///
/// A wall-clock time needs a date and an offset. Without them, the time of day still tells how far two records are apart, as a reading of
/// a monotonic clock. Nothing is guessed: the user can supply what the form does not tell.
package struct AppleClock {
  /// What a time states. Readings of different kinds cannot be compared.
  package enum Kind: UInt8, Sendable {
    case none, timeOfDay, dayOfYear, date, full
  }

  private let options: ImportOptions
  /// The number of midnights that were passed, for records with a time of day only.
  private var days: Int64 = 0
  private var last: Int64?

  package init(_ options: ImportOptions) { self.options = options }

  private static let day: Int64 = 86_400_000_000_000

  /// Returns the moment of a record. Records must be passed in the order of the log.
  package mutating func moment(_ time: AppleTime) -> (Moment, Kind) {
    guard let ofDay = time.ofDay else { return (Moment(), .none) }
    var date = time.year.flatMap { year in time.month.flatMap { month in time.day.map { (year, month, $0) } } }
    if date == nil, let month = time.month, let day = time.day {
      guard let given = options.date else {
        // Without the year, the days of a leap year serve as numbers.
        return (Moment(monotonic: Self.reading((2000, month, day), ofDay, time.offset)), .dayOfYear)
      }
      // The given date tells the year. A month far after the given one is of the year before.
      date = (month > given.month + 6 ? given.year - 1 : given.year, month, day)
    }
    guard let date else { return timeOfDay(ofDay, time.offset) }
    let local = Self.reading(date, ofDay, nil)
    guard let offset = time.offset ?? options.zone?(local / 1_000_000_000) else { return (Moment(monotonic: local), .date) }
    return (Moment(wall: WallTime(nanoseconds: local - Int64(offset) * 1_000_000_000)), .full)
  }

  private mutating func timeOfDay(_ ofDay: Int64, _ offset: Int?) -> (Moment, Kind) {
    if let last {
      // A jump back by more than half a day is a midnight, and a jump forward by as much returns to the day before.
      if last - ofDay > Self.day / 2 { days += 1 } else if ofDay - last > Self.day / 2, days > 0 { days -= 1 }
    }
    last = ofDay
    let time = days * Self.day + ofDay
    guard let date = options.date else { return (Moment(monotonic: time - Int64(offset ?? 0) * 1_000_000_000), .timeOfDay) }
    let local = Self.reading((date.year, date.month, date.day), time, nil)
    guard let offset = offset ?? options.zone?(local / 1_000_000_000) else { return (Moment(monotonic: local), .date) }
    return (Moment(wall: WallTime(nanoseconds: local - Int64(offset) * 1_000_000_000)), .full)
  }

  private static func reading(_ date: (year: Int, month: Int, day: Int), _ ofDay: Int64, _ offset: Int?) -> Int64 {
    days(date) * day + ofDay - Int64(offset ?? 0) * 1_000_000_000
  }

  /// Returns the number of days from 1970-01-01 to a date, in a year that 64 bits of nanoseconds can hold.
  static func days(_ date: (year: Int, month: Int, day: Int)) -> Int64 {
    GregorianDay.number(year: Int64(min(max(date.year, 1970), 2200)), month: Int64(date.month), day: Int64(date.day))
  }
}
