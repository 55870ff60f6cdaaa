import XferEvents
import XferLifecycle
import XferReplay

/// A task whose attempts time out repeatedly without a completion for the app.
struct RequestTimeoutMaskedByRetry: RememberingTaskRule {
  /// The steps of an example: each attempt of a task ends after a minute, and a new attempt starts ten seconds later.
  private static func story(
    attempts: Int = 2, end: AttemptEnd = .timeout, resource: Duration = .seconds(86_400), _ steps: RuleExample.Step...
  ) -> [RuleExample.Step] {
    let created = TaskCreated(type: .download, requestTimeout: .seconds(60), resourceTimeout: resource)
    let begun: [RuleExample.Step] = [.at(0, created), .at(0.001, TaskResumed())]
    let ended = (1...attempts).flatMap { number -> [RuleExample.Step] in
      let start = Double(70 * number - 69)
      let error = end == .timeout ? 28 : 56
      return [
        .at(start, AttemptStarted(attempt: number)), .at(start, AttemptConnectionAcquired(attempt: number)),
        .at(start + 60, AttemptEnded(attempt: number, end: end, domain: .curl, error: error, retryIn: .seconds(10))),
      ]
    }
    return begun + ended + steps
  }
  private static let thirdAttempt = RuleExample.Step.at(141, AttemptStarted(attempt: 3))
  private static let answered = RuleExample.Step.at(
    142, AttemptResponseReceived(attempt: 3, status: 200, expected: 5))
  private static func alive(at time: Double = 195) -> RuleExample.Step { .at(time, LogHeartbeatWritten(liveTasks: 1)) }

  static let description = RuleDescription(
    id: "request-timeout-masked-by-retry", severity: .warning,
    summary: "The task's attempts time out and are retried, and the app receives no error.",
    explanation: """
      In a background session, timeoutIntervalForRequest ends an attempt, not the task: the daemon retries until the resource \
      timeout, seven days by default. An app that waits for a timeout error does not receive one; its user sees a transfer \
      that hangs, and a server that is down or unreachable looks like a slow network.
      """,
    remedy: """
      Set timeoutIntervalForResource to the longest acceptable time, and limit in your own code how long a user waits. If the \
      log shows that all attempts end in the same way, check the server.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/nsurlsessionconfiguration/1408259-timeoutintervalforrequest?language=objc",
      "https://github.com/mzeeshanid/MZDownloadManager/issues/14", "https://github.com/itinance/react-native-fs/pull/725",
    ],
    consequenceOf: ["stalled-transfer", "challenge-unanswered", "redirect-unanswered", "waits-for-connectivity-forever"],
    reports: [
      RuleExample(
        "two attempts timed out, and a third one started", .probable, cites: [.attemptEnded],
        steps: story(thirdAttempt, alive(at: 160), alive()))
    ],
    staysSilent: [
      RuleExample("one attempt timed out", steps: story(attempts: 1, alive())),
      RuleExample("the attempts failed without a timeout", steps: story(end: .transport, alive())),
      RuleExample(
        "the third attempt succeeded",
        steps: story(
          thirdAttempt, answered, .at(143, AttemptEnded(attempt: 3, end: .finished, received: 5)),
          .at(143, TaskCompleted(delivery: DeliveryID(1), received: 5, status: 200)), alive())),
      RuleExample("the server is answering the third attempt", steps: story(thirdAttempt, answered, alive())),
      RuleExample(
        "the app received the timeout error",
        steps: story(
          .at(140, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -1001, errorName: "timedOut")), alive())),
      RuleExample("the app cancelled the task", steps: story(.at(140, TaskCancelRequested(by: .app)), alive())),
      RuleExample("the resource timeout has passed as well", steps: story(resource: .seconds(120), alive())),
      RuleExample("the log ends half a minute after the second timeout", steps: story(alive(at: 160))),
    ])

  static let watches: Set<EventKind> = [.attemptEnded]
  static let remembers: Set<EventKind> = [.attemptEnded]

  /// The number of timeouts that are reported; a single timeout is not.
  var timeouts = 2
  /// The maximum time for the attempt after the last timeout to receive a response.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("timeouts", \Self.timeouts, "how many attempts must time out"),
    RuleLimit("patience", \Self.patience, "how long the attempt after the last timeout may take to receive a response"),
  ]

  /// The attempts that timed out and were to be retried.
  struct Memory {
    let first: Fact
    var last: Fact
    var count: Int
  }

  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?) {
    guard event.end == .timeout, task.attempt?.retryIn != nil || memory != nil else { return }
    memory = Memory(first: memory?.first ?? fact, last: fact, count: (memory?.count ?? 0) + 1)
  }

  func verdict(on task: TaskLifecycle, remembering seen: Memory, in world: World, asked: Occasion) -> Verdict? {
    guard task.isLive, task.cancelRequested == nil, task.suspended == nil, seen.count >= timeouts,
      let begun = task.resumed ?? task.created
    else { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    let waited = asked.covered(since: seen.last, by: process)
    guard waited >= patience else { return asked.isEndOfLog ? nil : .wait(patience, after: seen.last) }
    // An attempt that has received a response may still succeed.
    if task.attempt?.ended == nil, task.attempt?.status != nil {
      return asked.isEndOfLog ? nil : .wait(waited + patience, after: seen.last)
    }
    let limit = task.resourceTimeout ?? world.session(of: task)?.resourceTimeout ?? ResourceTimeout.usualLimit
    guard asked.covered(since: begun, by: process) < limit else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        summary: summary(task, seen, limit),
        claim: .absence(since: seen.last, shownBy: .coverage), evidence: seen.first, [seen.last],
        missing: [.init(.taskCompleted, dueBy: seen.last.due(within: patience))]))
  }

  private func summary(_ task: TaskLifecycle, _ seen: Memory, _ limit: Duration) -> String {
    """
    \(seen.count) attempts of task \(task.identity.label) timed out, and the app receives no error before the resource timeout of \
    \(limit.inSeconds).
    """
  }

  func finalSummary(of finding: Finding, on task: TaskLifecycle, remembering memory: Memory, in world: World) -> String? {
    summary(task, memory, task.resourceTimeout ?? world.session(of: task)?.resourceTimeout ?? ResourceTimeout.usualLimit)
  }
}
