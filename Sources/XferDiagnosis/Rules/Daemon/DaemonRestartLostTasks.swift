import XferEvents
import XferLifecycle
import XferReplay

/// The daemon came back without tasks that it had.
struct DaemonRestartLostTasks: ProcessRule {
  /// The first generation carries two tasks and ends; the examples' next life is the second generation.
  private static func story() -> [RuleExample.Step] {
    let begun = AttemptStarted(task: .example(1), attempt: 1)
    return [
      .at(0, SessionCreated(session: "default-1", sessionKind: .background)),
      .at(0.001, DaemonStarted(generation: 1, version: "1.0"), by: .daemon),
      .at(0.002, TaskCreated(task: .example(1), type: .download)),
      .at(0.002, TaskResumed(task: .example(1))),
      .at(0.003, TaskCreated(task: .example(2), type: .download)),
      .at(0.003, TaskResumed(task: .example(2))),
      .at(1, begun, by: .daemon),
      .at(1, AttemptStarted(task: .example(2), attempt: 1), by: .daemon),
    ]
  }

  private static let stopped = RuleExample.Step.at(50, DaemonExited(generation: 1, reason: "stopped"), by: .daemon)
  private static let again = RuleExample.Step.at(60, DaemonStarted(generation: 2, version: "1.0"), by: .nextLife)

  private static func recovered(_ tasks: [TaskIdentity]?, count: Int64, dropped: Int64 = 0) -> DaemonRecovered {
    DaemonRecovered(generation: 2, count: count, dropped: dropped, tasks: tasks)
  }

  static let description = RuleDescription(
    id: "daemon-restart-lost-tasks", severity: .critical,
    summary: "The daemon was started again, and tasks that it had carried were no longer there.",
    explanation: """
      What a daemon carries has to be on the disk before it says that it has it. One that saves from time to time, or whose \
      rows cannot be read, comes back without some: no callback will ever come for them, and the apps wait for ever. The \
      log shows it by the inventory that the new generation gives. The variant says whether rows could not be read.
      """,
    remedy: """
      Write the journal before the answer (write-ahead), and synchronise it. Apps: compare your own record with the session's \
      tasks at each launch, and start again what is in neither list.
      """,
    sources: ["https://github.com/mayswind/AriaNg/issues/721", "https://github.com/aria2/aria2/issues/859"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "one of two is not in the inventory", .certain, variant: "gone", cites: [.first(.attemptStarted), .daemonRecovered],
        steps: story() + [stopped, again] + [.at(60.001, recovered([.example(2)], count: 1), by: .nextLife)]),
      RuleExample(
        "its row could not be read", .certain, variant: "unreadable", cites: [.first(.attemptStarted), .daemonRecovered],
        steps: story() + [stopped, again] + [
          .at(60.001, recovered([.example(2)], count: 1, dropped: 1), by: .nextLife)
        ]),
      RuleExample(
        "the log's beginning is gone, and a list tells of the one that is lost", .certain, variant: "gone",
        cites: [.daemonTasksListed, .daemonRecovered],
        .at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon),
        .at(1, DaemonTasksListed(generation: 1, count: 2, tasks: [.example(1), .example(2)]), by: .daemon), stopped, again,
        .at(60.001, recovered([.example(2)], count: 1), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample(
        "both are there again",
        steps: story() + [stopped, again] + [
          .at(60.001, recovered([.example(1), .example(2)], count: 2), by: .nextLife)
        ]),
      RuleExample(
        "the other was over",
        steps: story() + [
          .at(3, TaskTransferred(task: .example(1), received: 10, status: 200), by: .daemon),
          .at(4, TaskCompleted(task: .example(1), received: 10, status: 200)),
          .at(4, TaskAcknowledged(task: .example(1)), by: .daemon),
          .at(4, TaskForgotten(task: .example(1), forgotten: .acknowledged), by: .daemon), stopped, again,
          .at(60.001, recovered([.example(2)], count: 1), by: .nextLife),
        ]),
      RuleExample(
        "the app had cancelled it",
        steps: story() + [
          .at(3, TaskCancelRequested(task: .example(1), by: .app)), stopped, again,
          .at(60.001, recovered([.example(2)], count: 1), by: .nextLife),
        ]),
      RuleExample(
        "the inventory is a number alone",
        steps: story() + [stopped, again] + [.at(60.001, recovered(nil, count: 1), by: .nextLife)]),
    ])

  static let watches: Set<EventKind> = [.daemonRecovered]

  /// Tasks to name in the summary; the finding carries them all.
  private static let named = 5

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let daemon = process.daemon, let recovered = daemon.recovered, let earlier = daemon.earlier else {
      return asked.isEndOfLog || process.endFact != nil ? .silent : nil
    }
    let carried = world.tasks.indexes.map { world.tasks[$0] }.filter { Self.isCarried($0, by: earlier) }
    if carried.isEmpty { return .silent }
    guard let listed = daemon.recoveredTasks, Int64(listed.count) == daemon.recoveredCount ?? Int64(listed.count) else {
      return .undecidable(needs: "the tasks of daemon.recovered")
    }
    let known = Set(listed.map(\.uid))
    let lost = carried.filter { !known.contains($0.identity.uid) }
    guard let since = lost.compactMap(Self.last).min(by: { $0.monotonic ?? .min < $1.monotonic ?? .min }) else { return .silent }
    let names = lost.prefix(Self.named).map(\.identity.text).joined(separator: ", ")
    let more = lost.count > Self.named ? " and \(lost.count - Self.named) more" : ""
    let isUnreadable = daemon.unreadable > 0
    return .finding(
      Draft(
        variant: isUnreadable ? "unreadable" : "gone",
        summary: """
          The daemon came back without \(lost.count) of the \(carried.count) tasks that it had carried: \(names)\(more)\
          \(isUnreadable ? "; \(daemon.unreadable) could not be read" : "").
          """,
        claim: .absence(since: since, shownBy: .end(recovered)), evidence: recovered,
        lost.prefix(Self.named).map(Self.last), missing: [.init(.taskForgotten, dueBy: recovered.moment)],
        tasks: lost.map(\.identity)))
  }

  /// Whether a generation had a task when it ended, and had not done with it.
  private static func isCarried(_ task: TaskLifecycle, by daemon: Int) -> Bool {
    task.carrier == daemon && task.completed == nil && task.acknowledged == nil && task.forgotten == nil
      && task.handedOff == nil && task.cancelRequested == nil
  }

  /// What shows that it was carried.
  private static func last(_ task: TaskLifecycle) -> Fact? {
    task.transferred ?? task.attempt?.started ?? task.held ?? task.created ?? task.listed
  }
}
