package import XferDiagnosis
package import XferEvents

extension Finding {
  /// Returns the finding in the form that is shown between events.
  ///
  /// - Parameter wall: the time of the event at which the rule made its decision.
  package func inset(decidedAt wall: WallTime?) -> EventInset {
    EventInset(
      level: severity.level, severity: severity, counts: counts, wall: wall, subject: subject, tasks: task.map { [$0] } ?? tasks,
      session: session, title: rule,
      text: "\(isWithdrawn ? "withdrawn" : certainty.rawValue): \(summary)", details: details,
      write: { writeJSON(causedBy: nil, to: &$0) })
  }

  private var subject: String {
    if let task { return "\(task.session)/\(task.number)" }
    return session ?? "log"
  }

  private var details: [(name: String, value: String)] {
    evidence.map { ("evidence", "\($0.kind.name) \($0.reference)") }
      + missing.map { ("missing", $0.event.name) }
      + lowered.map { ("because", $0) }
      + unless.map { ("unless", $0) }
      + [("remedy", remedy)]
  }
}

extension Severity {
  /// The level at which a finding of this severity is shown among events.
  package var level: Level {
    switch self {
    case .critical: .fault
    case .error, .warning: .error
    case .notice: .default
    }
  }
}
