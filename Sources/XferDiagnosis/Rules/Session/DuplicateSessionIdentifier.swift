import XferEvents
import XferLifecycle
import XferReplay

/// Reports a process that creates a background session twice.
struct DuplicateSessionIdentifier: SessionRule {
  private static let session = "com.example.img"

  private static func created(_ instance: UInt64, _ kind: SessionKind = .background) -> SessionCreated {
    SessionCreated(session: kind == .default ? "default-1" : session, instance: CorrelationID(instance), sessionKind: kind)
  }
  private static let requested = SessionInvalidationRequested(
    session: session, instance: CorrelationID(1), invalidation: .finishTasks, by: .app)
  private static let reused = SessionReused(
    session: session, instance: CorrelationID(1), delegate: CorrelationID(11), callerDelegate: CorrelationID(12))

  static let description = RuleDescription(
    id: "duplicate-session-identifier", severity: .error,
    summary: "One process created a background session a second time while the first session object was still in use.",
    explanation: """
      The behavior of two session objects with the same identifier is documented as undefined. In practice the second call \
      returns the first object with its old delegate, so that callbacks reach the wrong object, or the daemon rejects one of \
      the two. This happens when each screen, each client or each background launch creates the session that it needs. The \
      variant says which object the second call returned: "a second object" or "the first again".
      """,
    remedy: """
      Create the session once, in one place that lives as long as the app, and share that object. Before you use the \
      identifier again, wait for urlSession(_:didBecomeInvalidWithError:).
      """,
    sources: [
      "https://github.com/AFNetworking/AFNetworking/issues/3573",
      "https://github.com/EkoLabs/react-native-background-downloader/issues/88",
      "https://github.com/3sidedcube/ThunderRequest/pull/45",
    ],
    needsWholeLog: true,
    isStatedByEvents: true,
    consequenceOf: ["stale-delegate"],
    reports: [
      RuleExample(
        "two screens each create the session", .certain, variant: "a second object", cites: [.sessionCreated],
        .at(0, created(1)), .at(5, created(2)), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "the system returned the first session object", .certain, variant: "the first again",
        cites: [.sessionCreated, .sessionReused],
        .at(0, created(1)), .at(5, reused), .at(30, LogHeartbeatWritten())),
    ],
    staysSilent: [
      RuleExample(
        "the first session was being invalidated, which another rule reports",
        .at(0, created(1)), .at(5, requested), .at(6, created(2)),
        .at(7, SessionInvalidated(session: session, instance: CorrelationID(1))), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "the session was created again after the first one became invalid",
        .at(0, created(1)), .at(5, requested), .at(6, SessionInvalidated(session: session, instance: CorrelationID(1))),
        .at(7, created(2)), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "the session was created again after a relaunch",
        .at(0, created(1)), .at(5, ProcessExited(code: 0, exitReason: .returned)), .at(20, created(2), by: .nextLife),
        .at(50, LogHeartbeatWritten(), by: .nextLife)),
      RuleExample(
        "the sessions are default sessions, whose identifiers the recorder assigns",
        .at(0, created(1, .default)), .at(5, created(2, .default)), .at(30, LogHeartbeatWritten())),
    ])

  static let watches: Set<EventKind> = [.sessionCreated, .sessionReused]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if session.ending.reissued != nil { return .silent }
    if let rival = session.surroundings.rival, let created = session.created {
      return .finding(draft(session, variant: "a second object", rival.created, created))
    }
    if let reused = session.reused {
      return .finding(draft(session, variant: "the first again", session.created ?? reused, reused))
    }
    return asked.isEndOfLog ? .silent : nil
  }

  private func draft(_ session: SessionLifecycle, variant: String, _ first: Fact, _ second: Fact) -> Draft {
    Draft(
      variant: variant,
      summary: """
        Session \(session.identifier) was created a second time while the first session object was still in use; the call \
        returned \(variant).
        """,
      claim: .presence, evidence: second, first == second ? [] : [first])
  }
}
