import XferEvents
import XferLifecycle
import XferReplay

/// The app was given a completion and never said that it has it.
struct TransferredNeverAcknowledged: TaskRule {
  private static let delivery = DeliveryID(1)
  private static let completed = TaskCompleted(delivery: delivery, received: 10, status: 200)

  /// A transfer of the daemon's, as far as the app's callback; the callback's end is there only where it is told.
  private static func delivered(left: Bool = true) -> [RuleExample.Step] {
    func step(_ event: some TransferEvent, _ time: Duration, _ process: ExampleProcess = .app) -> RuleExample.Step {
      .at(time, event, by: process)
    }
    let first: [RuleExample.Step] = [
      .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .background)),
      .at(0, TaskCreated(type: .data)), .at(0.002, TaskResumed()),
      step(TaskTransferred(received: 10, status: 200), .seconds(1), .daemon),
      .at(2, DeliverySent(task: .example, delivery: delivery, callback: .didComplete), by: .daemon),
      .at(2, DeliveryReceived(task: .example, delivery: delivery, callback: .didComplete)),
      step(DeliveryEntered(task: .example, delivery: delivery, callback: .didComplete), .seconds(2)),
    ]
    guard left else { return first }
    return first + [
      .at(3, DeliveryLeft(task: .example, delivery: delivery, callback: .didComplete)),
      .at(3, completed),
    ]
  }
  private static func forgotten(_ reason: ForgetReason) -> TaskForgotten { TaskForgotten(forgotten: reason) }

  static let description = RuleDescription(
    id: "transferred-never-acknowledged", severity: .critical,
    summary: "The app was given the completion, but never acknowledged it before the daemon had to forget the task.",
    explanation: """
      Transferred, delivered and acknowledged are three things. Until the app says that it has the completion, the daemon \
      keeps the task and its file, and delivers it again. It does not do so for ever: what nobody has acknowledged when its \
      time is over is removed, with the file. The variant says whether that has happened ("forgotten"), or the task has been \
      kept for a day ("still kept").
      """,
    remedy: """
      Return from the completion callback when what came is safe; that is the acknowledgement. Do not block or end the \
      process in it, and take what is delivered again as what it is.
      """,
    sources: ["https://learn.microsoft.com/en-us/windows/win32/bits/completing-and-canceling-a-job"],
    needsWholeLog: true,
    consequenceOf: ["callback-thread-blocked", "lost-completion"],
    reports: [
      RuleExample(
        "given to the app, and removed when its time was over", .certain, variant: "forgotten",
        cites: [.taskTransferred, .deliveryEntered, .taskForgotten],
        steps: delivered() + [.at(700_000, forgotten(.expired), by: .daemon)]),
      RuleExample(
        "a day later the daemon still has it", .probable, variant: "still kept", cites: [.taskTransferred, .deliveryEntered],
        steps: delivered() + [
          .at(60, DeliverySent(task: .example, delivery: delivery, callback: .didComplete, redelivered: true), by: .daemon),
          .at(90_000, LogHeartbeatWritten(), by: .daemon),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "acknowledged",
        steps: delivered() + [
          .at(4, TaskAcknowledged(delivery: delivery), by: .daemon), .at(4, forgotten(.acknowledged), by: .daemon),
          .at(90_000, LogHeartbeatWritten(), by: .daemon),
        ]),
      RuleExample(
        "the app never ran again, so it could not",
        steps: delivered().prefix(4) + [.at(700_000, forgotten(.expired), by: .daemon)]),
      RuleExample(
        "the app had cancelled it",
        steps: [.at(0.5, TaskCancelRequested(by: .app))] + delivered() + [
          .at(700_000, forgotten(.expired), by: .daemon)
        ]),
      RuleExample(
        "an hour later there is still time",
        steps: delivered() + [
          .at(60, DeliverySent(task: .example, delivery: delivery, callback: .didComplete, redelivered: true), by: .daemon),
          .at(3600, LogHeartbeatWritten(), by: .daemon),
        ]),
      RuleExample(
        "forgotten for another reason",
        steps: delivered() + [.at(700_000, forgotten(.cancelled), by: .daemon)]),
    ])

  /// A completion goes from the daemon to the app more than once only where it is not acknowledged.
  static let presupposes: Set<TaskSign>? = [.event(.taskForgotten), .trait(.redelivered)]
  static let watches: Set<EventKind> = [.taskForgotten]
  static let watchesUnlessWaiting: Set<EventKind> = [.deliverySent]

  /// Less than any daemon keeps what nobody has acknowledged; more than an app that is in order takes.
  var patience: Duration = .seconds(24 * 3600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a daemon keeps a completion before the app is late to acknowledge it")
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
    // Without a daemon there is nobody who would keep it.
    let keeper = world.process(of: task)
    guard keeper.role == .daemon, world.sessionKind(of: task) == .background else { return asked.isTaskOver ? .silent : nil }
    guard asked.covered(since: entered, by: keeper) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: entered)
    }
    return .finding(
      draft(task, "still kept", claim: .absence(since: entered, shownBy: .coverage), transferred, [entered]))
  }

  private func draft(
    _ task: TaskLifecycle, _ variant: String, claim: Draft.Claim, _ transferred: Fact, _ rest: [Fact]
  ) -> Draft {
    let isAbsent = if case .absence = claim { true } else { false }
    return Draft(
      variant: variant, summary: "Task \(task.identity.text) was given to the app and never acknowledged (\(variant)).",
      claim: claim, evidence: transferred, rest,
      missing: isAbsent ? [.init(.taskAcknowledged, dueBy: rest.first.map { $0.due(within: patience) })] : [],
      unless: isAbsent ? ["the app acknowledges it later"] : [])
  }
}
