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
    let (year, month, day) = GregorianDay.date(number: days)
    return String(length: 30) { text in
      text.append(decimal: year, width: 4)
      text.append("-")
      text.append(decimal: month, width: 2)
      text.append("-")
      text.append(decimal: day, width: 2)
      text.append("T")
      text.append(decimal: clock / 3600, width: 2)
      text.append(":")
      text.append(decimal: clock / 60 % 60, width: 2)
      text.append(":")
      text.append(decimal: clock % 60, width: 2)
      text.append(".")
      text.append(decimal: fraction, width: 9)
      text.append("Z")
    }
  }
}
