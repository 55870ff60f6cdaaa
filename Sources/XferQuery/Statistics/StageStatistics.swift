package import XferLifecycle

/// How long tasks spent in one stage.
package struct StageStatistics: Hashable, Sendable {
  package let stage: TaskLifecycle.Stage
  /// Tasks that went through the stage, which the times below are of.
  package let tasks: Int
  /// `nil` when no task did.
  package let median: Duration?
  package let ninetieth: Duration?
  package let maximum: Duration?

  /// - Parameter times: nanoseconds, of each task that went through it.
  init(_ stage: TaskLifecycle.Stage, times: [Int64]) {
    let sorted = times.sorted()
    self.stage = stage
    tasks = sorted.count
    median = Percentile.median.value(of: sorted)
    ninetieth = Percentile.ninetieth.value(of: sorted)
    maximum = sorted.last.map { .nanoseconds($0) }
  }
}
