package import XferEvents

/// Whether there is a way into the network, as the log last had it.
package struct NetworkPath: Sendable {
  /// `nil` until the log says.
  package private(set) var isUp: Bool?
  /// When that became so.
  package private(set) var changed: Fact?
  /// What the path is, and which event says so.
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
