import XferEvents
import XferLifecycle
import XferReplay

/// A task was in the daemon's list and then was not, and nothing had ended it.
struct TaskVanished: ProcessRule {
  private static let started = RuleExample.Step.at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon)
  private static let made: [RuleExample.Step] = [
    .at(0.001, SessionCreated(session: TaskIdentity.example.session, sessionKind: .background, hasDelegate: true)),
    .at(0.002, TaskCreated(type: .download)), .at(0.002, TaskCreated(task: .example(2), type: .download)),
  ]
  private static func listed(_ tasks: [TaskIdentity], count: Int? = nil) -> DaemonTasksListed {
    DaemonTasksListed(generation: 1, count: Int64(count ?? tasks.count), tasks: tasks)
  }
  private static let both = listed([.example, .example(2)])
  private static let one = listed([.example(2)])

  private static func story(_ steps: RuleExample.Step..., after: DaemonTasksListed? = nil)
    -> [RuleExample.Step]
  {
    let second = after ?? one
    return [started] + made + [
      .at(1, both, by: .daemon)
    ] + steps + [
      .at(60, second, by: .daemon)
    ]
  }

  static let description = RuleDescription(
    id: "task-vanished", severity: .critical,
    summary: "A task was in the daemon's list and later was not, and nothing had ended it in between.",
    explanation: """
      Whatever takes a task out of the daemon's hands (a completion, a cancellation, an expiry, an error of the store) has to say \
      so, because the app waits for it. A task that is in one list and not in the next, without any of these, is lost: it has no \
      callback to come, and the app that asks for its tasks is not even told that there was one.
      """,
    remedy: """
      In the daemon, let every way out of the list write an event with a reason. In the app, compare its own record with the \
      session's tasks at each launch, and start again what is in neither.
      """,
    sources: ["https://developer.apple.com/forums/thread/740564", "https://github.com/home-assistant/iOS/pull/936"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "one of two", .certain, cites: [.daemonTasksListed],
        steps: story())
    ],
    staysSilent: [
      RuleExample("both are there", steps: story(after: both)),
      RuleExample("it was complete", steps: story(.at(30, TaskCompleted(received: 9, status: 200)))),
      RuleExample("the app cancelled it", steps: story(.at(30, TaskCancelRequested(by: .app)))),
      RuleExample("the daemon says why it forgot it", steps: story(.at(30, TaskForgotten(forgotten: .expired), by: .daemon))),
      RuleExample("the second list is not whole", steps: story(after: listed([.example(2)], count: 2))),
      RuleExample("another task goes on with its work", steps: story(.at(30, TaskHandedOff(successor: .example(2))))),
    ])

  static let watches: Set<EventKind> = [.daemonTasksListed, .daemonRecovered]

  /// Tasks to name in the summary; the finding carries them all.
  private static let named = 5

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let vanished = process.daemon?.vanished else {
      return asked.isEndOfLog || process.endFact != nil && process.role != .daemon ? .silent : nil
    }
    let names = vanished.tasks.prefix(Self.named).map(\.text).joined(separator: ", ")
    let more = vanished.tasks.count > Self.named ? " and \(vanished.tasks.count - Self.named) more" : ""
    return .finding(
      Draft(
        summary: "The daemon had \(names)\(more) in one list and not in the next, and nothing says why.",
        claim: .absence(since: vanished.before, shownBy: .end(vanished.after)), evidence: vanished.before, [vanished.after],
        missing: [.init(.taskForgotten, dueBy: vanished.after.moment)], tasks: vanished.tasks))
  }
}
