import XferEvents
import XferLifecycle
import XferReplay

/// Reports an app that identifies tasks by number alone, so that tasks of two sessions collide.
struct TaskIDCollisionAcrossSessions: TaskRule {
  private static let first = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: "films", number: 1)
  private static let second = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: "images", number: 1)

  private static func bound(_ task: TaskIdentity, _ intent: String, key: String = "number") -> AppIntentBound {
    AppIntentBound(intent: intent, task: task, key: key)
  }
  private static func done(_ task: TaskIdentity, _ delivery: UInt64) -> TaskCompleted {
    TaskCompleted(task: task, delivery: DeliveryID(delivery), received: 10, status: 200)
  }
  private static func made(_ task: TaskIdentity) -> RuleExample.Step { .at(0, TaskCreated(task: task, type: .data)) }

  static let description = RuleDescription(
    id: "task-id-collision-across-sessions", severity: .critical,
    summary: "The app identifies tasks by their number alone, and tasks of two sessions have the same number.",
    explanation: """
      A taskIdentifier is unique only within its session, and each session counts from 1. If an app keeps its records in one \
      dictionary keyed by that number, the record of one session's task overwrites the record of the other's, and results are \
      assigned to the wrong record. The variant says what the log shows: "same number" (both tasks were live at the same \
      time), or "taken for the other" (the outcome of one task was recorded for the other).
      """,
    remedy:
      "Use the session identifier and the taskIdentifier together as the key, or store a key of your own in taskDescription.",
    sources: ["https://github.com/home-assistant/iOS/pull/778", "https://github.com/box/box-ios-sdk/pull/342"],
    reports: [
      RuleExample(
        "two live tasks have the number 1", .probable, variant: "same number", cites: [.appIntentBound],
        made(first), .at(0.001, bound(first, "film")), made(second), .at(0.002, bound(second, "image")),
        .at(0.003, TaskResumed(task: first)), .at(0.003, TaskResumed(task: second)), .at(9, LogClosed())),
      RuleExample(
        "the outcome of the film's task was recorded for the image", .certain, variant: "taken for the other",
        cites: [.appIntentBound, .appOutcomeRecorded],
        made(first), .at(0.001, bound(first, "film")), made(second), .at(0.002, bound(second, "image")),
        .at(0.003, TaskResumed(task: first)), .at(0.003, TaskResumed(task: second)), .at(1, done(first, 1)),
        .at(1, AppOutcomeRecorded(intent: "image", task: first, outcome: .success)), .at(2, done(second, 2)),
        .at(2, TaskAcknowledged(task: second, delivery: DeliveryID(2))), .at(9, LogClosed())),
    ],
    staysSilent: [
      RuleExample(
        "the key consists of the session and the number",
        made(first), .at(0.001, bound(first, "film", key: "session+number")), made(second),
        .at(0.002, bound(second, "image", key: "session+number")), .at(9, LogClosed())),
      RuleExample(
        "the first task was complete before the second was created",
        made(first), .at(0.001, bound(first, "film")), .at(0.003, TaskResumed(task: first)), .at(1, done(first, 1)),
        .at(2, TaskCreated(task: second, type: .data)), .at(2, bound(second, "image")), .at(9, LogClosed())),
      RuleExample(
        "two tasks of one session have different numbers",
        .at(0, TaskCreated(task: .example(1), type: .data)), .at(0.001, bound(.example(1), "film")),
        .at(0, TaskCreated(task: .example(2), type: .data)), .at(0.002, bound(.example(2), "image")), .at(9, LogClosed())),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.boundByNumber)]
  static let watches: Set<EventKind> = [.appIntentBound, .appOutcomeRecorded, .taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let binding = task.numberBinding, let other = binding.earlier else { return asked.isTaskOver ? .silentSoFar : nil }
    let isTaken = binding.mistaken != nil
    let tail = isTaken ? "the app mistook one for the other." : "the app uses only the number as the key."
    return .finding(
      Draft(
        variant: isTaken ? "taken for the other" : "same number",
        summary: "Tasks \(other.task.label) and \(task.identity.label) have the same number, and \(tail)",
        // A shared number is likely to cause a mistake, but only an outcome recorded for the wrong task proves one.
        claim: isTaken ? .presence : .absence(since: binding.bound, shownBy: .coverage), evidence: binding.bound,
        [other.bound, binding.mistaken],
        unless: isTaken ? [] : ["the app has a separate dictionary for each session"], tasks: [other.task]))
  }
}
