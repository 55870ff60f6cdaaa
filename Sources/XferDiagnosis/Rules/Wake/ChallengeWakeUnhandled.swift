import XferEvents
import XferLifecycle
import XferReplay

/// The app was woken to answer a challenge, and let the wake go without an answer.
struct ChallengeWakeUnhandled: TaskRule {
  private static let session = "default-1"
  private static let wake = HandlerID(4)
  private static let wanted = WakeWanted(session: session, handler: wake, wakeCause: .challenge, pending: 1)
  private static let called = WakeHandlerCalled(session: session, handler: wake, onMainThread: true)
  private static let challenge = AttemptChallengeReceived(
    task: .example, attempt: 1, challenge: CorrelationID(1), challengeMethod: .clientCertificate, host: "example.com")
  private static let answer = AttemptChallengeAnswered(
    task: .example, attempt: 1, challenge: CorrelationID(1), disposition: .performDefaultHandling, by: .app)

  /// The daemon carries a task, and its server asks for a certificate.
  private static func story(cause: WakeCause = .challenge) -> [RuleExample.Step] {
    let wanted = WakeWanted(session: session, handler: wake, wakeCause: cause, pending: 1)
    func step(_ event: some TransferEvent, at time: Duration, by process: ExampleProcess) -> RuleExample.Step {
      .at(time, event, by: process)
    }
    return [
      .at(0, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
      .at(0, TaskCreated(type: .download)), .at(0, TaskResumed()),
      .at(1, AttemptStarted(attempt: 1), by: .daemon),
      step(challenge, at: .seconds(2), by: .daemon), step(wanted, at: .seconds(2), by: .daemon),
      .at(3, WakeDelivered(session: session, handler: wake)),
      .at(4, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake, liveTasks: 1)),
      step(called, at: .seconds(4), by: .app),
    ]
  }

  private static func heartbeat(at time: Duration) -> RuleExample.Step {
    .at(time, LogHeartbeatWritten(liveTasks: 1), by: .daemon)
  }

  static let description = RuleDescription(
    id: "challenge-wake-unhandled", severity: .error,
    summary: "The app was woken because a task needs authentication, and called its completion handler without an answer.",
    explanation: """
      A background session wakes its app not only for what is complete: also when a server asks for credentials that the \
      daemon does not have. Finish-events then means "all that there was to tell has been told", not "all is done". Code that \
      takes every wake for completions finds none, calls the handler, and is suspended again; so does code that wants to ask \
      the user and finds nobody there. The task keeps waiting, and nothing wakes the app for it a second time.
      """,
    remedy: """
      Answer the challenge within the wake, with a stored credential or by default handling, without any user interface; \
      cancel the task where you cannot. Challenges of the whole session come to the session's delegate, not to the task's.
      """,
    sources: ["https://github.com/Alamofire/Alamofire/pull/1263"],
    needsNoDebugger: true,
    reports: [
      RuleExample(
        "ten minutes later the challenge is open", .probable,
        cites: [.attemptChallengeReceived, .wakeWanted, .wakeHandlerCalled],
        steps: story() + [heartbeat(at: .seconds(300)), heartbeat(at: .seconds(610))])
    ],
    staysSilent: [
      RuleExample(
        "answered within the wake",
        steps: Array(story().dropLast(2)) + [.at(3.5, answer, by: .daemon)] + story().suffix(2) + [
          heartbeat(at: .seconds(610))
        ]),
      RuleExample(
        "answered in the app's next life",
        steps: story() + [
          .at(5, ProcessExited(code: 0, exitReason: .returned)),
          .at(400, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife), .at(401, answer, by: .daemon),
          heartbeat(at: .seconds(1200)),
        ]),
      RuleExample(
        "woken for something else, and the challenge came later",
        steps: Array(story(cause: .completion)) + [heartbeat(at: .seconds(610))]),
      RuleExample(
        "the app cancelled the task",
        steps: story() + [.at(6, TaskCancelRequested(by: .app)), heartbeat(at: .seconds(610))]),
      RuleExample("the daemon's log ends before", steps: story() + [heartbeat(at: .seconds(500))]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.wokeForChallenge)]
  static let watches: Set<EventKind> = [.wakeHandlerCalled]

  /// Somebody may open the app after all.
  var patience: Duration = .seconds(600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long after the handler's call the answer may still come")
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.isLive, task.cancelRequested == nil, let attempt = task.attempt, let challenge = attempt.challengeOpen,
      let wake = task.incidents.challengeWake
    else { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    // A daemon that ends hands the challenge to its next life.
    guard asked.covered(since: wake.called, by: process) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: wake.called)
    }
    return .finding(
      Draft(
        summary: """
          The app was woken because task \(task.identity.text) needs authentication; it called its completion handler and did \
          not answer.
          """,
        claim: .absence(since: wake.called, shownBy: .coverage), evidence: wake.called, [challenge, wake.wanted],
        missing: [.init(.attemptChallengeAnswered, dueBy: wake.called.due(within: patience))],
        unless: ["the app answers when it is opened the next time"]))
  }
}
