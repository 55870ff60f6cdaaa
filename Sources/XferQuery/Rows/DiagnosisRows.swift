package import XferDiagnosis
package import XferEvents
import XferReplay

/// The rows of the index that are known only at the end of a diagnosis. Events, tasks and deliveries are not included, because they are
/// written while the log is read.
package struct DiagnosisRows {
  private let diagnosis: JointDiagnosis
  private let source: (EventReference) -> Int64?

  /// - Parameter source: returns the number of the source that a reference names, in the table `sources`.
  package init(_ diagnosis: JointDiagnosis, source: @escaping (EventReference) -> Int64?) {
    (self.diagnosis, self.source) = (diagnosis, source)
  }

  /// Calls a function with each row, in an order that depends only on the log.
  package func forEach(_ body: (any TableRow) throws -> Void) rethrows {
    let worlds = diagnosis.parts.map(\.world)
    for (place, process) in diagnosis.processes.enumerated() { try body(ProcessRow(process, at: place)) }
    var place = 0
    for world in worlds {
      for session in world.sessions {
        try body(SessionRow(session, at: place, in: world))
        place += 1
      }
    }
    for world in worlds {
      for wake in world.wakes { try body(WakeRow(wake, in: world)) }
    }
    for (place, finding) in diagnosis.findings.enumerated() {
      try body(FindingRow(finding, at: place))
      for row in EvidenceRow.all(of: finding, at: place, source: source) { try body(row) }
    }
    for row in RuleRow.all(diagnosis) { try body(row) }
    for (undecided, count) in diagnosis.undecided.sorted(by: { ($0.key.rule, $0.key.needs) < ($1.key.rule, $1.key.needs) }) {
      try body(UndecidedRow(undecided, count: count))
    }
    for gap in diagnosis.gaps { try body(GapRow(gap)) }
    for (family, count) in diagnosis.drops.sorted(by: { $0.key < $1.key }) { try body(DropRow(family: family, count: count)) }
    for (event, unmodelled) in diagnosis.counts.unmodelled.sorted(by: { $0.key < $1.key }) {
      try body(UnmodelledRow(event: event, count: unmodelled.count))
    }
  }
}
