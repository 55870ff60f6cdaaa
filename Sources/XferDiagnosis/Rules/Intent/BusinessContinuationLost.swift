import XferEvents
import XferLifecycle
import XferReplay

/// A step of the app's plan was done in the background, and the next one never came.
struct BusinessContinuationLost: IntentRule {
  private static let plan: [RuleExample.Step] = [
    .event(ProcessStarted(startReason: .user, executable: "app"), at: .zero),
    .event(SessionCreated(session: TaskIdentity.example.session, sessionKind: .background), at: .seconds(1)),
    .event(AppIntentDeclared(intent: "import-7", step: "fetch", durable: true), at: .seconds(1)),
    .event(AppIntentDeclared(intent: "import-7", step: "upload", durable: true), at: .seconds(1)),
    .event(TaskCreated(task: .example, type: .data, intent: "import-7"), at: .seconds(2)),
    .event(TaskResumed(task: .example), at: .seconds(2)),
    .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(3)),
  ]
  private static let woken = RuleExample.Step.event(
    ProcessStarted(startReason: .transfer, background: true, executable: "app"), at: .seconds(60), by: .nextLife)
  private static let succeeded = TaskCompleted(task: .example, received: 5, status: 200)
  private static let slept = RuleExample.Step.event(
    ProcessExited(code: 0, exitReason: .returned), at: .seconds(70), by: .nextLife)
  /// The two launches that follow.
  private static let followed: [RuleExample.Step] = [
    .event(ProcessStarted(startReason: .user, executable: "app"), at: .seconds(100), by: .laterLife),
    .event(LogHeartbeatWritten(), at: .seconds(190), by: .laterLife),
    .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(200), by: .laterLife),
    .event(ProcessStarted(startReason: .user, executable: "app"), at: .seconds(300), by: .lastLife),
  ]
  private static let lived = RuleExample.Step.event(LogHeartbeatWritten(), at: .seconds(400), by: .lastLife)

  static let description = RuleDescription(
    id: "business-continuation-lost", severity: .error,
    summary: "A step of the app’s plan succeeded in the background, and the plan was not gone on with.",
    explanation: """
      What the app wants takes several steps: fetch this, then send that. A transfer is one of them, and when it is done in a \
      launch in the background, the code that would go on (the screen, the logged-in user, the closure that waited) is not \
      there. Unless the step that was reached is stored, and looked for at the next launch, the plan ends in the middle \
      without an error. The log shows a success, further steps, and neither a task nor an outcome in that life and the two \
      that follow.
      """,
    remedy: """
      Store the plan and the step that it has reached before each step begins; at every launch, go on with the plans that \
      are not over.
      """,
    sources: [],
    reports: [
      RuleExample(
        "two launches later there is still no second step", certainty: .probable,
        steps: plan + [woken, .evidence(succeeded, at: .seconds(61), by: .nextLife), slept] + followed + [lived])
    ],
    staysSilent: [
      RuleExample(
        "the next step was begun at the next launch",
        steps: plan + [woken, .event(succeeded, at: .seconds(61), by: .nextLife), slept] + followed.prefix(1) + [
          .event(TaskCreated(task: .example(2), type: .upload, intent: "import-7"), at: .seconds(110), by: .laterLife)
        ] + followed.dropFirst() + [lived]),
      RuleExample(
        "the app says that it is done",
        steps: plan + [woken, .event(succeeded, at: .seconds(61), by: .nextLife)] + [
          .event(AppOutcomeRecorded(intent: "import-7", outcome: .success), at: .seconds(62), by: .nextLife), slept,
        ] + followed + [lived]),
      RuleExample(
        "the user had the app in front",
        steps: plan + [
          .event(ProcessStarted(startReason: .user, executable: "app"), at: .seconds(60), by: .nextLife),
          .event(ProcessStateChanged(state: .foreground), at: .seconds(60), by: .nextLife),
          .event(succeeded, at: .seconds(61), by: .nextLife), slept,
        ] + followed + [lived]),
      RuleExample(
        "there is one launch so far",
        steps: plan + [woken, .event(succeeded, at: .seconds(61), by: .nextLife), slept] + followed.prefix(2)),
      RuleExample(
        "the second launch is only just under way",
        steps: plan + [woken, .event(succeeded, at: .seconds(61), by: .nextLife), slept] + followed + [
          .event(LogHeartbeatWritten(), at: .seconds(310), by: .lastLife)
        ]),
      RuleExample(
        "it failed",
        steps: plan + [
          woken,
          .event(
            TaskCompleted(task: .example, domain: .curl, error: 56, errorName: "networkConnectionLost"), at: .seconds(61),
            by: .nextLife), slept,
        ] + followed + [lived]),
      RuleExample(
        "a plan of one step",
        steps: [
          .event(ProcessStarted(startReason: .user, executable: "app"), at: .zero),
          .event(AppIntentDeclared(intent: "import-7", step: "fetch", durable: true), at: .seconds(1)),
          .event(TaskCreated(task: .example, type: .data, intent: "import-7"), at: .seconds(2)),
          .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(3)), woken,
          .event(succeeded, at: .seconds(61), by: .nextLife), slept,
        ] + followed + [lived]),
    ])

  static let watches: Set<EventKind> = [
    .taskCompleted, .taskCreated, .processStarted, .appIntentDeclared, .appIntentBound, .appOutcomeRecorded,
  ]

  /// Launches after the one in which the step succeeded.
  var launches = 2
  /// For the last of them to go on.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("launches", \Self.launches, "how many launches may pass before the plan is gone on with"),
    RuleLimit("patience", \Self.patience, "how long the last of them may take"),
  ]

  func verdict(on intent: IntentLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if !intent.isOpen { return .silent }
    guard let completed = intent.completed, intent.hasSucceeded, intent.completedUnseen, intent.successes < intent.steps.count
    else { return asked.isEndOfLog ? .silent : nil }
    // A step that was declared since is the plan going on.
    if let step = intent.lastStep?.wall, let then = completed.wall, step > then { return .silent }
    guard intent.livesSinceCompletion >= launches else { return nil }
    let life = world.processes[intent.process]
    guard let began = life.started ?? life.firstSeen else { return nil }
    if intent.livesSinceCompletion == launches, life.endFact == nil, asked.covered(since: began, by: life) < patience {
      return asked.isEndOfLog ? nil : .wait(patience, after: began)
    }
    let due = began.monotonic.map { Moment(monotonic: $0.addingClamped(patience.nanoseconds)) }
    return .finding(
      Draft(
        summary: """
          A step of “\(intent.key)” succeeded in the background; in \(launches) launches since then the app did not go on with it.
          """,
        claim: .absence(since: completed, shownBy: .coverage), evidence: completed,
        missing: [.init(.taskCreated, dueBy: due), .init(.appOutcomeRecorded, dueBy: due)],
        unless: ["the plan waits for its user by design"], tasks: intent.bindings.last.map { [$0.task] } ?? []))
  }
}
