package import XferEvents

/// The launch information that the daemon passes to a process in its environment.
package struct LaunchNote: Sendable, Equatable {
  /// The identifier of the session that has events. `nil` when the process was launched for another reason.
  package var session: String?
  package var startReason: StartReason?
  package var isBackground = false

  package init(session: String?, startReason: StartReason?, isBackground: Bool) {
    (self.session, self.startReason, self.isBackground) = (session, startReason, isBackground)
  }

  /// The reason of the launch for the log. Without a reason, a launch in the background is not attributed to the user.
  package var loggedReason: StartReason {
    if let startReason { return startReason }
    return session != nil ? .transfer : isBackground ? .unknown : .user
  }

  package init(environment: [String: String]) {
    session = environment["XFERD_WAKE"]
    startReason = environment["XFERD_REASON"].flatMap { name in StartReason.allCases.first { $0.name == name } }
    isBackground = environment["XFERD_BACKGROUND"] != nil || session != nil
  }

  /// Returns the environment variables that encode the launch information.
  ///
  /// - Parameter clock: The path of the file from which the process reads the offset of the device's clocks.
  package func environment(clock: String) -> [String: String] {
    var environment = ["XFERD_CLOCK": clock]
    environment["XFERD_WAKE"] = session
    environment["XFERD_REASON"] = startReason?.name
    if isBackground { environment["XFERD_BACKGROUND"] = "1" }
    return environment
  }
}
