/// A deliberate defect in a lifecycle test.
enum Cause: String, CaseIterable {
  /// The app never calls a wake's completion handler.
  case handlerNeverCalled = "handler-never-called"
  /// The app calls a wake's completion handler before it has received the session's events.
  case handlerTooEarly = "handler-too-early"
  /// A relaunched app does not recreate its session.
  case sessionNotRecreated = "session-not-recreated"
  /// A relaunched app creates a session with another identifier.
  case wrongIdentifier = "wrong-identifier"
  /// The app's program is missing when the daemon tries to launch it.
  case wakeNeverHappens = "wake-never-happens"
  /// The app does not move a downloaded file during its callback.
  case fileNotMoved = "file-not-moved"
  /// The app moves a downloaded file to an invalid destination.
  case destinationRefuses = "destination-refuses"
  /// The app deletes a file before it was uploaded.
  case sourceDeleted = "source-deleted"
  /// The app treats a server's error page as the requested file.
  case errorTakenForSuccess = "error-taken-for-success"
  /// The user force-quits the app during a transfer.
  case forceQuit = "force-quit"
  /// The daemon restarts with an unreadable database.
  case daemonLosesTasks = "daemon-loses-tasks"
  /// A transfer exceeds its resource timeout.
  case timeIsOver = "time-is-over"

  /// The only rule that must report this defect.
  var rule: String {
    switch self {
    case .handlerNeverCalled: "missed-completion-handler"
    case .handlerTooEarly: "completion-handler-called-too-early"
    case .sessionNotRecreated: "session-not-recreated-after-relaunch"
    case .wrongIdentifier: "wrong-identifier-recreated"
    case .wakeNeverHappens: "wake-never-happened"
    case .fileNotMoved: "temp-file-not-moved"
    case .destinationRefuses: "claim-failed-destination"
    case .sourceDeleted: "upload-source-deleted-too-early"
    case .errorTakenForSuccess: "http-error-as-success"
    case .forceQuit: "force-quit-cancelled"
    case .daemonLosesTasks: "daemon-restart-lost-tasks"
    case .timeIsOver: "resource-timeout"
    }
  }
}
