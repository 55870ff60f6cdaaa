import XferEvents

/// The current rate of transfers, averaged over the last seconds.
package struct RateMeter {
  private var total: Int64 = 0
  /// The total number of bytes transferred, sampled at several times within the last seconds. The oldest sample is first.
  private var samples: [(time: Duration, total: Int64)] = []

  package init() {}

  private static let window: Duration = .seconds(5)
  private static let interval: Duration = .milliseconds(100)

  /// - Parameter time: The time since a moment that is the same for all calls.
  package mutating func add(_ bytes: Int64, at time: Duration) {
    if samples.isEmpty { samples.append((time, total)) }
    total = total.addingClamped(bytes)
    if let last = samples.last, time - last.time < Self.interval { return }
    samples.append((time, total))
    // Keep one sample at or before the beginning of the window, because the rate is measured from it.
    while samples.count > 2, time - samples[1].time > Self.window { samples.removeFirst() }
  }

  /// Returns the rate in bytes per second.
  package func rate(at time: Duration) -> Int64 {
    guard let first = samples.first else { return 0 }
    return ByteRate.perSecond(total - first.total, in: time - first.time)
  }
}
