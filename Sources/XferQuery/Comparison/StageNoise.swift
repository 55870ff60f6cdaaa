import XferEvents

/// How far the times of one stage differ between two runs without a reason.
package struct StageNoise: Sendable {
  /// The limits below which a difference of times is noise.
  package struct Limits: Sendable {
    /// The least difference that counts.
    package let floor: Duration
    /// The least difference that counts, as a part of the first run's time: 0.5 means half of it.
    package let ratio: Double

    /// The limits of `xferlog diff` without options.
    package static let usual = Limits(floor: .milliseconds(100), ratio: 0.5)

    package init(floor: Duration, ratio: Double) {
      self.floor = floor
      self.ratio = ratio
    }
  }

  /// The median of the differences, in nanoseconds. `nil` if it is noise, so that the stage did not become faster or slower as a whole.
  package let shift: Int64?
  /// The number of pairs that have the time in both runs.
  package let pairs: Int
  /// The medians of the two runs, in nanoseconds; 0 without pairs.
  package let medians: (first: Int64, second: Int64)
  /// Six times the median distance of the differences from their median. In a normal distribution this is four standard deviations.
  private let spread: Int64
  private let limits: Limits

  /// The number of pairs from which on a shift of all of them is distinguished from single differences.
  private static let fewestForShift = 5

  /// - Parameter times: The times of the pairs in nanoseconds.
  init(_ times: [(first: Int64, second: Int64)], _ limits: Limits) {
    self.limits = limits
    pairs = times.count
    medians = (Self.median(times.map(\.first)), Self.median(times.map(\.second)))
    let differences = times.map { $0.second.subtractingClamped($0.first) }
    let median = Self.median(differences)
    let distances = differences.map { Int64(clamping: $0.subtractingClamped(median).magnitude) }
    let (six, isTooLarge) = Self.median(distances).multipliedReportingOverflow(by: 6)
    spread = times.count < Self.fewestForShift ? 0 : isTooLarge ? .max : six
    let least = Self.least(medians.first, limits)
    shift = times.count >= Self.fewestForShift && median.magnitude > least ? median : nil
  }

  private static func least(_ first: Int64, _ limits: Limits) -> UInt64 {
    let part = Double(first) * limits.ratio
    return Swift.max(limits.floor.nanoseconds.magnitude, part < 0 ? 0 : UInt64(exactly: part.rounded(.down)) ?? .max)
  }

  private static func median(_ values: [Int64]) -> Int64 { Percentile.median.number(of: values.sorted()) ?? 0 }

  /// Returns the largest difference from the first run's time that is noise.
  func band(around first: Int64) -> Duration {
    .nanoseconds(Int64(clamping: Swift.max(Self.least(first, limits), spread.magnitude)))
  }

  /// Whether the second run's time differs from the first run's by more than noise and the shift of all tasks.
  func isNoise(_ first: Int64, _ second: Int64) -> Bool {
    second.subtractingClamped(first).subtractingClamped(shift ?? 0).magnitude <= band(around: first).nanoseconds.magnitude
  }
}
