import XferEvents
import XferLifecycle
import XferReplay

/// A transfer that exceeded its resource timeout.
struct ResourceTimeout: TaskRule {
  /// The steps of a download whose resource timeout is an hour, up to its first attempt.
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download, resourceTimeout: .seconds(3600))), .at(1, TaskResumed()),
    .at(2, AttemptStarted(attempt: 1)),
  ]
  private static func timedOut(at time: Double, completed: Double) -> [RuleExample.Step] {
    [
      .at(time, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
      .at(completed, TaskCompleted(domain: .curl, error: 28, errorName: "timedOut")),
    ]
  }

  static let description = RuleDescription(
    id: "resource-timeout", severity: .error,
    summary: "The transfer exceeded its resource timeout, which is seven days by default.",
    explanation: """
      URLSession has two timeouts. The request timeout restarts with each received packet. The resource timeout covers all the \
      time from resume to completion, including queueing, retries and sleep. Its default is seven days, so a transfer without \
      progress fails only after a week, when nobody waits for it any more. A short resource timeout ends a transfer that is \
      making progress. The rule also reports a timeout that came up to a second early, because timers are not exact.
      """,
    remedy: """
      Set timeoutIntervalForResource to a value that fits the size and the slowest network you accept, and find out where the \
      time was spent: in a stall, waiting for connectivity, or in a queue. Resume from the received bytes instead of starting \
      over.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/nsurlsessionconfiguration/1408259-timeoutintervalforrequest?language=objc",
      "https://github.com/ViennaRSS/vienna-rss/pull/1392",
    ],
    consequenceOf: [
      "stalled-transfer", "challenge-unanswered", "waits-for-connectivity-forever", "connection-slot-starvation",
    ],
    reports: [
      RuleExample(
        "the resource timeout was an hour, and an hour passed", .certain,
        cites: [.taskResumed, .attemptEnded, .taskCompleted], steps: begun + timedOut(at: 3601, completed: 3602)),
      RuleExample(
        "no resource timeout was set, and seven days passed", .certain, cites: [.taskResumed, .taskCompleted],
        .at(0, TaskCreated(type: .download)), .at(1, TaskResumed()),
        .at(7 * 86_400 + 1, TaskCompleted(domain: .url, error: -1001))),
      RuleExample(
        "the timer fired half a second early", .certain, cites: [.taskResumed, .attemptEnded, .taskCompleted],
        steps: begun + timedOut(at: 3600.5, completed: 3600.5)),
    ],
    staysSilent: [
      RuleExample("the task timed out a minute before its resource timeout", steps: begun + timedOut(at: 3541, completed: 3541)),
      RuleExample("the request timeout passed, not the resource timeout", steps: begun + timedOut(at: 62, completed: 63)),
      RuleExample(
        "the transfer took longer but succeeded", steps: begun + [.at(4000, TaskCompleted(received: 10, status: 200))]),
      RuleExample(
        "the transfer took longer but failed with another error",
        steps: begun + [
          .at(4000, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56)),
          .at(4001, TaskCompleted(domain: .curl, error: 56)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  /// The default value of `timeoutIntervalForResource`.
  static let usualLimit: Duration = .seconds(7 * 86_400)
  /// The tolerance for timers that fire a little early.
  var slack: Duration = .seconds(1)

  static let limits = [RuleLimit("slack", \Self.slack, "how early a timer may fire")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.timedOut, let begun = task.resumed ?? task.created else { return .silent }
    let limit = task.resourceTimeout ?? world.session(of: task)?.resourceTimeout ?? Self.usualLimit
    guard let age = Self.age(from: begun, to: completed) else { return .undecidable(needs: "boottime of task.completed") }
    // The age does not depend on the wall clock, which may have been set.
    guard age + slack >= limit else { return .silent }
    let ended = task.attempt.flatMap { $0.end == .timeout ? $0.ended : nil }
    return .finding(
      Draft(
        summary: "Task \(task.identity.label) timed out after \(age.inSeconds); its resource timeout is \(limit.inSeconds).",
        claim: .presence, evidence: begun, [ended, completed]))
  }

  /// Returns a task's age by the clock that, like the timeout, continues while the machine sleeps.
  ///
  /// The clock restarts from zero with the machine, so the age of a task that outlives a boot is computed with the wall clock.
  private static func age(from begun: Fact, to completed: Fact) -> Duration? {
    guard begun.sharesClock(with: completed) else { return begun.duration(to: completed) }
    let clocks = [(begun.boottime, completed.boottime), (begun.monotonic, completed.monotonic)]
    for case (let start?, let end?) in clocks { return .nanoseconds(end.subtractingClamped(start)) }
    return nil
  }
}
