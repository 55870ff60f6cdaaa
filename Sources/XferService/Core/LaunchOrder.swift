package import XferEngine
package import XferEvents

/// A request to launch a program, with its purpose.
package struct LaunchOrder: Sendable {
  package enum Purpose: Sendable {
    /// The app must handle events of a session.
    case wake(SessionKey, WakeCause)
    case trigger(app: String, LaunchTrigger.Kind)
    /// A device command asked for the launch.
    case command(LinkID, isBackground: Bool)
  }

  package let purpose: Purpose
  package let program: Program
  /// The file that must be at the program's path. `nil` for a device command, which names any program.
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
