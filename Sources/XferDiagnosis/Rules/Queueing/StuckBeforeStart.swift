import XferEvents
import XferLifecycle
import XferReplay

/// A task was resumed and never began, although nothing held it back.
struct StuckBeforeStart: TaskRule {
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [.at(0, TaskCreated(type: .download)), .at(1, TaskResumed())] + steps + [later]
  }
  private static let later: RuleExample.Step = .at(700, LogHeartbeatWritten(liveTasks: 1))

  static let description = RuleDescription(
    id: "stuck-before-start", severity: .error,
    summary: "The task was resumed and did not begin within ten minutes, although nothing held it back.",
    explanation: """
      A task that has not begun waits for something: a connection, the network, favourable conditions, or an answer. The log \
      records each such hold with its reason. A task that is not held and makes no attempt is lost in the engine: the user sees \
      “queued” forever, and no request timeout applies. The variant names the reason of the last hold, or says "never held".
      """,
    remedy: """
      Check what happened after the last hold: its end did not start the task. For transfers that the user waits for, use a \
      default session first, and move them to a background session only when the app goes to the background.
      """,
    sources: ["https://github.com/Automattic/pocket-casts-ios/issues/2244"],
    untriggerable: "The daemon begins each resumed task at once, or writes what holds it.",
    reports: [
      RuleExample(
        "the task made no attempt for over ten minutes", .probable, variant: "never held", cites: [.taskResumed],
        steps: story()),
      RuleExample(
        "the network came back, and the task did not begin", .probable, variant: "after network",
        cites: [.taskResumed, .taskHoldEnded],
        steps: story(.at(1, TaskHeld(hold: .network)), .at(60, TaskHoldEnded(hold: .network)))),
    ],
    staysSilent: [
      RuleExample("the task is held as discretionary", steps: story(.at(2, TaskHeld(hold: .discretionary)))),
      RuleExample("the task began after nine minutes", steps: story(.at(540, AttemptStarted(attempt: 1)))),
      RuleExample(
        "the task was never resumed, which another rule reports", .at(0, TaskCreated(type: .download)), later),
      RuleExample(
        "the app was suspended for most of the time",
        steps: story(.at(2, ProcessStateChanged(state: .suspended)), .at(690, ProcessStateChanged(state: .resumed)))),
      RuleExample("the task shares the transfer of another task", steps: story(.at(1, TaskCoalesced(carrier: .example(2))))),
      RuleExample("the app cancelled the task", steps: story(.at(9, TaskCancelRequested(by: .app)))),
      RuleExample("the app suspended the task", steps: story(.at(9, TaskSuspended(by: .app)))),
      RuleExample(
        "the daemon carries the task, and the daemon's log is missing",
        steps: [.at(0, SessionCreated(session: "default-1", sessionKind: .background))] + story()),
    ])

  static let watches: Set<EventKind> = [.taskHoldEnded]
  static let watchesUnlessWaiting: Set<EventKind> = [.taskResumed]

  /// The maximum time without a hold and without an attempt. Most tasks that nothing holds back begin within seconds.
  var patience: Duration = .seconds(600)

  static let limits = [RuleLimit("patience", \Self.patience, "the maximum time without a hold and without an attempt")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if task.attempt != nil || !task.isLive || task.cancelRequested != nil || task.coalesced != nil { return .silent }
    guard let resumed = task.resumed, task.held == nil, task.delayAsked == nil, task.suspended == nil else {
      return asked.isTaskOver ? .silent : nil
    }
    let process = world.process(of: task)
    // A process that ended might have begun the task; rules about the exit report that.
    if process.endFact != nil { return asked.isEndOfLog ? .silent : nil }
    let since = task.holdEnded ?? resumed
    guard asked.covered(since: since, by: process) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: since)
    }
    if world.sessionKind(of: task) == .background, !world.processes.contains(where: { $0.role == .daemon && $0.firstSeen != nil })
    {
      return .undecidable(needs: "attempt.started in the daemon’s log")
    }
    let hold = task.lastHold.map { " after a hold (\($0.name))" } ?? ""
    return .finding(
      Draft(
        variant: task.lastHold.map { "after \($0.name)" } ?? "never held",
        summary: "Task \(task.identity.label) was resumed and has not begun\(hold), although nothing holds it back.",
        claim: .absence(since: since, shownBy: .coverage), evidence: resumed, [task.holdEnded],
        missing: [.init(.attemptStarted, dueBy: since.due(within: patience))]))
  }
}
