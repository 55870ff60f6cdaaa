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
        "made by two screens", certainty: .certain, variant: "a second object",
        .evidence(created(1), at: .zero), .evidence(created(2), at: .seconds(5)), .event(LogHeartbeatWritten(), at: .seconds(30))),
      RuleExample(
        "the system gave the first one again", certainty: .certain, variant: "the first again",
        .evidence(created(1), at: .zero), .evidence(reused, at: .seconds(5)), .event(LogHeartbeatWritten(), at: .seconds(30))),
    ],
    staysSilent: [
      RuleExample(
        "the first was ending, which is another problem",
        .event(created(1), at: .zero), .event(requested, at: .seconds(5)), .event(created(2), at: .seconds(6)),
        .event(SessionInvalidated(session: session, instance: CorrelationID(1)), at: .seconds(7)),
        .event(LogHeartbeatWritten(), at: .seconds(30))),
      RuleExample(
        "made anew when the first was invalid",
        .event(created(1), at: .zero), .event(requested, at: .seconds(5)),
        .event(SessionInvalidated(session: session, instance: CorrelationID(1)), at: .seconds(6)),
        .event(created(2), at: .seconds(7)), .event(LogHeartbeatWritten(), at: .seconds(30))),
      RuleExample(
        "made again by the app's next life",
        .event(created(1), at: .zero), .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(5)),
        .event(created(2), at: .seconds(20), by: .nextLife), .event(LogHeartbeatWritten(), at: .seconds(50), by: .nextLife)),
      RuleExample(
        "sessions of other kinds, whose names are the recorder's own",
        .event(SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default), at: .zero),
        .event(SessionCreated(session: "default-1", instance: CorrelationID(2), sessionKind: .default), at: .seconds(5)),
        .event(LogHeartbeatWritten(), at: .seconds(30))),
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
