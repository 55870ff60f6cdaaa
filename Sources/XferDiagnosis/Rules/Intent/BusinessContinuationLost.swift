import XferEvents
import XferLifecycle
import XferReplay

/// A step of the app's plan was done in the background, and the next one never came.
struct BusinessContinuationLost: IntentRule {
  private static let plan: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .user, executable: "app")),
    .at(1, SessionCreated(session: TaskIdentity.example.session, sessionKind: .background)),
    .at(1, AppIntentDeclared(intent: "import-7", step: "fetch", durable: true)),
    .at(1, AppIntentDeclared(intent: "import-7", step: "upload", durable: true)),
    .at(2, TaskCreated(type: .data, intent: "import-7")), .at(2, TaskResumed()),
    .at(3, ProcessExited(code: 0, exitReason: .returned)),
  ]
  private static let woken = RuleExample.Step.at(
    60, ProcessStarted(startReason: .transfer, background: true, executable: "app"), by: .nextLife)
  private static let succeeded = TaskCompleted(received: 5, status: 200)
  private static let slept = RuleExample.Step.at(70, ProcessExited(code: 0, exitReason: .returned), by: .nextLife)
  /// The two launches that follow.
  private static let followed: [RuleExample.Step] = [
    .at(100, ProcessStarted(startReason: .user, executable: "app"), by: .laterLife),
    .at(190, LogHeartbeatWritten(), by: .laterLife), .at(200, ProcessExited(code: 0, exitReason: .returned), by: .laterLife),
    .at(300, ProcessStarted(startReason: .user, executable: "app"), by: .lastLife),
  ]
  private static let lived = RuleExample.Step.at(400, LogHeartbeatWritten(), by: .lastLife)

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
        "two launches later there is still no second step", .probable, cites: [.taskCompleted],
        steps: plan + [woken, .at(61, succeeded, by: .nextLife), slept] + followed + [lived])
    ],
    staysSilent: [
      RuleExample(
        "the next step was begun at the next launch",
        steps: plan + [woken, .at(61, succeeded, by: .nextLife), slept] + followed.prefix(1) + [
          .at(110, TaskCreated(task: .example(2), type: .upload, intent: "import-7"), by: .laterLife)
        ] + followed.dropFirst() + [lived]),
      RuleExample(
        "the app says that it is done",
        steps: plan + [woken, .at(61, succeeded, by: .nextLife)] + [
          .at(62, AppOutcomeRecorded(intent: "import-7", outcome: .success), by: .nextLife), slept,
        ] + followed + [lived]),
      RuleExample(
        "the user had the app in front",
        steps: plan + [
          .at(60, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
          .at(60, ProcessStateChanged(state: .foreground), by: .nextLife),
          .at(61, succeeded, by: .nextLife), slept,
        ] + followed + [lived]),
      RuleExample(
        "there is one launch so far",
        steps: plan + [woken, .at(61, succeeded, by: .nextLife), slept] + followed.prefix(2)),
      RuleExample(
        "the second launch is only just under way",
        steps: plan + [woken, .at(61, succeeded, by: .nextLife), slept] + followed + [
          .at(310, LogHeartbeatWritten(), by: .lastLife)
        ]),
      RuleExample(
        "it failed",
        steps: plan + [
          woken,
          .at(61, TaskCompleted(domain: .curl, error: 56, errorName: "networkConnectionLost"), by: .nextLife), slept,
        ] + followed + [lived]),
      RuleExample(
        "a plan of one step",
        steps: [
          .at(0, ProcessStarted(startReason: .user, executable: "app")),
          .at(1, AppIntentDeclared(intent: "import-7", step: "fetch", durable: true)),
          .at(2, TaskCreated(type: .data, intent: "import-7")),
          .at(3, ProcessExited(code: 0, exitReason: .returned)), woken,
          .at(61, succeeded, by: .nextLife), slept,
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
