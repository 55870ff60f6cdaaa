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
    let behind = RuleExample.Step.event(
      SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background), at: .milliseconds(900))
    return [
      .event(ProcessStarted(executable: "app"), at: .zero),
      .event(SessionCreated(session: foreground, instance: CorrelationID(1), sessionKind: .default), at: .milliseconds(1)),
      .event(TaskCreated(task: first, type: .download, intent: intent), at: .milliseconds(2)),
      .event(TaskResumed(task: first), at: .milliseconds(3)),
      .event(AttemptStarted(task: first, attempt: 1), at: .milliseconds(4)),
    ] + (isKnown ? [behind] : []) + [.event(AssertionBegun(assertion: CorrelationID(5), name: "photos"), at: .seconds(1))]
  }

  private static let over: [RuleExample.Step] = [
    .event(AttemptEnded(task: first, attempt: 1, end: .cancelled), at: .milliseconds(31_001)),
    .event(AssertionEnded(assertion: CorrelationID(5), name: "photos"), at: .milliseconds(31_002)),
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
        "cancelled when the time ran out, and suspended", certainty: .probable, variant: "never made",
        steps: story() + [.evidence(expired, at: .seconds(31)), .evidence(cancelled, at: .seconds(31))] + over + [
          .evidence(stopped, at: .seconds(32))
        ]),
      RuleExample(
        "killed while it was suspended", certainty: .certain, variant: "never made",
        steps: story() + [.evidence(expired, at: .seconds(31)), .evidence(cancelled, at: .seconds(31))] + over + [
          .evidence(stopped, at: .seconds(32)),
          .evidence(
            ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), at: .seconds(700),
            by: .daemon),
        ]),
      RuleExample(
        "the resume data came when the app was suspended", certainty: .certain, variant: "made too late",
        steps: story() + [.evidence(expired, at: .seconds(31)), .evidence(cancelled, at: .seconds(31))] + over + [
          .evidence(stopped, at: .seconds(32)), .event(ProcessStateChanged(state: .resumed), at: .seconds(900)),
          .evidence(created, at: .seconds(901)), .event(TaskResumed(task: second), at: .seconds(901)),
        ]),
      RuleExample(
        "nothing says what it was for", certainty: .probable, variant: "never made",
        steps: story(intent: nil) + [.evidence(expired, at: .seconds(31)), .evidence(cancelled, at: .seconds(31))] + over + [
          .evidence(stopped, at: .seconds(32))
        ]),
      RuleExample(
        "its successor is named and was never made", certainty: .certain, variant: "never made",
        steps: story() + [
          .evidence(TaskHandedOff(task: first, successor: second), at: .seconds(31)),
          .event(TaskCancelRequested(task: first, by: .app), at: .milliseconds(31_001)),
          .event(AssertionEnded(assertion: CorrelationID(5), name: "photos"), at: .milliseconds(31_002)),
          .evidence(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(40)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the new task was made before the app was suspended",
        steps: story() + [.event(expired, at: .seconds(31)), .event(cancelled, at: .seconds(31))] + over + [
          .event(created, at: .milliseconds(31_500)), .event(TaskResumed(task: second), at: .milliseconds(31_500)),
          .event(stopped, at: .seconds(32)),
        ]),
      RuleExample(
        "the new task was made, and the log lacks what its session is",
        steps: story(isKnown: false) + [
          .event(expired, at: .seconds(31)), .event(cancelled, at: .seconds(31)),
        ] + over + [
          .event(created, at: .milliseconds(31_500)), .event(TaskResumed(task: second), at: .milliseconds(31_500)),
          .event(stopped, at: .seconds(32)),
        ]),
      RuleExample(
        "complete before the time ran out",
        steps: story() + [
          .event(AttemptEnded(task: first, attempt: 1, end: .finished, received: 10), at: .seconds(20)),
          .event(TaskTransferred(task: first, received: 10, status: 200), at: .seconds(20)), .event(expired, at: .seconds(31)),
          .event(cancelled, at: .seconds(31)), .event(stopped, at: .seconds(32)),
        ]),
      RuleExample(
        "the app did not want it any more",
        steps: story() + [
          .event(expired, at: .seconds(31)), .event(cancelled, at: .seconds(31)),
          .event(AppOutcomeRecorded(task: first, outcome: .cancelled), at: .seconds(31)), .event(stopped, at: .seconds(32)),
        ]),
      RuleExample(
        "cancelled long after, by the user's wish",
        steps: story() + [
          .event(expired, at: .seconds(31)),
          .event(AssertionEnded(assertion: CorrelationID(5), name: "photos"), at: .seconds(31)),
          .event(cancelled, at: .seconds(500)), .event(stopped, at: .seconds(501)),
        ]),
      RuleExample(
        "a task of the background session was cancelled",
        .event(ProcessStarted(executable: "app"), at: .zero),
        .event(SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background), at: .milliseconds(1)),
        .event(created, at: .milliseconds(2)), .event(TaskResumed(task: second), at: .milliseconds(3)),
        .event(AssertionBegun(assertion: CorrelationID(5), name: "photos"), at: .seconds(1)), .event(expired, at: .seconds(31)),
        .event(TaskCancelRequested(task: second, by: .app), at: .seconds(31)),
        .event(AssertionEnded(assertion: CorrelationID(5), name: "photos"), at: .seconds(31)), .event(stopped, at: .seconds(32))),
      RuleExample(
        "the log ends before the app is suspended",
        steps: story() + [.event(expired, at: .seconds(31)), .event(cancelled, at: .seconds(31))] + over),
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
