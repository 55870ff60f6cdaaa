/// A recipe for collecting the logs of a system, as numbered steps.
package struct CollectionRecipe: Sendable {
  /// A step with its commands and the limits of what they capture.
  package struct Step: Sendable {
    /// What the step does, in the imperative.
    package let title: String
    /// The commands for a shell, in the order in which they are typed. Empty if the step has none.
    package let commands: [String]
    package let shows: String
    package let cannotShow: String

    init(_ title: String, _ commands: String..., shows: String, cannotShow: String) {
      self.title = title
      self.commands = commands
      self.shows = shows
      self.cannotShow = cannotShow
    }
  }

  package let system: CollectionSystem
  package let title: String
  package let steps: [Step]
  /// What no capture of the system contains.
  package let limits: [String]

  /// Returns the recipe for a system.
  package static func of(_ system: CollectionSystem) -> CollectionRecipe {
    switch system {
    case .apple: apple
    case .linux: linux
    case .android: android
    }
  }
}

/// A system whose logs can be collected. The raw values are the arguments of `xferlog collect-help`.
package enum CollectionSystem: String, CaseIterable, Sendable {
  case apple, linux, android

  /// The systems and logs that the recipe covers.
  package var summary: String {
    switch self {
    case .apple: "iOS, macOS and their simulators: the unified log, Console.app, idevicesyslog, CFNETWORK_DIAGNOSTICS"
    case .linux: "Linux: the logs of xfer and xferd, journald, curl"
    case .android: "Android: logcat, WorkManager"
    }
  }
}
