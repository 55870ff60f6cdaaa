package import XferEvents

/// The state of the network path according to the last events about it.
package struct NetworkPath: Sendable {
  /// Whether a network path is available; `nil` until the log states it.
  package private(set) var isUp: Bool?
  /// The event in which `isUp` last changed.
  package private(set) var changed: Fact?
  /// The last event in which another network became the path: Wi-Fi was replaced by cellular, the interface changed, or a network
  /// became available after none was. `nil` if the log shows no such change.
  package private(set) var moved: Fact?
  /// The last event about the path. The properties below are those that this event states.
  package private(set) var described: Fact?
  package private(set) var isCellular: Bool?
  package private(set) var isExpensive: Bool?
  package private(set) var isConstrained: Bool?
  private var name: String?

  package init() {}

  package mutating func apply(_ event: EventView, _ fact: Fact) {
    if described != nil, event.up != false, isOther(event) { moved = fact }
    described = fact
    name = event.name ?? name
    (isCellular, isExpensive, isConstrained) = (event.cellular, event.expensive, event.constrained)
    guard let up = event.up, up != isUp else { return }
    isUp = up
    changed = fact
  }

  /// Whether an event describes another network than the previous event.
  private func isOther(_ event: EventView) -> Bool {
    if isUp == false, event.up == true { return true }
    if let cellular = event.cellular, let before = isCellular, cellular != before { return true }
    return event.name.map { name != nil && $0 != name } ?? false
  }
}
