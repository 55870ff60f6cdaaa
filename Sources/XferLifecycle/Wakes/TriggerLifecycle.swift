package import XferEvents

/// A reason other than a transfer to launch an app, such as a region or a timer.
package struct TriggerLifecycle: Sendable {
  package let id: CorrelationID
  /// The index of the process life that armed the trigger last.
  package private(set) var process: Int
  package private(set) var kind: TriggerKind?
  package private(set) var name: String?
  package private(set) var armed: Fact?
  /// The first time that the trigger was armed since it last fired.
  package private(set) var pending: Fact?
  /// The time from which on the trigger can fire; `nil` if it has none.
  package private(set) var firesAt: WallTime?
  package private(set) var fired: Fact?

  package init(id: CorrelationID, process: Int) {
    self.id = id
    self.process = process
  }

  /// Whether the system decides when the trigger fires, as for requests of BackgroundTasks.
  package var isGranted: Bool { kind == .appRefresh || kind == .processing }

  /// The name for display.
  package var text: String { [kind?.name, name].compactMap(\.self).joined(separator: " ") }

  package mutating func apply(_ step: EventModel.Trigger, _ event: EventView, _ fact: Fact, process: Int) {
    kind = event.triggerKind ?? kind
    name = event.name ?? name
    switch step {
    case .triggerArmed:
      self.process = process
      (armed, fired) = (fact, nil)
      pending = pending ?? fact
      firesAt = event.firesAt
    case .triggerFired: (fired, pending) = (fact, nil)
    }
  }
}
