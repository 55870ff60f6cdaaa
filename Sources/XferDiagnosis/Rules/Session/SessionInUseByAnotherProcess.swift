import XferEvents
import XferLifecycle
import XferReplay

/// Reports two processes that use the same background session.
struct SessionInUseByAnotherProcess: SessionRule {
  private static let session = "com.example.img"
  private static let (first, second) = (CorrelationID(1), CorrelationID(2))

  private static func created(_ instance: CorrelationID) -> SessionCreated {
    SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true)
  }
  private static func failed(_ error: Int, _ domain: ErrorDomain = .url) -> SessionConnectFailed {
    SessionConnectFailed(session: session, instance: second, domain: domain, error: error, holder: ExampleProcess.app.launch)
  }
  private static let alive = RuleExample.Step.at(9, LogHeartbeatWritten())
  private static let asked = RuleExample.Step.at(2, SessionConnectStarted(session: session, instance: second), by: .appExtension)

  static let description = RuleDescription(
    id: "session-in-use-by-another-process", severity: .error,
    summary: "Two processes used, or tried to use, the same background session at the same time.",
    explanation: """
      Only one process at a time can use a background session. If an app and its extension use the same identifier, the second \
      process is rejected (NSURLErrorBackgroundSessionInUseByAnotherProcess, −996), or both processes get the session and each \
      receives some of the callbacks. The rejection is not always reported to the app. The variant says what the log shows: \
      "refused" or "held by both".
      """,
    remedy: """
      Give each process its own session identifier. Create an extension's session in the app only if the system launches the \
      app for that session, after the extension has released it.
      """,
    sources: [
      "https://github.com/aws-amplify/aws-sdk-ios/issues/810", "https://github.com/home-assistant/iOS/pull/778",
      "https://github.com/instructure/canvas-ios/pull/594", "https://github.com/lionheart/openradar-mirror/issues/18171",
    ],
    needsWholeLog: true,
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the extension was rejected", .certain, variant: "refused", cites: [.sessionConnectFailed],
        .at(0, created(first)), .at(2, created(second), by: .appExtension), asked, .at(3, failed(-996), by: .appExtension)),
      RuleExample(
        "the daemon rejected a second process of the app", .certain, variant: "refused", cites: [.sessionConnectFailed],
        .at(0, created(first)), .at(2, created(second), by: .nextLife),
        .at(2, SessionConnectStarted(session: session, instance: second), by: .nextLife),
        .at(4, failed(18, .xfer), by: .nextLife)),
      RuleExample(
        "both processes have the session", .certain, variant: "held by both", cites: [.sessionCreated],
        .at(0, created(first)), .at(2, created(second), by: .appExtension), .at(4, LogHeartbeatWritten()),
        .at(8, LogHeartbeatWritten(), by: .appExtension)),
      RuleExample(
        "the app has the session while it is suspended", .certain, variant: "held by both", cites: [.sessionCreated],
        .at(0, created(first)), .at(1, ProcessStateChanged(state: .suspended)), .at(2, created(second), by: .appExtension),
        .at(8, LogHeartbeatWritten(), by: .appExtension)),
    ],
    staysSilent: [
      RuleExample(
        "the app had released the session",
        .at(0, created(first)), .at(1, SessionReleased(session: session, instance: first)),
        .at(2, created(second), by: .appExtension), alive, .at(9, LogHeartbeatWritten(), by: .appExtension)),
      RuleExample(
        "the app had exited",
        .at(0, created(first)), .at(1, ProcessExited(code: 0, exitReason: .returned)),
        .at(2, created(second), by: .appExtension), .at(9, LogHeartbeatWritten(), by: .appExtension)),
      RuleExample(
        "the log does not show that the app was still running",
        .at(0, created(first)), .at(2, created(second), by: .appExtension), .at(9, LogHeartbeatWritten(), by: .appExtension)),
      RuleExample(
        "two apps, each with sessions of its own, use the same identifier",
        .at(0, ProcessStarted(executable: "reader")), .at(0, created(first)),
        .at(2, ProcessStarted(executable: "player"), by: .nextLife), .at(2, created(second), by: .nextLife),
        .at(4, LogHeartbeatWritten()), .at(8, LogHeartbeatWritten(), by: .nextLife)),
      RuleExample(
        "the connection was rejected for another reason",
        .at(2, created(second), by: .appExtension), asked, .at(3, failed(-997), by: .appExtension)),
    ])

  static let watches: Set<EventKind> = [.sessionCreated, .sessionConnectFailed, .sessionInvalidated]

  /// The interval between checks whether the other process is still running. Findings do not depend on this value.
  private static let checkInterval: Duration = .seconds(5)

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let process = world.processes[session.process]
    let name = process.executable ?? "a process"
    if let refused = session.refusals.inUse {
      let holder = session.refusals.holder.flatMap { launch in world.processes.first { $0.launch == launch }?.executable }
      return .finding(
        Draft(
          variant: "refused",
          summary: "Session \(session.identifier) rejected \(name) because \(holder ?? "another process") uses the session.",
          claim: .presence, evidence: refused))
    }
    guard let holder = session.ending.holder, let created = session.created else { return asked.isEndOfLog ? .silent : nil }
    let other = world.processes[holder.process]
    // Apps do not share sessions, but an app and its extension do.
    if process.role == .app, other.role == .app, let own = process.executable, let its = other.executable, own != its {
      return .silent
    }
    guard other.isCovered(after: created) || other.isSuspended && other.executable != process.executable else {
      return asked.isEndOfLog ? .silent : process.endFact == nil ? .wait(Self.checkInterval, after: created) : nil
    }
    return .finding(
      Draft(
        variant: "held by both",
        summary:
          "\(other.executable ?? "Another process") and \(name) use background session \(session.identifier) at the same time.",
        claim: .presence, evidence: holder.created, [created]))
  }
}
