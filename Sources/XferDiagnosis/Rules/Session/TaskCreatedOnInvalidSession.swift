import XferEvents
import XferLifecycle
import XferReplay

/// The app asked a session for a task when the session was invalid.
struct TaskCreatedOnInvalidSession: SessionRule {
  private static let session = "default-1"
  private static let instance = CorrelationID(1)
  private static let made: [RuleExample.Step] = [
    .event(SessionCreated(session: session, instance: instance, sessionKind: .default), at: .zero)
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
        "asked for right after the invalidation", certainty: .certain,
        steps: made + [
          .evidence(requested, at: .seconds(1)), .evidence(invalidated, at: .seconds(2)), .evidence(rejected, at: .seconds(3)),
        ]),
      RuleExample(
        "while its last tasks were finishing", certainty: .certain,
        steps: made + [.evidence(requested, at: .seconds(1)), .evidence(rejected, at: .seconds(1))]),
      RuleExample(
        "the log does not reach back to the invalidation", certainty: .certain, .evidence(rejected, at: .seconds(3))),
    ],
    staysSilent: [
      RuleExample(
        "refused for another reason",
        steps: made + [
          .event(TaskRejected(session: session, instance: instance, type: .data, rejection: .badURL), at: .seconds(1)),
          .event(requested, at: .seconds(2)), .event(invalidated, at: .seconds(3)),
        ]),
      RuleExample(
        "invalidated, and asked for nothing any more",
        steps: made + [
          .event(requested, at: .seconds(1)), .event(invalidated, at: .seconds(2)),
          .event(LogHeartbeatWritten(), at: .seconds(60)),
        ]),
      RuleExample(
        "a new session of that name was asked",
        steps: made + [
          .event(requested, at: .seconds(1)), .event(invalidated, at: .seconds(2)),
          .event(SessionCreated(session: session, instance: CorrelationID(2), sessionKind: .default), at: .seconds(3)),
          .event(TaskCreated(task: .example, type: .data), at: .seconds(4)),
          .event(TaskResumed(task: .example), at: .seconds(4)),
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
