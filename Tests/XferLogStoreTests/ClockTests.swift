import CXferPlatform
import LogTestSupport
import Synchronization
import Testing

/// The clock that counts on between two readings of the system's.
struct ClockTests {
  /// Far more than counting goes wrong by, far less than a thread needs to wake another.
  private static let tolerance: Int64 = 2_000

  @Test
  func `It agrees with the system's clock and never goes back, in every thread`() {
    let worst = Mutex<(behind: Int64, ahead: Int64, back: Int64)>((0, 0, 0))
    SystemThread.run(3) { _ in
      var (behind, ahead, back, last) = (Int64(0), Int64(0), Int64(0), Int64.min)
      let start = xp_clock_monotonic()
      // Long enough for the rate to be measured, and measured again.
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
