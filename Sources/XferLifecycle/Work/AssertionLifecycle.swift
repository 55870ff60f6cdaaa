package import XferEvents

/// A background assertion of an app, from its beginning to its end.
package struct AssertionLifecycle: Sendable {
  package let id: CorrelationID
  /// The index of the process life that began the assertion.
  package let process: Int
  package private(set) var name: String?
  /// The app's name for the variable that stores the assertion.
  package private(set) var slot: String?

  /// Whether the system expires the assertion unless the app reports steady progress.
  package private(set) var needsProgress = false

  package private(set) var begun: Fact?
  package private(set) var expired: Fact?
  package private(set) var ended: Fact?
  /// The system's report that the assertion had not been ended although it had expired.
  package private(set) var unended: Fact?
  /// The system's warning that the assertion has not been ended for long.
  package private(set) var overdue: Fact?
  /// The beginning of another assertion that was stored in the same variable while this one was open.
  package private(set) var overwritten: Fact?
  /// The end of a later assertion in the same variable.
  package private(set) var laterEnded: Fact?

  package init(id: CorrelationID, process: Int) {
    self.id = id
    self.process = process
  }

  package var isOpen: Bool { begun != nil && ended == nil }

  /// The name for display.
  package var text: String { name ?? "background time \(id.rawValue)" }

  package mutating func apply(_ kind: EventModel.Assertion, _ event: EventView, _ fact: Fact) {
    name = event.name ?? name
    switch kind {
    case .assertionBegun:
      begun = begun ?? fact
      slot = event.slot
      needsProgress = event.needsProgress ?? false
    case .assertionExpired:
      expired = expired ?? fact
      if event.unended ?? false { unended = unended ?? fact }
    case .assertionOverdue: overdue = overdue ?? fact
    case .assertionEnded: ended = ended ?? fact
    }
  }

  /// Notes that another assertion was stored in the same variable.
  package mutating func overwrite(_ fact: Fact) { overwritten = overwritten ?? fact }

  /// Notes the end of a later assertion in the same variable.
  package mutating func endLater(_ fact: Fact) { laterEnded = laterEnded ?? fact }
}
