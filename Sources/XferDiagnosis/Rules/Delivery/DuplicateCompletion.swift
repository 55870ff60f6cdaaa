import XferEvents
import XferLifecycle
import XferReplay

/// A task that completed twice.
struct DuplicateCompletion: RememberingTaskRule {
  private static let begun: [RuleExample.Step] = [.at(0, TaskCreated(type: .data)), .at(0.001, TaskResumed())]
  private static let acknowledged = RuleExample.Step.at(0.006, TaskAcknowledged(delivery: DeliveryID(1)))
  private static func completed(_ delivery: DeliveryID?) -> TaskCompleted {
    TaskCompleted(delivery: delivery, received: 10, status: 200)
  }

  static let description = RuleDescription(
    id: "duplicate-completion", severity: .error,
    summary: "The task completed twice, and the second completion was not a repetition of the first.",
    explanation: """
      A task completes once: after that, its result does not change and its completion callback is not called again. When a \
      failure and a cancellation coincide, an engine without a single atomic transition to the completed state completes the \
      task for both, and an app that counts completions, or resumes a continuation, does so twice. A delivery that is repeated \
      because its receipt was uncertain is not a second completion: it keeps its delivery number.
      """,
    remedy: """
      In the engine, decide the result in one place under one lock, and ignore later results. In the app, make the completion \
      handler idempotent: identify completions by their task and ignore the second one.
      """,
    sources: [
      "https://github.com/swiftlang/swift-corelibs-foundation/pull/2423", "https://github.com/Kitura/KituraKit/issues/47",
    ],
    untriggerable: "The engine decides the result of a task once, and drops later results.",
    reports: [
      RuleExample(
        "a task was cancelled right after it failed", .certain, cites: [.taskCompleted],
        steps: begun + [
          .at(0.005, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -1004)),
          .at(0.006, TaskCancelRequested(by: .app)),
          .at(0.007, TaskCompleted(delivery: DeliveryID(2), domain: .url, error: -999)),
        ]),
      RuleExample(
        "a task completed again after the app had acknowledged it", .certain, cites: [.taskCompleted],
        steps: begun + [.at(0.005, completed(DeliveryID(1))), acknowledged, .at(0.007, completed(DeliveryID(2)))]),
    ],
    staysSilent: [
      RuleExample(
        "the same delivery was repeated after a reconnect",
        steps: begun + [.at(0.005, completed(DeliveryID(1))), .at(5, completed(DeliveryID(1)), by: .nextLife)]),
      RuleExample("the task completed once", steps: begun + [.at(0.005, completed(DeliveryID(1))), acknowledged]),
      RuleExample(
        "two completions without delivery numbers, which may be the same one",
        steps: begun + [.at(0.005, completed(nil)), .at(0.007, completed(nil))]),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]
  static let remembers: Set<EventKind> = [.taskCompleted]

  /// The second completion, which is not a redelivery of the first.
  struct Memory {
    let again: Fact
    let namesBothDeliveries: Bool
  }

  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?) {
    guard memory == nil, task.completed != fact, event.delivery == nil || event.delivery != task.completedDelivery else { return }
    memory = Memory(again: fact, namesBothDeliveries: event.delivery != nil && task.completedDelivery != nil)
  }

  func verdict(on task: TaskLifecycle, remembering memory: Memory, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silentSoFar : nil }
    guard memory.namesBothDeliveries else { return .undecidable(needs: "delivery of task.completed") }
    return .finding(
      Draft(summary: "Task \(task.identity.label) completed twice.", claim: .presence, evidence: completed, [memory.again]))
  }
}
