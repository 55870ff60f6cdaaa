package import XferEvents

/// The connection of one app's life to the daemon.
package struct LinkLife: Sendable {
  package private(set) var connected: Fact?
  /// The first time that it went down; whether that was told from both ends or from one.
  package private(set) var disconnected: Fact?
  package private(set) var reason: String?
  /// It was there again.
  package private(set) var reconnected: Fact?

  package init() {}

  package mutating func apply(_ event: EventView, _ fact: Fact) {
    switch fact.kind {
    case .linkConnected:
      if disconnected == nil { connected = connected ?? fact } else { reconnected = reconnected ?? fact }
    case .linkDisconnected:
      // Both ends tell of one loss; a later one counts once the first was made good.
      if disconnected == nil || reconnected != nil {
        (disconnected, reason, reconnected) = (fact, event.reason, nil)
      } else {
        reason = reason ?? event.reason
      }
    default: break
    }
  }
}
