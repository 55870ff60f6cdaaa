import XferEvents
import XferLifecycle
import XferReplay

/// The app knows tasks by their number alone, and two sessions have a task of the same number.
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
    summary: "The app finds its record of a task by the task's number, and tasks of two sessions have the same number.",
    explanation: """
      A task's identifier is unique within its session only, and each session counts from 1. An app that keeps its records \
      in a dictionary by that number takes the tasks of two sessions for one: the second record replaces the first, and what \
      comes for one task is booked for the other. The variant says how far it went: "same number" (both tasks were live at \
      the same time), or "taken for the other" (what became of one was recorded for what the other was for).
      """,
    remedy:
      "Use the session's identifier and the number together as the key, or a name of the app's own that travels with the task.",
    sources: ["https://github.com/home-assistant/iOS/pull/778", "https://github.com/box/box-ios-sdk/pull/342"],
    reports: [
      RuleExample(
        "two live tasks with the number 1", .probable, variant: "same number", cites: [.appIntentBound],
        made(first), .at(0.001, bound(first, "film")), made(second), .at(0.002, bound(second, "image")),
        .at(0.003, TaskResumed(task: first)), .at(0.003, TaskResumed(task: second)), .at(9, LogClosed())),
      RuleExample(
        "the film's end was booked for the image", .certain, variant: "taken for the other",
        cites: [.appIntentBound, .appOutcomeRecorded],
        made(first), .at(0.001, bound(first, "film")), made(second), .at(0.002, bound(second, "image")),
        .at(0.003, TaskResumed(task: first)), .at(0.003, TaskResumed(task: second)), .at(1, done(first, 1)),
        .at(1, AppOutcomeRecorded(intent: "image", task: first, outcome: .success)), .at(2, done(second, 2)),
        .at(2, TaskAcknowledged(task: second, delivery: DeliveryID(2))), .at(9, LogClosed())),
    ],
    staysSilent: [
      RuleExample(
        "known by session and number",
        made(first), .at(0.001, bound(first, "film", key: "session+number")), made(second),
        .at(0.002, bound(second, "image", key: "session+number")), .at(9, LogClosed())),
      RuleExample(
        "the first was complete when the second came",
        made(first), .at(0.001, bound(first, "film")), .at(0.003, TaskResumed(task: first)), .at(1, done(first, 1)),
        .at(2, TaskCreated(task: second, type: .data)), .at(2, bound(second, "image")), .at(9, LogClosed())),
      RuleExample(
        "two numbers of one session",
        .at(0, TaskCreated(task: .example(1), type: .data)), .at(0.001, bound(.example(1), "film")),
        .at(0, TaskCreated(task: .example(2), type: .data)), .at(0.002, bound(.example(2), "image")), .at(9, LogClosed())),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.boundByNumber)]
  static let watches: Set<EventKind> = [.appIntentBound, .appOutcomeRecorded, .taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let binding = task.numberBinding, let other = binding.earlier else { return asked.isTaskOver ? .silentSoFar : nil }
    let isTaken = binding.mistaken != nil
    let tail = isTaken ? "one was taken for the other." : "the app tells them apart by nothing else."
    return .finding(
      Draft(
        variant: isTaken ? "taken for the other" : "same number",
        summary: "Tasks \(other.task.text) and \(task.identity.text) have the same number, and \(tail)",
        // That it will mistake them is likely, as nothing else tells them apart; that it did is another matter.
        claim: isTaken ? .presence : .absence(since: binding.bound, shownBy: .coverage), evidence: binding.bound,
        [other.bound, binding.mistaken],
        unless: isTaken ? [] : ["each session has a dictionary of its own"], tasks: [other.task]))
  }
}
