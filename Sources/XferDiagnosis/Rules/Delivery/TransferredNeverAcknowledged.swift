import XferEvents
import XferLifecycle
import XferReplay

/// A completion that the app received but never acknowledged.
struct TransferredNeverAcknowledged: TaskRule {
  private static let delivery = DeliveryID(1)

  /// The steps up to the end of a task's transfer in the daemon.
  private static let transferred: [RuleExample.Step] = [
    .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .background)),
    .at(0, TaskCreated(type: .data)), .at(0.002, TaskResumed()),
    .at(1, TaskTransferred(received: 10, status: 200), by: .daemon),
  ]
  /// The steps up to the return of a finished task's completion callback.
  private static let delivered: [RuleExample.Step] =
    transferred + [
      .at(2, DeliverySent(task: .example, delivery: delivery, callback: .didComplete), by: .daemon),
      .at(2, DeliveryReceived(task: .example, delivery: delivery, callback: .didComplete)),
      .at(2, DeliveryEntered(task: .example, delivery: delivery, callback: .didComplete)),
      .at(3, DeliveryLeft(task: .example, delivery: delivery, callback: .didComplete)),
      .at(3, TaskCompleted(delivery: delivery, received: 10, status: 200)),
    ]
  /// The steps in which the daemon delivers the completion again, and the app receives it.
  private static let redelivered: [RuleExample.Step] = [
    .at(60, DeliverySent(task: .example, delivery: delivery, callback: .didComplete, redelivered: true), by: .daemon),
    .at(60, DeliveryReceived(task: .example, delivery: delivery, callback: .didComplete)),
    .at(60, DeliveryEntered(task: .example, delivery: delivery, callback: .didComplete)),
  ]
  private static func forgotten(_ reason: ForgetReason, at time: Double = 700_000) -> RuleExample.Step {
    .at(time, TaskForgotten(forgotten: reason), by: .daemon)
  }
  private static func alive(at time: Double) -> RuleExample.Step { .at(time, LogHeartbeatWritten(), by: .daemon) }

  static let description = RuleDescription(
    id: "transferred-never-acknowledged", severity: .critical,
    summary: "The app received the completion but did not acknowledge it before the daemon discarded the task.",
    explanation: """
      Transferred, delivered and acknowledged are three different states. Until the app acknowledges a completion, the daemon \
      keeps the task with its file and redelivers the completion. It does so for a limited time: a task that is still \
      unacknowledged after the retention time is removed together with its file. The variant says whether the daemon removed \
      the task ("forgotten") or has kept it for a day ("still kept").
      """,
    remedy: """
      Return from the completion callback once its result is stored safely; returning is the acknowledgement. Do not block in \
      the callback or end the process there, and handle redelivered completions idempotently.
      """,
    sources: ["https://learn.microsoft.com/en-us/windows/win32/bits/completing-and-canceling-a-job"],
    needsWholeLog: true,
    consequenceOf: ["callback-thread-blocked", "lost-completion", "background-launch-crash-loop"],
    reports: [
      RuleExample(
        "the daemon removed the task after its retention time", .certain, variant: "forgotten",
        cites: [.taskTransferred, .deliveryEntered, .taskForgotten], steps: delivered + [forgotten(.expired)]),
      RuleExample(
        "the daemon still keeps the task after a day", .probable, variant: "still kept",
        cites: [.taskTransferred, .first(.deliveryEntered)], steps: delivered + redelivered + [alive(at: 90_000)]),
    ],
    staysSilent: [
      RuleExample(
        "the app acknowledged the completion",
        steps: delivered + [
          .at(4, TaskAcknowledged(delivery: delivery), by: .daemon), forgotten(.acknowledged, at: 4), alive(at: 90_000),
        ]),
      RuleExample("the app did not run again, so it could not acknowledge", steps: transferred + [forgotten(.expired)]),
      RuleExample(
        "the app had cancelled the task",
        steps: [.at(0.5, TaskCancelRequested(by: .app))] + delivered + [forgotten(.expired)]),
      RuleExample("only an hour has passed", steps: delivered + redelivered + [alive(at: 3600)]),
      RuleExample("the task was removed for another reason", steps: delivered + [forgotten(.cancelled)]),
    ])

  /// The signs without which the rule cannot apply. The daemon redelivers only completions that are unacknowledged.
  static let presupposes: Set<TaskSign>? = [.event(.taskForgotten), .trait(.redelivered)]
  static let watches: Set<EventKind> = [.taskForgotten]
  static let watchesUnlessWaiting: Set<EventKind> = [.deliverySent]

  /// The time an app may take to acknowledge; shorter than any daemon's retention time.
  var patience: Duration = .seconds(24 * 3600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long an app may take to acknowledge a completion")
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if task.acknowledged != nil || task.cancelledBy == .app { return asked.isTaskOver ? .silent : nil }
    guard let transferred = task.transferred, let entered = task.completionDelivery?.entered else {
      return asked.isTaskOver ? .silent : nil
    }
    if let forgotten = task.forgotten {
      guard task.forgetReason == .expired else { return .silent }
      return .finding(draft(task, "forgotten", claim: .presence, transferred, [entered, forgotten]))
    }
    // Only a daemon keeps unacknowledged completions.
    guard let keeper = task.carrier, world.sessionKind(of: task) == .background else { return asked.isTaskOver ? .silent : nil }
    guard asked.covered(since: entered, by: world.processes[keeper]) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: entered, on: keeper)
    }
    return .finding(
      draft(task, "still kept", claim: .absence(since: entered, shownBy: .coverage), transferred, [entered]))
  }

  private func draft(
    _ task: TaskLifecycle, _ variant: String, claim: Draft.Claim, _ transferred: Fact, _ rest: [Fact]
  ) -> Draft {
    let isAbsent = if case .absence = claim { true } else { false }
    return Draft(
      variant: variant, summary: "The app received the completion of task \(task.identity.label) but never acknowledged it.",
      claim: claim, evidence: transferred, rest,
      missing: isAbsent ? [.init(.taskAcknowledged, dueBy: rest.first.map { $0.due(within: patience) })] : [],
      unless: isAbsent ? ["the app acknowledges the completion later"] : [])
  }
}
