package import XferEvents

/// The connection between one process life of an app and the daemon.
package struct LinkLife: Sendable {
  package private(set) var connected: Fact?
  /// The first event about the latest loss of the connection. The app and the daemon may both report a loss.
  package private(set) var disconnected: Fact?
  package private(set) var reason: String?
  /// The first connection after the loss.
  package private(set) var reconnected: Fact?

  package init() {}

  package mutating func apply(_ kind: EventModel.Link, _ event: EventView, _ fact: Fact) {
    switch kind {
    case .linkConnected:
      if disconnected == nil { connected = connected ?? fact } else { reconnected = reconnected ?? fact }
    case .linkDisconnected:
      // The app and the daemon both report a loss. A report counts as another loss only after a reconnection.
      if disconnected == nil || reconnected != nil {
        (disconnected, reason, reconnected) = (fact, event.reason, nil)
      } else {
        reason = reason ?? event.reason
      }
    }
  }
}
