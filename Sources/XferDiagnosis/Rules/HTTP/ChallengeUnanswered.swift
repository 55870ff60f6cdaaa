import XferEvents
import XferLifecycle
import XferReplay

/// The app was asked for credentials and never answered.
struct ChallengeUnanswered: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .data)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
    .at(0.003, AttemptConnectionAcquired(attempt: 1)),
  ]

  private static func challenge(_ id: UInt64 = 1, _ method: ChallengeMethod = .clientCertificate) -> AttemptChallengeReceived {
    AttemptChallengeReceived(
      task: .example, attempt: 1, challenge: CorrelationID(id), challengeMethod: method, host: "example.com")
  }
  private static func answer(_ id: UInt64 = 1) -> AttemptChallengeAnswered {
    AttemptChallengeAnswered(
      task: .example, attempt: 1, challenge: CorrelationID(id), disposition: .performDefaultHandling, by: .app)
  }

  static let description = RuleDescription(
    id: "challenge-unanswered", severity: .error,
    summary: "An authentication challenge was never answered, and the task stood still from then on.",
    explanation: """
      A challenge comes with a completion handler, and the task does nothing until it is called. Code that handles one \
      method, server trust for instance, and returns for the others leaves them without an answer; so does an empty \
      delegate method. Nothing fails: the task hangs until a time limit that may be days away.
      """,
    remedy: """
      Answer every challenge on every path: performDefaultHandling for the methods that you do not handle. When the user is \
      to be asked, answer after a limit of your own all the same.
      """,
    sources: [
      "https://github.com/divar-ir/NetShears/pull/35", "https://github.com/SimonSimCity/Xamarin-CrossDownloadManager/issues/26",
      "https://github.com/swiftlang/swift-corelibs-foundation/issues/5456",
    ],
    consequenceOf: ["challenge-wake-unhandled"],
    reports: [
      RuleExample(
        "a minute without an answer", .probable, cites: [.attemptChallengeReceived],
        steps: begun + [.at(1, challenge()), .at(70, LogHeartbeatWritten(liveTasks: 1))]),
      RuleExample(
        "the first was answered, the second never", .probable, cites: [.last(.attemptChallengeReceived)],
        steps: begun + [
          .at(1, challenge(1, .serverTrust)), .at(1, challenge(2)), .at(1, answer(1)),
          .at(70, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "and it never was until the time was over", .certain, cites: [.attemptChallengeReceived, .attemptEnded],
        steps: begun + [.at(1, challenge()), .at(600, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28))]),
      RuleExample(
        "and it never was until the process ended", .certain, cites: [.attemptChallengeReceived, .processExited],
        steps: begun + [
          .at(1, challenge()), .at(70, LogHeartbeatWritten(liveTasks: 1)),
          .at(80, ProcessExited(code: 0, exitReason: .exitCall)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "answered",
        steps: begun + [
          .at(1, challenge()), .at(2, answer()), .at(3, AttemptEnded(attempt: 1, end: .finished)),
          .at(70, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "the app shows a prompt, and says so",
        steps: begun + [
          .at(1, challenge(1, .basic)), .at(1, AppWorkBegun(work: CorrelationID(5), name: "sign-in", task: .example)),
          .at(70, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "the task moved on without an answer, as some methods allow",
        steps: begun + [
          .at(1, challenge()), .at(2, AttemptResponseReceived(attempt: 1, status: 200)),
          .at(3, AttemptEnded(attempt: 1, end: .finished)), .at(70, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "the app cancelled the task instead",
        steps: begun + [.at(1, challenge()), .at(5, TaskCancelRequested(by: .app)), .at(70, LogHeartbeatWritten(liveTasks: 1))]),
      RuleExample(
        "the other end hung up a moment later",
        steps: begun + [
          .at(1, challenge()), .at(4, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56)),
          .at(70, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "killed a moment later",
        steps: begun + [
          .at(1, challenge()),
          .at(80, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .userQuit), by: .nextLife),
        ]),
      RuleExample(
        "the log ends within the minute",
        steps: begun + [.at(1, challenge()), .at(40, LogHeartbeatWritten(liveTasks: 1))]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.attemptChallengeReceived)]
  static let watches: Set<EventKind> = [.attemptChallengeReceived, .appWorkEnded, .attemptEnded]

  /// Code answers at once; who has to ask the user says so.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to answer")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.cancelRequested == nil, task.completed == nil, let attempt = task.attempt, task.isLive || attempt.ended != nil,
      let challenge = attempt.challengeOpen, !Self.isBehind(attempt.lastMovement, challenge)
    else { return asked.isTaskOver ? .silent : nil }
    // Whoever has something to do for the task is about to answer.
    if task.appWork != nil { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    if let ended = attempt.ended {
      let waited = process.runningTime(from: challenge.monotonic ?? 0, to: ended.monotonic ?? 0)
      guard waited >= patience.nanoseconds else { return attempt.retryIn == nil || asked.isTaskOver ? .silent : nil }
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
      summary: "Task \(task.identity.text) was asked for credentials and had no answer in \(patience.inSeconds).",
      claim: .absence(since: challenge, shownBy: proof), evidence: challenge, [end],
      missing: [.init(.attemptChallengeAnswered, dueBy: challenge.due(within: patience))],
      unless: end == nil ? ["the user is being asked, which an app can say with app.workBegun"] : [])
  }

  /// Whether the attempt went on after the challenge.
  private static func isBehind(_ movement: Fact?, _ challenge: Fact) -> Bool {
    guard let moved = movement?.monotonic, let asked = challenge.monotonic else { return false }
    return moved > asked
  }
}
