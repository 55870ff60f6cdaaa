import XferEvents
import XferLifecycle
import XferReplay

/// A task was resumed, nothing holds it, and it never began.
struct StuckBeforeStart: TaskRule {
  private static let asked: [RuleExample.Step] = [.at(0, TaskCreated(type: .download))]
  private static let resumed = TaskResumed()
  private static let later = RuleExample.Step.at(700, LogHeartbeatWritten(liveTasks: 1))

  static let description = RuleDescription(
    id: "stuck-before-start", severity: .error,
    summary: "The task was resumed, and ten minutes later it had not begun, with nothing that held it.",
    explanation: """
      A task that does not move waits for something: a connection, the network, a better time, an answer. The log names it, \
      always one reason at a time. A task without a reason and without an attempt has fallen out of the engine's hands; its \
      user sees “queued” for ever, and no request limit runs. Where it was held before, the variant names what for.
      """,
    remedy: """
      Look at what became of the last hold: what was to end it has not led to a start. For work that the user waits for, use \
      a default session first and leave it to the background only when the app goes there.
      """,
    sources: ["https://github.com/Automattic/pocket-casts-ios/issues/2244"],
    reports: [
      RuleExample(
        "ten minutes, and no attempt", .probable, variant: "never held", cites: [.taskResumed],
        steps: asked + [.at(1, resumed), later]),
      RuleExample(
        "the network came back, and it was forgotten", .probable, variant: "after network",
        cites: [.taskResumed, .taskHoldEnded],
        steps: asked + [.at(1, resumed), .at(1, TaskHeld(hold: .network)), .at(60, TaskHoldEnded(hold: .network)), later]),
    ],
    staysSilent: [
      RuleExample("held for a better time", steps: asked + [.at(1, resumed), .at(2, TaskHeld(hold: .discretionary)), later]),
      RuleExample("it began after nine minutes", steps: asked + [.at(1, resumed), .at(540, AttemptStarted(attempt: 1)), later]),
      RuleExample("never resumed, which is another problem", steps: asked + [later]),
      RuleExample(
        "the app was suspended for most of the time",
        steps: asked + [
          .at(1, resumed), .at(2, ProcessStateChanged(state: .suspended)), .at(690, ProcessStateChanged(state: .resumed)),
          later,
        ]),
      RuleExample(
        "it shares another's transfer",
        steps: asked + [.at(1, resumed), .at(1, TaskCoalesced(carrier: .example(2))), later]),
      RuleExample("the app cancelled it", steps: asked + [.at(1, resumed), .at(9, TaskCancelRequested(by: .app)), later]),
      RuleExample("suspended again", steps: asked + [.at(1, resumed), .at(9, TaskSuspended(by: .app)), later]),
      RuleExample(
        "the daemon carries it, and its log is not here",
        steps: [.at(0, SessionCreated(session: "default-1", sessionKind: .background))] + asked + [.at(1, resumed), later]),
    ])

  static let watches: Set<EventKind> = [.taskHoldEnded]
  static let watchesUnlessWaiting: Set<EventKind> = [.taskResumed]

  /// Without a reason, seconds would be long.
  var patience: Duration = .seconds(600)

  static let limits = [RuleLimit("patience", \Self.patience, "how long a task may stand without a reason and without an attempt")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if task.attempt != nil || !task.isLive || task.cancelRequested != nil || task.coalesced != nil { return .silent }
    guard let resumed = task.resumed, task.held == nil, task.delayAsked == nil, task.suspended == nil else {
      return asked.isTaskOver ? .silent : nil
    }
    let process = world.process(of: task)
    // Who was killed might have begun it; that is told by the end of the process.
    if process.endFact != nil { return asked.isEndOfLog ? .silent : nil }
    let since = task.holdEnded ?? resumed
    guard asked.covered(since: since, by: process) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: since)
    }
    if world.sessionKind(of: task) == .background, !world.processes.contains(where: { $0.role == .daemon && $0.firstSeen != nil })
    {
      return .undecidable(needs: "attempt.started in the daemon’s log")
    }
    let hold = task.lastHold.map { " after it had waited for \($0.name)" } ?? ""
    return .finding(
      Draft(
        variant: task.lastHold.map { "after \($0.name)" } ?? "never held",
        summary: "Task \(task.identity.text) was resumed and has not begun\(hold); nothing holds it.",
        claim: .absence(since: since, shownBy: .coverage), evidence: resumed, [task.holdEnded],
        missing: [.init(.attemptStarted, dueBy: since.due(within: patience))]))
  }
}
