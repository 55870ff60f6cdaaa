package import XferEvents

/// An alarm that rings unless it is armed again in time, from its first arming until it has rung and was answered.
package struct AlarmLifecycle: Sendable {
  package let id: CorrelationID
  /// Place of the process life that armed it.
  package let process: Int
  package private(set) var name: String?
  /// How far ahead it is set each time.
  package private(set) var interval: Duration?

  /// The last arming, and the last look at what is left.
  package private(set) var armed: Fact?
  package private(set) var checked: Fact?
  package private(set) var disarmed: Fact?
  /// The first ring since it was armed.
  package private(set) var fired: Fact?
  /// What the life that armed it did with it once it had rung.
  package private(set) var answered: Fact?

  package init(id: CorrelationID, process: Int) {
    self.id = id
    self.process = process
  }

  /// As people know it.
  package var text: String { name ?? "alarm \(id.rawValue)" }

  /// - Parameter isOwn: whether the life that armed it says so.
  package mutating func apply(_ event: EventView, _ fact: Fact, isOwn: Bool) {
    if fired != nil, isOwn, fact.kind != .deadmanFired { answered = answered ?? fact }
    switch fact.kind {
    case .deadmanArmed:
      armed = fact
      disarmed = nil
      name = event.name ?? name
      interval = event.interval ?? interval
    case .deadmanChecked: checked = fact
    case .deadmanDisarmed: if fired == nil { disarmed = fact }
    case .deadmanFired: fired = fired ?? fact
    default: break
    }
  }
}
