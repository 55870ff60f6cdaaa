import XferEvents
import XferLifecycle
import XferReplay

/// A task was cancelled, and the log does not show why.
struct UnexplainedCancel: TaskRule {
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(executable: "app")),
      .at(0.001, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default)),
      .at(0.002, TaskCreated(type: .data)), .at(0.003, TaskResumed()), .at(0.004, AttemptStarted(attempt: 1)),
    ] + steps
  }

  private static func cancelled(_ reason: CancelReason? = nil) -> RuleExample.Step {
    .at(5, TaskCompleted(domain: .url, error: -999, errorName: "cancelled", cancelReason: reason))
  }

  static let description = RuleDescription(
    id: "unexplained-cancel", severity: .warning,
    summary: "The task ended as cancelled, and nothing in the log shows who cancelled it.",
    explanation: """
      NSURLErrorCancelled shows that a task was cancelled, but not by whom. When the log has no request, no reason and no \
      invalidation, the most common causes are, in this order: a session that was released or invalidated in code that \
      records nothing, an extension that ended, and a user who quit the app.
      """,
    remedy: """
      Keep the session, or the object that owns it, as long as its tasks run. Cancel in one place only, and log who cancels \
      and why (the fields of the event task.cancelRequested).
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/2408", "https://github.com/aritchie/httptransfertasks/issues/10",
      "https://github.com/kesha-antonov/react-native-background-downloader/issues/2",
    ],
    consequenceOf: ["foreground-transfer-frozen"],
    untriggerable: "The engine and the daemon write who cancelled a task, also when an answer of the app cancels it.",
    reports: [
      RuleExample(
        "a running task ended as cancelled", .probable, cites: [.taskCompleted],
        steps: story(.at(5, AttemptEnded(attempt: 1, end: .cancelled)), cancelled()))
    ],
    staysSilent: [
      RuleExample(
        "the session was released, which another rule reports",
        steps: story(
          .at(4, SessionReleased(session: "default-1", instance: CorrelationID(1), liveTasks: 1)),
          .at(5, AttemptEnded(attempt: 1, end: .cancelled)), cancelled())),
      RuleExample("the app cancelled the task", steps: story(.at(4, TaskCancelRequested(by: .app)), cancelled())),
      RuleExample("the completion gives the reason", steps: story(cancelled(.sizeLimit))),
      RuleExample(
        "the session was invalidated",
        steps: story(
          .at(4, SessionInvalidationRequested(session: "default-1", instance: CorrelationID(1), invalidation: .cancel, by: .app)),
          cancelled())),
      RuleExample(
        "the app answered a challenge with cancel",
        steps: story(
          .at(4, AttemptChallengeReceived(attempt: 1, challenge: CorrelationID(4), challengeMethod: .serverTrust)),
          .at(4, AttemptChallengeAnswered(attempt: 1, challenge: CorrelationID(4), disposition: .cancel, by: .app)),
          cancelled())),
      RuleExample(
        "the task failed with another error",
        steps: story(
          .at(5, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56)),
          .at(5, TaskCompleted(domain: .curl, error: 56)))),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    // An answer to a challenge can cancel the task; the log shows that answer.
    // A foreign log seldom contains the creation of a task.
    let isForeign = world.processes[task.process].coverage != nil
    guard let created = task.created ?? (isForeign ? completed : nil), task.attempt?.challengeAnswered == nil else {
      return .silent
    }
    switch CancelCause(of: task, in: world) {
    case .unexplained: break
    case .sessionReleased, .known, .reason, .userQuit, .refreshOff, nil: return .silent
    }
    return .finding(
      Draft(
        summary: "Task \(task.identity.label) was cancelled, and the log has no request to cancel it.",
        claim: .absence(since: created, shownBy: .coverage), evidence: completed,
        missing: [.init(.taskCancelRequested, dueBy: completed.moment)]))
  }
}
