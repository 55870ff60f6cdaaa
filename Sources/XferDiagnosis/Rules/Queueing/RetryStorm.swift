import XferEvents
import XferLifecycle
import XferReplay

/// A transfer is retried in rapid succession, without an adequate pause.
struct RetryStorm: TaskRule {
  /// The steps of an example: one task makes ten attempts.
  private static func attempts(every seconds: Int) -> [RuleExample.Step] {
    [.at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed())]
      + (1...10).flatMap { number -> [RuleExample.Step] in
        let time: Duration = .seconds(number * seconds)
        let ended = AttemptEnded(attempt: number, end: .transport, domain: .curl, error: 7, retryIn: .seconds(seconds))
        return [.at(time, AttemptStarted(attempt: number)), .at(time + .milliseconds(5), ended)]
      }
  }

  /// Returns the steps of tasks that all fail. Each task is created after the previous one has failed and a pause has passed.
  private static func tasks(
    _ count: UInt32, pause: Duration = .milliseconds(100), intent: (UInt32) -> String = { _ in "avatar" }
  ) -> [RuleExample.Step] {
    (1...count).flatMap { place -> [RuleExample.Step] in
      let start = (pause + .milliseconds(20)) * (Int(place) - 1)
      let failed = TaskCompleted(
        task: .example(place), delivery: DeliveryID(UInt64(place)), domain: .url, error: -1004, errorName: "cannotConnectToHost")
      return [
        .at(start, TaskCreated(task: .example(place), type: .data, intent: intent(place))),
        .at(start + .milliseconds(1), TaskResumed(task: .example(place))), .at(start + .milliseconds(20), failed),
      ]
    }
  }

  /// Returns tasks that all fail. Each next task is created in the completion callback, and so before `task.completed`.
  private static func tasksInCallbacks(_ count: UInt32) -> [RuleExample.Step] {
    (1...count).flatMap { place -> [RuleExample.Step] in
      let (task, delivery, start) = (TaskIdentity.example(place), DeliveryID(UInt64(place)), Double(place) * 0.1)
      let created: [RuleExample.Step] =
        place == 1 ? [.at(start, TaskCreated(task: task, type: .data, intent: "avatar"))] : []
      let next: [RuleExample.Step] =
        place == count
        ? [] : [.at(start + 0.021, TaskCreated(task: .example(place + 1), type: .data, intent: "avatar"))]
      let failed = TaskCompleted(
        task: task, delivery: delivery, domain: .url, error: -1004, errorName: "cannotConnectToHost")
      return created + [
        .at(start + 0.001, TaskResumed(task: task)),
        .at(start + 0.02, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
      ] + next + [
        .at(start + 0.022, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)), .at(start + 0.023, failed),
      ]
    }
  }

  static let description = RuleDescription(
    id: "retry-storm", severity: .error,
    summary: "The transfer was retried in rapid succession.",
    explanation: """
      A transfer that has just failed usually fails again. Retries without a growing pause keep the radio on, fill queues and \
      logs, and hit a recovering server from all devices at once. The variants name the source: "attempts" when the engine \
      makes many attempts of one task in a short time, "tasks" when several tasks for one intent fail in a row and the app \
      creates the next one immediately after each failure.
      """,
    remedy: """
      Use exponential backoff with jitter, limit the number of retries, and do not retry errors that a retry cannot fix. Honour \
      Retry-After.
      """,
    sources: [
      "https://github.com/tus/TUSKit/issues/27", "https://github.com/rclone/rclone/issues/1217",
      "https://github.com/aws-amplify/aws-sdk-ios/issues/1153",
    ],
    reports: [
      RuleExample(
        "ten attempts in ten seconds", .certain, variant: "attempts", cites: [.attemptStarted], steps: attempts(every: 1)),
      RuleExample(
        "five failures in a row were followed by a new task for the same intent within a second", .certain, variant: "tasks",
        cites: [
          .taskCreated, .first(.taskCompleted), .number(2, .taskCompleted), .number(3, .taskCompleted),
          .number(4, .taskCompleted), .number(5, .taskCompleted),
        ],
        steps: tasks(6)),
      RuleExample(
        "each task was created in the completion callback of the failed one", .certain, variant: "tasks",
        cites: [
          .taskCreated, .first(.taskCompleted), .number(2, .taskCompleted), .number(3, .taskCompleted),
          .number(4, .taskCompleted), .number(5, .taskCompleted),
        ],
        steps: tasksInCallbacks(6)),
    ],
    staysSilent: [
      RuleExample("only four tasks were created in the completion callback of a failed one", steps: tasksInCallbacks(5)),
      RuleExample("ten attempts in twenty minutes", steps: attempts(every: 120)),
      RuleExample("nine attempts in nine seconds", steps: attempts(every: 1).dropLast(2)),
      RuleExample("eight tasks with different intents failed once each", steps: tasks(8) { "avatar \($0)" }),
      RuleExample("five seconds passed between a failure and the next task", steps: tasks(8, pause: .seconds(5))),
      RuleExample("only four failures were followed by a new task", steps: tasks(5)),
      RuleExample(
        "tasks for one intent followed each other because they succeeded",
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
  static let watches: Set<EventKind> = [.taskCreated, .taskCompleted, .appIntentDeclared, .appIntentBound, .attemptStarted]

  /// The number of attempts that counts as too many. At most `TaskFacts.startsLimit`, the number of starts kept for a task.
  var attempts = TaskFacts.startsLimit
  /// The maximum time between the first and the last attempt. Ten attempts in ten minutes are one per minute, too many for
  /// retries with growing pauses.
  var attemptSpan: Duration = .seconds(600)
  /// The maximum time from a failure to a new task that the failure's handler created without a pause.
  var instant: Duration = .seconds(1)
  /// The number of immediate retries in a row that counts as too many. One or two are acceptable.
  var quickRetries = 5

  static let limits = [
    RuleLimit("attempts", \Self.attempts, "the number of attempts of a task that counts as too many (at most ten)"),
    RuleLimit("attempt-span", \Self.attemptSpan, "the maximum time between the first and the last of these attempts"),
    RuleLimit("instant", \Self.instant, "the maximum time from a failure to a new task that counts as an immediate retry"),
    RuleLimit(
      "quick-retries", \Self.quickRetries, "the number of immediate retries in a row that counts as too many (at most five)"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if let finding = stormOfAttempts(task) ?? stormOfTasks(task) { return .finding(finding) }
    return asked.isTaskOver ? .silent : nil
  }

  func finalSummary(
    of finding: Finding, on task: TaskLifecycle, _ memories: (all: RuleMemories, rule: Int), in world: World
  ) -> String? {
    switch finding.variant {
    case "attempts":
      guard task.attemptCount > finding.evidence.count else { return nil }
      return """
        Task \(task.identity.label) made \(task.attemptCount) attempts, \(finding.evidence.count) of them within \
        \(attemptSpan.inSeconds).
        """
    default:
      guard let intent = task.intent, let count = world.failuresInRow[intent], count > quickRetries else { return nil }
      return """
        \(count) tasks for “\(intent)” failed in a row, and the app created a new task within \(instant.inSeconds) after at least \
        \(quickRetries) of these failures.
        """
    }
  }

  private func stormOfAttempts(_ task: TaskLifecycle) -> Draft? {
    let starts = task.attemptStarts.suffix(attempts)
    guard starts.count == attempts, let first = starts.first, let last = starts.last,
      let span = first.duration(to: last), span <= attemptSpan
    else { return nil }
    return Draft(
      variant: "attempts",
      summary: "Task \(task.identity.label) made \(starts.count) attempts in \(span.inSeconds).",
      claim: .presence, evidence: first, Array(starts.dropFirst()))
  }

  private func stormOfTasks(_ task: TaskLifecycle) -> Draft? {
    guard let created = task.created else { return nil }
    let next = task.failedTries.dropFirst().map(\.created) + [created]
    let isQuick = zip(task.failedTries, next).map { failed, next in
      // An app that retries in its completion callback creates the next task before the completion is recorded.
      [failed.completed, failed.told].compactMap { $0?.duration(to: next) }.contains { $0 >= .zero && $0 <= instant }
    }
    // A storm that continues has been reported already.
    let (last, before) = (isQuick.suffix(quickRetries), isQuick.dropLast(quickRetries))
    guard last.count == quickRetries, !last.contains(false), !before.contains(true) else { return nil }
    let failed = task.failedTries.suffix(quickRetries)
    let intent = task.intent.map { " for “\($0)”" } ?? ""
    return Draft(
      variant: "tasks",
      summary: """
        \(quickRetries) tasks\(intent) failed in a row, and the app created a new task within \(instant.inSeconds) after each \
        failure.
        """,
      claim: .presence, evidence: created, failed.flatMap { [$0.created, $0.completed] })
  }
}
