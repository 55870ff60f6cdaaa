import XferEvents
import XferLifecycle
import XferReplay

/// The user quit the app, which cancelled its background transfers.
struct ForceQuitCancelled: TaskRule {
  private static let session = "default-1"
  /// The steps of an example: a download starts in a background session; `exit` ends the app; the user opens the app again; then
  /// the steps in `then` follow.
  private static func story(_ exit: RuleExample.Step, then: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(startReason: .user, executable: "app")),
      .at(0.001, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
      .at(0.002, TaskCreated(type: .download)), .at(0.003, TaskResumed()), .at(0.004, AttemptStarted(attempt: 1), by: .daemon),
      exit, .at(100, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
      .at(100, SessionCreated(session: session, instance: CorrelationID(2), sessionKind: .background), by: .nextLife),
      .at(100, TaskAdopted(), by: .nextLife),
    ] + then
  }

  private static func exit(_ reason: ExitReason, code: Int? = nil, signal: Int? = nil) -> RuleExample.Step {
    .at(
      10, ProcessExitObserved(launch: ExampleProcess.app.launch, code: code, signal: signal, exitReason: reason, by: .daemon),
      by: .daemon)
  }

  /// The daemon cancels the task for the user, and the app has been told that it will be terminated.
  private static let quit: [RuleExample.Step] = [
    .at(9, TaskCancelRequested(by: .user, cancelReason: .userForceQuit), by: .daemon),
    .at(
      9.001, AttemptEnded(attempt: 1, end: .cancelled, domain: .curl, error: 42, errorName: "cancelled", received: 0), by: .daemon
    ),
    .at(9.002, ProcessTerminationAnnounced(launch: ExampleProcess.app.launch, by: .user)),
    .at(9.003, ProcessExited(code: 0, exitReason: .exitCall)), exit(.userQuit, code: 0),
  ]

  private static func cancelled(_ reason: CancelReason?) -> RuleExample.Step {
    .at(101, TaskCompleted(domain: .url, error: -999, errorName: "cancelled", cancelReason: reason), by: .nextLife)
  }

  static let description = RuleDescription(
    id: "force-quit-cancelled", severity: .error,
    summary: "The user quit the app, which cancelled the transfer.",
    explanation: """
      When the user quits an app from the app switcher, the system cancels its background transfers (NSURLErrorCancelled, \
      reason 0) and does not launch the app for them. The app receives the cancellation when the user opens it again; until \
      then the task is often still listed. The exit itself looks clean, with code 0 and no signal: only a process that \
      observed the quit, or the reason in the cancellation, distinguishes it from a call of exit(). Some users report that \
      transfers continued after a quit, so the rule reports only cancellations that the log shows. The variants: "said" when \
      the cancellation gives the reason, "inferred" when the log shows only how the app ended.
      """,
    remedy: """
      Keep your own record of wanted transfers. At each launch compare it with the session's tasks, and restart the cancelled \
      ones, from resume data if available. Do not ask users to quit the app.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/urlsession/1508626-background_task_cancellation",
      "https://github.com/tus/TUSKit/issues/200",
    ],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the daemon cancelled the task, and the app received the cancellation at its next launch", .certain, variant: "said",
        cites: [.taskCancelRequested, .attemptEnded],
        steps: Array(story(quit[0]).prefix(6)) + quit.dropFirst()
          + story(quit[0], then: cancelled(.userForceQuit)).dropFirst(6)),
      RuleExample(
        "the daemon cancelled a running transfer, and the app has not been opened since", .certain, variant: "said",
        cites: [.taskCancelRequested, .attemptEnded], steps: Array(story(quit[0]).prefix(6)) + quit.dropFirst()),
      RuleExample(
        "the daemon cancelled a task that had not begun, and the app has not been opened since", .certain, variant: "said",
        cites: [.taskCancelRequested], steps: Array(story(quit[0]).prefix(4)) + [quit[0]] + quit.dropFirst(2)),
      RuleExample(
        "the log contains only the daemon's events", .certain, variant: "said", cites: [.taskCancelRequested, .attemptEnded],
        steps: [.at(0.004, AttemptStarted(attempt: 1), by: .daemon)] + quit.prefix(2) + quit.suffix(1)),
      RuleExample(
        "the cancellation gives the reason at the next launch", .certain, variant: "said",
        cites: [.processExitObserved, .taskCompleted], steps: story(exit(.userQuit, code: 0), then: cancelled(.userForceQuit))),
      RuleExample(
        "the exit looked clean, with code 0", .certain, variant: "said", cites: [.processExitObserved, .taskCompleted],
        steps: story(exit(.unknown, code: 0), then: cancelled(.userForceQuit))),
      RuleExample(
        "the daemon dropped the task", .certain, variant: "said", cites: [.processExitObserved, .taskForgotten],
        steps: story(exit(.userQuit, code: 0)).dropLast(3) + [.at(10, TaskForgotten(forgotten: .userForceQuit), by: .daemon)]),
      RuleExample(
        "the cancellation has no reason, and the daemon saw the user quit the app", .probable, variant: "inferred",
        cites: [.processExitObserved, .taskCompleted], steps: story(exit(.userQuit), then: cancelled(nil))),
      RuleExample(
        "the cancellation has no reason, the exit had code 0, and the user opened the app again", .probable,
        variant: "inferred", cites: [.processExitObserved, .taskCompleted],
        steps: story(exit(.unknown, code: 0), then: cancelled(nil))),
    ],
    staysSilent: [
      RuleExample(
        "the user quit the app when the transfer had just succeeded",
        steps: Array(story(quit[0]).prefix(6)) + [
          .at(9.001, AttemptEnded(attempt: 1, end: .finished, received: 10), by: .daemon),
          .at(9.001, TaskTransferred(received: 10, status: 200), by: .daemon),
        ] + quit.dropFirst(2)),
      RuleExample(
        "the app cancelled the task after the launch",
        steps: story(
          exit(.userQuit, code: 0), then: .at(100.5, TaskCancelRequested(by: .app), by: .nextLife),
          cancelled(CancelReason.none))),
      RuleExample(
        "the task was cancelled for another reason",
        steps: story(exit(.userQuit, code: 0), then: cancelled(.insufficientResources))),
      RuleExample(
        "the app had called exit(), and the cancellation has no reason",
        steps: story(.at(10, ProcessExited(code: 0, exitReason: .exitCall)), then: cancelled(nil))),
      RuleExample(
        "the system had killed the app because of memory pressure",
        steps: story(exit(.memoryPressure, signal: 9), then: cancelled(nil))),
      RuleExample(
        "the user quit the app, and the transfer succeeded",
        steps: story(
          exit(.userQuit, code: 0), then: .at(101, TaskTransferred(received: 10, status: 200), by: .daemon),
          .at(102, TaskCompleted(received: 10, status: 200), by: .nextLife))),
    ])

  static let presupposes: Set<TaskSign>? = [.failure, .event(.taskForgotten), .event(.taskCancelRequested)]
  static let watches: Set<EventKind> = [.taskCancelRequested, .attemptEnded, .taskCompleted, .taskForgotten]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let end = CancelCause.end(of: task), let cause = CancelCause(of: task, in: world) else {
      return task.completed != nil || asked.isTaskOver ? .silent : nil
    }
    switch cause {
    case .reason(.userForceQuit):
      let requested = task.cancelledBy == .user && task.cancelRequested != end ? task.cancelRequested : nil
      return .finding(
        Draft(
          variant: "said", summary: "Task \(task.identity.label) was cancelled because the user quit the app.",
          claim: .presence, evidence: end, [requested, Self.exit(before: task, in: world)]))
    case .userQuit(_, let exit):
      return .finding(
        Draft(
          variant: "inferred",
          summary: """
            Task \(task.identity.label) was cancelled after the user quit the app, and the log has no call of cancel() for it.
            """,
          claim: .absence(since: task.created ?? exit, shownBy: .coverage), evidence: end, [exit],
          missing: [.init(.taskCancelRequested, dueBy: end.moment)]))
    default: return .silent
    }
  }

  /// Returns the event in which another process reported the exit of the process that owned the task when the user quit the app; `nil` if
  /// there is none.
  private static func exit(before task: TaskLifecycle, in world: World) -> Fact? {
    let exits = [task.earlierOwner, task.owner].compactMap { $0.flatMap { world.processes[$0].exitObserved } }
    let since = task.cancelledBy == .user ? task.cancelRequested : nil
    return exits.first { exit in since.map { ($0.duration(to: exit) ?? .zero) >= .zero } ?? true }
  }
}
