import XferEvents

/// The number of times up to each of several bounds.
package struct TimeHistogram: Hashable, Sendable {
  /// The number of times.
  package let count: Int
  package let sum: Duration
  /// The number of times that are at most each of `bounds`.
  package let counts: [Int]

  /// Upper bounds of times, in ascending order.
  package static let bounds: [Duration] = [
    .milliseconds(1), .milliseconds(5), .milliseconds(10), .milliseconds(50), .milliseconds(100), .milliseconds(500), .seconds(1),
    .seconds(5), .seconds(10), .seconds(30), .seconds(60), .seconds(300), .seconds(3600),
  ]

  /// - Parameter times: the times in nanoseconds, in any order.
  package init(_ times: [Int64]) { self.init(sorted: times.sorted()) }

  /// - Parameter sorted: the times in nanoseconds, in ascending order.
  init(sorted: [Int64]) {
    count = sorted.count
    // The sum may overflow when a log is damaged, and must not trap.
    sum = .nanoseconds(sorted.reduce(0, &+))
    var counts: [Int] = []
    var place = 0
    for bound in Self.bounds {
      while place < sorted.count, sorted[place] <= bound.nanoseconds { place += 1 }
      counts.append(place)
    }
    self.counts = counts
  }
}
