import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of a log during which the wall clock is set or the machine sleeps.
struct ClockStepTests {
  /// Three clocks that only change when a test advances them.
  private final class Clocks: Sendable {
    private let reading = Mutex(
      ClockReading(monotonic: 1_000_000_000, boottime: 7_000_000_000, wall: 1_700_000_000_000_000_000))

    /// Advances the clocks. While the machine sleeps, the monotonic clock does not advance.
    func pass(_ nanoseconds: Int64, asleep: Bool = false) {
      reading.withLock { reading in
        if !asleep { reading.monotonic += nanoseconds }
        reading.boottime += nanoseconds
        reading.wall += nanoseconds
      }
    }

    func set(by nanoseconds: Int64) { reading.withLock { $0.wall += nanoseconds } }

    var clock: LogClock {
      LogClock(
        monotonic: { self.reading.withLock { $0.monotonic } }, boottime: { self.reading.withLock { $0.boottime } },
        wall: { self.reading.withLock { $0.wall } })
    }
  }

  private static let step: Int64 = 10_000_000
  private static let second: Int64 = 1_000_000_000

  /// Returns a log to which two lanes write alternately every 10 ms: 500 events before the change and 500 after it.
  private func written(_ change: (Clocks) -> Void) throws -> LogContents {
    let test = TestLog()
    let clocks = Clocks()
    let log = try test.open { $0.clock = clocks.clock }
    func write(_ numbers: Range<Int>) {
      for number in numbers {
        SystemThread.run(1) { _ in
          log.emit(thread: 1, number: number)
        }
        log.emit(thread: 0, number: number)
        clocks.pass(Self.step)
      }
    }
    write(0..<500)
    change(clocks)
    write(500..<1000)
    log.close()
    return test.read()
  }

  private func reasons(_ read: LogContents) -> [SampleReason?] { read.events(.clockSampled).map(\.sampleReason) }

  /// Checks that order and durations follow the monotonic clock, independent of the other clocks.
  private func check(_ read: LogContents, _ comment: Comment) {
    #expect(read.gaps.isEmpty, comment)
    #expect(read.isOrdered, comment)
    for thread in 0..<2 {
      #expect(read.numbers[thread] == Array(0..<1000), comment)
      let times = read.events.filter { Workload.place(of: $0)?.thread == thread }.compactMap(\.monotonic)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == Self.step }, comment)
    }
  }

  @Test(arguments: [3600, -3600, 315_576_000, -315_576_000, -1, 1])
  func `Setting the wall clock is recorded once and changes neither order nor durations`(seconds: Int64) throws {
    let read = try written { $0.set(by: seconds * Self.second) }
    check(read, "\(seconds) s")
    #expect(reasons(read) == [.opened, .stepped])
    let sample = try #require(read.events(.clockSampled).last)
    let before = try #require(read.events(.clockSampled).first)
    let passed = try #require(sample.monotonic) - #require(before.monotonic)
    #expect(
      try #require(sample.wallClock).nanoseconds - #require(before.wallClock).nanoseconds == passed + seconds * Self.second)
    // The change is detected within a second of the thread's own events, and later times reflect it.
    #expect(passed >= 500 * Self.step && passed <= 500 * Self.step + Self.second)
    let last = try #require(read.events.last { Workload.place(of: $0) != nil })
    #expect(last.wall?.nanoseconds == 1_700_000_000_000_000_000 + 999 * Self.step + seconds * Self.second)
  }

  @Test(arguments: [1, 3600, 31_557_600])
  func `A machine that slept is recorded as resumed, not as a stepped clock`(seconds: Int64) throws {
    let read = try written { $0.pass(seconds * Self.second, asleep: true) }
    check(read, "\(seconds) s")
    #expect(reasons(read) == [.opened, .resumed])
    let last = try #require(read.events.last { Workload.place(of: $0) != nil })
    #expect(last.boottime == 7_000_000_000 + 999 * Self.step + seconds * Self.second)
  }

  @Test func `Setting the clock while the machine sleeps records both changes`() throws {
    let read = try written { clocks in
      clocks.pass(60 * Self.second, asleep: true)
      clocks.set(by: -3600 * Self.second)
    }
    check(read, "both")
    #expect(reasons(read) == [.opened, .resumed, .stepped])
  }

  @Test func `A wall-clock change below the threshold is not recorded`() throws {
    let read = try written { $0.set(by: 90_000_000) }
    check(read, "90 ms")
    #expect(reasons(read) == [.opened])
  }
}
