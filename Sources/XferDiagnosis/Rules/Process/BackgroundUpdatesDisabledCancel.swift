import XferEvents
import XferLifecycle
import XferReplay

/// The user does not let the app refresh in the background, so its transfers were cancelled.
struct BackgroundUpdatesDisabledCancel: TaskRule {
  private static let story: [RuleExample.Step] = [
    .at(0, ProcessStarted(executable: "app")), .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)),
    .at(0.002, TaskCreated(type: .download)), .at(0.003, TaskResumed()),
  ]
  private static let switchedOff = PolicyChanged(policy: .backgroundRefresh, enabled: false, by: .user)

  private static func cancelled(_ reason: CancelReason?) -> TaskCompleted {
    TaskCompleted(domain: .url, error: -999, errorName: "cancelled", cancelReason: reason)
  }

  static let description = RuleDescription(
    id: "background-updates-disabled-cancel", severity: .error,
    summary: "The transfer was cancelled because background refresh is switched off.",
    explanation: """
      With background refresh off, for the app or for all of them, or with low power mode on, the system cancels transfers of \
      background sessions (NSURLErrorCancelled, reason 1) and launches nobody. Nothing is wrong with the code or the network; \
      it is the user's choice, who is often not aware of it.
      """,
    remedy: """
      Look at the switch (backgroundRefreshStatus) before a transfer is left to the background, say in the user interface \
      what it prevents, and transfer in front meanwhile.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/urlsession/1508626-background_task_cancellation",
      "https://github.com/nextcloud/ios/issues/3713",
    ],
    reports: [
      RuleExample(
        "the cancellation says so", .certain, variant: "said", cites: [.taskCompleted],
        steps: story + [.at(20, cancelled(.backgroundUpdatesDisabled))]),
      RuleExample(
        "the switch was turned off, and the task cancelled by nobody", .probable, variant: "inferred",
        cites: [.policyChanged, .taskCompleted],
        steps: story + [.at(10, switchedOff), .at(20, cancelled(nil))]),
    ],
    staysSilent: [
      RuleExample("for another reason", steps: story + [.at(10, switchedOff), .at(20, cancelled(.userForceQuit))]),
      RuleExample(
        "the app cancelled it",
        steps: story + [.at(10, switchedOff), .at(19, TaskCancelRequested(by: .app)), .at(20, cancelled(nil))]),
      RuleExample(
        "the switch was on again",
        steps: story + [
          .at(10, switchedOff), .at(12, PolicyChanged(policy: .backgroundRefresh, enabled: true, by: .user)),
          .at(20, cancelled(nil)),
        ]),
      RuleExample(
        "the switch is off, and the task went through",
        steps: story + [.at(10, switchedOff), .at(20, TaskCompleted(received: 10, status: 200))]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    switch CancelCause(of: task, in: world) {
    case .reason(.backgroundUpdatesDisabled):
      return .finding(
        Draft(
          variant: "said", summary: "Task \(task.identity.text) was cancelled because background refresh is off.",
          claim: .presence, evidence: completed))
    case .refreshOff(let switchedOff):
      return .finding(
        Draft(
          variant: "inferred",
          summary:
            "Task \(task.identity.text) was cancelled by nobody in the log, after background refresh had been switched off.",
          claim: .absence(since: task.created ?? switchedOff, shownBy: .coverage), evidence: completed, [switchedOff],
          missing: [.init(.taskCancelRequested, dueBy: completed.moment)]))
    default: return .silent
    }
  }
}
