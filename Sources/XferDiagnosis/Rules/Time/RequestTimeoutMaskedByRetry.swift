import XferEvents
import XferLifecycle
import XferReplay

/// Attempts time out one after another, and the app hears nothing of it.
struct RequestTimeoutMaskedByRetry: TaskRule {
  private static func begun(resource: Duration? = .seconds(86_400)) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, requestTimeout: .seconds(60), resourceTimeout: resource)),
      .at(0.001, TaskResumed()),
    ]
  }

  /// An attempt that waits a minute for nothing.
  private static func attempt(
    _ number: Int, _ end: AttemptEnd = .timeout, at second: Int
  ) -> [RuleExample.Step] {
    let ended = AttemptEnded(
      task: .example, attempt: number, end: end, domain: .curl, error: end == .timeout ? 28 : 56, retryIn: .seconds(10))
    let time = Duration.seconds(second + 60)
    return [
      .at(.seconds(second), AttemptStarted(attempt: number)),
      .at(.seconds(second), AttemptConnectionAcquired(attempt: number)),
      .at(time, ended),
    ]
  }
  private static func heartbeat(at second: Int) -> RuleExample.Step {
    .at(.seconds(second), LogHeartbeatWritten(liveTasks: 1))
  }

  static let description = RuleDescription(
    id: "request-timeout-masked-by-retry", severity: .warning,
    summary: "The task's attempts time out and are made again, and nobody tells the app.",
    explanation: """
      In a background session timeoutIntervalForRequest ends an attempt, not the task: the daemon tries again, for as long as \
      the resource's limit allows, which is seven days unless another is set. The app that waits for its timeout error never \
      gets one; its user sees a transfer that hangs, and a server that is down, or an address that leads nowhere, looks like a \
      slow network.
      """,
    remedy: """
      Set timeoutIntervalForResource to what you are ready to wait, and a limit of your own for what a user waits for. Where \
      the log shows that each attempt ends in the same way, look at the server.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/nsurlsessionconfiguration/1408259-timeoutintervalforrequest?language=objc",
      "https://github.com/mzeeshanid/MZDownloadManager/issues/14", "https://github.com/itinance/react-native-fs/pull/725",
    ],
    consequenceOf: ["stalled-transfer", "challenge-unanswered", "redirect-unanswered", "waits-for-connectivity-forever"],
    reports: [
      RuleExample(
        "two timeouts, and a third attempt", .probable, cites: [.attemptEnded],
        steps: begun() + attempt(1, at: 1) + attempt(2, at: 71) + [
          .at(141, AttemptStarted(attempt: 3)), heartbeat(at: 160), heartbeat(at: 195),
        ])
    ],
    staysSilent: [
      RuleExample("one timeout", steps: begun() + attempt(1, at: 1) + [heartbeat(at: 195)]),
      RuleExample(
        "it failed in other ways",
        steps: begun() + attempt(1, .transport, at: 1) + attempt(2, .transport, at: 71) + [heartbeat(at: 195)]),
      RuleExample(
        "it succeeded soon",
        steps: begun() + attempt(1, at: 1) + attempt(2, at: 71) + [
          .at(141, AttemptStarted(attempt: 3)), .at(142, AttemptResponseReceived(attempt: 3, status: 200, expected: 5)),
          .at(143, AttemptEnded(attempt: 3, end: .finished, received: 5)),
          .at(143, TaskCompleted(delivery: DeliveryID(1), received: 5, status: 200)), heartbeat(at: 195),
        ]),
      RuleExample(
        "the third attempt is being answered",
        steps: begun() + attempt(1, at: 1) + attempt(2, at: 71) + [
          .at(141, AttemptStarted(attempt: 3)), .at(142, AttemptResponseReceived(attempt: 3, status: 200, expected: 5)),
          heartbeat(at: 195),
        ]),
      RuleExample(
        "the app was told",
        steps: begun() + attempt(1, at: 1) + attempt(2, at: 71) + [
          .at(140, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -1001, errorName: "timedOut")),
          heartbeat(at: 195),
        ]),
      RuleExample(
        "the app gave up",
        steps: begun() + attempt(1, at: 1) + attempt(2, at: 71) + [.at(140, TaskCancelRequested(by: .app)), heartbeat(at: 195)]),
      RuleExample(
        "the whole time is over, too",
        steps: begun(resource: .seconds(120)) + attempt(1, at: 1) + attempt(2, at: 71) + [heartbeat(at: 195)]),
      RuleExample(
        "the log ends a moment later",
        steps: begun() + attempt(1, at: 1) + attempt(2, at: 71) + [heartbeat(at: 160)]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.timedOutAgain)]
  static let watches: Set<EventKind> = [.attemptEnded]

  /// One may be bad luck.
  var timeouts = 2
  /// The next attempt may succeed.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("timeouts", \Self.timeouts, "how many attempts have to time out"),
    RuleLimit("patience", \Self.patience, "how long the attempt behind the last timeout may take to be answered"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.isLive, task.cancelRequested == nil, task.suspended == nil, let seen = task.incidents.timeouts,
      seen.count >= timeouts, let begun = task.resumed ?? task.created
    else { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    let waited = asked.covered(since: seen.last, by: process)
    guard waited >= patience else { return asked.isEndOfLog ? nil : .wait(patience, after: seen.last) }
    // It may be the one that succeeds.
    if task.attempt?.ended == nil, task.attempt?.status != nil {
      return asked.isEndOfLog ? nil : .wait(waited + patience, after: seen.last)
    }
    let limit = task.resourceTimeout ?? world.session(of: task)?.resourceTimeout ?? ResourceTimeout.usualLimit
    guard asked.covered(since: begun, by: process) < limit else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        summary: """
          \(seen.count) attempts of task \(task.identity.text) have timed out; the app hears of it when \(limit.inSeconds) are \
          over.
          """,
        claim: .absence(since: seen.last, shownBy: .coverage), evidence: seen.first, [seen.last],
        missing: [.init(.taskCompleted, dueBy: seen.last.due(within: patience))]))
  }
}
