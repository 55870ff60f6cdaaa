package import XferDiagnosis
package import XferEvents
package import XferReport

/// Shows findings between the events, each at the moment at which the log settles it.
///
/// The rules and guards are those of a replay; only what a replay concludes from the log's end is left out, because a
/// log that goes on has none, and of one that does not go on nobody knows why. That time passes while nothing is written
/// shows nothing either: the writer may be suspended. Deadlines pass with the events and heartbeats that cover them.
package final class FindingObserver {
  private var diagnosis: Diagnosis
  private var lastWall: WallTime?

  package init(_ rules: RuleSet = .catalogue) {
    diagnosis = Diagnosis(rules: rules.builtIn, userRules: rules.users)
  }

  /// - Returns: what to show right after the member.
  package func observe(_ member: LogMember) -> [EventInset] {
    if case .event(let event) = member { lastWall = event.wall ?? lastWall }
    let decided = diagnosis.apply(member)
    return decided.isEmpty ? [] : decided.map { diagnosis.findings[$0].inset(decidedAt: lastWall) }
  }
}
