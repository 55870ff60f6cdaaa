package import XferEngine
package import XferEvents

/// A program that is to be started, and why.
package struct LaunchOrder: Sendable {
  package enum Purpose: Sendable {
    /// Something waits for a session.
    case wake(SessionKey, WakeCause)
    case trigger(app: String, LaunchTrigger.Kind)
    /// Whoever plays the device wants it so.
    case command(LinkID, isBackground: Bool)
  }

  package let purpose: Purpose
  package let program: Program
  /// `nil` when whoever asks for it names the program himself.
  package let file: ProgramFile?

  var note: LaunchNote {
    switch purpose {
    case .wake(let key, let cause):
      LaunchNote(session: key.identifier, startReason: cause == .challenge ? .challenge : .transfer, isBackground: true)
    case .trigger(_, let kind): LaunchNote(session: nil, startReason: kind.startReason, isBackground: true)
    case .command(_, let isBackground):
      LaunchNote(session: nil, startReason: isBackground ? .command : .user, isBackground: isBackground)
    }
  }
}
