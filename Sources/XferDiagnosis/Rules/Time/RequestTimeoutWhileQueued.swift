import XferEvents
import XferLifecycle
import XferReplay

/// A task that timed out because it spent most of its timeout in a queue.
struct RequestTimeoutWhileQueued: TaskRule {
  /// The steps up to a task's wait for a connection to its host, in a session whose timeout is a minute.
  private static func queued(_ origin: TimeoutOrigin?) -> [RuleExample.Step] {
    let session = SessionCreated(
      session: "default-1", sessionKind: .default, requestTimeout: .seconds(60), timeoutOrigin: origin)
    return [.at(0, session)] + task
  }
  private static let task: [RuleExample.Step] = [
    .at(0.001, TaskCreated(type: .data)), .at(1, TaskResumed()),
    .at(1, TaskHeld(hold: .hostSlots, host: "example.com", slotsUsed: 6, slots: 6)),
  ]
  private static func timedOut(at time: Double) -> RuleExample.Step {
    .at(time, TaskCompleted(received: 0, domain: .url, error: -1001, errorName: "timedOut"))
  }
  /// The steps of an attempt that times out, and with which the task fails.
  private static func attempt(from start: Double, to end: Double) -> [RuleExample.Step] {
    [
      .at(start, AttemptStarted(attempt: 1)),
      .at(end, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)), timedOut(at: end),
    ]
  }

  static let description = RuleDescription(
    id: "request-timeout-while-queued", severity: .error,
    summary: "The task timed out because it spent most of its timeout in a queue, not because of the server.",
    explanation: """
      If the request's timer starts when the task is resumed, the time that the task waits for a connection counts against it: \
      of a hundred tasks that share six connections, the last ones time out before they start, and the server appears to be \
      slow. Current versions of URLSession start the timer with the connection; other engines, and timers that apps create \
      themselves, may start it earlier. The log shows an early start by the timer's recorded origin, or by an attempt that was \
      shorter than its timeout. The variant says whether an attempt started ("begun too late") or not ("never begun").
      """,
    remedy: """
      Start timers when the request is sent. Resume no more tasks than there are connections, or set a resource timeout \
      instead of a request timeout.
      """,
    sources: ["https://github.com/prebid/prebid-mobile-ios/pull/1354"],
    needsWholeLog: true,
    consequenceOf: ["connection-slot-starvation", "stalled-transfer"],
    reports: [
      RuleExample(
        "no attempt started", .certain, variant: "never begun", cites: [.taskResumed, .taskCompleted],
        steps: queued(.resume) + [timedOut(at: 61)]),
      RuleExample(
        "the attempt started when little time was left", .certain, variant: "begun too late",
        cites: [.taskResumed, .attemptStarted, .taskCompleted], steps: queued(nil) + attempt(from: 55, to: 61)),
    ],
    staysSilent: [
      RuleExample("the attempt started early, and the server did not answer", steps: queued(nil) + attempt(from: 2, to: 62)),
      RuleExample(
        "the task was queued for long, but its timer started with the connection",
        steps: queued(.connection) + attempt(from: 55, to: 115)),
      RuleExample(
        "the timer's origin is unknown, but the attempt had its full time", steps: queued(nil) + attempt(from: 55, to: 115)),
      RuleExample(
        "the attempt received some bytes",
        steps: queued(.resume) + [
          .at(55, AttemptStarted(attempt: 1)), .at(61, AttemptEnded(attempt: 1, end: .timeout, error: 28, received: 10)),
          .at(61, TaskCompleted(received: 10, domain: .url, error: -1001)),
        ]),
      RuleExample(
        "the task was queued for long, but failed with another error",
        steps: queued(.resume) + [.at(61, TaskCompleted(received: 0, domain: .url, error: -1004))]),
      RuleExample("the timeout is unknown", steps: task + [timedOut(at: 61)]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  /// The share of the timeout, in percent, that a task has to spend in the queue.
  var share = 80

  static let limits = [RuleLimit("share", \Self.share, "how much of its timeout, in percent, a task must spend in the queue")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.timedOut, let resumed = task.resumed, task.bytesReceived ?? 0 == 0, task.bytesSent ?? 0 == 0 else {
      return .silent
    }
    let session = world.session(of: task)
    guard let queued = resumed.duration(to: task.firstAttempt ?? completed), let age = resumed.duration(to: completed) else {
      return .undecidable(needs: "the time of task.resumed")
    }
    guard let limit = task.requestTimeout ?? session?.requestTimeout else {
      return .undecidable(needs: "requestTimeout of session.created")
    }
    if let resource = task.resourceTimeout ?? session?.resourceTimeout, age >= resource { return .silent }
    // If the log does not name the timer's origin, an attempt shorter than the timeout shows that the timer started before it.
    let fair = limit * share / 100
    guard queued >= fair, session?.timeoutOrigin != .connection, age - queued < fair else {
      return .silent
    }
    return .finding(
      Draft(
        variant: task.firstAttempt == nil ? "never begun" : "begun too late",
        summary: """
          Task \(task.identity.label) timed out after it had been queued for \(queued.inSeconds) of its timeout of \
          \(limit.inSeconds).
          """,
        claim: .presence, evidence: resumed, [task.firstAttempt, completed]))
  }
}
