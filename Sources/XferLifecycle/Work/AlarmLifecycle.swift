package import XferEvents

/// A dead man's switch, which fires unless the app arms it again in time. Arming the switch again after it has fired begins
/// another lifecycle.
package struct AlarmLifecycle: Sendable {
  package let id: CorrelationID
  /// The index of the process life that armed the alarm.
  package let process: Int
  package private(set) var name: String?
  /// The time from arming to firing.
  package private(set) var interval: Duration?

  /// The last event that armed the alarm.
  package private(set) var armed: Fact?
  /// The last check of the remaining time.
  package private(set) var checked: Fact?
  package private(set) var disarmed: Fact?
  /// The first firing since the alarm was armed.
  package private(set) var fired: Fact?
  /// The first event about the alarm after it fired, if the process life that had armed the alarm wrote the event; `nil` if there
  /// is none.
  package private(set) var answered: Fact?

  package init(id: CorrelationID, process: Int) {
    self.id = id
    self.process = process
  }

  /// The name for display.
  package var text: String { name ?? "alarm \(id.rawValue)" }

  /// - Parameter isOwn: whether the process life that armed the alarm wrote the event
  package mutating func apply(_ kind: EventModel.Alarm, _ event: EventView, _ fact: Fact, isOwn: Bool) {
    if fired != nil, isOwn, kind != .deadmanFired { answered = answered ?? fact }
    switch kind {
    case .deadmanArmed:
      armed = fact
      disarmed = nil
      name = event.name ?? name
      interval = event.interval ?? interval
    case .deadmanChecked: checked = fact
    case .deadmanDisarmed: if fired == nil { disarmed = fact }
    case .deadmanFired: fired = fired ?? fact
    }
  }
}
