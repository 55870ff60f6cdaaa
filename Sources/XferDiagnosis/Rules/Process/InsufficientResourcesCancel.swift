import XferEvents
import XferLifecycle
import XferReplay

/// The system cancelled the transfer because it was short of resources.
struct InsufficientResourcesCancel: TaskRule {
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(executable: "app")), .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)),
      .at(0.002, TaskCreated(type: .download)), .at(0.003, TaskResumed()),
    ] + steps
  }

  private static func cancelled(_ reason: CancelReason) -> RuleExample.Step {
    .at(20, TaskCompleted(domain: .url, error: -999, errorName: "cancelled", cancelReason: reason))
  }

  static let description = RuleDescription(
    id: "insufficient-resources-cancel", severity: .error,
    summary: "The transfer was cancelled because the system was short of resources.",
    explanation: """
      One daemon carries the background transfers of all apps. When it runs out of memory, file descriptors or disk space, it \
      cancels transfers (NSURLErrorCancelled, reason 2). Thousands of simultaneous tasks, of one app or of all apps together, \
      cause this; the cancelled tasks themselves need not be at fault.
      """,
    remedy: """
      Keep at most a few dozen tasks in a background session, and combine many small files into one archive. Retry the \
      cancelled transfers later, a few at a time.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/urlsession/1508626-background_task_cancellation",
      "https://forums.developer.apple.com/message/32659",
    ],
    isStatedByEvents: true,
    untriggerable: "The daemon cancels tasks for lack of resources only beyond 100,000 tasks, which take minutes to create.",
    reports: [
      RuleExample(
        "the cancellation gives the reason", .certain, cites: [.taskCompleted],
        steps: story(cancelled(.insufficientResources))),
      RuleExample(
        "the daemon cancelled the task, and the app has not received the completion", .certain, cites: [.taskCancelRequested],
        steps: story(.at(1, TaskCancelRequested(by: .daemon, cancelReason: .insufficientResources), by: .daemon))),
    ],
    staysSilent: [
      RuleExample("the user quit the app", steps: story(cancelled(.userForceQuit))),
      RuleExample(
        "the app cancelled the task", steps: story(.at(19, TaskCancelRequested(by: .app)), cancelled(CancelReason.none))),
      RuleExample(
        "the task failed for lack of disk space and was not cancelled",
        steps: story(.at(20, TaskCompleted(domain: .posix, error: 28, osError: 28)))),
    ])

  static let presupposes: Set<TaskSign>? = [.failure, .event(.taskCancelRequested)]
  static let watches: Set<EventKind> = [.taskCancelRequested, .attemptEnded, .taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = CancelCause.end(of: task) else { return asked.isTaskOver ? .silent : nil }
    guard case .reason(.insufficientResources)? = CancelCause(of: task, in: world) else { return .silent }
    return .finding(
      Draft(
        summary: "Task \(task.identity.label) was cancelled because the system was short of resources.", claim: .presence,
        evidence: completed))
  }
}
