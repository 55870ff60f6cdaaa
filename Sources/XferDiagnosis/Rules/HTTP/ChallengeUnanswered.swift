import XferEvents
import XferLifecycle
import XferReplay

/// Reports an authentication challenge that the app did not answer.
struct ChallengeUnanswered: TaskRule {
  private static func challenge(_ id: UInt64 = 1, _ method: ChallengeMethod = .clientCertificate) -> AttemptChallengeReceived {
    AttemptChallengeReceived(attempt: 1, challenge: CorrelationID(id), challengeMethod: method, host: "example.com")
  }
  private static let answer = AttemptChallengeAnswered(
    attempt: 1, challenge: CorrelationID(1), disposition: .performDefaultHandling, by: .app)
  private static let waiting = RuleExample.Step.at(70, LogHeartbeatWritten(liveTasks: 1))
  private static let idle = RuleExample.Step.at(70, LogHeartbeatWritten())

  /// The steps of an example: a task receives a challenge; then `rest` follows.
  private static func story(method: ChallengeMethod = .clientCertificate, _ rest: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .data)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
      .at(0.003, AttemptConnectionAcquired(attempt: 1)), .at(1, challenge(1, method)),
    ] + rest
  }

  static let description = RuleDescription(
    id: "challenge-unanswered", severity: .error,
    summary: "An authentication challenge was never answered, and the task has been stuck since.",
    explanation: """
      A challenge comes with a completion handler, and the task waits until the app calls it. Code that handles one \
      authentication method, such as server trust, and only returns for the other methods never calls the handler for them; \
      nor does an empty delegate method. No error occurs: the task hangs until a timeout that may be days away.
      """,
    remedy: """
      Answer every challenge on every path: call the completion handler with performDefaultHandling for methods that you do \
      not handle. When you ask the user, set your own deadline and answer when it passes.
      """,
    sources: [
      "https://github.com/divar-ir/NetShears/pull/35", "https://github.com/SimonSimCity/Xamarin-CrossDownloadManager/issues/26",
      "https://github.com/swiftlang/swift-corelibs-foundation/issues/5456",
    ],
    consequenceOf: ["challenge-wake-unhandled"],
    reports: [
      RuleExample(
        "the challenge is unanswered for a minute", .probable, cites: [.attemptChallengeReceived], steps: story(waiting)),
      RuleExample(
        "the first challenge was answered, the second was not", .probable, cites: [.last(.attemptChallengeReceived)],
        steps: story(method: .serverTrust, .at(1, challenge(2)), .at(1, answer), waiting)),
      RuleExample(
        "the challenge was unanswered until the timeout", .certain, cites: [.attemptChallengeReceived, .attemptEnded],
        steps: story(.at(600, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)))),
      RuleExample(
        "the challenge was unanswered until the process exited", .certain, cites: [.attemptChallengeReceived, .processExited],
        steps: story(waiting, .at(80, ProcessExited(code: 0, exitReason: .exitCall)))),
    ],
    staysSilent: [
      RuleExample(
        "the challenge was answered", steps: story(.at(2, answer), .at(3, AttemptEnded(attempt: 1, end: .finished)), idle)),
      RuleExample(
        "the app shows a prompt and records its work",
        steps: story(
          method: .basic, .at(1, AppWorkBegun(work: CorrelationID(5), name: "sign-in", task: .example)), waiting)),
      RuleExample(
        "the task continued without an answer, as some methods allow",
        steps: story(
          .at(2, AttemptResponseReceived(attempt: 1, status: 200)), .at(3, AttemptEnded(attempt: 1, end: .finished)), idle)),
      RuleExample("the app cancelled the task instead", steps: story(.at(5, TaskCancelRequested(by: .app)), waiting)),
      RuleExample(
        "the server closed the connection three seconds later",
        steps: story(.at(4, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56)), idle)),
      RuleExample(
        "the user quit the app, and the log does not show when",
        steps: story(
          .at(80, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .userQuit), by: .nextLife))),
      RuleExample("the log ends within the minute", steps: story(.at(40, LogHeartbeatWritten(liveTasks: 1)))),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.attemptChallengeReceived)]
  static let watches: Set<EventKind> = [.attemptChallengeReceived, .appWorkEnded, .attemptEnded]

  /// The time that the app has to answer; an app that asks the user records app.workBegun.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to answer a challenge")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.cancelRequested == nil, task.completed == nil, let attempt = task.attempt, task.isLive || attempt.ended != nil,
      let challenge = attempt.challengeOpen, !Self.isAfter(attempt.lastMovement, challenge)
    else { return asked.isTaskOver ? .silent : nil }
    // An app that records work for the task is about to answer.
    if task.appWork != nil { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    if let ended = attempt.ended {
      let waited = process.runningTime(from: challenge, to: ended)
      guard waited >= patience else { return attempt.retryIn == nil || asked.isTaskOver ? .silent : nil }
      return .finding(draft(task, challenge, .end(ended)))
    }
    guard asked.covered(since: challenge, by: process) >= patience,
      let proof = asked.proofOfAbsence(since: challenge, within: patience, by: process)
    else { return .wait(patience, after: challenge) }
    return .finding(draft(task, challenge, proof))
  }

  private func draft(_ task: TaskLifecycle, _ challenge: Fact, _ proof: Draft.AbsenceProof) -> Draft {
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    return Draft(
      summary: """
        Task \(task.identity.label) received an authentication challenge that the app did not answer within \(patience.inSeconds).
        """,
      claim: .absence(since: challenge, shownBy: proof), evidence: challenge, [end],
      missing: [.init(.attemptChallengeAnswered, dueBy: challenge.due(within: patience))],
      unless: end == nil ? ["the app is asking the user, which it can record with app.workBegun"] : [])
  }

  /// Whether the attempt's last movement came after the challenge; false if one of the two times is unknown.
  private static func isAfter(_ movement: Fact?, _ challenge: Fact) -> Bool {
    movement.flatMap { challenge.isBefore($0) } ?? false
  }
}
