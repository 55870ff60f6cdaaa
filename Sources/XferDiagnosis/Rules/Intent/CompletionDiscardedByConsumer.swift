import XferEvents
import XferLifecycle
import XferReplay

/// A completion that the app discarded because it no longer had a record of the task.
struct CompletionDiscardedByConsumer: TaskRule {
  private static let delivery = DeliveryID(1)
  private static let created = RuleExample.Step.at(1, TaskCreated(type: .data))
  private static func bound(at time: Double = 1) -> RuleExample.Step {
    .at(time, AppIntentBound(intent: "episode-7", task: .example, key: "uid"))
  }
  private static func unbound(at time: Double = 5) -> RuleExample.Step {
    .at(time, AppIntentUnbound(intent: "episode-7", task: .example, reason: "cleanup"))
  }
  private static let dropped = RuleExample.Step.at(
    11, DeliveryDropped(task: .example, delivery: delivery, callback: .didComplete, why: .noRecord, by: .app))
  private static let later = RuleExample.Step.at(120, LogHeartbeatWritten())

  /// The steps from a task's resume to its completion, with the step `before` before its completion callback and the step
  /// `inside` within the callback.
  private static func completed(before: RuleExample.Step? = nil, inside: RuleExample.Step? = nil) -> [RuleExample.Step] {
    let steps: [RuleExample.Step?] = [
      .at(2, TaskResumed()), .at(9, TaskTransferred(received: 10, status: 200)),
      .at(10, DeliverySent(task: .example, delivery: delivery, callback: .didComplete)),
      .at(10, DeliveryReceived(task: .example, delivery: delivery, callback: .didComplete)), before,
      .at(11, DeliveryEntered(task: .example, delivery: delivery, callback: .didComplete)), inside,
      .at(11, DeliveryLeft(task: .example, delivery: delivery, callback: .didComplete)),
      .at(11, TaskCompleted(delivery: delivery, received: 10, status: 200)),
    ]
    return steps.compactMap(\.self)
  }

  static let description = RuleDescription(
    id: "completion-discarded-by-consumer", severity: .critical,
    summary: "The app received its task's completion, found no record of the task, and discarded the result.",
    explanation: """
      The app keeps a record of each transfer and finds it by an id that it stores with the task. Code that cleans up “stuck” \
      records may take a new record for an old one, for example because its task has not started yet, and remove the id. \
      Every later callback of the task, including the one that offers the file, then finds no record and returns. No error \
      is shown: the transferred data is discarded, and the record keeps its old state. The variant says whether the app logged that it dropped the callback ("dropped") or only \
      returned from it ("returned").
      """,
    remedy: """
      Store the id when you create the task, and exclude records younger than a few minutes from the cleanup. Log a \
      callback without a record, and restore the record from the task’s own metadata instead of ignoring the callback.
      """,
    sources: [
      "https://github.com/Automattic/pocket-casts-ios/pull/5057", "https://github.com/Automattic/pocket-casts-ios/issues/4831",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the app logged that it dropped the callback", .certain, variant: "dropped",
        cites: [.appIntentBound, .deliveryEntered, .deliveryDropped],
        steps: [created, bound()] + completed(inside: dropped)),
      RuleExample(
        "the record was deleted, and the callback only returned", .probable, variant: "returned",
        cites: [.appIntentBound, .appIntentUnbound, .deliveryEntered],
        steps: [created, bound(), unbound()] + completed() + [later]),
    ],
    staysSilent: [
      RuleExample(
        "the app had recorded that it cancelled the work (the intent)",
        steps: [created, bound()]
          + completed(before: .at(10, AppOutcomeRecorded(intent: "episode-7", outcome: .cancelled)), inside: dropped)),
      RuleExample("the task was never bound to a record", steps: [created] + completed(inside: dropped)),
      RuleExample(
        "the record was deleted, but the outcome was recorded",
        steps: [created, bound(), unbound()] + completed() + [
          .at(12, AppOutcomeRecorded(task: .example, outcome: .success)), later,
        ]),
      RuleExample(
        "the app has had only seconds to record an outcome",
        steps: [created, bound(), unbound()] + completed() + [.at(30, LogHeartbeatWritten())]),
      RuleExample(
        "the record was deleted after the completion", steps: [created, bound()] + completed() + [unbound(at: 15), later]),
      RuleExample(
        "the task was bound again before its completion",
        steps: [created, bound(), unbound(), bound(at: 6)] + completed() + [later]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.deliveryDropped), .event(.appIntentUnbound)]
  static let watches: Set<EventKind> = [
    .deliveryDropped, .deliveryLeft, .appIntentBound, .appOutcomeRecorded, .fileClaimed, .taskCompleted,
  ]

  /// The time for the app to record an outcome.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to record an outcome")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let bound = task.record?.bound ?? (task.intent == nil ? nil : task.created) else {
      return asked.isTaskOver ? .silentSoFar : nil
    }
    // The app may drop completions of tasks that it no longer needs.
    if task.cancelRequested != nil || task.outcome != nil || task.file.claimed != nil || Self.isConcluded(task, in: world) {
      return .silent
    }
    for case let delivery? in [task.fileDelivery, task.completionDelivery] where delivery.dropReason == .noRecord {
      guard let dropped = delivery.dropped else { continue }
      return .finding(
        Draft(
          variant: "dropped",
          summary: """
            The app dropped the callback \(delivery.callback.name) of task \(task.identity.label): it no longer had a record of \
            the task.
            """,
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
        summary: "The app ignored the completion of task \(task.identity.label): its record of the task had been deleted.",
        claim: .absence(since: left, shownBy: .coverage), evidence: unbound, [bound, entered],
        missing: [.init(.appOutcomeRecorded, dueBy: due)]))
  }

  /// Whether the app has recorded an outcome for the intent of a task.
  private static func isConcluded(_ task: TaskLifecycle, in world: World) -> Bool {
    guard let key = task.intent else { return false }
    return world.intents.indexes.contains { place in
      let intent = world.intents[place]
      return intent.key == key && !intent.isOpen && intent.bindings.contains { $0.task.uid == task.identity.uid }
    }
  }
}
