import XferEvents
import XferLifecycle
import XferReplay

/// A task was created and never resumed.
struct InvisibleUnstartedTask: TaskRule {
  private static func story(_ steps: RuleExample.Step..., ends seconds: Double = 70) -> [RuleExample.Step] {
    [.at(0, TaskCreated(type: .download))] + steps + [.at(seconds, LogHeartbeatWritten(liveTasks: 1))]
  }

  static let description = RuleDescription(
    id: "invisible-unstarted-task", severity: .warning,
    summary: "The task was created and never resumed.",
    explanation: """
      A new task is suspended. Without a call to resume() it never starts, and no timeout applies to it. URLSession does not \
      list it among the session's tasks, although the task exists and keeps its session alive, so code that looks for \
      unfinished tasks does not find it.
      """,
    remedy: "Call resume() where you create the task, or cancel the task. Keep your own list of tasks that are to start later.",
    sources: ["https://github.com/lionheart/openradar-mirror/issues/16036"],
    reports: [
      RuleExample("the task was not resumed within a minute", .probable, cites: [.taskCreated], steps: story()),
      RuleExample(
        "the app exited normally without resuming the task", .certain, cites: [.taskCreated, .processExited],
        .at(0, TaskCreated(type: .download)), .at(2, ProcessExited(code: 0, exitReason: .returned))),
    ],
    staysSilent: [
      RuleExample("the task was resumed after fifty seconds", steps: story(.at(50, TaskResumed()))),
      RuleExample("the task waits in a queue", steps: story(.at(0.001, TaskHeld(hold: .discretionary)))),
      RuleExample("the app was asked whether the task may begin", steps: story(.at(0.001, TaskDelayAsked()))),
      RuleExample("the app cancelled the task", steps: story(.at(1, TaskCancelRequested(by: .app)))),
      RuleExample(
        "the app was suspended for most of the time",
        steps: story(
          .at(1, ProcessStateChanged(state: .suspended)), .at(300, ProcessStateChanged(state: .resumed)), ends: 310)),
      RuleExample(
        "the app was killed before it could resume the task",
        .at(0, TaskCreated(type: .download)),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
      RuleExample("the log ends within the minute", steps: story(ends: 30)),
      RuleExample(
        "an earlier process created the task, and this one adopted it",
        .at(0, TaskCreated(type: .download), by: .daemon), .at(1, TaskAdopted()), .at(70, LogHeartbeatWritten(liveTasks: 1))),
    ])

  static let watches: Set<EventKind> = [.taskCreated, .taskResumed, .taskHoldEnded, .taskDelayAnswered]

  /// The maximum time from a task's creation to its resume, longer than any set-up in between.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "the maximum time from a task's creation to its resume")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let created = task.created else { return asked.isTaskOver ? .silent : nil }
    let isHandled = task.resumed != nil || task.cancelRequested != nil || task.attempt != nil || task.adopted != nil
    if isHandled || !task.isLive { return .silent }
    if task.held != nil || task.delayAsked != nil { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    let waited = asked.covered(since: created, by: process)
    // A process that was killed right after the creation might have resumed the task.
    if process.endFact != nil, process.endedAbnormally, waited < patience { return .silent }
    guard let proof = asked.proofOfAbsence(since: created, within: patience, by: process) else {
      return asked.isEndOfLog ? nil : .wait(patience, after: created)
    }
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    return .finding(
      Draft(
        summary: "Task \(task.identity.label) was created and never resumed.",
        claim: .absence(since: created, shownBy: proof), evidence: created, [end],
        missing: [.init(.taskResumed, dueBy: created.due(within: patience))],
        unless: end == nil ? ["the app intends to resume the task later"] : []))
  }
}
