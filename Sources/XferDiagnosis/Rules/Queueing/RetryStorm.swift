import XferEvents
import XferLifecycle
import XferReplay

/// The same thing is tried again and again, without a pause that would help.
struct RetryStorm: TaskRule {
  /// Ten attempts, at so many seconds each.
  private static func attempts(every seconds: Int) -> [RuleExample.Step] {
    (1...10).flatMap { number -> [RuleExample.Step] in
      let started = AttemptStarted(attempt: number)
      let ended = AttemptEnded(
        task: .example, attempt: number, end: .transport, domain: .curl, error: 7, retryIn: .seconds(seconds))
      let time: Duration = .seconds(number * seconds)
      return [.at(time, started), .at(time + .milliseconds(5), ended)]
    }
  }

  /// Tasks that fail and are followed by the next after a pause.
  private static func tasks(
    _ count: UInt32, pause: Duration, intent: (UInt32) -> String = { _ in "avatar" }
  ) -> [RuleExample.Step] {
    (1...count).flatMap { place -> [RuleExample.Step] in
      let start = (pause + .milliseconds(20)) * (Int(place) - 1)
      let created = TaskCreated(task: .example(place), type: .data, intent: intent(place))
      let failed = TaskCompleted(
        task: .example(place), delivery: DeliveryID(UInt64(place)), domain: .url, error: -1004, errorName: "cannotConnectToHost")
      // What follows the last one is not told.
      return [
        .at(start, created),
        .at(start + .milliseconds(1), TaskResumed(task: .example(place))),
        .at(start + .milliseconds(20), failed),
      ]
    }
  }

  static let description = RuleDescription(
    id: "retry-storm", severity: .error,
    summary: "The transfer was tried again and again in short order.",
    explanation: """
      What failed a moment ago mostly fails again. Retries without a growing pause keep the radio on, fill queues and logs, \
      and, when a server comes back, arrive from all devices at once. They come from two places: the engine, which makes \
      new attempts of one task, and the app, whose failure handler makes a new task for the same intent at once. The variant \
      says which.
      """,
    remedy: """
      Double the pause with each failure, add chance to it, limit how often, and stop at errors that no repetition will \
      change. Heed Retry-After.
      """,
    sources: [
      "https://github.com/tus/TUSKit/issues/27", "https://github.com/rclone/rclone/issues/1217",
      "https://github.com/aws-amplify/aws-sdk-ios/issues/1153",
    ],
    reports: [
      RuleExample(
        "ten attempts in ten seconds", .certain, variant: "attempts", cites: [.attemptStarted],
        steps: [.at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed())] + attempts(every: 1)),
      RuleExample(
        "five times a new task for the same intent, each within a second of the failure", .certain, variant: "tasks",
        cites: [
          .taskCreated, .first(.taskCompleted), .number(2, .taskCompleted), .number(3, .taskCompleted),
          .number(4, .taskCompleted), .number(5, .taskCompleted),
        ],
        steps: tasks(6, pause: .milliseconds(100))),
    ],
    staysSilent: [
      RuleExample(
        "ten attempts in twenty minutes",
        steps: [.at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed())] + attempts(every: 120)),
      RuleExample(
        "nine attempts",
        steps: [
          .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()),
        ] + attempts(every: 1).prefix(18)),
      RuleExample(
        "many things fail, each of them once",
        steps: tasks(8, pause: .milliseconds(100)) { "avatar \($0)" }),
      RuleExample("a pause between the tasks", steps: tasks(8, pause: .seconds(5))),
      RuleExample("four times again", steps: tasks(5, pause: .milliseconds(100))),
      RuleExample(
        "the same again and again, because it goes well",
        steps: (1...8 as ClosedRange<UInt32>).flatMap { place -> [RuleExample.Step] in
          let start: Duration = .milliseconds(100 * Int(place))
          return [
            .at(start, TaskCreated(task: .example(place), type: .data, intent: "poll")),
            .at(start, TaskResumed(task: .example(place))),
            .at(start + .milliseconds(20), TaskCompleted(task: .example(place), received: 10, status: 200)),
          ]
        }),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.triedAgain)]
  static let watches: Set<EventKind> = [.taskCreated, .appIntentDeclared, .appIntentBound, .attemptStarted]

  /// As many as are kept of a task.
  var attempts = TaskFacts.startsLimit
  /// In so much time ten attempts are one a minute, which only a pause that does not grow gives.
  var attemptSpan: Duration = .seconds(600)
  /// A new task so soon behind a failure was made by the failure's handler, not by a plan.
  var instant: Duration = .seconds(1)
  /// Once or twice may be meant well.
  var quickRetries = 5

  static let limits = [
    RuleLimit("attempts", \Self.attempts, "how many attempts make a storm, at most ten"),
    RuleLimit("attempt-span", \Self.attemptSpan, "within how much time"),
    RuleLimit("instant", \Self.instant, "how soon behind a failure a new task is made without a pause"),
    RuleLimit("quick-retries", \Self.quickRetries, "how many such tasks in a row make a storm, at most five"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if let finding = stormOfAttempts(task) ?? stormOfTasks(task) { return .finding(finding) }
    return asked.isTaskOver ? .silent : nil
  }

  private func stormOfAttempts(_ task: TaskLifecycle) -> Draft? {
    let starts = task.attemptStarts.suffix(attempts)
    guard starts.count == attempts, let first = starts.first, let last = starts.last,
      let span = first.duration(to: last), span <= attemptSpan
    else { return nil }
    return Draft(
      variant: "attempts",
      summary: "Task \(task.identity.text) was tried \(starts.count) times in \(span.inSeconds).",
      claim: .presence, evidence: first, Array(starts.dropFirst()))
  }

  private func stormOfTasks(_ task: TaskLifecycle) -> Draft? {
    guard let created = task.created else { return nil }
    let next = task.failedTries.dropFirst().map(\.created) + [created]
    let isQuick = zip(task.failedTries, next).map { failed, next in
      failed.completed.duration(to: next).map { $0 >= .zero && $0 <= instant } ?? false
    }
    // A storm that goes on has been reported.
    let (last, before) = (isQuick.suffix(quickRetries), isQuick.dropLast(quickRetries))
    guard last.count == quickRetries, !last.contains(false), !before.contains(true) else { return nil }
    let failed = task.failedTries.suffix(quickRetries)
    let intent = task.intent.map { " for \($0)" } ?? ""
    return Draft(
      variant: "tasks",
      summary:
        "\(quickRetries) times in a row a new task\(intent) was made within \(instant.inSeconds) of the failure.",
      claim: .presence, evidence: created, failed.flatMap { [$0.created, $0.completed] })
  }
}
