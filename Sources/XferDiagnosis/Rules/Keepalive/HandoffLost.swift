import XferEvents
import XferLifecycle
import XferReplay

/// Reports a transfer that was cancelled for a handoff to a background session and not replaced in time.
struct HandoffLost: HandoffRule {
  private static let (foreground, background) = ("default-1", "com.example.photos")
  private static let first = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: foreground, number: 1)
  private static let second = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)
  private static let created = TaskCreated(task: second, type: .download, intent: "photo-1")
  private static let expired = RuleExample.Step.at(31, AssertionExpired(assertion: CorrelationID(5), name: "photos"))
  private static let ended = AssertionEnded(assertion: CorrelationID(5), name: "photos")
  private static let cancelled = TaskCancelRequested(task: first, by: .app)
  private static let suspended = RuleExample.Step.at(32, ProcessStateChanged(state: .suspended))
  /// The steps in which the new task is created before the app is suspended.
  private static let replaced: [RuleExample.Step] = [.at(31.5, created), .at(31.5, TaskResumed(task: second))]

  /// The steps up to the start of a background assertion, with a download in flight in a default session. The app has also
  /// created a background session if `isKnown`.
  private static func begun(intent: String? = "photo-1", isKnown: Bool = true) -> [RuleExample.Step] {
    let behind = RuleExample.Step.at(
      0.9, SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background))
    return [
      .at(0, ProcessStarted(executable: "app")),
      .at(0.001, SessionCreated(session: foreground, instance: CorrelationID(1), sessionKind: .default)),
      .at(0.002, TaskCreated(task: first, type: .download, intent: intent)), .at(0.003, TaskResumed(task: first)),
      .at(0.004, AttemptStarted(task: first, attempt: 1)),
    ] + (isKnown ? [behind] : []) + [.at(1, AssertionBegun(assertion: CorrelationID(5), name: "photos"))]
  }

  /// The steps of an example: a download is cancelled when the background assertion expires.
  private static func story(intent: String? = "photo-1", isKnown: Bool = true) -> [RuleExample.Step] {
    begun(intent: intent, isKnown: isKnown) + [
      expired, .at(31, cancelled), .at(31.001, AttemptEnded(task: first, attempt: 1, end: .cancelled)), .at(31.002, ended),
    ]
  }

  static let description = RuleDescription(
    id: "handoff-lost", severity: .critical,
    summary:
      "A transfer was cancelled for a handoff to a background session, and its new task was never created or created too late.",
    explanation: """
      A handoff continues a foreground transfer in the background: when the background assertion expires, the app cancels the \
      task and creates another one in a background session. The resume data for the new task arrives later, in a callback: by \
      then the expiration handler has returned, the assertion has ended, and the app is suspended. The first task is \
      cancelled, and the second is never created ("never made") or created only when the user returns ("made too late").
      """,
    remedy: """
      Start long transfers in the background session from the beginning. Otherwise create the new task before you cancel the \
      old one, and call endBackgroundTask only after you have resumed the new task.
      """,
    sources: ["https://github.com/Infomaniak/ios-kDrive/pull/783"],
    reports: [
      RuleExample(
        "the task was cancelled at the expiry, and the app was suspended", .probable, variant: "never made",
        cites: [.assertionExpired, .taskCancelRequested, .processStateChanged], steps: story() + [suspended]),
      RuleExample(
        "the app was killed while suspended", .certain, variant: "never made",
        cites: [.assertionExpired, .taskCancelRequested, .processStateChanged, .processExitObserved],
        steps: story() + [
          suspended,
          .at(700, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), by: .daemon),
        ]),
      RuleExample(
        "the new task was created after the app had been suspended", .certain, variant: "made too late",
        cites: [.last(.taskCreated), .assertionExpired, .taskCancelRequested, .first(.processStateChanged)],
        steps: story() + [
          suspended, .at(900, ProcessStateChanged(state: .resumed)), .at(901, created), .at(901, TaskResumed(task: second)),
        ]),
      RuleExample(
        "the log does not name the work (the intent) that the task was for", .probable, variant: "never made",
        cites: [.assertionExpired, .taskCancelRequested, .processStateChanged], steps: story(intent: nil) + [suspended]),
      RuleExample(
        "the app recorded the handoff and never created the new task", .certain, variant: "never made",
        cites: [.taskHandedOff, .processExited],
        steps: begun() + [
          .at(31, TaskHandedOff(task: first, successor: second)), .at(31.001, cancelled), .at(31.002, ended),
          .at(40, ProcessExited(code: 0, exitReason: .exitCall)),
        ]),
    ],
    staysSilent: [
      RuleExample("the new task was created before the app was suspended", steps: story() + replaced + [suspended]),
      RuleExample(
        "the new task was created, and the kind of its session is unknown",
        steps: story(isKnown: false) + replaced + [suspended]),
      RuleExample(
        "the transfer completed before the expiry",
        steps: begun() + [
          .at(20, AttemptEnded(task: first, attempt: 1, end: .finished, received: 10)),
          .at(20, TaskTransferred(task: first, received: 10, status: 200)), expired, .at(31, cancelled), suspended,
        ]),
      RuleExample(
        "the app recorded that it cancels the transfer for good",
        steps: begun() + [
          expired, .at(31, cancelled), .at(31, AppOutcomeRecorded(task: first, outcome: .cancelled)), suspended,
        ]),
      RuleExample(
        "the task was cancelled minutes after the expiry",
        steps: begun() + [
          expired, .at(31, ended), .at(500, cancelled), .at(501, ProcessStateChanged(state: .suspended)),
        ]),
      RuleExample(
        "the cancelled task belongs to the background session",
        .at(0, ProcessStarted(executable: "app")),
        .at(0.001, SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background)),
        .at(0.002, created), .at(0.003, TaskResumed(task: second)),
        .at(1, AssertionBegun(assertion: CorrelationID(5), name: "photos")), expired,
        .at(31, TaskCancelRequested(task: second, by: .app)), .at(31, ended), suspended),
      RuleExample("the log ends before the app is suspended", steps: story()),
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
    let name = handoff.first.label
    if handoff.successorCreated != nil {
      return .finding(
        Draft(
          variant: "made too late",
          summary: """
            Task \(name) was cancelled for a handoff, and its new task was created too late: after the app had been suspended or \
            terminated.
            """,
          claim: .presence, evidence: known[0], Array(known.dropFirst()), tasks: tasks(handoff)))
    }
    let end = world.processes[handoff.process].endFact
    let evidence = known + (end.map { $0 == stopped ? [] : [$0] } ?? [])
    // A cancellation at the expiry suggests a handoff; only an intent or a recorded handoff proves that the app wanted it.
    let isWanted = handoff.intent != nil || handoff.announced != nil
    // The end of the process is a better proof than its suspension, because a suspended app may still create the task.
    let proof: Draft.AbsenceProof = if isWanted, let end { .end(end) } else { .coverage }
    return .finding(
      Draft(
        variant: "never made",
        summary: """
          Task \(name) was cancelled for a handoff, and its new task was never created: the app was suspended or terminated \
          first.
          """,
        claim: .absence(since: start, shownBy: proof), evidence: evidence[0], Array(evidence.dropFirst()),
        missing: [.init(.taskCreated, dueBy: stopped.moment)], unless: isWanted ? [] : ["the app no longer wanted the transfer"],
        tasks: tasks(handoff)))
  }

  private func tasks(_ handoff: HandoffLifecycle) -> [TaskIdentity] { [handoff.first] + (handoff.successor.map { [$0] } ?? []) }
}
