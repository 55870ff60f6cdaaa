import XferEvents
import XferLifecycle
import XferReplay

/// A task was cancelled, and nobody in the log had asked for it.
struct UnexplainedCancel: TaskRule {
  private static let story: [RuleExample.Step] = [
    .event(ProcessStarted(executable: "app"), at: .zero),
    .event(SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default), at: .milliseconds(1)),
    .event(TaskCreated(task: .example, type: .data), at: .milliseconds(2)),
    .event(TaskResumed(task: .example), at: .milliseconds(3)),
    .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(4)),
  ]

  private static func cancelled(_ reason: CancelReason? = nil) -> TaskCompleted {
    TaskCompleted(task: .example, domain: .url, error: -999, errorName: "cancelled", cancelReason: reason)
  }

  static let description = RuleDescription(
    id: "unexplained-cancel", severity: .warning,
    summary: "The task ended as cancelled, and nothing in the log says who cancelled it.",
    explanation: """
      NSURLErrorCancelled says that somebody cancelled, and not who. Where the log has no request, no reason and no \
      invalidation, the usual suspects are, in this order: a session object that was let go while its task ran (nobody kept \
      the manager that owned it), a session that was invalidated elsewhere, an extension that ended, and a user who quit the \
      app. The variant names the first that the log shows a sign of.
      """,
    remedy: """
      Keep the session, or what owns it, for as long as its tasks run. Cancel in one place only, and log who asks \
      (task.cancelRequested with by and a reason).
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/2408", "https://github.com/aritchie/httptransfertasks/issues/10",
      "https://github.com/kesha-antonov/react-native-background-downloader/issues/2",
    ],
    reports: [
      RuleExample(
        "out of the blue", certainty: .probable, variant: "nobody",
        steps: story + [
          .event(AttemptEnded(task: .example, attempt: 1, end: .cancelled), at: .seconds(5)),
          .evidence(cancelled(), at: .seconds(5)),
        ]),
      RuleExample(
        "its session had been let go", certainty: .probable, variant: "session released",
        steps: story + [
          .evidence(SessionReleased(session: "default-1", instance: CorrelationID(1), liveTasks: 1), at: .seconds(4)),
          .event(AttemptEnded(task: .example, attempt: 1, end: .cancelled), at: .seconds(5)),
          .evidence(cancelled(), at: .seconds(5)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the app cancelled it",
        steps: story + [
          .event(TaskCancelRequested(task: .example, by: .app), at: .seconds(4)), .event(cancelled(), at: .seconds(5)),
        ]),
      RuleExample("the completion has the reason", steps: story + [.event(cancelled(.sizeLimit), at: .seconds(5))]),
      RuleExample(
        "its session was invalidated",
        steps: story + [
          .event(
            SessionInvalidationRequested(
              session: "default-1", instance: CorrelationID(1), invalidation: .cancel, by: .app), at: .seconds(4)),
          .event(cancelled(), at: .seconds(5)),
        ]),
      RuleExample(
        "a challenge was answered with a refusal, which ends it as cancelled",
        steps: story + [
          .event(
            AttemptChallengeReceived(
              task: .example, attempt: 1, challenge: CorrelationID(4), challengeMethod: .serverTrust), at: .seconds(4)),
          .event(
            AttemptChallengeAnswered(task: .example, attempt: 1, challenge: CorrelationID(4), disposition: .cancel, by: .app),
            at: .seconds(4)),
          .event(cancelled(), at: .seconds(5)),
        ]),
      RuleExample(
        "it failed for another reason",
        steps: story + [
          .event(AttemptEnded(task: .example, attempt: 1, end: .transport, domain: .curl, error: 56), at: .seconds(5)),
          .event(TaskCompleted(task: .example, domain: .curl, error: 56), at: .seconds(5)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    // An answer to a challenge may end a task, and says so itself.
    guard let created = task.created, task.attempt?.challengeAnswered == nil else { return .silent }
    var released: Fact?
    switch CancelCause(of: task, in: world) {
    case .sessionReleased(let fact): released = fact
    case .unexplained: break
    default: return .silent
    }
    let sign = released == nil ? "" : " Its session had been let go."
    return .finding(
      Draft(
        variant: released == nil ? "nobody" : "session released",
        summary: "Task \(task.identity.text) was cancelled, and nobody in the log had asked for it.\(sign)",
        claim: .absence(since: created, shownBy: .coverage), evidence: completed, [released],
        missing: [.init(.taskCancelRequested, dueBy: completed.moment)]))
  }
}
