import XferEvents
import XferLifecycle
import XferReplay

/// The app was told of its task's end and had no record of the task any more.
struct CompletionDiscardedByConsumer: TaskRule {
  private static let delivery = DeliveryID(1)
  private static let created = TaskCreated(type: .data)
  private static let bound = AppIntentBound(intent: "episode-7", task: .example, key: "uid")
  private static let unbound = AppIntentUnbound(intent: "episode-7", task: .example, reason: "cleanup")
  private static let transferred: [RuleExample.Step] = [
    .at(2, TaskResumed()), .at(9, TaskTransferred(received: 10, status: 200)),
    .at(10, DeliverySent(task: .example, delivery: delivery, callback: .didComplete)),
    .at(10, DeliveryReceived(task: .example, delivery: delivery, callback: .didComplete)),
  ]
  private static let entered = DeliveryEntered(task: .example, delivery: delivery, callback: .didComplete)
  private static let over: [RuleExample.Step] = [
    .at(11, DeliveryLeft(task: .example, delivery: delivery, callback: .didComplete)),
    .at(11, TaskCompleted(delivery: delivery, received: 10, status: 200)),
  ]
  private static let later = RuleExample.Step.at(120, LogHeartbeatWritten())

  private static func dropped(_ why: DropReason) -> DeliveryDropped {
    DeliveryDropped(task: .example, delivery: delivery, callback: .didComplete, why: why, by: .app)
  }

  static let description = RuleDescription(
    id: "completion-discarded-by-consumer", severity: .critical,
    summary: "The app was told that its task was complete, found no record of the task, and dropped it.",
    explanation: """
      The app finds its record by what it stored when the task was made. Code that tidies up “stuck” records clears that, \
      often in the seconds between queueing and the task’s creation; then every callback of the task, also the one that \
      offers the file, finds nobody and returns. No error is shown: what was transferred is thrown away, and the record \
      stays as it was. The variant says whether the app said that it dropped the callback, or only returned.
      """,
    remedy: """
      Bind the record when the task is made, and let what tidies up leave alone what is younger than some minutes. A callback \
      without a record is to be logged and repaired, from the task’s own metadata, not ignored.
      """,
    sources: [
      "https://github.com/Automattic/pocket-casts-ios/pull/5057", "https://github.com/Automattic/pocket-casts-ios/issues/4831",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the app says so", .certain, variant: "dropped", cites: [.appIntentBound, .deliveryEntered, .deliveryDropped],
        steps: [.at(1, created), .at(1, bound)] + transferred + [.at(11, entered), .at(11, dropped(.noRecord))] + over),
      RuleExample(
        "the record had been cleared, and the callback only returned", .probable, variant: "returned",
        cites: [.appIntentBound, .appIntentUnbound, .deliveryEntered],
        steps: [.at(1, created), .at(1, bound), .at(5, unbound)] + transferred + [.at(11, entered)] + over + [later]),
    ],
    staysSilent: [
      RuleExample(
        "the app had given it up",
        steps: [.at(1, created), .at(1, bound)] + transferred + [
          .at(10, AppOutcomeRecorded(intent: "episode-7", outcome: .cancelled)),
          .at(11, entered), .at(11, dropped(.noRecord)),
        ] + over),
      RuleExample(
        "it never was anybody’s",
        steps: [.at(1, created)] + transferred + [.at(11, entered), .at(11, dropped(.noRecord))] + over),
      RuleExample(
        "cleared, and the outcome was recorded all the same",
        steps: [.at(1, created), .at(1, bound), .at(5, unbound)]
          + transferred + [.at(11, entered)] + over + [
            .at(12, AppOutcomeRecorded(task: .example, outcome: .success)), later,
          ]),
      RuleExample(
        "the app has had no time yet to say what it made of it",
        steps: [.at(1, created), .at(1, bound), .at(5, unbound)]
          + transferred + [.at(11, entered)] + over + [.at(30, LogHeartbeatWritten())]),
      RuleExample(
        "cleared when it was over",
        steps: [.at(1, created), .at(1, bound)] + transferred + [.at(11, entered)] + over + [.at(15, unbound), later]),
      RuleExample(
        "bound again before the completion came",
        steps: [
          .at(1, created), .at(1, bound), .at(5, unbound),
          .at(6, bound),
        ] + transferred + [.at(11, entered)] + over + [later]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.deliveryDropped), .event(.appIntentUnbound)]
  static let watches: Set<EventKind> = [
    .deliveryDropped, .deliveryLeft, .appIntentBound, .appOutcomeRecorded, .fileClaimed, .taskCompleted,
  ]

  /// For the app to say what it made of it.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to record an outcome")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let bound = task.record?.bound ?? (task.intent == nil ? nil : task.created) else {
      return asked.isTaskOver ? .silentSoFar : nil
    }
    // What the app does not want any more it may drop.
    if task.cancelRequested != nil || task.outcome != nil || task.file.claimed != nil || Self.isConcluded(task, in: world) {
      return .silent
    }
    for case let delivery? in [task.fileDelivery, task.completionDelivery] where delivery.dropReason == .noRecord {
      guard let dropped = delivery.dropped else { continue }
      return .finding(
        Draft(
          variant: "dropped",
          summary: "The app dropped \(delivery.callback.name) of task \(task.identity.text): it had no record of it any more.",
          claim: .presence, evidence: dropped, [bound, delivery.entered]))
    }
    guard let unbound = task.record?.unbound, let entered = task.completionDelivery?.entered,
      let left = task.completionDelivery?.left
    else { return asked.isTaskOver ? .silentSoFar : nil }
    if unbound.duration(to: entered) ?? .zero < .zero { return .silent }
    let process = world.process(of: task)
    guard asked.covered(since: left, by: process) >= patience else {
      if process.endFact != nil || asked.isEndOfLog { return asked.isEndOfLog ? .silent : nil }
      return .wait(patience, after: left)
    }
    let due = left.monotonic.map { Moment(monotonic: $0.addingClamped(patience.nanoseconds)) }
    return .finding(
      Draft(
        variant: "returned",
        summary: "The app made nothing of the end of task \(task.identity.text): its record of the task had been cleared.",
        claim: .absence(since: left, shownBy: .coverage), evidence: unbound, [bound, entered],
        missing: [.init(.appOutcomeRecorded, dueBy: due)]))
  }

  /// Whether the app has given up, or reached, what the task was for.
  private static func isConcluded(_ task: TaskLifecycle, in world: World) -> Bool {
    guard let key = task.intent else { return false }
    return world.intents.indexes.contains { place in
      let intent = world.intents[place]
      return intent.key == key && !intent.isOpen && intent.bindings.contains { $0.task.uid == task.identity.uid }
    }
  }
}
