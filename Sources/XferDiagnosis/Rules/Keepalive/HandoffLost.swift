import XferEvents
import XferLifecycle
import XferReplay

/// A transfer was cancelled to be handed to a background session, and no task took it over in time.
struct HandoffLost: HandoffRule {
  private static let (foreground, background) = ("default-1", "com.example.photos")
  private static let first = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: foreground, number: 1)
  private static let second = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)
  private static let created = TaskCreated(task: second, type: .download, intent: "photo-1")
  private static let expired = AssertionExpired(assertion: CorrelationID(5), name: "photos")
  private static let cancelled = TaskCancelRequested(task: first, by: .app)
  private static let stopped = ProcessStateChanged(state: .suspended)

  /// A download in front, background time for it, and both sessions.
  private static func story(intent: String? = "photo-1", isKnown: Bool = true) -> [RuleExample.Step] {
    let behind = RuleExample.Step.at(
      0.9, SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background))
    return [
      .at(0, ProcessStarted(executable: "app")),
      .at(0.001, SessionCreated(session: foreground, instance: CorrelationID(1), sessionKind: .default)),
      .at(0.002, TaskCreated(task: first, type: .download, intent: intent)),
      .at(0.003, TaskResumed(task: first)),
      .at(0.004, AttemptStarted(task: first, attempt: 1)),
    ] + (isKnown ? [behind] : []) + [.at(1, AssertionBegun(assertion: CorrelationID(5), name: "photos"))]
  }

  private static let over: [RuleExample.Step] = [
    .at(31.001, AttemptEnded(task: first, attempt: 1, end: .cancelled)),
    .at(31.002, AssertionEnded(assertion: CorrelationID(5), name: "photos")),
  ]

  static let description = RuleDescription(
    id: "handoff-lost", severity: .critical,
    summary: "A transfer was cancelled for a background session, and nothing took its place before the app was stopped.",
    explanation: """
      An app that transfers in front and wants to go on behind has to cancel the task when its background time runs out, \
      and make another one in a background session. The resume data for that comes in a callback, later: by then the \
      handler has returned, the time has been given back and the app is suspended. The first task is cancelled, the second \
      never made, or made when the user comes back. The variant says which.
      """,
    remedy: """
      Start what may take long in the background session at once. Otherwise make the new task before the old one is \
      cancelled, and end the background time only when it has been resumed.
      """,
    sources: ["https://github.com/Infomaniak/ios-kDrive/pull/783"],
    reports: [
      RuleExample(
        "cancelled when the time ran out, and suspended", .probable, variant: "never made",
        cites: [.assertionExpired, .taskCancelRequested, .processStateChanged],
        steps: story() + [.at(31, expired), .at(31, cancelled)] + over + [.at(32, stopped)]),
      RuleExample(
        "killed while it was suspended", .certain, variant: "never made",
        cites: [.assertionExpired, .taskCancelRequested, .processStateChanged, .processExitObserved],
        steps: story() + [.at(31, expired), .at(31, cancelled)] + over + [
          .at(32, stopped),
          .at(700, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), by: .daemon),
        ]),
      RuleExample(
        "the resume data came when the app was suspended", .certain, variant: "made too late",
        cites: [.last(.taskCreated), .assertionExpired, .taskCancelRequested, .first(.processStateChanged)],
        steps: story() + [.at(31, expired), .at(31, cancelled)] + over + [
          .at(32, stopped), .at(900, ProcessStateChanged(state: .resumed)),
          .at(901, created), .at(901, TaskResumed(task: second)),
        ]),
      RuleExample(
        "nothing says what it was for", .probable, variant: "never made",
        cites: [.assertionExpired, .taskCancelRequested, .processStateChanged],
        steps: story(intent: nil) + [.at(31, expired), .at(31, cancelled)] + over + [.at(32, stopped)]),
      RuleExample(
        "its successor is named and was never made", .certain, variant: "never made", cites: [.taskHandedOff, .processExited],
        steps: story() + [
          .at(31, TaskHandedOff(task: first, successor: second)), .at(31.001, TaskCancelRequested(task: first, by: .app)),
          .at(31.002, AssertionEnded(assertion: CorrelationID(5), name: "photos")),
          .at(40, ProcessExited(code: 0, exitReason: .exitCall)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the new task was made before the app was suspended",
        steps: story() + [.at(31, expired), .at(31, cancelled)] + over + [
          .at(31.5, created), .at(31.5, TaskResumed(task: second)),
          .at(32, stopped),
        ]),
      RuleExample(
        "the new task was made, and the log lacks what its session is",
        steps: story(isKnown: false) + [
          .at(31, expired), .at(31, cancelled),
        ] + over + [
          .at(31.5, created), .at(31.5, TaskResumed(task: second)),
          .at(32, stopped),
        ]),
      RuleExample(
        "complete before the time ran out",
        steps: story() + [
          .at(20, AttemptEnded(task: first, attempt: 1, end: .finished, received: 10)),
          .at(20, TaskTransferred(task: first, received: 10, status: 200)), .at(31, expired), .at(31, cancelled),
          .at(32, stopped),
        ]),
      RuleExample(
        "the app did not want it any more",
        steps: story() + [
          .at(31, expired), .at(31, cancelled), .at(31, AppOutcomeRecorded(task: first, outcome: .cancelled)), .at(32, stopped),
        ]),
      RuleExample(
        "cancelled long after, by the user's wish",
        steps: story() + [
          .at(31, expired), .at(31, AssertionEnded(assertion: CorrelationID(5), name: "photos")), .at(500, cancelled),
          .at(501, stopped),
        ]),
      RuleExample(
        "a task of the background session was cancelled",
        .at(0, ProcessStarted(executable: "app")),
        .at(0.001, SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background)),
        .at(0.002, created), .at(0.003, TaskResumed(task: second)),
        .at(1, AssertionBegun(assertion: CorrelationID(5), name: "photos")), .at(31, expired),
        .at(31, TaskCancelRequested(task: second, by: .app)),
        .at(31, AssertionEnded(assertion: CorrelationID(5), name: "photos")), .at(32, stopped)),
      RuleExample("the log ends before the app is suspended", steps: story() + [.at(31, expired), .at(31, cancelled)] + over),
    ])

  static let watches: Set<EventKind> = [
    .processStateChanged, .processExited, .processExitObserved, .taskCreated, .appIntentBound, .taskCompleted,
    .appOutcomeRecorded,
  ]

  func verdict(on handoff: HandoffLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if handoff.isGivenUp || handoff.firstSucceeded != nil { return .silent }
    let start = handoff.cancelled ?? handoff.announced
    guard let start, let stopped = handoff.stopped else {
      return handoff.successorCreated != nil || asked.isEndOfLog ? .silent : nil
    }
    let known = [handoff.expired, handoff.announced, handoff.cancelled, stopped, handoff.successorCreated].compactMap(\.self)
    let name = handoff.first.text
    if handoff.successorCreated != nil {
      return .finding(
        Draft(
          variant: "made too late",
          summary: "Task \(name) was cancelled to be handed over, and the app was stopped before the other task was made.",
          claim: .presence, evidence: known[0], Array(known.dropFirst()), tasks: tasks(handoff)))
    }
    let end = world.processes[handoff.process].endFact
    let evidence = known + (end.map { $0 == stopped ? [] : [$0] } ?? [])
    // Whoever cancels when the time runs out means to go on elsewhere; that it was wanted at all is known by its intent.
    let isWanted = handoff.intent != nil || handoff.announced != nil
    // An app that is only suspended may still make it.
    let proof: Draft.AbsenceProof = if isWanted, let end { .end(end) } else { .coverage }
    return .finding(
      Draft(
        variant: "never made",
        summary: "Task \(name) was cancelled to be handed over, and no other took its place before the app was stopped.",
        claim: .absence(since: start, shownBy: proof), evidence: evidence[0], Array(evidence.dropFirst()),
        missing: [.init(.taskCreated, dueBy: stopped.moment)], unless: isWanted ? [] : ["the app did not want it any more"],
        tasks: tasks(handoff)))
  }

  private func tasks(_ handoff: HandoffLifecycle) -> [TaskIdentity] { [handoff.first] + (handoff.successor.map { [$0] } ?? []) }
}
