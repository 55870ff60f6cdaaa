package import XferEvents

/// What the daemon tells a process that it starts, in its environment.
package struct LaunchNote: Sendable, Equatable {
  /// For which of its sessions something waits.
  package var session: String?
  package var startReason: StartReason?
  package var isBackground = false

  package init(session: String?, startReason: StartReason?, isBackground: Bool) {
    (self.session, self.startReason, self.isBackground) = (session, startReason, isBackground)
  }

  package init(environment: [String: String]) {
    session = environment["XFERD_WAKE"]
    startReason = environment["XFERD_REASON"].flatMap { name in StartReason.allCases.first { $0.name == name } }
    isBackground = environment["XFERD_BACKGROUND"] != nil || session != nil
  }

  /// - Parameter clock: the file by which the process is to set its clocks.
  package func environment(clock: String) -> [String: String] {
    var environment = ["XFERD_CLOCK": clock]
    environment["XFERD_WAKE"] = session
    environment["XFERD_REASON"] = startReason?.name
    if isBackground { environment["XFERD_BACKGROUND"] = "1" }
    return environment
  }
}
