import XferEvents
import XferLifecycle
import XferReplay

/// A task was made and never resumed.
struct InvisibleUnstartedTask: TaskRule {
  static let description = RuleDescription(
    id: "invisible-unstarted-task", severity: .warning,
    summary: "The task was created and never resumed.",
    explanation: """
      A task is suspended when it is made; without a resume nothing ever happens to it, and no time limit runs. URLSession \
      does not even list it among the session's tasks, although it exists and keeps its session alive, so nobody who looks \
      for what is left to do finds it.
      """,
    remedy: "Resume a task where it is made, or cancel it; keep a list of your own of those that are to wait.",
    sources: ["https://github.com/lionheart/openradar-mirror/issues/16036"],
    reports: [
      RuleExample(
        "a minute later nobody has resumed it", .probable, cites: [.taskCreated],
        .at(0, TaskCreated(type: .download)), .at(70, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample(
        "the app ended in good order without resuming it", .certain, cites: [.taskCreated, .processExited],
        .at(0, TaskCreated(type: .download)), .at(2, ProcessExited(code: 0, exitReason: .returned))),
    ],
    staysSilent: [
      RuleExample(
        "resumed after a while",
        .at(0, TaskCreated(type: .download)), .at(50, TaskResumed()), .at(70, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample(
        "a queue holds it",
        .at(0, TaskCreated(type: .download)), .at(0.001, TaskHeld(hold: .discretionary)),
        .at(70, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample(
        "the app is asked whether it may begin",
        .at(0, TaskCreated(type: .download)), .at(0.001, TaskDelayAsked()), .at(70, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample(
        "cancelled instead",
        .at(0, TaskCreated(type: .download)), .at(1, TaskCancelRequested(by: .app)), .at(70, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample(
        "the app was suspended for most of the minute",
        .at(0, TaskCreated(type: .download)), .at(1, ProcessStateChanged(state: .suspended)),
        .at(300, ProcessStateChanged(state: .resumed)), .at(310, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample(
        "killed before it could be resumed",
        .at(0, TaskCreated(type: .download)),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
      RuleExample(
        "the log ends within the minute",
        .at(0, TaskCreated(type: .download)), .at(30, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample(
        "made in an earlier life, and known again",
        .at(0, TaskCreated(type: .download), by: .daemon), .at(1, TaskAdopted()), .at(70, LogHeartbeatWritten(liveTasks: 1))),
    ])

  static let watches: Set<EventKind> = [.taskCreated, .taskResumed, .taskHoldEnded, .taskDelayAnswered]

  /// Longer than any set-up between making a task and resuming it.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long after its creation a task may be resumed")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let created = task.created else { return asked.isTaskOver ? .silent : nil }
    // Whatever else is known of it: somebody takes care of it.
    let isCaredFor = task.resumed != nil || task.cancelRequested != nil || task.attempt != nil || task.adopted != nil
    if isCaredFor || !task.isLive { return .silent }
    if task.held != nil || task.delayAsked != nil { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    let waited = asked.covered(since: created, by: process)
    // Who was killed right behind the creation might have resumed it.
    if process.endFact != nil, process.endedAbnormally, waited < patience { return .silent }
    guard let proof = asked.proofOfAbsence(since: created, within: patience, by: process) else {
      return asked.isEndOfLog ? nil : .wait(patience, after: created)
    }
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    return .finding(
      Draft(
        summary: "Task \(task.identity.text) was created and never resumed.",
        claim: .absence(since: created, shownBy: proof), evidence: created, [end],
        missing: [.init(.taskResumed, dueBy: created.due(within: patience))],
        unless: end == nil ? ["the app keeps it for later on purpose"] : []))
  }
}
