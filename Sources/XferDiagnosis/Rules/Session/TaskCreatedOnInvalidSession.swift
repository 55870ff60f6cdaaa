import XferEvents
import XferLifecycle
import XferReplay

/// Reports a task that was requested from an invalidated session.
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
    summary: "A task was requested from a session after its invalidation.",
    explanation: """
      After invalidation is requested, a session creates no more tasks. URLSession raises an exception that terminates the \
      app; an engine that returns an error leaves a transfer that never started. This happens when one part of the code \
      invalidates the session, for example at logout or when a module is reloaded, while another part still uses it. Often \
      both happen within milliseconds.
      """,
    remedy: """
      Let one owner create and invalidate the session, and have it create the tasks for its clients. Create the new session \
      before you invalidate the old one, and protect both steps with the same lock. Treat a rejected task as an error that can \
      be retried.
      """,
    sources: [
      "https://github.com/EkoLabs/react-native-background-downloader/issues/31",
      "https://github.com/kesha-antonov/react-native-background-downloader/issues/157",
      "https://github.com/Danie1s/Tiercel/issues/156", "https://github.com/spotify/SPTDataLoader/pull/172",
    ],
    isStatedByEvents: true,
    consequenceOf: ["delegate-missing", "duplicate-session-identifier", "session-in-use-by-another-process"],
    reports: [
      RuleExample(
        "a task was requested after the session became invalid", .certain,
        cites: [.sessionInvalidationRequested, .sessionInvalidated, .taskRejected],
        steps: made + [.at(1, requested), .at(2, invalidated), .at(3, rejected)]),
      RuleExample(
        "a task was requested while the session finished its last tasks", .certain,
        cites: [.sessionInvalidationRequested, .taskRejected],
        steps: made + [.at(1, requested), .at(1, rejected)]),
      RuleExample("the log starts after the invalidation", .certain, cites: [.taskRejected], .at(3, rejected)),
    ],
    staysSilent: [
      RuleExample(
        "the task was rejected for another reason",
        steps: made + [
          .at(1, TaskRejected(session: session, instance: instance, type: .data, rejection: .badURL)), .at(2, requested),
          .at(3, invalidated),
        ]),
      RuleExample(
        "no task was requested after the invalidation",
        steps: made + [.at(1, requested), .at(2, invalidated), .at(60, LogHeartbeatWritten())]),
      RuleExample(
        "the task was requested from a new session with the same identifier",
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
          Session \(session.identifier) rejected a task because the session was invalid\
          \(since.map { ", \($0.inSeconds) after its invalidation" } ?? "").
          """,
        claim: .presence, evidence: rejected, [session.invalidationRequested, session.invalidated]))
  }
}
