package import XferEvents

extension EventKind {
  /// Whether a writer of this role can say it at all; what it cannot say proves nothing by its absence.
  package func isWritten(by role: WriterRole) -> Bool {
    switch role {
    case .app, .appExtension, .engine: !Self.ofTheDaemon.contains(self)
    case .daemon: !Self.ofTheApp.contains(self) && family != "app" && family != "assertion" && family != "multipart"
    case .recorder: !Self.ofTheDaemon.contains(self) && !Self.ofTheEngine.contains(self) && !Self.enginesOwn.contains(family)
    case .tool: Self.ofTools.contains(family) || Self.emitted.contains(self)
    }
  }

  /// Some writer there is that says it.
  package var writers: [WriterRole] { WriterRole.allCases.filter(isWritten) }

  /// What only the daemon knows.
  private static let ofTheDaemon: Set<EventKind> = [
    .daemonStarted, .daemonRecovered, .daemonExited, .daemonTasksListed, .wakeWanted, .wakeHeld, .wakeLaunched, .taskForgotten,
    .deadmanFired,
  ]

  /// What happens within an app's process.
  private static let ofTheApp: Set<EventKind> = [
    .deliveryReceived, .deliveryEntered, .deliveryLeft, .deliveryDropped, .wakeDelivered, .wakeHandlerStored,
    .wakeHandlerCalled, .wakeHandlerReleased, .sessionConnectStarted, .sessionConnected, .sessionConnectFailed,
    .sessionEventsFinished, .sessionTasksQueried, .sessionTasksAnswered, .sessionReused, .taskDelayAsked, .taskDelayAnswered,
    .taskAdopted, .fileClaimed, .fileUnclaimed, .deadmanArmed, .deadmanChecked, .triggerArmed, .processTerminationAnnounced,
  ]

  /// What Foundation's URLSession does not tell its recorder.
  private static let ofTheEngine: Set<EventKind> = [
    .sessionConnectStarted, .sessionConnected, .sessionConnectFailed, .sessionReused, .sessionConfigured,
    .sessionSettingAdjusted, .wakeDeadlineSet, .wakeDeadlinePassed, .taskDelayAsked, .taskDelayAnswered, .taskChanged,
    .taskCoalesced,
  ]
  private static let enginesOwn: Set = ["link", "cache"]

  /// What `xferlog` itself writes.
  private static let ofTools: Set = ["log", "clock", "process", "message", "signpost", "activity"]
  private static let emitted: Set<EventKind> = [.appNoted, .appIntentDeclared, .appOutcomeRecorded]
}
