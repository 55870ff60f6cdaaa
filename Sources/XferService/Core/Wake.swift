import XferEvents

/// A wake: the notification of an app that events of one of its sessions are pending.
struct Wake: Sendable {
  enum Step: Sendable, Equatable {
    /// The wake is needed, but the app has not been launched or notified.
    case wanted
    /// The app was launched with this pid and has not connected.
    case launched(Int32)
    /// The app was notified and must call its handler before the deadline (nanoseconds of the core's clock).
    case delivered(LinkID, deadline: Int64)
  }

  let handler: HandlerID
  let cause: WakeCause
  var step = Step.wanted
  /// The reason for the hold that was logged last. `nil` if none was logged.
  var hold: HoldWakeReason?
}

/// The ID of a connection from an app.
package struct LinkID: Hashable, Sendable, Comparable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
  package static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }
}
