/// The offset of a time zone from UTC at any time.
package struct ZoneRule: Sendable {
  /// Returns the offset in seconds east of UTC for a time in seconds since 1970.
  package let offset: @Sendable (Int64) -> Int

  package init(_ offset: @escaping @Sendable (Int64) -> Int) { self.offset = offset }

  package static let utc = ZoneRule { _ in 0 }

  package func civil(at second: Int64) -> CivilTime { CivilTime(second: second + Int64(offset(second))) }

  /// Returns the time at which the zone's clocks show a civil time. When clocks are set back past it, this is the first of two times; when
  /// they are set forward past it, the result is later by the length of the jump.
  package func second(of civil: CivilTime) -> Int64 {
    let local = civil.seconds
    // The offsets a day before and a day after enclose any change near that time.
    let (before, after) = (Int64(offset(local - 86_400)), Int64(offset(local + 86_400)))
    for candidate in [local - max(before, after), local - min(before, after)]
    where candidate + Int64(offset(candidate)) == local {
      return candidate
    }
    return local - before
  }
}
