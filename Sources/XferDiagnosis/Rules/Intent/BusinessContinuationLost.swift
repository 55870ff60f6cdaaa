import XferEvents
import XferLifecycle
import XferReplay

/// A plan of several steps that the app did not continue after a step had succeeded in the background.
struct BusinessContinuationLost: IntentRule {
  /// A plan of two steps; the app exits while the task of the first step is in flight.
  private static let plan: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .user, executable: "app")),
    .at(1, SessionCreated(session: "default-1", sessionKind: .background)),
    .at(1, AppIntentDeclared(intent: "import-7", step: "fetch", durable: true)),
    .at(1, AppIntentDeclared(intent: "import-7", step: "upload", durable: true)),
    .at(2, TaskCreated(type: .data, intent: "import-7")), .at(2, TaskResumed()),
    .at(3, ProcessExited(code: 0, exitReason: .returned)),
  ]
  private static let launched = RuleExample.Step.at(
    60, ProcessStarted(startReason: .transfer, background: true, executable: "app"), by: .nextLife)
  private static let succeeded = RuleExample.Step.at(61, TaskCompleted(received: 5, status: 200), by: .nextLife)
  private static let exited = RuleExample.Step.at(70, ProcessExited(code: 0, exitReason: .returned), by: .nextLife)
  /// The steps of the two launches after the step has succeeded.
  private static let followed: [RuleExample.Step] = [
    .at(100, ProcessStarted(startReason: .user, executable: "app"), by: .laterLife),
    .at(190, LogHeartbeatWritten(), by: .laterLife), .at(200, ProcessExited(code: 0, exitReason: .returned), by: .laterLife),
    .at(300, ProcessStarted(startReason: .user, executable: "app"), by: .lastLife),
  ]
  private static func alive(at time: Double = 400) -> [RuleExample.Step] {
    [.at(time, LogHeartbeatWritten(), by: .lastLife)]
  }
  private static let done = plan + [launched, succeeded, exited]

  static let description = RuleDescription(
    id: "business-continuation-lost", severity: .error,
    summary: "A step of the app’s plan succeeded in the background, but the app did not continue the plan.",
    explanation: """
      The app's work takes several steps, for example to fetch a file and then to upload it, and a transfer is one of them. \
      When the transfer completes during a background launch, the code that would continue (the screen, the logged-in user, \
      the waiting closure) does not exist. Unless the app stores the current step and reads it at the next launch, the plan \
      stops without an error. The rule reports a plan with remaining steps if, after a successful step, the app neither \
      created a task for the plan nor recorded an outcome, in that launch and the next two.
      """,
    remedy: "Store the plan and its current step before each step begins; at every launch, continue the unfinished plans.",
    sources: [],
    reports: [
      RuleExample(
        "two launches later, the second step has not started", .probable, cites: [.taskCompleted],
        steps: done + followed + alive())
    ],
    staysSilent: [
      RuleExample(
        "the app started the second step at the next launch",
        steps: done + followed.prefix(1) + [
          .at(110, TaskCreated(task: .example(2), type: .upload, intent: "import-7"), by: .laterLife)
        ] + followed.dropFirst() + alive()),
      RuleExample(
        "the app recorded an outcome",
        steps: plan + [
          launched, succeeded, .at(62, AppOutcomeRecorded(intent: "import-7", outcome: .success), by: .nextLife), exited,
        ] + followed + alive()),
      RuleExample(
        "the step succeeded while the app was in the foreground",
        steps: plan + [
          .at(60, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
          .at(60, ProcessStateChanged(state: .foreground), by: .nextLife), succeeded, exited,
        ] + followed + alive()),
      RuleExample("only one launch has followed", steps: done + followed.prefix(2)),
      RuleExample("the second launch took place ten seconds ago", steps: done + followed + alive(at: 310)),
      RuleExample(
        "the step failed",
        steps: plan + [
          launched, .at(61, TaskCompleted(domain: .curl, error: 56, errorName: "networkConnectionLost"), by: .nextLife), exited,
        ] + followed + alive()),
      RuleExample(
        "the plan has one step",
        steps: [
          .at(0, ProcessStarted(startReason: .user, executable: "app")),
          .at(1, AppIntentDeclared(intent: "import-7", step: "fetch", durable: true)),
          .at(2, TaskCreated(type: .data, intent: "import-7")), .at(3, ProcessExited(code: 0, exitReason: .returned)),
          launched, succeeded, exited,
        ] + followed + alive()),
    ])

  static let watches: Set<EventKind> = [
    .taskCompleted, .taskCreated, .processStarted, .appIntentDeclared, .appIntentBound, .appOutcomeRecorded,
  ]

  /// The number of launches, after the one in which the step succeeded, within which the app should continue the plan.
  var launches = 2
  /// The time for the last of these launches to continue the plan.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("launches", \Self.launches, "how many launches may pass before the app continues the plan"),
    RuleLimit("patience", \Self.patience, "how long the last of these launches may take to continue the plan"),
  ]

  func verdict(on intent: IntentLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if !intent.isOpen { return .silent }
    guard let completed = intent.completed, intent.hasSucceeded, intent.completedUnseen, intent.successes < intent.steps.count
    else { return asked.isEndOfLog ? .silent : nil }
    // A step that was declared after the completion shows that the app continued the plan.
    if let step = intent.lastStep, completed.duration(to: step) ?? .zero > .zero { return .silent }
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
          A step of “\(intent.key)” succeeded in the background, but the app did not continue the plan in the next \(launches) \
          launches.
          """,
        claim: .absence(since: completed, shownBy: .coverage), evidence: completed,
        missing: [.init(.taskCreated, dueBy: due), .init(.appOutcomeRecorded, dueBy: due)],
        unless: ["the plan waits for the user by design"], tasks: intent.bindings.last.map { [$0.task] } ?? []))
  }
}
