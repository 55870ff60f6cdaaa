/// The offset of a time zone from UTC at any time.
package struct ZoneRule: Sendable {
  /// Returns the offset in seconds east of UTC for a time in seconds since 1970.
  package let offset: @Sendable (Int64) -> Int

  package init(_ offset: @escaping @Sendable (Int64) -> Int) { self.offset = offset }

  package static let utc = ZoneRule { _ in 0 }

  package func civil(at second: Int64) -> CivilTime { CivilTime(second: second + Int64(offset(second))) }

  /// Returns the time at which the zone's clocks show a civil time, in seconds since 1970.
  ///
  /// A civil time that occurs twice, because clocks are set back, gives the first of the two times. A civil time that is skipped,
  /// because clocks are set forward, gives a time that is later by the length of the jump.
  package func second(of civil: CivilTime) -> Int64 {
    let local = civil.seconds
    // If the offset changes near this time, the offsets a day before and a day after are those on the two sides of the change.
    let (before, after) = (Int64(offset(local - 86_400)), Int64(offset(local + 86_400)))
    for candidate in [local - max(before, after), local - min(before, after)]
    where candidate + Int64(offset(candidate)) == local {
      return candidate
    }
    return local - before
  }
}
