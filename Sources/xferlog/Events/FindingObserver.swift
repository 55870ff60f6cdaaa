package import XferDiagnosis
package import XferEvents
package import XferReport

/// Returns findings to show between events, each at the moment at which the log settles it.
///
/// The rules and guards are those of a replay. Conclusions from the end of the log are left out, because a followed log has no end.
/// Time without events proves nothing, because the writer may be suspended: a deadline passes when an event or a heartbeat covers it.
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
