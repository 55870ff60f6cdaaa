import XferEvents
import XferLifecycle
import XferReplay

/// The request's time was over before the request was made.
struct RequestTimeoutWhileQueued: TaskRule {
  private static let minute: Duration = .seconds(60)

  private static func session(_ origin: TimeoutOrigin?) -> RuleExample.Step {
    .at(0, SessionCreated(session: "default-1", sessionKind: .default, requestTimeout: minute, timeoutOrigin: origin))
  }

  private static let resumed: [RuleExample.Step] = [
    .at(0.001, TaskCreated(type: .data)), .at(1, TaskResumed()),
    .at(1, TaskHeld(hold: .hostSlots, host: "example.com", slotsUsed: 6, slots: 6)),
  ]
  private static let timedOut = TaskCompleted(received: 0, domain: .url, error: -1001, errorName: "timedOut")

  static let description = RuleDescription(
    id: "request-timeout-while-queued", severity: .error,
    summary: "The task timed out while it waited for its turn; the server never had a chance.",
    explanation: """
      Where the request's timer starts with resume, the time that a task waits for a connection counts against it: of a \
      hundred tasks that share six connections, the last ones expire untouched, and it looks as if the server were slow. \
      Current URLSession starts the timer with the connection, but timers that apps make themselves do not, and not every \
      engine is current. The log tells the two apart: by the timer's origin, or by an attempt that was shorter than its limit.
      """,
    remedy: """
      Start timers when the request is on its way. Resume no more tasks than there are connections for, or give the \
      resource, not the request, the limit.
      """,
    sources: ["https://github.com/prebid/prebid-mobile-ios/pull/1354"],
    needsWholeLog: true,
    consequenceOf: ["connection-slot-starvation", "stalled-transfer"],
    reports: [
      RuleExample(
        "never begun", .certain, variant: "never begun", cites: [.taskResumed, .taskCompleted],
        steps: [session(.resume)] + resumed + [.at(61, timedOut)]),
      RuleExample(
        "begun when little was left", .certain, variant: "begun too late",
        cites: [.taskResumed, .attemptStarted, .taskCompleted],
        steps: [session(nil)] + resumed + [
          .at(55, AttemptStarted(attempt: 1)),
          .at(61, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
          .at(61, timedOut),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "connected, and the server said nothing",
        steps: [session(nil)] + resumed + [
          .at(2, AttemptStarted(attempt: 1)),
          .at(62, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
          .at(62, timedOut),
        ]),
      RuleExample(
        "it waited long, but its time began with the connection",
        steps: [session(.connection)] + resumed + [
          .at(55, AttemptStarted(attempt: 1)),
          .at(115, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
          .at(115, timedOut),
        ]),
      RuleExample(
        "nobody says when the time began, but the attempt had all of it",
        steps: [session(nil)] + resumed + [
          .at(55, AttemptStarted(attempt: 1)),
          .at(115, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
          .at(115, timedOut),
        ]),
      RuleExample(
        "it had received something",
        steps: [session(.resume)] + resumed + [
          .at(55, AttemptStarted(attempt: 1)),
          .at(61, AttemptEnded(attempt: 1, end: .timeout, error: 28, received: 10)),
          .at(61, TaskCompleted(received: 10, domain: .url, error: -1001)),
        ]),
      RuleExample(
        "it waited long and failed of something else",
        steps: [session(.resume)] + resumed + [.at(61, TaskCompleted(received: 0, domain: .url, error: -1004))]),
      RuleExample("the limit is not known", steps: resumed + [.at(61, timedOut)]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  /// Of the limit, in per cent: who waited so long had no fair chance.
  var share = 80

  static let limits = [RuleLimit("share", \Self.share, "how much of its time, in per cent, a task has to spend waiting")]

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
    // The log tells when the timer starts; where it does not, an attempt with less time than the limit shows it.
    let fair = limit * share / 100
    guard queued >= fair, session?.timeoutOrigin != .connection, age - queued < fair else {
      return .silent
    }
    return .finding(
      Draft(
        variant: task.firstAttempt == nil ? "never begun" : "begun too late",
        summary: "Task \(task.identity.text) waited \(queued.inSeconds) of the \(limit.inSeconds) that it had, and timed out.",
        claim: .presence, evidence: resumed, [task.firstAttempt, completed]))
  }
}
