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

  /// Draws when a thread reads the clocks, how long each reading takes, and where in it the system's clock is read.
  @Test(arguments: seeds(5, campaign: 500))
  func `A thread that is interrupted while it reads the clock never goes back`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var clock = xp_counted_clock()
    // A counter of 2.6 GHz that started long before the clock.
    var (ticks, last, back, extrapolated, interrupted) = (UInt64(1) << 40, Int64.min, Int64(0), 0, 0)
    func time(_ ticks: UInt64) -> Int64 { Int64(Double(ticks - 1 << 40) / 2.6) }
    for _ in 0..<100_000 {
      ticks += UInt64.random(in: 100...400, using: &random)
      // The thread waits until about the time when a reading expires, and sometimes longer.
      if Int.random(in: 0..<16, using: &random) == 0 { ticks += UInt64.random(in: 1_000_000...1_050_000, using: &random) }
      if Int.random(in: 0..<2_000, using: &random) == 0 { ticks += UInt64.random(in: 0...5_200_000, using: &random) }
      var counted = Int64(0)
      if xp_counted_clock_extrapolate(&clock, ticks, &counted) {
        extrapolated += 1
      } else {
        let isInterrupted = Int.random(in: 0..<4, using: &random) == 0
        let took = UInt64.random(in: isInterrupted ? 4_097...8_000 : 60...4_096, using: &random)
        let system = time(ticks + UInt64.random(in: 0...took, using: &random))
        counted = xp_counted_clock_read(&clock, ticks, system, ticks + took)
        ticks += took
        if isInterrupted { interrupted += 1 }
      }
      if last != .min { back = max(back, last - counted) }
      last = counted
    }
    #expect(back == 0)
    #expect(extrapolated > 50_000 && interrupted > 100, "\(extrapolated) extrapolated, \(interrupted) interrupted")
  }
}
