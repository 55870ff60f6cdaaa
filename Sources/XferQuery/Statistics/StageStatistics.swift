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
  package let histogram: TimeHistogram

  /// - Parameter times: the nanoseconds of each task that went through the stage.
  init(_ stage: TaskLifecycle.Stage, times: [Int64]) {
    let sorted = times.sorted()
    self.stage = stage
    tasks = sorted.count
    median = Percentile.median.value(of: sorted)
    ninetieth = Percentile.ninetieth.value(of: sorted)
    maximum = sorted.last.map { .nanoseconds($0) }
    histogram = TimeHistogram(sorted: sorted)
  }
}
