/// How far a zone's clocks are ahead of UTC, at any time.
package struct ZoneRule: Sendable {
  /// Seconds east of UTC at a time given in seconds since 1970.
  package let offset: @Sendable (Int64) -> Int

  package init(_ offset: @escaping @Sendable (Int64) -> Int) { self.offset = offset }

  package static let utc = ZoneRule { _ in 0 }

  package func civil(at second: Int64) -> CivilTime { CivilTime(second: second + Int64(offset(second))) }

  /// The time at which the zone's clocks show this; the first of two when they are set back, and as much later as they
  /// jump when they are set forward past it.
  package func second(of civil: CivilTime) -> Int64 {
    let local = civil.seconds
    // Offsets a day before and after bracket any change near that time.
    let (before, after) = (Int64(offset(local - 86_400)), Int64(offset(local + 86_400)))
    for candidate in [local - max(before, after), local - min(before, after)]
    where candidate + Int64(offset(candidate)) == local {
      return candidate
    }
    return local - before
  }
}
