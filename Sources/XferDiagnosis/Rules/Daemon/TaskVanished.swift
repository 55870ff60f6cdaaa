import XferEvents
import XferLifecycle
import XferReplay

/// A task that disappeared from the daemon's list without an event that ended it.
struct TaskVanished: ProcessRule {
  private static func listed(_ tasks: [TaskIdentity] = [.example, .example(2)], count: Int64 = 2) -> DaemonTasksListed {
    DaemonTasksListed(generation: 1, count: count, tasks: tasks)
  }

  /// The steps of an example: the daemon lists two tasks; `steps` follow; then the daemon lists its tasks again with `after`.
  private static func story(_ steps: RuleExample.Step..., after: DaemonTasksListed = listed([.example(2)], count: 1))
    -> [RuleExample.Step]
  {
    [
      .at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon),
      .at(0.001, SessionCreated(session: "default-1", sessionKind: .background, hasDelegate: true)),
      .at(0.002, TaskCreated(type: .download)), .at(0.002, TaskCreated(task: .example(2), type: .download)),
      .at(1, listed(), by: .daemon),
    ] + steps + [.at(60, after, by: .daemon)]
  }

  static let description = RuleDescription(
    id: "task-vanished", severity: .critical,
    summary: "A task disappeared from the daemon's list, and no event says why.",
    explanation: """
      Every completion, cancellation, expiry or storage error that removes a task from the daemon's list must be logged, \
      because the app waits for the task. A task that is in one list but not in the next, without such an event in between, is \
      lost: its callback never comes, and the app does not find the task in the session's tasks either.
      """,
    remedy: """
      In the daemon, write an event with a reason whenever a task leaves the list. In the app, compare your own records with \
      the session's tasks at each launch, and restart the transfers that the session no longer has.
      """,
    sources: ["https://developer.apple.com/forums/thread/740564", "https://github.com/home-assistant/iOS/pull/936"],
    needsWholeLog: true,
    untriggerable: "The daemon writes why a task left its list, also after its state was lost.",
    reports: [RuleExample("one of two tasks disappeared", .certain, cites: [.daemonTasksListed], steps: story())],
    staysSilent: [
      RuleExample("both tasks are still listed", steps: story(after: listed())),
      RuleExample("the task was complete", steps: story(.at(30, TaskCompleted(received: 9, status: 200)))),
      RuleExample("the app cancelled the task", steps: story(.at(30, TaskCancelRequested(by: .app)))),
      RuleExample(
        "the daemon logged why it removed the task", steps: story(.at(30, TaskForgotten(forgotten: .expired), by: .daemon))),
      RuleExample("the second list is incomplete", steps: story(after: listed([.example(2)], count: 2))),
      RuleExample("the task was handed off to another task", steps: story(.at(30, TaskHandedOff(successor: .example(2))))),
    ])

  static let watches: Set<EventKind> = [.daemonTasksListed, .daemonRecovered]

  /// The maximum number of tasks that the summary names; the finding lists all of them.
  private static let named = 5

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let vanished = process.daemon?.vanished else {
      return asked.isEndOfLog || process.endFact != nil && process.role != .daemon ? .silent : nil
    }
    let names = vanished.tasks.prefix(Self.named).map(\.label).joined(separator: ", ")
    let more = vanished.tasks.count > Self.named ? " and \(vanished.tasks.count - Self.named) more" : ""
    let omitted = vanished.tasks.count == 1 ? "it" : "them"
    return .finding(
      Draft(
        summary: "The daemon listed \(names)\(more), then omitted \(omitted) from its next list, and no event says why.",
        claim: .absence(since: vanished.before, shownBy: .end(vanished.after)), evidence: vanished.before, [vanished.after],
        missing: [.init(.taskForgotten, dueBy: vanished.after.moment)], tasks: vanished.tasks))
  }
}
