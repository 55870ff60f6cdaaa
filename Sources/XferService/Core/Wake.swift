import XferEvents

/// The app is to be told that something waits for one of its sessions.
struct Wake: Sendable {
  enum Step: Sendable, Equatable {
    /// Nobody was asked yet.
    case wanted
    /// Launched as this process; the app has not connected.
    case launched(Int32)
    /// The app has the handler.
    case delivered(LinkID, deadline: Int64)
  }

  let handler: HandlerID
  var step = Step.wanted
  /// What was last said to hold it.
  var hold: HoldWakeReason?
}

/// One connection of an app.
package struct LinkID: Hashable, Sendable, Comparable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
  package static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }
}

/// A process that the daemon has started.
struct Child: Sendable {
  let app: String
  /// How its log calls it, once it has said so.
  var launch: LaunchID?
}

/// An app that is connected.
struct AppLink: Sendable {
  let app: String
  let pid: Int32
  let launch: LaunchID?
  /// Whether it can be told of wakes.
  var isRegistered = false
  /// Identifiers of the sessions that it has open.
  var sessions: Set<String> = []
}
