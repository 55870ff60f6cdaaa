package import XferEvents

/// Whether there is a way into the network, as the log last had it.
package struct NetworkPath: Sendable {
  /// `nil` until the log says.
  package private(set) var isUp: Bool?
  /// When that became so.
  package private(set) var changed: Fact?

  package init() {}

  package mutating func apply(_ event: RecordedEvent, _ fact: Fact) {
    guard let up = event.up, up != isUp else { return }
    isUp = up
    changed = fact
  }
}
