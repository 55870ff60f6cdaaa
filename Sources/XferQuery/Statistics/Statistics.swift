package import XferDiagnosis
package import XferEvents
package import XferLifecycle
import XferReplay

/// A log in figures: what `xferlog stats` shows, and what the views over the index must give as well.
package struct Statistics: Sendable {
  package let events: Events
  package let tasks: Int
  /// Every word there is, also those that no task has.
  package let outcomes: [(outcome: TaskLifecycle.Result, tasks: Int)]
  package let states: [(state: TaskLifecycle.State, tasks: Int)]
  /// Bytes of bodies, of all tasks.
  package let received: Int64
  package let sent: Int64
  package let stages: [StageStatistics]
  package let rules: [RuleStatistics]
  /// What rules could not decide, and for want of what.
  package let undecided: [(undecided: Diagnosis.Undecided, count: Int)]
  package let hosts: [HostStatistics]

  package struct Events: Hashable, Sendable {
    package let count: Int
    /// Events that no lifecycle uses.
    package let unmodelled: Int
    /// Places where something is missing.
    package let gaps: Int
    /// Events that could not be written, as the writers counted them.
    package let dropped: Int64
    /// Wall clock of the earliest and of the latest event; `nil` when no event has one.
    package let span: ClosedRange<WallTime>?
  }

  /// - Parameters:
  ///   - tasks: all tasks that the diagnosis has seen end.
  ///   - span: of the events' wall clocks.
  package init(_ diagnosis: Diagnosis, tasks: TaskStatistics, span: ClosedRange<WallTime>?) {
    let (world, counts) = (diagnosis.world, diagnosis.replay.counts)
    events = Events(
      count: counts.events, unmodelled: counts.unmodelledEvents, gaps: world.gaps.count,
      dropped: world.drops.values.reduce(0, &+), span: span)
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
