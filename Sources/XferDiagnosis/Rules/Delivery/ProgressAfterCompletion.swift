import XferEvents
import XferLifecycle
import XferReplay

/// Progress of a task that was complete.
struct ProgressAfterCompletion: TaskRule {
  private static let completed = TaskCompleted(task: .example, delivery: DeliveryID(1), received: 10, status: 200)

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
        "bytes are counted after the end", certainty: .certain,
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(TaskResumed(task: .example), at: .milliseconds(1)),
        .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(2)),
        .evidence(completed, at: .milliseconds(10)),
        .evidence(AttemptBytesReceived(task: .example, attempt: 1, received: 10), at: .milliseconds(12))),
      RuleExample(
        "a progress callback trails the completion, which the app has acknowledged", certainty: .certain,
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(TaskResumed(task: .example), at: .milliseconds(1)),
        .event(DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didWriteData), at: .milliseconds(8)),
        .event(DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didWriteData), at: .milliseconds(9)),
        .evidence(completed, at: .milliseconds(10)),
        .event(TaskAcknowledged(task: .example, delivery: DeliveryID(1)), at: .milliseconds(11)),
        .evidence(DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didWriteData), at: .milliseconds(12)),
        .event(DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didWriteData), at: .milliseconds(13))),
    ],
    staysSilent: [
      RuleExample(
        "the last progress came before the completion",
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(TaskResumed(task: .example), at: .milliseconds(1)),
        .event(AttemptBytesReceived(task: .example, attempt: 1, received: 10), at: .milliseconds(9)),
        .event(completed, at: .milliseconds(10))),
      RuleExample(
        "it happened before the completion and was only written after it",
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(TaskResumed(task: .example), at: .milliseconds(1)),
        .event(completed, at: .milliseconds(10)),
        .event(AttemptBytesReceived(task: .example, attempt: 1, received: 10), at: .milliseconds(9))),
      RuleExample(
        "what came after the completion were its metrics",
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(TaskResumed(task: .example), at: .milliseconds(1)),
        .event(completed, at: .milliseconds(10)),
        .event(
          DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didFinishCollectingMetrics), at: .milliseconds(12)),
        .event(
          DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didFinishCollectingMetrics), at: .milliseconds(13))),
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
