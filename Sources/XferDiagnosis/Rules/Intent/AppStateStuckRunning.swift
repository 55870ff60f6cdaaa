import XferEvents
import XferLifecycle
import XferReplay

/// The app's record says that a task runs, and its session no longer has it.
struct AppStateStuckRunning: IntentRule {
  private static let session = TaskIdentity.example.session

  /// A first life makes a task for an intent, and ends; the next life has the session again.
  private static func story(_ kind: SessionKind = .background, bound: Bool = true) -> [RuleExample.Step] {
    [
      .event(ProcessStarted(startReason: .user, executable: "app"), at: .zero),
      .event(SessionCreated(session: session, instance: CorrelationID(1), sessionKind: kind), at: .seconds(1)),
      .event(TaskCreated(task: .example, type: .download), at: .seconds(2)),
      bound
        ? .evidence(AppIntentBound(intent: "episode-7", task: .example, key: "uid"), at: .seconds(3))
        : .event(AppIntentBound(intent: "episode-7", task: .example, key: "uid"), at: .seconds(3)),
      .event(TaskResumed(task: .example), at: .seconds(4)),
      .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(5)),
      .event(ProcessStarted(startReason: .user, executable: "app"), at: .seconds(60), by: .nextLife),
      .event(
        SessionCreated(session: session, instance: CorrelationID(2), sessionKind: kind), at: .seconds(61), by: .nextLife),
      .event(SessionConnectStarted(session: session, instance: CorrelationID(2)), at: .seconds(61), by: .nextLife),
    ]
  }

  private static let connected = RuleExample.Step.event(
    SessionConnected(session: session, instance: CorrelationID(2)), at: .milliseconds(61_500), by: .nextLife)

  private static func answered(_ tasks: [TaskIdentity]?, count: Int64 = 0, connected: Bool? = nil) -> SessionTasksAnswered {
    SessionTasksAnswered(
      session: session, instance: CorrelationID(2), query: CorrelationID(3), count: count, tasks: tasks, connected: connected)
  }

  private static let later = RuleExample.Step.event(LogHeartbeatWritten(), at: .seconds(150), by: .nextLife)

  static let description = RuleDescription(
    id: "app-state-stuck-running", severity: .error,
    summary: "The app’s record says that a transfer runs, and there is no such task.",
    explanation: """
      The app keeps a record of what it wants, and marks it as running when it makes a task. When the task is gone (its \
      session was of the process and ended with it, or the daemon lost it) nothing ever changes that mark: the user sees \
      “downloading” for ever, and the record keeps the app from starting it again. The log shows it by the answer that a \
      later life was given when it asked for its tasks.
      """,
    remedy: """
      At each launch, once the session is connected, compare the records that are marked as running with the session’s tasks, \
      and start again, after some seconds of grace, what is not among them.
      """,
    sources: [
      "https://github.com/fluttercommunity/flutter_downloader/issues/356",
      "https://github.com/Automattic/pocket-casts-ios/pull/484", "https://github.com/Automattic/pocket-casts-android/pull/3006",
    ],
    reports: [
      RuleExample(
        "not among the tasks, and nobody does anything about it", certainty: .probable,
        steps: story() + [connected, .evidence(answered([]), at: .seconds(62), by: .nextLife), later]),
      RuleExample(
        "the session has none at all", certainty: .probable,
        steps: story() + [
          connected, .evidence(answered(nil, connected: true), at: .seconds(62), by: .nextLife), later,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "it runs",
        steps: story(bound: false) + [
          connected, .event(answered([.example], count: 1), at: .seconds(62), by: .nextLife), later,
        ]),
      RuleExample(
        "asked before the session was connected",
        steps: story(bound: false) + [.event(answered([]), at: .seconds(62), by: .nextLife), later]),
      RuleExample(
        "its completion comes a moment later",
        steps: story(bound: false) + [
          connected, .event(answered([]), at: .seconds(62), by: .nextLife),
          .event(TaskCompleted(task: .example, received: 5, status: 200), at: .seconds(63), by: .nextLife), later,
        ]),
      RuleExample(
        "the app starts it again",
        steps: story(bound: false) + [
          connected, .event(answered([]), at: .seconds(62), by: .nextLife),
          .event(TaskCreated(task: .example(2), type: .download, intent: "episode-7"), at: .seconds(65), by: .nextLife), later,
        ]),
      RuleExample(
        "the app gives it up",
        steps: story(bound: false) + [
          connected, .event(answered([]), at: .seconds(62), by: .nextLife),
          .event(AppOutcomeRecorded(intent: "episode-7", outcome: .failure), at: .seconds(65), by: .nextLife), later,
        ]),
      RuleExample(
        "the answer does not say which tasks there are",
        steps: story(bound: false) + [connected, .event(answered(nil, count: 2), at: .seconds(62), by: .nextLife), later]),
      RuleExample(
        "the life in which it was asked is over at once",
        steps: story(bound: false) + [
          connected, .event(answered([]), at: .seconds(62), by: .nextLife),
          .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(63), by: .nextLife),
        ]),
    ])

  static let watches: Set<EventKind> = [
    .sessionTasksAnswered, .taskCreated, .taskCompleted, .appIntentBound, .appIntentUnbound, .appOutcomeRecorded,
  ]

  /// For a completion that is on its way, and for an app that puts its records in order.
  var grace: Duration = .seconds(60)

  static let limits = [
    RuleLimit("grace", \Self.grace, "how long after the answer the app may take to put its record in order")
  ]

  func verdict(on intent: IntentLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if !intent.isOpen || intent.completed != nil { return .silent }
    guard let unlisted = intent.unlisted, let binding = intent.bindings.last, binding.task == unlisted.task,
      binding.unbound == nil
    else { return asked.isEndOfLog ? .silent : nil }
    if !unlisted.isNamed { return asked.isEndOfLog ? .undecidable(needs: "the tasks of session.tasksAnswered") : nil }
    let life = world.processes[intent.process]
    guard asked.covered(since: unlisted.answer, by: life) >= grace else {
      if life.endFact != nil || asked.isEndOfLog { return asked.isEndOfLog ? .silent : nil }
      return .wait(grace, after: unlisted.answer)
    }
    let due = unlisted.answer.monotonic.map { Moment(monotonic: $0.addingClamped(grace.nanoseconds)) }
    return .finding(
      Draft(
        summary: """
          The app takes task \(unlisted.task.text) for “\(intent.key)” to be running, and its session no longer has it.
          """,
        claim: .absence(since: unlisted.answer, shownBy: .coverage), evidence: unlisted.answer, [unlisted.bound],
        missing: [.init(.taskCompleted, dueBy: due), .init(.appOutcomeRecorded, dueBy: due)], tasks: [unlisted.task]))
  }
}
