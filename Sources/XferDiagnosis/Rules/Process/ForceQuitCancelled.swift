import XferEvents
import XferLifecycle
import XferReplay

/// The user quit the app, and its background transfers with it.
struct ForceQuitCancelled: TaskRule {
  private static let session = "default-1"
  /// A download of a background session, made in the first life.
  private static let story: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .user, executable: "app")),
    .at(0.001, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
    .at(0.002, TaskCreated(type: .download)), .at(0.003, TaskResumed()), .at(0.004, AttemptStarted(attempt: 1), by: .daemon),
  ]
  private static let again: [RuleExample.Step] = [
    .at(100, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
    .at(100, SessionCreated(session: session, instance: CorrelationID(2), sessionKind: .background), by: .nextLife),
    .at(100, TaskAdopted(), by: .nextLife),
  ]

  private static func exit(_ reason: ExitReason, code: Int? = nil, signal: Int? = nil) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.app.launch, code: code, signal: signal, exitReason: reason, by: .daemon)
  }

  private static func cancelled(_ reason: CancelReason?) -> TaskCompleted {
    TaskCompleted(domain: .url, error: -999, errorName: "cancelled", cancelReason: reason)
  }

  static let description = RuleDescription(
    id: "force-quit-cancelled", severity: .error,
    summary: "The user quit the app, and the transfer was cancelled with it.",
    explanation: """
      Who quits an app from the switcher is taken to want no more of it: its background transfers are cancelled \
      (NSURLErrorCancelled, reason 0), and it is not launched for them. It hears of that when the user opens it again, where \
      the task is often still listed for a moment. The end itself looks clean, exit code 0 and no signal: only who watched \
      it, or the reason that comes with the cancellation, can tell it from exit() in the app's own code. Some report that \
      transfers went on all the same; so this says what the log shows and nothing more.
      """,
    remedy: """
      Keep a record of what is wanted outside the session; at each launch compare it with the session's tasks and start again \
      what was cancelled, from resume data where there are some. Do not ask users to quit the app.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/urlsession/1508626-background_task_cancellation",
      "https://github.com/tus/TUSKit/issues/200",
    ],
    reports: [
      RuleExample(
        "the cancellation says so, in the next launch", .certain, variant: "said",
        cites: [.processExitObserved, .taskCompleted],
        steps: story + [.at(10, exit(.userQuit, code: 0), by: .daemon)] + again + [
          .at(101, cancelled(.userForceQuit), by: .nextLife)
        ]),
      RuleExample(
        "it looked like a clean exit, with code 0", .certain, variant: "said", cites: [.processExitObserved, .taskCompleted],
        steps: story + [.at(10, exit(.unknown, code: 0), by: .daemon)] + again + [
          .at(101, cancelled(.userForceQuit), by: .nextLife)
        ]),
      RuleExample(
        "the daemon gave it up", .certain, variant: "said", cites: [.processExitObserved, .taskForgotten],
        steps: story + [
          .at(10, exit(.userQuit, code: 0), by: .daemon), .at(10, TaskForgotten(forgotten: .userForceQuit), by: .daemon),
        ]),
      RuleExample(
        "nobody gives a reason, but the user had quit it", .probable, variant: "inferred",
        cites: [.processExitObserved, .taskCompleted],
        steps: story + [.at(10, exit(.userQuit), by: .daemon)] + again + [.at(101, cancelled(nil), by: .nextLife)]),
      RuleExample(
        "nobody gives a reason, the exit had code 0, and the user opened it again", .probable, variant: "inferred",
        cites: [.processExitObserved, .taskCompleted],
        steps: story + [.at(10, exit(.unknown, code: 0), by: .daemon)] + again + [.at(101, cancelled(nil), by: .nextLife)]),
    ],
    staysSilent: [
      RuleExample(
        "the app cancelled it after the launch",
        steps: story + [.at(10, exit(.userQuit, code: 0), by: .daemon)] + again + [
          .at(100.5, TaskCancelRequested(by: .app), by: .nextLife),
          .at(101, cancelled(CancelReason.none), by: .nextLife),
        ]),
      RuleExample(
        "for another reason",
        steps: story + [.at(10, exit(.userQuit, code: 0), by: .daemon)] + again + [
          .at(101, cancelled(.insufficientResources), by: .nextLife)
        ]),
      RuleExample(
        "its own code had called exit(), and nobody gives a reason",
        steps: story + [.at(10, ProcessExited(code: 0, exitReason: .exitCall))] + again + [
          .at(101, cancelled(nil), by: .nextLife)
        ]),
      RuleExample(
        "the system had needed its memory",
        steps: story + [.at(10, exit(.memoryPressure, signal: 9), by: .daemon)] + again + [
          .at(101, cancelled(nil), by: .nextLife)
        ]),
      RuleExample(
        "the user quit the app, and the transfer went on",
        steps: story + [.at(10, exit(.userQuit, code: 0), by: .daemon)] + again + [
          .at(101, TaskTransferred(received: 10, status: 200), by: .daemon),
          .at(102, TaskCompleted(received: 10, status: 200), by: .nextLife),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure, .event(.taskForgotten)]
  static let watches: Set<EventKind> = [.taskCompleted, .taskForgotten]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let end = task.completed ?? task.forgotten, let cause = CancelCause(of: task, in: world) else {
      return task.completed != nil || asked.isTaskOver ? .silent : nil
    }
    switch cause {
    case .reason(.userForceQuit):
      let exit = Self.exit(before: task, in: world)
      return .finding(
        Draft(
          variant: "said", summary: "Task \(task.identity.text) was cancelled because the user quit the app.", claim: .presence,
          evidence: end, [exit]))
    case .userQuit(_, let exit):
      return .finding(
        Draft(
          variant: "inferred",
          summary: "Task \(task.identity.text) was cancelled by nobody in the log, after the user had quit the app.",
          claim: .absence(since: task.created ?? exit, shownBy: .coverage), evidence: end, [exit],
          missing: [.init(.taskCancelRequested, dueBy: end.moment)]))
    default: return .silent
    }
  }

  /// The end of the life that had it.
  private static func exit(before task: TaskLifecycle, in world: World) -> Fact? {
    for place in [task.earlierOwner, task.owner] {
      if let exit = place.flatMap({ world.processes[$0].exitObserved }) { return exit }
    }
    return nil
  }
}
