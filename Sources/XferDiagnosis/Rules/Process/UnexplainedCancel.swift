import XferEvents
import XferLifecycle
import XferReplay

/// A task was cancelled, and nobody in the log had asked for it.
struct UnexplainedCancel: TaskRule {
  private static let story: [RuleExample.Step] = [
    .at(0, ProcessStarted(executable: "app")),
    .at(0.001, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default)),
    .at(0.002, TaskCreated(type: .data)), .at(0.003, TaskResumed()), .at(0.004, AttemptStarted(attempt: 1)),
  ]

  private static func cancelled(_ reason: CancelReason? = nil) -> TaskCompleted {
    TaskCompleted(domain: .url, error: -999, errorName: "cancelled", cancelReason: reason)
  }

  static let description = RuleDescription(
    id: "unexplained-cancel", severity: .warning,
    summary: "The task ended as cancelled, and nothing in the log says who cancelled it.",
    explanation: """
      NSURLErrorCancelled says that somebody cancelled, and not who. Where the log has no request, no reason and no \
      invalidation, the usual suspects are, in this order: a session that was let go or invalidated in code that records \
      nothing, an extension that ended, and a user who quit the app.
      """,
    remedy: """
      Keep the session, or what owns it, for as long as its tasks run. Cancel in one place only, and log who asks \
      (task.cancelRequested with by and a reason).
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/2408", "https://github.com/aritchie/httptransfertasks/issues/10",
      "https://github.com/kesha-antonov/react-native-background-downloader/issues/2",
    ],
    consequenceOf: ["foreground-transfer-frozen"],
    reports: [
      RuleExample(
        "out of the blue", .probable, cites: [.taskCompleted],
        steps: story + [.at(5, AttemptEnded(attempt: 1, end: .cancelled)), .at(5, cancelled())])
    ],
    staysSilent: [
      RuleExample(
        "its session had been let go, which is told by itself",
        steps: story + [
          .at(4, SessionReleased(session: "default-1", instance: CorrelationID(1), liveTasks: 1)),
          .at(5, AttemptEnded(attempt: 1, end: .cancelled)), .at(5, cancelled()),
        ]),
      RuleExample("the app cancelled it", steps: story + [.at(4, TaskCancelRequested(by: .app)), .at(5, cancelled())]),
      RuleExample("the completion has the reason", steps: story + [.at(5, cancelled(.sizeLimit))]),
      RuleExample(
        "its session was invalidated",
        steps: story + [
          .at(4, SessionInvalidationRequested(session: "default-1", instance: CorrelationID(1), invalidation: .cancel, by: .app)),
          .at(5, cancelled()),
        ]),
      RuleExample(
        "a challenge was answered with a refusal, which ends it as cancelled",
        steps: story + [
          .at(4, AttemptChallengeReceived(attempt: 1, challenge: CorrelationID(4), challengeMethod: .serverTrust)),
          .at(4, AttemptChallengeAnswered(attempt: 1, challenge: CorrelationID(4), disposition: .cancel, by: .app)),
          .at(5, cancelled()),
        ]),
      RuleExample(
        "it failed for another reason",
        steps: story + [
          .at(5, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56)),
          .at(5, TaskCompleted(domain: .curl, error: 56)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    // An answer to a challenge may end a task, and says so itself.
    guard let created = task.created, task.attempt?.challengeAnswered == nil else { return .silent }
    switch CancelCause(of: task, in: world) {
    case .unexplained: break
    case .sessionReleased, .known, .reason, .userQuit, .refreshOff, nil: return .silent
    }
    return .finding(
      Draft(
        summary: "Task \(task.identity.text) was cancelled, and nobody in the log had asked for it.",
        claim: .absence(since: created, shownBy: .coverage), evidence: completed,
        missing: [.init(.taskCancelRequested, dueBy: completed.moment)]))
  }
}
