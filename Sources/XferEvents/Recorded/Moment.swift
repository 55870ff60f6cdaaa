/// The time of an event on three clocks. Foreign logs often lack the first two.
public struct Moment: Hashable, Sendable {
  /// Nanoseconds on the clock that stops while the machine sleeps. Durations are computed from it, within one boot.
  public var monotonic: Int64?
  /// Nanoseconds on the clock that continues while the machine sleeps. Deadlines are computed from it.
  public var boottime: Int64?
  /// The wall clock, for display and for comparisons across boots.
  public var wall: WallTime?

  public init(monotonic: Int64? = nil, boottime: Int64? = nil, wall: WallTime? = nil) {
    self.monotonic = monotonic
    self.boottime = boottime
    self.wall = wall
  }
}

/// A time in nanoseconds since 1970-01-01T00:00:00Z.
public struct WallTime: Hashable, Comparable, Sendable {
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func < (left: WallTime, right: WallTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension WallTime: CustomStringConvertible {
  /// The time in the form of RFC 3339, in UTC with nine digits of the second.
  public var description: String {
    let second: Int64 = 1_000_000_000
    var seconds = nanoseconds / second
    var fraction = nanoseconds % second
    if fraction < 0 {
      fraction += second
      seconds -= 1
    }
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let clock = seconds - days * 86_400
    let (year, month, day) = Self.civil(days: days)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + "\(padded(clock / 3600, 2)):\(padded(clock / 60 % 60, 2)):\(padded(clock % 60, 2)).\(padded(fraction, 9))Z"
  }

  /// Returns the proleptic Gregorian date of a day counted from 1970-01-01 (after Hinnant, "chrono-compatible low-level date
  /// algorithms").
  private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
