import XferEvents
import XferLifecycle
import XferReplay

/// A task that the daemon works on although the app no longer wants it or no longer connects its session.
struct OrphanedTask: TaskRule {
  private static let session = SessionCreated(session: "default-1", sessionKind: .background, hasDelegate: true)
  private static let made: [RuleExample.Step] = [
    .at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon),
    .at(0, ProcessStarted(startReason: .user, executable: "app")), .at(0, session),
    .at(1, TaskCreated(type: .download, intent: "film")), .at(1, TaskResumed()),
  ]
  private static let discarded = RuleExample.Step.at(
    3, AppOutcomeRecorded(intent: "film", task: .example, outcome: .discarded))
  private static let ended = RuleExample.Step.at(5, ProcessExited(code: 0, exitReason: .returned))
  private static let nextLife = RuleExample.Step.at(60, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife)
  private static func attempt(at time: Double) -> RuleExample.Step { .at(time, AttemptStarted(attempt: 1), by: .daemon) }

  static let description = RuleDescription(
    id: "orphaned-task", severity: .warning,
    summary: "The daemon works on a task that the app has abandoned.",
    explanation: """
      A background task continues until it completes, is cancelled, or exceeds its resource timeout, seven days by default. An \
      app that deletes its record of the task, or no longer creates the session, leaves such tasks behind: the daemon retries \
      them, they cost data and power, and they occupy connections that other tasks need. The variants are "no longer wanted" \
      (the app discarded the task without cancelling it) and "nobody connects" (the app was running, but no process connected \
      the session for a day).
      """,
    remedy: """
      At each launch, list the session's tasks and cancel those without a record. Cancel a task when the app no longer needs \
      it, and set timeoutIntervalForResource to a time that fits its purpose.
      """,
    sources: [
      "https://github.com/Automattic/pocket-casts-ios/pull/1786", "https://github.com/home-assistant/iOS/pull/801",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "an attempt started after the app had discarded the task", .certain, variant: "no longer wanted",
        cites: [.appOutcomeRecorded, .attemptStarted], steps: made + [discarded, attempt(at: 9)]),
      RuleExample(
        "the app was running, but no process connected the session for a day", .probable, variant: "nobody connects",
        cites: [.last(.processStarted), .processExited, .attemptStarted], steps: made + [ended, nextLife, attempt(at: 90_000)]),
    ],
    staysSilent: [
      RuleExample(
        "the app cancelled the task when it discarded it",
        steps: made + [.at(3, TaskCancelRequested(by: .app)), discarded, attempt(at: 9)]),
      RuleExample("the task was discarded after its last attempt", steps: made + [attempt(at: 2), discarded]),
      RuleExample(
        "the app reused the task for other work (another intent)",
        steps: made + [
          .at(3, AppIntentUnbound(intent: "tile", task: .example, reason: "moved")),
          .at(4, AppIntentBound(intent: "tile", task: .example, key: "uid")), attempt(at: 9),
        ]),
      RuleExample("the app has not been opened since", steps: made + [ended, attempt(at: 90_000)]),
      RuleExample("less than a day has passed", steps: made + [ended, nextLife, attempt(at: 80_000)]),
      RuleExample(
        "the app's next launch connected the session",
        steps: made + [ended, nextLife, .at(61, session, by: .nextLife), attempt(at: 90_000)]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.orphaned)]
  static let watches: Set<EventKind> = [.attemptStarted]

  var patience: Duration = .seconds(86_400)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a background session may stay unconnected although its app runs")
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let oddities = task.oddities
    if task.cancelRequested == nil, let unwanted = oddities.unwanted, let started = task.attempt?.started,
      world.process(of: task).role == .daemon, unwanted.duration(to: started) ?? .zero > .zero
    {
      return .finding(
        Draft(
          variant: "no longer wanted",
          summary: "The daemon started an attempt of task \(task.identity.label), which the app had discarded.",
          claim: .absence(since: unwanted, shownBy: .overtaken(by: started)), evidence: unwanted, [started],
          missing: [.init(.taskCancelRequested, dueBy: started.moment)]))
    }
    if let unowned = oddities.unowned, unowned.ended.duration(to: unowned.attempt) ?? .zero > patience {
      return .finding(
        Draft(
          variant: "nobody connects",
          summary: """
            The daemon works on task \(task.identity.label), but no process connected its session for a day, although the app \
            was running.
            """,
          claim: .absence(since: unowned.ended, shownBy: .coverage), evidence: unowned.ended, [unowned.lived, unowned.attempt],
          missing: [.init(.sessionConnected, dueBy: unowned.attempt.moment)]))
    }
    return asked.isTaskOver ? .silent : nil
  }
}
