import Synchronization
import XferEvents

/// Notices that the wall clock was set or that the machine slept, once for all lanes of a writer.
///
/// A time daemon turns all three clocks at one rate, so their differences stay as they are until somebody sets one.
final class ClockWatch: Sendable {
  /// What is shorter than this is not worth an event.
  static let threshold: Int64 = 100_000_000
  /// A lane looks at the clocks when it begins a chunk, and at the first event so long after its last look.
  static let interval: Int64 = 1_000_000_000

  private let wall = Atomic<Int64>(unknown)
  private let sleep = Atomic<Int64>(unknown)
  private static let unknown = Int64.min

  /// Why the clocks are to be recorded anew.
  ///
  /// - Parameter reading: of just now.
  func changes(in reading: ClockReading, of clock: LogClock) -> [SampleReason] {
    if wall.load(ordering: .relaxed) == Self.unknown {
      _ = exchange(sleep, reading.sleep)
      _ = exchange(wall, reading.wallOffset)
      return []
    }
    guard differs(reading), let sure = clock.readAtOnce() else { return [] }
    var reasons: [SampleReason] = []
    if let before = exchange(sleep, sure.sleep), sure.sleep &- before > Self.threshold { reasons.append(.resumed) }
    if exchange(wall, sure.wallOffset) != nil { reasons.append(.stepped) }
    return reasons
  }

  private func differs(_ reading: ClockReading) -> Bool {
    Self.isFar(wall.load(ordering: .relaxed), reading.wallOffset) || Self.isFar(sleep.load(ordering: .relaxed), reading.sleep)
  }

  /// - Returns: what was known, for the one lane that comes first with something else.
  private func exchange(_ known: borrowing Atomic<Int64>, _ value: Int64) -> Int64? {
    let before = known.load(ordering: .relaxed)
    guard before == Self.unknown || Self.isFar(before, value) else { return nil }
    let isFirst = known.compareExchange(expected: before, desired: value, ordering: .relaxed).exchanged
    return isFirst && before != Self.unknown ? before : nil
  }

  private static func isFar(_ left: Int64, _ right: Int64) -> Bool { (left &- right).magnitude > UInt64(threshold) }

  /// Whether the clocks stand to each other otherwise than they did.
  static func isFar(_ left: ClockReading, _ right: ClockReading) -> Bool {
    isFar(left.wallOffset, right.wallOffset) || isFar(left.sleep, right.sleep)
  }
}

extension ClockReading {
  /// What somebody who sets the wall clock changes.
  fileprivate var wallOffset: Int64 { wall &- boottime }
  /// How long the machine has slept since it was started.
  fileprivate var sleep: Int64 { boottime &- monotonic }
}

extension LogClock {
  /// A reading between whose clocks the thread was not held up; `nil` when it is held up all the time.
  fileprivate func readAtOnce() -> ClockReading? {
    for _ in 0..<4 {
      let reading = read()
      if monotonic() &- reading.monotonic < ClockWatch.threshold / 4 { return reading }
    }
    return nil
  }
}
