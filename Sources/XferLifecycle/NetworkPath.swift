package import XferEvents

/// The state of the network path according to the last events about it.
package struct NetworkPath: Sendable {
  /// Whether a network path is available; `nil` until the log states it.
  package private(set) var isUp: Bool?
  /// The event in which `isUp` last changed.
  package private(set) var changed: Fact?
  /// The last event about the path. The properties below are those that this event states.
  package private(set) var described: Fact?
  package private(set) var isCellular: Bool?
  package private(set) var isExpensive: Bool?
  package private(set) var isConstrained: Bool?

  package init() {}

  package mutating func apply(_ event: EventView, _ fact: Fact) {
    described = fact
    (isCellular, isExpensive, isConstrained) = (event.cellular, event.expensive, event.constrained)
    guard let up = event.up, up != isUp else { return }
    isUp = up
    changed = fact
  }
}
