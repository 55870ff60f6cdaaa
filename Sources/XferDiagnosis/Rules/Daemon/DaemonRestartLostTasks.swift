import XferEvents
import XferLifecycle
import XferReplay

/// The daemon came back without tasks that it had.
struct DaemonRestartLostTasks: ProcessRule {
  /// The first generation carries two tasks and ends; the examples' next life is the second generation.
  private static func story(areEvidence: Bool) -> [RuleExample.Step] {
    let begun = AttemptStarted(task: .example(1), attempt: 1)
    return [
      .event(SessionCreated(session: "default-1", sessionKind: .background), at: .zero),
      .event(DaemonStarted(generation: 1, version: "1.0"), at: .milliseconds(1), by: .daemon),
      .event(TaskCreated(task: .example(1), type: .download), at: .milliseconds(2)),
      .event(TaskResumed(task: .example(1)), at: .milliseconds(2)),
      .event(TaskCreated(task: .example(2), type: .download), at: .milliseconds(3)),
      .event(TaskResumed(task: .example(2)), at: .milliseconds(3)),
      areEvidence ? .evidence(begun, at: .seconds(1), by: .daemon) : .event(begun, at: .seconds(1), by: .daemon),
      .event(AttemptStarted(task: .example(2), attempt: 1), at: .seconds(1), by: .daemon),
    ]
  }

  private static let stopped = RuleExample.Step.event(
    DaemonExited(generation: 1, reason: "stopped"), at: .seconds(50), by: .daemon)
  private static let again = RuleExample.Step.event(
    DaemonStarted(generation: 2, version: "1.0"), at: .seconds(60), by: .nextLife)

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
        "one of two is not in the inventory", certainty: .certain, variant: "gone",
        steps: story(areEvidence: true) + [stopped, again] + [
          .evidence(recovered([.example(2)], count: 1), at: .milliseconds(60_001), by: .nextLife)
        ]),
      RuleExample(
        "its row could not be read", certainty: .certain, variant: "unreadable",
        steps: story(areEvidence: true) + [stopped, again] + [
          .evidence(recovered([.example(2)], count: 1, dropped: 1), at: .milliseconds(60_001), by: .nextLife)
        ]),
      RuleExample(
        "the log's beginning is gone, and a list tells of the one that is lost", certainty: .certain, variant: "gone",
        .event(DaemonStarted(generation: 1, version: "1.0"), at: .zero, by: .daemon),
        .evidence(
          DaemonTasksListed(generation: 1, count: 2, tasks: [.example(1), .example(2)]), at: .seconds(1), by: .daemon),
        stopped, again, .evidence(recovered([.example(2)], count: 1), at: .milliseconds(60_001), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample(
        "both are there again",
        steps: story(areEvidence: false) + [stopped, again] + [
          .event(recovered([.example(1), .example(2)], count: 2), at: .milliseconds(60_001), by: .nextLife)
        ]),
      RuleExample(
        "the other was over",
        steps: story(areEvidence: false) + [
          .event(TaskTransferred(task: .example(1), received: 10, status: 200), at: .seconds(3), by: .daemon),
          .event(TaskCompleted(task: .example(1), received: 10, status: 200), at: .seconds(4)),
          .event(TaskAcknowledged(task: .example(1)), at: .seconds(4), by: .daemon),
          .event(TaskForgotten(task: .example(1), forgotten: .acknowledged), at: .seconds(4), by: .daemon), stopped, again,
          .event(recovered([.example(2)], count: 1), at: .milliseconds(60_001), by: .nextLife),
        ]),
      RuleExample(
        "the app had cancelled it",
        steps: story(areEvidence: false) + [
          .event(TaskCancelRequested(task: .example(1), by: .app), at: .seconds(3)), stopped, again,
          .event(recovered([.example(2)], count: 1), at: .milliseconds(60_001), by: .nextLife),
        ]),
      RuleExample(
        "the inventory is a number alone",
        steps: story(areEvidence: false) + [stopped, again] + [
          .event(recovered(nil, count: 1), at: .milliseconds(60_001), by: .nextLife)
        ]),
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
