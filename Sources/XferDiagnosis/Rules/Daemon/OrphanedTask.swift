import XferEvents
import XferLifecycle
import XferReplay

/// The daemon works for nobody.
struct OrphanedTask: TaskRule {
  private static let session = RuleExample.Step.at(
    0, SessionCreated(session: TaskIdentity.example.session, sessionKind: .background, hasDelegate: true))
  private static let daemon = RuleExample.Step.at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon)
  private static let made: [RuleExample.Step] = [
    daemon, .at(0, ProcessStarted(startReason: .user, executable: "app")), session,
    .at(1, TaskCreated(type: .download, intent: "film")), .at(1, TaskResumed()),
  ]
  private static let ended = RuleExample.Step.at(5, ProcessExited(code: 0, exitReason: .returned))
  private static let nextLife = RuleExample.Step.at(60, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife)
  private static func tried(at time: Duration) -> RuleExample.Step { .at(time, AttemptStarted(attempt: 1), by: .daemon) }
  private static func outcome(_ outcome: Outcome) -> AppOutcomeRecorded {
    AppOutcomeRecorded(intent: "film", task: .example, outcome: outcome)
  }

  static let description = RuleDescription(
    id: "orphaned-task", severity: .warning,
    summary: "The daemon works on a task that nobody wants or takes.",
    explanation: """
      A background task goes on until it is complete, cancelled, or over its resource limit, which is seven days by default. An \
      app that forgets its record, or no longer makes the session, leaves such tasks behind: they are tried again and again, cost \
      data and power, and take connections from those that are wanted. The variant says how it shows: "no longer wanted" (the app \
      had given it up and not cancelled it), or "nobody connects" (the app lived, and its session was not connected for a day).
      """,
    remedy: """
      At each launch list the session's tasks and cancel those for which there is no record. Cancel a task when its purpose is \
      given up, and set a resource limit that fits the purpose.
      """,
    sources: [
      "https://github.com/Automattic/pocket-casts-ios/pull/1786", "https://github.com/home-assistant/iOS/pull/801",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "tried again after the app had given it up", .certain, variant: "no longer wanted",
        cites: [.appOutcomeRecorded, .attemptStarted],
        steps: made + [.at(3, outcome(.discarded)), tried(at: .seconds(9))]),
      RuleExample(
        "a day without a connection, and the app lived", .probable, variant: "nobody connects",
        cites: [.last(.processStarted), .processExited, .attemptStarted],
        steps: made + [ended, nextLife, tried(at: .seconds(90_000))]),
    ],
    staysSilent: [
      RuleExample(
        "given up and cancelled",
        steps: made + [.at(3, TaskCancelRequested(by: .app)), .at(3, outcome(.discarded)), tried(at: .seconds(9))]),
      RuleExample("it was not tried after that", steps: made + [tried(at: .seconds(2)), .at(3, outcome(.discarded))]),
      RuleExample(
        "bound anew to another record",
        steps: made + [
          .at(3, AppIntentUnbound(intent: "tile", task: .example, reason: "moved")),
          .at(4, AppIntentBound(intent: "tile", task: .example, key: "uid")), tried(at: .seconds(9)),
        ]),
      RuleExample("the app has not been opened since", steps: made + [ended, tried(at: .seconds(90_000))]),
      RuleExample("not a day yet", steps: made + [ended, nextLife, tried(at: .seconds(80_000))]),
      RuleExample(
        "the app's next life connected the session",
        steps: made + [
          ended, nextLife,
          .at(
            61, SessionCreated(session: TaskIdentity.example.session, sessionKind: .background, hasDelegate: true), by: .nextLife),
          tried(at: .seconds(90_000)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.orphaned)]
  static let watches: Set<EventKind> = [.attemptStarted]

  var patience: Duration = .seconds(86_400)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a background session may be without a connection while its app lives")
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let oddities = task.oddities
    if task.cancelRequested == nil, let unwanted = oddities.unwanted, let started = task.attempt?.started,
      world.process(of: task).role == .daemon, unwanted.duration(to: started) ?? .zero > .zero
    {
      return .finding(
        Draft(
          variant: "no longer wanted",
          summary: "The daemon began an attempt of \(task.identity.text), which its app had given up.",
          claim: .absence(since: unwanted, shownBy: .overtaken(by: started)), evidence: unwanted, [started],
          missing: [.init(.taskCancelRequested, dueBy: started.moment)]))
    }
    if let unowned = oddities.unowned, unowned.ended.duration(to: unowned.attempt) ?? .zero > patience {
      return .finding(
        Draft(
          variant: "nobody connects",
          summary: "The daemon works on \(task.identity.text), whose session no process has had for a day while its app lived.",
          claim: .absence(since: unowned.ended, shownBy: .coverage), evidence: unowned.ended, [unowned.lived, unowned.attempt],
          missing: [.init(.sessionConnected, dueBy: unowned.attempt.moment)]))
    }
    return asked.isTaskOver ? .silent : nil
  }
}
