/// An app whose behaviour is data: what it does when it is launched and in each callback.
package struct ActorScript: Sendable {
  package var title: String
  /// The steps of every launch, before those of its start reason.
  package var always: [ActorStep]
  /// The steps of launches for one reason.
  package var launches: [Launch: [ActorStep]]
  /// The reactions to callbacks. A callback without a reaction has its default behaviour.
  package var reactions: [Callback: [ActorStep]]
  /// The files to create at the first launch.
  package var files: [Scenario.File]
  package var isSuspendable = true
  /// Whether the app registers with the daemon.
  package var registers = true
  package var isExtension = false
  package var callsOnMain = true
  package var privacy = Privacy.masked
  /// The app's data directory. `nil` if it has none.
  package var container: String?

  /// The reason of a launch.
  package enum Launch: String, Sendable, CaseIterable {
    case user, events, trigger
    /// Any launch in the background.
    case background
  }

  package enum Privacy: String, Sendable, CaseIterable {
    case full, masked, redacted
  }

  package enum Callback: String, Sendable, CaseIterable {
    case finished, completed, progress, sent, resumed, resumable, metrics, waiting, challenge, redirect, delayed, response, data
    case becameDownload = "became-download"
    case cache
    case bodyStream = "body-stream"
    case eventsFinished = "events-finished"
    case invalid
    case handleEvents = "handle-events"
    case enteredBackground = "entered-background"
    case enteringForeground = "entering-foreground"
    case willTerminate = "will-terminate"
    case trigger, deadman
    case protectedData = "protected-data"
    case handler, multipart
  }
}
