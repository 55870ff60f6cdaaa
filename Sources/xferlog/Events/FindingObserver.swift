package import XferDiagnosis
package import XferEvents
package import XferReport

/// Finds problems while events are read. Each finding is reported after the event that triggers it.
///
/// The rules are those of a replay. The end of the log triggers no finding, because a followed log has no end. A deadline counts
/// as passed only when a later event or heartbeat is read, because a writer without events may be suspended.
package final class FindingObserver {
  private var diagnosis: JointDiagnosis
  private var lastWall: WallTime?

  package init(_ rules: RuleSet = .catalogue) {
    diagnosis = JointDiagnosis(rules.tables)
  }

  /// - Returns: the findings to show right after the event or gap.
  package func observe(_ member: LogMember) -> [EventInset] {
    if case .event(let event) = member { lastWall = event.wall ?? lastWall }
    return diagnosis.apply(member).map { $0.inset(decidedAt: lastWall) }
  }
}
