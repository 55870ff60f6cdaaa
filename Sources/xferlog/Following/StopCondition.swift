package import XferDiagnosis
package import XferEvents
package import XferPredicate
package import XferReport

/// A condition that ends the listing of events before the log ends.
package struct StopCondition: Sendable {
  /// The condition of `--until-event`.
  package var event: EventTest?
  /// The limit of `--exit-on-finding`.
  package var finding: FindingLimit?

  package init(event: EventTest? = nil, finding: FindingLimit? = nil) { (self.event, self.finding) = (event, finding) }

  package var isEmpty: Bool { event == nil && finding == nil }

  /// The part of the condition that was met.
  package enum Reason: Sendable {
    case event
    case finding(EventInset)
  }

  package func isMet(by event: RecordedEvent) -> Bool { self.event?.truth(of: event.view) == .yes }
  package func isMet(by inset: EventInset) -> Bool { finding?.isMet(by: inset) ?? false }
}

/// The findings that end a listing: those of a rule, or those of at least a severity that count.
package enum FindingLimit: Hashable, Sendable {
  case severity(Severity)
  case rule(String)

  func isMet(by inset: EventInset) -> Bool {
    guard inset.counts else { return false }
    return switch self {
    case .severity(let least): inset.severity >= least
    case .rule(let id): inset.title == id
    }
  }
}
