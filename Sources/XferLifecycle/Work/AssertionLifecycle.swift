package import XferEvents

/// A stretch of background time that an app asked for, from its beginning until it is ended.
package struct AssertionLifecycle: Sendable {
  package let id: CorrelationID
  /// Place of the process life that began it.
  package let process: Int
  package private(set) var name: String?
  /// The variable that the app keeps it in.
  package private(set) var slot: String?

  package private(set) var begun: Fact?
  package private(set) var expired: Fact?
  package private(set) var ended: Fact?
  /// The beginning of another one that was put into the same variable while this one was open.
  package private(set) var overwritten: Fact?
  /// The end of a later one of the same variable.
  package private(set) var laterEnded: Fact?

  package init(id: CorrelationID, process: Int) {
    self.id = id
    self.process = process
  }

  package var isOpen: Bool { begun != nil && ended == nil }

  /// As people know it.
  package var text: String { name ?? "background time \(id.rawValue)" }

  package mutating func apply(_ event: EventView, _ fact: Fact) {
    name = event.name ?? name
    switch fact.kind {
    case .assertionBegun:
      begun = begun ?? fact
      slot = event.slot
    case .assertionExpired: expired = expired ?? fact
    case .assertionEnded: ended = ended ?? fact
    default: break
    }
  }

  /// Another one was put into its variable.
  package mutating func overwrite(_ fact: Fact) { overwritten = overwritten ?? fact }

  /// One that was put into its variable later was ended.
  package mutating func endLater(_ fact: Fact) { laterEnded = laterEnded ?? fact }
}
