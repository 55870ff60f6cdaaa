import XferEvents
import XferLifecycle
import XferReplay

/// The system cancelled a transfer because the user turned background refresh off.
struct BackgroundUpdatesDisabledCancel: TaskRule {
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(executable: "app")), .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)),
      .at(0.002, TaskCreated(type: .download)), .at(0.003, TaskResumed()),
    ] + steps
  }
  private static let switchedOff: RuleExample.Step = .at(
    10, PolicyChanged(policy: .backgroundRefresh, enabled: false, by: .user))

  private static func cancelled(_ reason: CancelReason? = nil) -> RuleExample.Step {
    .at(20, TaskCompleted(domain: .url, error: -999, errorName: "cancelled", cancelReason: reason))
  }

  static let description = RuleDescription(
    id: "background-updates-disabled-cancel", severity: .error,
    summary: "The transfer was cancelled because background refresh is off.",
    explanation: """
      While background refresh is off, for this app or for all apps, or while low power mode is on, the system cancels \
      transfers of background sessions (NSURLErrorCancelled, reason 1) and does not launch the app. The code and the network \
      are not at fault: the cause is a setting of the user, who often does not know its effect. The variants: "said" when the \
      cancellation gives the reason, "inferred" when the log shows only that the setting was off.
      """,
    remedy: """
      Check backgroundRefreshStatus before you leave a transfer to the background. Tell the user what the setting prevents, \
      and transfer in the foreground meanwhile.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/urlsession/1508626-background_task_cancellation",
      "https://github.com/nextcloud/ios/issues/3713",
    ],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the cancellation gives the reason", .certain, variant: "said", cites: [.taskCompleted],
        steps: story(cancelled(.backgroundUpdatesDisabled))),
      RuleExample(
        "the system cancelled the task, and the app has not been launched since", .certain, variant: "said",
        cites: [.taskCancelRequested],
        steps: story(
          switchedOff, .at(11, TaskCancelRequested(by: .policy, cancelReason: .backgroundUpdatesDisabled), by: .daemon))),
      RuleExample(
        "background refresh was turned off, and the task was cancelled without a request", .probable, variant: "inferred",
        cites: [.policyChanged, .taskCompleted], steps: story(switchedOff, cancelled())),
    ],
    staysSilent: [
      RuleExample("the task was cancelled for another reason", steps: story(switchedOff, cancelled(.userForceQuit))),
      RuleExample(
        "the app cancelled the task", steps: story(switchedOff, .at(19, TaskCancelRequested(by: .app)), cancelled())),
      RuleExample(
        "background refresh had been turned on again",
        steps: story(switchedOff, .at(12, PolicyChanged(policy: .backgroundRefresh, enabled: true, by: .user)), cancelled())),
      RuleExample(
        "background refresh was off, and the task succeeded",
        steps: story(switchedOff, .at(20, TaskCompleted(received: 10, status: 200)))),
    ])

  static let presupposes: Set<TaskSign>? = [.failure, .event(.taskCancelRequested)]
  static let watches: Set<EventKind> = [.taskCancelRequested, .attemptEnded, .taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = CancelCause.end(of: task) else { return asked.isTaskOver ? .silent : nil }
    switch CancelCause(of: task, in: world) {
    case .reason(.backgroundUpdatesDisabled):
      return .finding(
        Draft(
          variant: "said", summary: "Task \(task.identity.label) was cancelled because background refresh is off.",
          claim: .presence, evidence: completed))
    case .refreshOff(let switchedOff):
      return .finding(
        Draft(
          variant: "inferred",
          summary: """
            Task \(task.identity.label) was cancelled after background refresh was turned off, and the log has no call of cancel() \
            for it.
            """,
          claim: .absence(since: task.created ?? switchedOff, shownBy: .coverage), evidence: completed, [switchedOff],
          missing: [.init(.taskCancelRequested, dueBy: completed.moment)]))
    default: return .silent
    }
  }
}
