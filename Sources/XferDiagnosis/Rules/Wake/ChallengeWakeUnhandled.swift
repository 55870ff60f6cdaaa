import XferEvents
import XferLifecycle
import XferReplay

/// The app was woken to answer a challenge and called its completion handler without an answer.
struct ChallengeWakeUnhandled: TaskRule {
  private static let session = "default-1"
  private static let wake = HandlerID(4)
  private static let challenge = AttemptChallengeReceived(
    attempt: 1, challenge: CorrelationID(1), challengeMethod: .clientCertificate, host: "example.com")
  private static let answer = AttemptChallengeAnswered(
    attempt: 1, challenge: CorrelationID(1), disposition: .performDefaultHandling, by: .app)

  /// The steps of an example: the server of a task in the daemon asks for a certificate, and the app is launched. The steps
  /// `answered` happen within the wake. After the wake, only the daemon writes.
  private static func story(
    cause: WakeCause = .challenge, answered: [RuleExample.Step] = [], _ steps: RuleExample.Step..., ends seconds: Double = 610
  ) -> [RuleExample.Step] {
    let wanted = WakeWanted(session: session, handler: wake, wakeCause: cause, pending: 1)
    return [
      .at(0, ProcessStarted(startReason: .user, executable: "app")),
      .at(0, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
      .at(0, TaskCreated(type: .download)), .at(0, TaskResumed()), .at(0.5, ProcessExited(code: 0, exitReason: .returned)),
      .at(1, AttemptStarted(attempt: 1), by: .daemon), .at(2, challenge, by: .daemon), .at(2, wanted, by: .daemon),
      .at(3, ProcessStarted(startReason: .challenge, background: true, executable: "app"), by: .nextLife),
      .at(3, SessionCreated(session: session, instance: CorrelationID(2), sessionKind: .background), by: .nextLife),
      .at(3, WakeDelivered(session: session, handler: wake), by: .nextLife), .at(3, TaskAdopted(), by: .nextLife),
    ] + answered + [
      .at(4, SessionEventsFinished(session: session, instance: CorrelationID(2), handler: wake, liveTasks: 1), by: .nextLife),
      .at(4, WakeHandlerCalled(session: session, handler: wake, onMainThread: true), by: .nextLife),
    ] + steps + [.at(seconds, LogHeartbeatWritten(liveTasks: 1), by: .daemon)]
  }

  static let description = RuleDescription(
    id: "challenge-wake-unhandled", severity: .error,
    summary: """
      The app was woken because a task needs authentication, and called the wake's completion handler without answering the \
      challenge.
      """,
    explanation: """
      A background session wakes its app not only for completions, but also when a server asks for credentials that the daemon \
      does not have. urlSessionDidFinishEvents then means that all events were delivered, not that all tasks are complete. \
      Code that expects a completion in every wake finds none, calls the wake's completion handler, and is suspended again; so \
      does code that tries to ask the user while the app is in the background. The task keeps waiting, and no second wake \
      follows.
      """,
    remedy: """
      Answer the challenge within the wake, with a stored credential or performDefaultHandling, without any user interface. If \
      you cannot answer, cancel the task. Implement the session-level challenge method, too: session-wide challenges go to \
      the session's delegate, not to the task's.
      """,
    sources: ["https://github.com/Alamofire/Alamofire/pull/1263"],
    needsNoDebugger: true,
    reports: [
      RuleExample(
        "the challenge was still unanswered ten minutes later", .probable,
        cites: [.attemptChallengeReceived, .wakeWanted, .wakeHandlerCalled],
        steps: story(.at(300, LogHeartbeatWritten(liveTasks: 1), by: .daemon)))
    ],
    staysSilent: [
      RuleExample("the app answered within the wake", steps: story(answered: [.at(3.5, answer, by: .daemon)])),
      RuleExample(
        "the next process answered",
        steps: story(
          .at(5, ProcessExited(code: 0, exitReason: .returned), by: .nextLife),
          .at(400, ProcessStarted(startReason: .user, executable: "app"), by: .laterLife), .at(401, answer, by: .daemon),
          ends: 1200)),
      RuleExample("the app was woken for a completion", steps: story(cause: .completion)),
      RuleExample("the app cancelled the task", steps: story(.at(6, TaskCancelRequested(by: .app), by: .nextLife))),
      RuleExample("the daemon's log ends within ten minutes", steps: story(ends: 500)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.wokeForChallenge)]
  static let watches: Set<EventKind> = [.wakeHandlerCalled]

  /// The maximum time from the call of the completion handler to the answer, long enough for a user to open the app.
  var patience: Duration = .seconds(600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "the maximum time from the call of the completion handler to the challenge's answer")
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.isLive, task.cancelRequested == nil, let attempt = task.attempt, let challenge = attempt.challengeOpen,
      let wake = task.incidents.challengeWake
    else { return asked.isTaskOver ? .silent : nil }
    // The daemon keeps the challenge, and it writes after the app was suspended. Time after the daemon's end does not count: the next
    // daemon takes over the challenge.
    guard let daemon = task.carrier else { return asked.isTaskOver ? .silent : nil }
    guard asked.covered(since: wake.called, by: world.processes[daemon]) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: wake.called, on: daemon)
    }
    return .finding(
      Draft(
        summary: """
          The app was woken because task \(task.identity.label) needs authentication, and called the wake's completion handler \
          without answering the challenge.
          """,
        claim: .absence(since: wake.called, shownBy: .coverage), evidence: wake.called, [challenge, wake.wanted],
        missing: [.init(.attemptChallengeAnswered, dueBy: wake.called.due(within: patience))],
        unless: ["the app answers when the user opens it"]))
  }
}
