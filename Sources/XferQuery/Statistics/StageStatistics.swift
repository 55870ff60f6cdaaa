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

  package init(_ stage: TaskLifecycle.Stage, _ tasks: [TaskLifecycle]) {
    let times = tasks.compactMap { $0.duration(of: stage) }.sorted()
    self.stage = stage
    self.tasks = times.count
    median = Percentile.median.value(of: times)
    ninetieth = Percentile.ninetieth.value(of: times)
    maximum = times.last
  }
}
