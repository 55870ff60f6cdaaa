package import XferDiagnosis
package import XferEvents
package import XferLifecycle
import XferReplay

/// The statistics of a log, as `xferlog stats` shows them. The SQL views of the index compute the same numbers.
package struct Statistics: Sendable {
  package let events: Events
  package let tasks: Int
  /// The number of tasks for each outcome, including outcomes without tasks.
  package let outcomes: [(outcome: TaskLifecycle.Result, tasks: Int)]
  package let states: [(state: TaskLifecycle.State, tasks: Int)]
  /// The bytes of all bodies received.
  package let received: Int64
  package let sent: Int64
  package let stages: [StageStatistics]
  package let rules: [RuleStatistics]
  /// The questions that rules could not decide, with what the rules would need to know.
  package let undecided: [(undecided: Diagnosis.Undecided, count: Int)]
  package let hosts: [HostStatistics]

  package struct Events: Hashable, Sendable {
    package let count: Int
    /// The number of events that no lifecycle consumes.
    package let unmodelled: Int
    /// The number of places where records are missing.
    package let gaps: Int
    /// The number of events that their writers could not write.
    package let dropped: Int64
    /// The wall-clock times of the earliest and the latest event; `nil` when no event has one.
    package let span: ClosedRange<WallTime>?
  }

  /// - Parameters:
  ///   - tasks: the sums over all tasks of the diagnosis.
  ///   - span: the wall-clock times of the earliest and the latest event.
  ///   - selectedEvents: the number of events that a condition selects; `nil` for all events.
  package init(
    _ diagnosis: JointDiagnosis, tasks: TaskStatistics, span: ClosedRange<WallTime>?, selectedEvents: Int? = nil
  ) {
    let counts = diagnosis.counts
    events = Events(
      count: selectedEvents ?? counts.events, unmodelled: counts.unmodelledEvents, gaps: diagnosis.gaps.count,
      dropped: diagnosis.drops.values.reduce(0, &+), span: span)
    self.tasks = tasks.count
    outcomes = TaskLifecycle.Result.allCases.map { ($0, tasks.outcomes[$0] ?? 0) }
    states = TaskLifecycle.State.allCases.map { ($0, tasks.states[$0] ?? 0) }
    received = tasks.received
    sent = tasks.sent
    stages = TaskLifecycle.Stage.allCases.map { StageStatistics($0, times: tasks.times[$0] ?? []) }
    rules = RuleStatistics.all(diagnosis)
    undecided = diagnosis.undecided.map { ($0.key, $0.value) }
      .sorted { ($0.undecided.rule, $0.undecided.needs) < ($1.undecided.rule, $1.undecided.needs) }
    hosts = tasks.sortedHosts
  }
}
