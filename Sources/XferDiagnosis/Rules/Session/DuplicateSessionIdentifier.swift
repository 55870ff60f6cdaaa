import XferEvents
import XferLifecycle
import XferReplay

/// One process has two objects for one background session.
struct DuplicateSessionIdentifier: SessionRule {
  private static let session = "com.example.img"

  private static func created(_ instance: UInt64) -> SessionCreated {
    SessionCreated(session: session, instance: CorrelationID(instance), sessionKind: .background)
  }
  private static let requested = SessionInvalidationRequested(
    session: session, instance: CorrelationID(1), invalidation: .finishTasks, by: .app)
  private static let reused = SessionReused(
    session: session, instance: CorrelationID(1), delegate: CorrelationID(11), callerDelegate: CorrelationID(12))

  static let description = RuleDescription(
    id: "duplicate-session-identifier", severity: .error,
    summary: "A background session was made a second time in one process, while the first still lived.",
    explanation: """
      Of two session objects with one identifier the documentation says only that what they do is undefined. In the field \
      the second is the first again, with its old delegate, so that callbacks reach an object that its maker has forgotten; \
      or the daemon refuses one of them. It happens where each screen, each client or each wake makes the session that it \
      needs. The variant says what became of the second: "a second object", or "the first again".
      """,
    remedy: """
      Make the session once, in one place that lives as long as the app, and hand that out. Wait for didBecomeInvalid before \
      the identifier is used again.
      """,
    sources: [
      "https://github.com/AFNetworking/AFNetworking/issues/3573",
      "https://github.com/EkoLabs/react-native-background-downloader/issues/88",
      "https://github.com/3sidedcube/ThunderRequest/pull/45",
    ],
    needsWholeLog: true,
    consequenceOf: ["stale-delegate"],
    reports: [
      RuleExample(
        "made by two screens", .certain, variant: "a second object", cites: [.sessionCreated],
        .at(0, created(1)), .at(5, created(2)), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "the system gave the first one again", .certain, variant: "the first again", cites: [.sessionCreated, .sessionReused],
        .at(0, created(1)), .at(5, reused), .at(30, LogHeartbeatWritten())),
    ],
    staysSilent: [
      RuleExample(
        "the first was ending, which is another problem",
        .at(0, created(1)), .at(5, requested), .at(6, created(2)),
        .at(7, SessionInvalidated(session: session, instance: CorrelationID(1))), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "made anew when the first was invalid",
        .at(0, created(1)), .at(5, requested), .at(6, SessionInvalidated(session: session, instance: CorrelationID(1))),
        .at(7, created(2)), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "made again by the app's next life",
        .at(0, created(1)), .at(5, ProcessExited(code: 0, exitReason: .returned)), .at(20, created(2), by: .nextLife),
        .at(50, LogHeartbeatWritten(), by: .nextLife)),
      RuleExample(
        "sessions of other kinds, whose names are the recorder's own",
        .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default)),
        .at(5, SessionCreated(session: "default-1", instance: CorrelationID(2), sessionKind: .default)),
        .at(30, LogHeartbeatWritten())),
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
      variant: variant, summary: "Session \(session.identifier) was made a second time while the first still lived (\(variant)).",
      claim: .presence, evidence: second, first == second ? [] : [first])
  }
}
