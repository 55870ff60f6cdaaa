import XferEvents
import XferLifecycle
import XferReplay

/// The system was short of something and cancelled the transfer.
struct InsufficientResourcesCancel: TaskRule {
  private static let story: [RuleExample.Step] = [
    .at(0, ProcessStarted(executable: "app")), .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)),
    .at(0.002, TaskCreated(type: .download)), .at(0.003, TaskResumed()),
  ]

  private static func cancelled(_ reason: CancelReason?) -> TaskCompleted {
    TaskCompleted(domain: .url, error: -999, errorName: "cancelled", cancelReason: reason)
  }

  static let description = RuleDescription(
    id: "insufficient-resources-cancel", severity: .error,
    summary: "The transfer was cancelled because the system was short of resources.",
    explanation: """
      The daemon that carries background transfers serves all apps. When it is short of memory, of descriptors or of room, it \
      cancels (NSURLErrorCancelled, reason 2). Thousands of tasks at once bring it there, for one app or for all; those that \
      were cancelled did nothing wrong themselves.
      """,
    remedy: """
      Keep a window of some tens of tasks in a background session, and many small things in one archive. Try again what was \
      cancelled, later and a few at a time.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/urlsession/1508626-background_task_cancellation",
      "https://forums.developer.apple.com/message/32659",
    ],
    reports: [
      RuleExample(
        "the cancellation says so", .certain, cites: [.taskCompleted],
        steps: story + [.at(20, cancelled(.insufficientResources))])
    ],
    staysSilent: [
      RuleExample("the user quit the app", steps: story + [.at(20, cancelled(.userForceQuit))]),
      RuleExample(
        "a single one, by the app",
        steps: story + [.at(19, TaskCancelRequested(by: .app)), .at(20, cancelled(CancelReason.none))]),
      RuleExample(
        "it failed for want of room, and was not cancelled",
        steps: story + [.at(20, TaskCompleted(domain: .posix, error: 28, osError: 28))]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard case .reason(.insufficientResources)? = CancelCause(of: task, in: world) else { return .silent }
    return .finding(
      Draft(
        summary: "Task \(task.identity.text) was cancelled because the system was short of resources.", claim: .presence,
        evidence: completed))
  }
}
