import XferEvents

/// Measures the time between successive events that are shown.
struct SilenceClock {
  private var boot: BootID?
  private var boottime: Int64?
  private var wall: WallTime?

  /// Returns the time since the previous event; zero if it is unknown.
  mutating func silence(before event: RecordedEvent) -> Duration {
    let (boot, boottime, wall) = (event.source.writer.boot, event.boottime, event.wall)
    defer { (self.boot, self.boottime, self.wall) = (boot, boottime, wall ?? self.wall) }
    // The wall clock may be set. The clock that goes on while the machine sleeps is comparable within one boot.
    if let boot, boot == self.boot, let boottime, let last = self.boottime { return Self.time(last, boottime) }
    return Self.time(self.wall?.nanoseconds, wall?.nanoseconds)
  }

  mutating func silence(before inset: EventInset) -> Duration {
    defer {
      wall = inset.wall ?? wall
      // The next event is compared by the wall clock, because a finding has no other time.
      boottime = nil
    }
    return Self.time(wall?.nanoseconds, inset.wall?.nanoseconds)
  }

  /// Reversed output has the later event first, and writers' clocks may differ by a little, so the sign does not matter.
  private static func time(_ start: Int64?, _ end: Int64?) -> Duration {
    guard let start, let end else { return .zero }
    let (difference, overflow) = end.subtractingReportingOverflow(start)
    return overflow || difference == .min ? .zero : .nanoseconds(abs(difference))
  }
}
