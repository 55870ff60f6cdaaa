import XferEvents
import XferLifecycle
import XferReplay

/// Progress of a task that was complete.
struct ProgressAfterCompletion: TaskRule {
  private static let completed = TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200)

  static let description = RuleDescription(
    id: "progress-after-completion", severity: .notice,
    summary: "Progress of the task came after its completion.",
    explanation: """
      Progress and completion take different ways to the app, and nothing orders the one before the other: a last call with \
      a number of bytes may trail the completion. Code that shows a bar again, or takes the largest number for the end, is \
      misled by it.
      """,
    remedy: "Take the completion, and it alone, for the end; ignore progress of a task that is complete.",
    sources: ["red_mad_robot: iOS. Работа с сетью, когда приложение не запущено"],
    reports: [
      RuleExample(
        "bytes are counted after the end", .certain, cites: [.taskCompleted, .attemptBytesReceived],
        .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
        .at(0.01, completed), .at(0.012, AttemptBytesReceived(attempt: 1, received: 10))),
      RuleExample(
        "a progress callback trails the completion, which the app has acknowledged", .certain,
        cites: [.taskCompleted, .deliveryEntered],
        .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()),
        .at(0.008, DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didWriteData)),
        .at(0.009, DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didWriteData)), .at(0.01, completed),
        .at(0.011, TaskAcknowledged(delivery: DeliveryID(1))),
        .at(0.012, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didWriteData)),
        .at(0.013, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didWriteData))),
    ],
    staysSilent: [
      RuleExample(
        "the last progress came before the completion",
        .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()),
        .at(0.009, AttemptBytesReceived(attempt: 1, received: 10)), .at(0.01, completed)),
      RuleExample(
        "it happened before the completion and was only written after it",
        .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.01, completed),
        .at(0.009, AttemptBytesReceived(attempt: 1, received: 10))),
      RuleExample(
        "what came after the completion were its metrics",
        .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.01, completed),
        .at(0.012, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didFinishCollectingMetrics)),
        .at(0.013, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didFinishCollectingMetrics))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.late)]
  static let watches: Set<EventKind> = []
  static let watchesOnceCompleted: Set<EventKind> = [.attemptBytesReceived, .attemptBytesSent, .deliveryEntered]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed, let late = task.lateProgress else { return asked.isTaskOver ? .silentSoFar : nil }
    return .finding(
      Draft(
        summary: "Progress of task \(task.identity.text) came after its completion.", claim: .presence, evidence: completed,
        [late]))
  }
}
