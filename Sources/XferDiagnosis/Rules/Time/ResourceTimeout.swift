import XferEvents
import XferLifecycle
import XferReplay

/// The transfer as a whole took longer than it was allowed to.
struct ResourceTimeout: TaskRule {
  private static let hour: Duration = .seconds(3600)

  /// A download that may take an hour.
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download, resourceTimeout: hour)), .at(1, TaskResumed()), .at(2, AttemptStarted(attempt: 1)),
  ]

  static let description = RuleDescription(
    id: "resource-timeout", severity: .error,
    summary: "The transfer's whole time was over: its resource limit, seven days unless another is set.",
    explanation: """
      URLSession has two limits. The one for the request starts anew with each packet; the one for the resource runs from \
      resume to the end, through waiting, retries and sleep. It is seven days by default, so a transfer that makes no \
      progress fails a week later, when nobody remembers it, and one with a short limit fails while it goes well.
      """,
    remedy: """
      Set a resource limit that fits the size and the slowest network you accept, and look for what used the time up: a \
      stall, a wait for the network, a queue. Go on from what was received instead of beginning anew.
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
        "an hour was allowed, and an hour was over", .certain, cites: [.taskResumed, .attemptEnded, .taskCompleted],
        steps: begun + [
          .at(3601, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
          .at(3602, TaskCompleted(domain: .curl, error: 28, errorName: "timedOut")),
        ]),
      RuleExample(
        "no limit was set, and seven days were over", .certain, cites: [.taskResumed, .taskCompleted],
        .at(0, TaskCreated(type: .download)), .at(1, TaskResumed()),
        .at(7 * 86_400 + 1, TaskCompleted(domain: .url, error: -1001))),
      RuleExample(
        "the timer rang half a second early", .certain, cites: [.taskResumed, .attemptEnded, .taskCompleted],
        steps: begun + [
          .at(3600.5, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
          .at(3600.5, TaskCompleted(domain: .curl, error: 28, errorName: "timedOut")),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "a minute before the limit",
        steps: begun + [
          .at(3541, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
          .at(3541, TaskCompleted(domain: .curl, error: 28, errorName: "timedOut")),
        ]),
      RuleExample(
        "the request's limit passed, not the resource's",
        steps: begun + [
          .at(62, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
          .at(63, TaskCompleted(domain: .curl, error: 28, errorName: "timedOut")),
        ]),
      RuleExample("it took longer and ended well", steps: begun + [.at(4000, TaskCompleted(received: 10, status: 200))]),
      RuleExample(
        "it took longer and failed of something else",
        steps: begun + [
          .at(4000, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56)),
          .at(4001, TaskCompleted(domain: .curl, error: 56)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  /// `timeoutIntervalForResource` of a configuration that nobody changed.
  static let usualLimit: Duration = .seconds(7 * 86_400)
  /// Timers ring a little before or after what they were set to.
  var slack: Duration = .seconds(1)

  static let limits = [RuleLimit("slack", \Self.slack, "by how much a timer may ring before its time")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.timedOut, let begun = task.resumed ?? task.created else { return .silent }
    let limit = task.resourceTimeout ?? world.session(of: task)?.resourceTimeout ?? Self.usualLimit
    guard let age = Self.age(from: begun, to: completed) else { return .undecidable(needs: "boottime of task.completed") }
    // A wall clock that was set forward makes nothing older.
    guard age + slack >= limit else { return .silent }
    let ended = task.attempt.flatMap { $0.end == .timeout ? $0.ended : nil }
    return .finding(
      Draft(
        summary: "Task \(task.identity.text) failed after \(age.inSeconds): \(limit.inSeconds) were allowed for all of it.",
        claim: .presence, evidence: begun, [ended, completed]))
  }

  /// By the clock that goes on while the machine sleeps, as the limit does.
  ///
  /// After a restart that clock begins anew: what it shows then is less than the true age, so nothing is claimed by mistake.
  private static func age(from begun: Fact, to completed: Fact) -> Duration? {
    let clocks = [(begun.boottime, completed.boottime), (begun.monotonic, completed.monotonic)]
    for case (let start?, let end?) in clocks { return .nanoseconds(end.subtractingClamped(start)) }
    return nil
  }
}
