/// What is wrong with a lifecycle, on purpose.
enum Cause: String, CaseIterable {
  /// The app never calls a wake's completion handler.
  case handlerNeverCalled = "handler-never-called"
  /// The app calls it before it has the session's events.
  case handlerTooEarly = "handler-too-early"
  /// A life that is woken does not make the session.
  case sessionNotRecreated = "session-not-recreated"
  /// A life that is woken makes a session of another name.
  case wrongIdentifier = "wrong-identifier"
  /// The program is gone when it is to be launched.
  case wakeNeverHappens = "wake-never-happens"
  /// A file is not moved while its callback runs.
  case fileNotMoved = "file-not-moved"
  /// A file is moved where it cannot go.
  case destinationRefuses = "destination-refuses"
  /// The file that is to be sent is deleted before it was sent.
  case sourceDeleted = "source-deleted"
  /// The page of a server's error is taken for the file.
  case errorTakenForSuccess = "error-taken-for-success"
  /// The user sweeps the app away while it transfers.
  case forceQuit = "force-quit"
  /// The daemon comes back with a database that cannot be read.
  case daemonLosesTasks = "daemon-loses-tasks"
  /// A transfer is not done when all its time is over.
  case timeIsOver = "time-is-over"

  /// The rule that is to find it, and no other.
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
