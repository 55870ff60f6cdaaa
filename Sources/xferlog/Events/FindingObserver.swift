package import XferDiagnosis
package import XferEvents
package import XferReport

/// Finds problems while events are read. Each finding is reported after the event that decides it.
///
/// The rules and guards are those of a replay. The end of the log decides nothing, because a followed log has no end. Time without
/// events proves nothing, because the writer may be suspended: a deadline passes when a later event or heartbeat is read.
package final class FindingObserver {
  private var diagnosis: Diagnosis
  private var lastWall: WallTime?

  package init(_ rules: RuleSet = .catalogue) {
    diagnosis = Diagnosis(rules: rules.builtIn, userRules: rules.users)
  }

  /// - Returns: the findings to show right after the member.
  package func observe(_ member: LogMember) -> [EventInset] {
    if case .event(let event) = member { lastWall = event.wall ?? lastWall }
    let decided = diagnosis.apply(member)
    return decided.isEmpty ? [] : decided.map { diagnosis.findings[$0].inset(decidedAt: lastWall) }
  }
}
