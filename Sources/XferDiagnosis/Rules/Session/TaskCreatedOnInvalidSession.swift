import XferEvents
import XferLifecycle
import XferReplay

/// The app asked a session for a task when the session was invalid.
struct TaskCreatedOnInvalidSession: SessionRule {
  private static let session = "default-1"
  private static let instance = CorrelationID(1)
  private static let made: [RuleExample.Step] = [
    .at(0, SessionCreated(session: session, instance: instance, sessionKind: .default))
  ]
  private static let requested = SessionInvalidationRequested(
    session: session, instance: instance, invalidation: .finishTasks, by: .app)
  private static let invalidated = SessionInvalidated(session: session, instance: instance)
  private static let rejected = TaskRejected(session: session, instance: instance, type: .data, rejection: .invalidSession)

  static let description = RuleDescription(
    id: "task-created-on-invalid-session", severity: .error,
    summary: "A task was asked of a session that had been invalidated.",
    explanation: """
      Once invalidation is asked for, a session makes no more tasks. URLSession answers with an exception that ends the app; \
      an engine that returns an error leaves a transfer that never was. It happens when one part of the code invalidates \
      the session, at logout or when a module is loaded again, and another still holds it, often within milliseconds of \
      each other.
      """,
    remedy: """
      Let one owner make and invalidate the session, and hand out tasks, not the session. Make a new session before the old \
      one is invalidated, and guard both with the same lock. Treat a refusal as an error that can be tried again.
      """,
    sources: [
      "https://github.com/EkoLabs/react-native-background-downloader/issues/31",
      "https://github.com/kesha-antonov/react-native-background-downloader/issues/157",
      "https://github.com/Danie1s/Tiercel/issues/156", "https://github.com/spotify/SPTDataLoader/pull/172",
    ],
    reports: [
      RuleExample(
        "asked for right after the invalidation", .certain,
        cites: [.sessionInvalidationRequested, .sessionInvalidated, .taskRejected],
        steps: made + [.at(1, requested), .at(2, invalidated), .at(3, rejected)]),
      RuleExample(
        "while its last tasks were finishing", .certain, cites: [.sessionInvalidationRequested, .taskRejected],
        steps: made + [.at(1, requested), .at(1, rejected)]),
      RuleExample("the log does not reach back to the invalidation", .certain, cites: [.taskRejected], .at(3, rejected)),
    ],
    staysSilent: [
      RuleExample(
        "refused for another reason",
        steps: made + [
          .at(1, TaskRejected(session: session, instance: instance, type: .data, rejection: .badURL)), .at(2, requested),
          .at(3, invalidated),
        ]),
      RuleExample(
        "invalidated, and asked for nothing any more",
        steps: made + [.at(1, requested), .at(2, invalidated), .at(60, LogHeartbeatWritten())]),
      RuleExample(
        "a new session of that name was asked",
        steps: made + [
          .at(1, requested), .at(2, invalidated),
          .at(3, SessionCreated(session: session, instance: CorrelationID(2), sessionKind: .default)),
          .at(4, TaskCreated(type: .data)), .at(4, TaskResumed()),
        ]),
    ])

  static let watches: Set<EventKind> = [.taskRejected]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let rejected = session.rejected else { return asked.isEndOfLog ? .silent : nil }
    let since = (session.invalidationRequested ?? session.invalidated)?.duration(to: rejected)
    return .finding(
      Draft(
        summary: """
          Session \(session.identifier) refused a task because it was invalid\
          \(since.map { ", \($0.inSeconds) after its invalidation" } ?? "").
          """,
        claim: .presence, evidence: rejected, [session.invalidationRequested, session.invalidated]))
  }
}
