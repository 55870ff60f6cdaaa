import XferEvents
import XferLifecycle
import XferReplay

/// Reports a background session that the daemon did not accept.
struct BackgroundSessionUnavailable: SessionRule {
  private static let session = "com.example.img"

  static let description = RuleDescription(
    id: "background-session-unavailable", severity: .error,
    summary: "A background session could not be connected to the transfer daemon, so its tasks cannot run.",
    explanation: """
      A background session needs the system's transfer daemon. If the session cannot be set up, its tasks are not created, or fail \
      at once with -1. Causes are an app without a valid signature, a simulator whose services do not run, a device that has not been \
      unlocked since it was started, and a daemon that has crashed.
      """,
    remedy: """
      Sign the app, also for the simulator. Create background sessions only after the first unlock of the device. Check each \
      task for nil and for an immediate failure, and retry later.
      """,
    sources: [
      "https://github.com/dotnet/macios/issues/7101"
    ],
    isStatedByEvents: true,
    untriggerable: "xferlog's own logs state the reason of the failure, and other rules report that reason.",
    reports: [
      RuleExample(
        "the setup of the session failed", .certain, variant: "session", cites: [.sessionConnectFailed],
        .at(1, SessionConnectFailed(session: session, domain: .cocoa, error: 4097), by: .foreign)),
      RuleExample(
        "a task could not be created", .certain, variant: "task", cites: [.taskCreationFailed],
        .at(1, TaskCreationFailed(session: session), by: .foreign)),
    ],
    staysSilent: [
      RuleExample(
        "another process uses the session",
        .at(1, SessionConnectFailed(session: session, domain: .url, error: -996), by: .foreign)),
      RuleExample("the session was connected", .at(1, SessionConnected(session: session), by: .foreign)),
      RuleExample("the log is one of this package", .at(1, SessionConnectFailed(session: session, domain: .posix, error: 111))),
    ])

  static let watches: Set<EventKind> = [.sessionConnectFailed, .taskCreationFailed]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    // In logs of this package, other rules know the reasons.
    guard world.processes[session.process].coverage != nil, session.refusals.inUse == nil,
      session.refusals.missingContainer == nil,
      let failed = session.connectFailed ?? session.refusals.nothing
    else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        variant: failed.kind == .sessionConnectFailed ? "session" : "task",
        summary: "Background session \(session.identifier) could not be connected to the transfer daemon.", claim: .presence,
        evidence: failed))
  }
}
