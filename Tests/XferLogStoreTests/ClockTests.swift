import CXferPlatform
import LogTestSupport
import Synchronization
import Testing

/// Tests of the counted clock, which extrapolates between two readings of the system's clock.
struct ClockTests {
  /// The tolerance in nanoseconds: far above the error of counting, far below the time that one thread needs to wake
  /// another.
  private static let tolerance: Int64 = 2_000

  @Test
  func `The counted clock agrees with the system's clock and never goes back in any thread`() {
    let worst = Mutex<(behind: Int64, ahead: Int64, back: Int64)>((0, 0, 0))
    SystemThread.run(3) { _ in
      var (behind, ahead, back, last) = (Int64(0), Int64(0), Int64(0), Int64.min)
      let start = xp_clock_monotonic()
      // Run long enough for the rate to be measured twice.
      while last < start + 2_300_000_000 {
        let before = xp_clock_monotonic()
        let counted = xp_clock_monotonic_counted()
        let after = xp_clock_monotonic()
        behind = max(behind, before - counted)
        ahead = max(ahead, counted - after)
        if last != .min { back = max(back, last - counted) }
        last = counted
      }
      let found = (behind, ahead, back)
      worst.withLock { $0 = (max($0.behind, found.0), max($0.ahead, found.1), max($0.back, found.2)) }
    }
    let found = worst.withLock { $0 }
    #expect(found.back == 0)
    #expect(found.behind < Self.tolerance && found.ahead < Self.tolerance, "\(found)")
  }
}
