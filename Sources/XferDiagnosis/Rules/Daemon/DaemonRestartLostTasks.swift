import XferEvents
import XferLifecycle
import XferReplay

/// A daemon that restarted without tasks that the previous generation carried.
struct DaemonRestartLostTasks: ProcessRule {
  /// The steps in which the first generation of the daemon begins to carry two tasks.
  private static let two: [RuleExample.Step] = [
    .at(0, SessionCreated(session: "default-1", sessionKind: .background)),
    .at(0.001, DaemonStarted(generation: 1, version: "1.0"), by: .daemon), .at(0.002, TaskCreated(type: .download)),
    .at(0.002, TaskResumed()), .at(0.003, TaskCreated(task: .example(2), type: .download)),
    .at(0.003, TaskResumed(task: .example(2))), .at(1, AttemptStarted(attempt: 1), by: .daemon),
    .at(1, AttemptStarted(task: .example(2), attempt: 1), by: .daemon),
  ]

  /// The steps in which the first generation of the daemon ends and the next one recovers the given tasks.
  private static func recovered(
    _ tasks: [TaskIdentity]? = [.example(2)], count: Int64 = 1, dropped: Int64 = 0, generation: Int64 = 2
  ) -> [RuleExample.Step] {
    [.at(50, DaemonExited(generation: 1, reason: "stopped"), by: .daemon)]
      + next(tasks, count: count, dropped: dropped, generation: generation)
  }

  /// The steps in which a generation of the daemon starts and recovers the given tasks.
  private static func next(_ tasks: [TaskIdentity]?, count: Int64, dropped: Int64 = 0, generation: Int64) -> [RuleExample.Step] {
    [
      .at(60, DaemonStarted(generation: generation, version: "1.0"), by: .nextDaemon),
      .at(60.001, DaemonRecovered(generation: generation, count: count, dropped: dropped, tasks: tasks), by: .nextDaemon),
    ]
  }

  static let description = RuleDescription(
    id: "daemon-restart-lost-tasks", severity: .critical,
    summary: "The daemon lost tasks when it restarted.",
    explanation: """
      A daemon has to write a task to disk before it confirms the task to the app. A daemon that saves its tasks periodically, \
      or that cannot read some of its records, restarts without some of them: the apps wait for callbacks that never come. \
      The log shows the loss in the list of tasks that the new generation recovered. The variant says whether records were \
      unreadable ("unreadable") or tasks were missing without a known reason ("gone").
      """,
    remedy: """
      In the daemon, write each task to the journal and sync it before you confirm the task to the app. In the app, compare \
      your own records with the session's tasks (getAllTasks) at each launch, and restart the transfers that the session no \
      longer has.
      """,
    sources: ["https://github.com/mayswind/AriaNg/issues/721", "https://github.com/aria2/aria2/issues/859"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "one of two tasks was not recovered", .certain, variant: "gone", cites: [.first(.attemptStarted), .daemonRecovered],
        steps: two + recovered()),
      RuleExample(
        "the record of one task could not be read", .certain, variant: "unreadable",
        cites: [.first(.attemptStarted), .daemonRecovered], steps: two + recovered(dropped: 1)),
      RuleExample(
        "the beginning of the log is missing, and a task list names the lost task", .certain, variant: "gone",
        cites: [.daemonTasksListed, .daemonRecovered],
        steps: [
          .at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon),
          .at(1, DaemonTasksListed(generation: 1, count: 2, tasks: [.example, .example(2)]), by: .daemon),
        ] + recovered()),
      RuleExample(
        "the daemon's state was deleted, and the generations begin at 1 again", .certain, variant: "gone",
        cites: [.attemptStarted, .daemonRecovered], steps: two + recovered([], count: 0, generation: 1)),
      RuleExample(
        "the generation that lost the tasks follows one that only listed them", .certain, variant: "gone",
        cites: [.first(.attemptStarted), .last(.daemonRecovered)],
        steps: two + recovered([.example, .example(2)], count: 2) + [
          .at(65, DaemonExited(generation: 2, reason: "stopped"), by: .nextDaemon),
          .at(70, DaemonStarted(generation: 3, version: "1.0"), by: .lastLife),
          .at(70.001, DaemonRecovered(generation: 3, count: 1, dropped: 0, tasks: [.example(2)]), by: .lastLife),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "a daemon with a state of its own writes to the same log",
        steps: two + next([], count: 0, generation: 1) + [
          .at(61, TaskTransferred(received: 10, status: 200), by: .daemon),
          .at(61, TaskTransferred(task: .example(2), received: 10, status: 200), by: .daemon),
        ]),
      RuleExample("both tasks were recovered", steps: two + recovered([.example, .example(2)], count: 2)),
      RuleExample(
        "the missing task was complete",
        steps: two + [
          .at(3, TaskTransferred(received: 10, status: 200), by: .daemon), .at(4, TaskCompleted(received: 10, status: 200)),
          .at(4, TaskAcknowledged(), by: .daemon), .at(4, TaskForgotten(forgotten: .acknowledged), by: .daemon),
        ] + recovered()),
      RuleExample("the app had cancelled the missing task", steps: two + [.at(3, TaskCancelRequested(by: .app))] + recovered()),
      RuleExample("the daemon logged only the number of recovered tasks", steps: two + recovered(nil)),
    ])

  static let watches: Set<EventKind> = [.daemonRecovered]

  /// The maximum number of tasks that the summary names; the finding lists all of them.
  private static let named = 5

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let daemon = process.daemon, let recovered = daemon.recovered, let earlier = daemon.earlier else {
      return asked.isEndOfLog || process.endFact != nil ? .silent : nil
    }
    let inventory = Set((world.processes[earlier].daemon?.inventory ?? []).map(\.uid))
    let carried = world.tasks.indexes.map { world.tasks[$0] }.filter {
      Self.isOpen($0) && ($0.carrier == earlier || inventory.contains($0.identity.uid))
    }
    if carried.isEmpty { return .silent }
    guard let listed = daemon.recoveredTasks, Int64(listed.count) == daemon.recoveredCount ?? Int64(listed.count) else {
      return .undecidable(needs: "the tasks of daemon.recovered")
    }
    let known = Set(listed.map(\.uid))
    let lost = carried.filter { !known.contains($0.identity.uid) }
    guard let since = lost.compactMap(Self.last).min(by: { $0.isBefore($1) ?? false }) else { return .silent }
    let names = lost.prefix(Self.named).map(\.identity.label).joined(separator: ", ")
    let more = lost.count > Self.named ? " and \(lost.count - Self.named) more" : ""
    let isUnreadable = daemon.unreadable > 0
    return .finding(
      Draft(
        variant: isUnreadable ? "unreadable" : "gone",
        summary: """
          The restarted daemon lost \(lost.count) of the \(carried.count) tasks that it had before: \(names)\(more)\
          \(isUnreadable ? "; unreadable records: \(daemon.unreadable)" : "").
          """,
        claim: .absence(since: since, shownBy: .end(recovered)), evidence: recovered,
        lost.prefix(Self.named).map(Self.last), missing: [.init(.taskForgotten, dueBy: recovered.moment)],
        tasks: lost.map(\.identity)))
  }

  /// Whether a daemon that has the task must still have it after a restart.
  private static func isOpen(_ task: TaskLifecycle) -> Bool {
    task.completed == nil && task.acknowledged == nil && task.forgotten == nil && task.handedOff == nil
      && task.cancelRequested == nil
  }

  /// Returns the last event that shows that the daemon carried a task.
  private static func last(_ task: TaskLifecycle) -> Fact? {
    task.transferred ?? task.attempt?.started ?? task.held ?? task.created ?? task.listed
  }
}
