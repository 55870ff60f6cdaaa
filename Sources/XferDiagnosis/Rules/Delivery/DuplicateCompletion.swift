import XferEvents
import XferLifecycle
import XferReplay

/// One task was completed twice.
struct DuplicateCompletion: TaskRule {
  static let description = RuleDescription(
    id: "duplicate-completion", severity: .error,
    summary: "The task was completed twice, with two different deliveries.",
    explanation: """
      A task is complete once: after that its result does not change and its callback does not come again. Where a failure \
      and a cancellation meet, an engine without one decisive step completes it for both, and an app that counts, or \
      resumes a continuation, in its completion handler does so twice. A delivery that is repeated because its receipt was \
      not certain is no second completion: it keeps its number.
      """,
    remedy: """
      Decide the result in one place, under one lock, and let whoever comes second find it decided. In the app, know \
      completions by their task, and let the second one do nothing.
      """,
    sources: [
      "https://github.com/swiftlang/swift-corelibs-foundation/pull/2423", "https://github.com/Kitura/KituraKit/issues/47",
    ],
    reports: [
      RuleExample(
        "cancelled right after it had failed", .certain, cites: [.taskCompleted],
        .at(0, TaskCreated(type: .data)), .at(0.001, TaskResumed()),
        .at(0.005, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -1004)),
        .at(0.006, TaskCancelRequested(by: .app)),
        .at(0.007, TaskCompleted(delivery: DeliveryID(2), domain: .url, error: -999))),
      RuleExample(
        "again after the app had acknowledged it", .certain, cites: [.taskCompleted],
        .at(0, TaskCreated(type: .data)), .at(0.001, TaskResumed()),
        .at(0.005, TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200)),
        .at(0.006, TaskAcknowledged(delivery: DeliveryID(1))),
        .at(0.007, TaskCompleted(delivery: DeliveryID(2), received: 10, status: 200))),
    ],
    staysSilent: [
      RuleExample(
        "the same delivery again, after a reconnection",
        .at(0, TaskCreated(type: .data)), .at(0.001, TaskResumed()),
        .at(0.005, TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200)),
        .at(5, TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200), by: .nextLife)),
      RuleExample(
        "complete once",
        .at(0, TaskCreated(type: .data)), .at(0.001, TaskResumed()),
        .at(0.005, TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200)),
        .at(0.006, TaskAcknowledged(delivery: DeliveryID(1)))),
      RuleExample(
        "two completions that do not say which delivery they are, so they may be one",
        .at(0, TaskCreated(type: .data)), .at(0.001, TaskResumed()), .at(0.005, TaskCompleted(received: 10, status: 200)),
        .at(0.007, TaskCompleted(received: 10, status: 200))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.late)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed, let again = task.completedAgain else { return asked.isTaskOver ? .silentSoFar : nil }
    guard task.namesBothCompletions else { return .undecidable(needs: "delivery of task.completed") }
    return .finding(
      Draft(summary: "Task \(task.identity.text) was completed twice.", claim: .presence, evidence: completed, [again]))
  }
}
