import Synchronization
import XferEvents

/// Detects wall-clock changes and machine sleep, and reports each change to exactly one lane of a writer.
///
/// Time synchronisation adjusts the rate of all three clocks equally, so their differences change only when the wall clock
/// is set or the machine sleeps.
final class ClockWatch: Sendable {
  /// The smallest change that is recorded, in nanoseconds.
  static let threshold: Int64 = 100_000_000
  /// The interval in nanoseconds after which a lane checks the clocks at its next event. It also checks when it begins a
  /// chunk.
  static let interval: Int64 = 1_000_000_000

  private let wall = Atomic<Int64>(unknown)
  private let sleep = Atomic<Int64>(unknown)
  private static let unknown = Int64.min

  /// Returns the reasons to record the clocks again, or an empty array.
  ///
  /// - Parameter reading: A current reading of the clocks.
  func changes(in reading: ClockReading, of clock: LogClock) -> [SampleReason] {
    if wall.load(ordering: .relaxed) == Self.unknown {
      _ = exchange(sleep, reading.sleep)
      _ = exchange(wall, reading.wallOffset)
      return []
    }
    guard differs(reading), let sure = clock.readUninterrupted() else { return [] }
    var reasons: [SampleReason] = []
    if let before = exchange(sleep, sure.sleep), sure.sleep &- before > Self.threshold { reasons.append(.resumed) }
    if exchange(wall, sure.wallOffset) != nil { reasons.append(.stepped) }
    return reasons
  }

  private func differs(_ reading: ClockReading) -> Bool {
    Self.isFar(wall.load(ordering: .relaxed), reading.wallOffset) || Self.isFar(sleep.load(ordering: .relaxed), reading.sleep)
  }

  /// Stores a changed value.
  ///
  /// - Returns: The previous value if this call is the first to store the change; otherwise `nil`.
  private func exchange(_ known: borrowing Atomic<Int64>, _ value: Int64) -> Int64? {
    let before = known.load(ordering: .relaxed)
    guard before == Self.unknown || Self.isFar(before, value) else { return nil }
    let isFirst = known.compareExchange(expected: before, desired: value, ordering: .relaxed).exchanged
    return isFirst && before != Self.unknown ? before : nil
  }

  private static func isFar(_ left: Int64, _ right: Int64) -> Bool { (left &- right).magnitude > UInt64(threshold) }

  /// Returns whether the differences between the clocks have changed by more than the threshold.
  static func isFar(_ left: ClockReading, _ right: ClockReading) -> Bool {
    isFar(left.wallOffset, right.wallOffset) || isFar(left.sleep, right.sleep)
  }
}

extension ClockReading {
  /// The wall-clock time minus the time since boot. This difference changes only when the wall clock is set.
  fileprivate var wallOffset: Int64 { wall &- boottime }
  /// The total time in nanoseconds that the machine has slept since boot.
  fileprivate var sleep: Int64 { boottime &- monotonic }
}

extension LogClock {
  /// Reads the three clocks without an interruption between the readings.
  ///
  /// - Returns: `nil` if the thread was interrupted in every attempt.
  fileprivate func readUninterrupted() -> ClockReading? {
    for _ in 0..<4 {
      let reading = read()
      if monotonic() &- reading.monotonic < ClockWatch.threshold / 4 { return reading }
    }
    return nil
  }
}
