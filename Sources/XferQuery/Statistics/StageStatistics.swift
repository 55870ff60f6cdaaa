import XferEvents
package import XferLifecycle

/// The time that tasks spent in one stage.
package struct StageStatistics: Hashable, Sendable {
  package let stage: TaskLifecycle.Stage
  /// The number of tasks that went through the stage.
  package let tasks: Int
  /// The median; `nil` when no task went through the stage.
  package let median: Duration?
  package let ninetieth: Duration?
  package let maximum: Duration?
  package let sum: Duration
  /// The number of tasks whose time was at most each of `bounds`.
  package let counts: [Int]

  /// Upper bounds of times, in ascending order.
  package static let bounds: [Duration] = [
    .milliseconds(1), .milliseconds(5), .milliseconds(10), .milliseconds(50), .milliseconds(100), .milliseconds(500), .seconds(1),
    .seconds(5), .seconds(10), .seconds(30), .seconds(60), .seconds(300), .seconds(3600),
  ]

  /// - Parameter times: the nanoseconds of each task that went through the stage.
  init(_ stage: TaskLifecycle.Stage, times: [Int64]) {
    let sorted = times.sorted()
    self.stage = stage
    tasks = sorted.count
    median = Percentile.median.value(of: sorted)
    ninetieth = Percentile.ninetieth.value(of: sorted)
    maximum = sorted.last.map { .nanoseconds($0) }
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
