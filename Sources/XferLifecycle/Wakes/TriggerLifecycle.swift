package import XferEvents

/// Something beside a transfer that is to launch an app.
package struct TriggerLifecycle: Sendable {
  package let id: CorrelationID
  /// Place of the process life that armed it last.
  package private(set) var process: Int
  package private(set) var kind: TriggerKind?
  package private(set) var name: String?
  package private(set) var armed: Fact?
  package private(set) var fired: Fact?

  package init(id: CorrelationID, process: Int) {
    self.id = id
    self.process = process
  }

  /// As people know it.
  package var text: String { [kind?.name, name].compactMap(\.self).joined(separator: " ") }

  package mutating func apply(_ event: EventView, _ fact: Fact, process: Int) {
    kind = event.triggerKind ?? kind
    name = event.name ?? name
    switch fact.kind {
    case .triggerArmed:
      self.process = process
      (armed, fired) = (fact, nil)
    case .triggerFired: fired = fact
    default: break
    }
  }
}
