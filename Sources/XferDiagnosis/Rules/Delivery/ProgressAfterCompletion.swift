import XferEvents
import XferLifecycle
import XferReplay

/// Progress of a task that was already complete.
struct ProgressAfterCompletion: TaskRule {
  private static let begun: [RuleExample.Step] = [.at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed())]
  private static let completed = RuleExample.Step.at(
    0.01, TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200))
  private static func bytes(at time: Double) -> RuleExample.Step {
    .at(time, AttemptBytesReceived(attempt: 1, received: 10))
  }
  /// The steps in which a callback is called after the completion.
  private static func called(_ callback: Callback) -> [RuleExample.Step] {
    [
      .at(0.012, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: callback)),
      .at(0.013, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: callback)),
    ]
  }

  static let description = RuleDescription(
    id: "progress-after-completion", severity: .notice,
    summary: "Progress of the task was reported after its completion.",
    explanation: """
      Progress and completion reach the app on different paths, and their order is not guaranteed: a last progress callback \
      may arrive after the completion. Code that shows a progress bar again, or that takes the callback with the full byte \
      count as the end of the task, is misled.
      """,
    remedy: "Treat only the completion callback as the end of a task, and ignore progress of a task that is complete.",
    sources: ["red_mad_robot: iOS. Работа с сетью, когда приложение не запущено"],
    untriggerable: "The engine delivers the callbacks of a task in order, and none after the completion.",
    reports: [
      RuleExample(
        "received bytes are reported after the completion", .certain, cites: [.taskCompleted, .attemptBytesReceived],
        steps: begun + [.at(0.002, AttemptStarted(attempt: 1)), completed, bytes(at: 0.012)]),
      RuleExample(
        "a progress callback is called after the acknowledged completion", .certain, cites: [.taskCompleted, .deliveryEntered],
        steps: begun + [
          .at(0.008, DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didWriteData)),
          .at(0.009, DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didWriteData)), completed,
          .at(0.011, TaskAcknowledged(delivery: DeliveryID(1))),
        ] + called(.didWriteData)),
    ],
    staysSilent: [
      RuleExample("the last progress came before the completion", steps: begun + [bytes(at: 0.009), completed]),
      RuleExample(
        "the progress happened before the completion and was written after it",
        steps: begun + [completed, bytes(at: 0.009)]),
      RuleExample(
        "only the metrics callback was called after the completion",
        steps: begun + [completed] + called(.didFinishCollectingMetrics)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.late)]
  static let watches: Set<EventKind> = []
  static let watchesOnceCompleted: Set<EventKind> = [.attemptBytesReceived, .attemptBytesSent, .deliveryEntered]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed, let late = task.lateProgress else { return asked.isTaskOver ? .silentSoFar : nil }
    return .finding(
      Draft(
        summary: "Progress of task \(task.identity.label) was reported after its completion.", claim: .presence,
        evidence: completed, [late]))
  }
}
