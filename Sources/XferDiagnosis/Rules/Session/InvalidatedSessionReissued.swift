import XferEvents
import XferLifecycle
import XferReplay

/// Reports a session that is created again before the invalidation of the previous one is confirmed.
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
    summary: "A background session was created again before the invalidation of the previous session was confirmed.",
    explanation: """
      Invalidation is asynchronous: a session object exists until urlSession(_:didBecomeInvalidWithError:) is called. Until \
      then, creating a session with the same identifier returns the object that is being invalidated, which accepts no tasks, \
      or a second object, whose behavior is undefined. The variant says which object was returned: "the one that ends" or "a \
      second object".
      """,
    remedy: """
      Do not create the session again right after you invalidate it; create it in urlSession(_:didBecomeInvalidWithError:). \
      Better, keep the session and do not invalidate it.
      """,
    sources: [
      "https://adamwulf.me/2025/01/testing-background-uploads-in-ios",
      "https://geek-questions.imtqy.com/articles/1675519/index.html",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the session that is being invalidated was returned", .certain, variant: "the one that ends",
        cites: [.sessionInvalidationRequested, .sessionReused],
        .at(0, created(1)), .at(5, requested), .at(6, reused), confirmed),
      RuleExample(
        "the session was created again and got the same object", .certain, variant: "the one that ends",
        cites: [.last(.sessionCreated), .sessionInvalidationRequested],
        .at(0, created(1)), .at(5, requested), .at(6, created(1)), confirmed),
      RuleExample(
        "a second object was created", .certain, variant: "a second object",
        cites: [.last(.sessionCreated), .sessionInvalidationRequested],
        .at(0, created(1)), .at(5, requested), .at(6, created(2)), confirmed),
    ],
    staysSilent: [
      RuleExample(
        "the session was created after the invalidation was confirmed",
        .at(0, created(1)), .at(5, requested), confirmed, .at(8, created(2))),
      RuleExample(
        "the session was created after a relaunch",
        .at(0, created(1)), .at(5, requested), .at(5, ProcessExited(code: 0, exitReason: .returned)),
        .at(6, created(2), by: .nextLife)),
      RuleExample(
        "the sessions are default sessions, whose identifiers the recorder assigns",
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
          Session \(session.identifier) was created again while the previous session was still being invalidated\
          \(reissued.isSame ? "; the previous session was returned" : "").
          """,
        claim: .presence, evidence: reissued.requested, [reissued.again]))
  }
}
