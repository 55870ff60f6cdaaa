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
  let cause: WakeCause
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
