import XferEvents
import XferLifecycle
import XferReplay

/// A session was asked for again before the end of the one before it was confirmed.
struct InvalidatedSessionReissued: SessionRule {
  private static let session = "com.example.img"

  private static func created(_ instance: UInt64) -> SessionCreated {
    SessionCreated(session: session, instance: CorrelationID(instance), sessionKind: .background, hasDelegate: true)
  }
  private static let requested = SessionInvalidationRequested(
    session: session, instance: CorrelationID(1), invalidation: .finishTasks, by: .app)
  private static let confirmed = RuleExample.Step.at(7, SessionInvalidated(session: session, instance: CorrelationID(1)))
  private static let reused = SessionReused(session: session, instance: CorrelationID(1))

  static let description = RuleDescription(
    id: "invalidated-session-reissued", severity: .error,
    summary: "A background session was made again while the one before it was still ending.",
    explanation: """
      Invalidation takes time: the object is gone only when didBecomeInvalid has been called. Until then the system answers a new \
      request for the identifier with the object that is about to end, which takes no tasks, or with a second one beside it, of \
      which nobody knows what it does. The variant says which: "the one that ends", or "a second object".
      """,
    remedy: "Make the session again in didBecomeInvalid, not right after invalidating it; better, keep it.",
    sources: [
      "https://adamwulf.me/2025/01/testing-background-uploads-in-ios",
      "https://geek-questions.imtqy.com/articles/1675519/index.html",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the same object came back", .certain, variant: "the one that ends",
        cites: [.sessionInvalidationRequested, .sessionReused],
        .at(0, created(1)), .at(5, requested), .at(6, reused), confirmed),
      RuleExample(
        "the same object was made twice", .certain, variant: "the one that ends",
        cites: [.last(.sessionCreated), .sessionInvalidationRequested],
        .at(0, created(1)), .at(5, requested), .at(6, created(1)), confirmed),
      RuleExample(
        "a second one was made beside it", .certain, variant: "a second object",
        cites: [.last(.sessionCreated), .sessionInvalidationRequested],
        .at(0, created(1)), .at(5, requested), .at(6, created(2)), confirmed),
    ],
    staysSilent: [
      RuleExample("made when the end was confirmed", .at(0, created(1)), .at(5, requested), confirmed, .at(8, created(2))),
      RuleExample(
        "made by the app's next life",
        .at(0, created(1)), .at(5, requested), .at(5, ProcessExited(code: 0, exitReason: .returned)),
        .at(6, created(2), by: .nextLife)),
      RuleExample(
        "default sessions, whose names are the recorder's own",
        .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default)),
        .at(
          5, SessionInvalidationRequested(session: "default-1", instance: CorrelationID(1), invalidation: .finishTasks, by: .app)),
        .at(6, SessionCreated(session: "default-1", instance: CorrelationID(2), sessionKind: .default)),
        .at(7, SessionInvalidated(session: "default-1", instance: CorrelationID(1)))),
    ])

  static let watches: Set<EventKind> = [.sessionCreated, .sessionReused]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let reissued = session.ending.reissued, session.kind == .background else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        variant: reissued.isSame ? "the one that ends" : "a second object",
        summary: """
          Session \(session.identifier) was made again while the one before it was still ending\
          \(reissued.isSame ? ", and that one came back" : "").
          """,
        claim: .presence, evidence: reissued.requested, [reissued.again]))
  }
}
