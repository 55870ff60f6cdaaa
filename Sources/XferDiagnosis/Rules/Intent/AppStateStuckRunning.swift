import XferEvents
import XferLifecycle
import XferReplay

/// The app's record says that a task runs, and its session no longer has it.
struct AppStateStuckRunning: IntentRule {
  private static let session = TaskIdentity.example.session

  /// A first life makes a task for an intent, and ends; the next life has the session again.
  private static func story(_ kind: SessionKind = .background, bound: Bool = true) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(startReason: .user, executable: "app")),
      .at(1, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: kind)),
      .at(2, TaskCreated(type: .download)),
      .at(3, AppIntentBound(intent: "episode-7", task: .example, key: "uid")),
      .at(4, TaskResumed()),
      .at(5, ProcessExited(code: 0, exitReason: .returned)),
      .at(60, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
      .at(61, SessionCreated(session: session, instance: CorrelationID(2), sessionKind: kind), by: .nextLife),
      .at(61, SessionConnectStarted(session: session, instance: CorrelationID(2)), by: .nextLife),
    ]
  }

  private static let connected = RuleExample.Step.at(
    61.5, SessionConnected(session: session, instance: CorrelationID(2)), by: .nextLife)

  private static func answered(_ tasks: [TaskIdentity]?, count: Int64 = 0, connected: Bool? = nil) -> SessionTasksAnswered {
    SessionTasksAnswered(
      session: session, instance: CorrelationID(2), query: CorrelationID(3), count: count, tasks: tasks, connected: connected)
  }

  private static let later = RuleExample.Step.at(150, LogHeartbeatWritten(), by: .nextLife)

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
        "not among the tasks, and nobody does anything about it", .probable, cites: [.appIntentBound, .sessionTasksAnswered],
        steps: story() + [connected, .at(62, answered([]), by: .nextLife), later]),
      RuleExample(
        "the session has none at all", .probable, cites: [.appIntentBound, .sessionTasksAnswered],
        steps: story() + [connected, .at(62, answered(nil, connected: true), by: .nextLife), later]),
    ],
    staysSilent: [
      RuleExample(
        "it runs",
        steps: story(bound: false) + [connected, .at(62, answered([.example], count: 1), by: .nextLife), later]),
      RuleExample(
        "asked before the session was connected",
        steps: story(bound: false) + [.at(62, answered([]), by: .nextLife), later]),
      RuleExample(
        "its completion comes a moment later",
        steps: story(bound: false) + [
          connected, .at(62, answered([]), by: .nextLife), .at(63, TaskCompleted(received: 5, status: 200), by: .nextLife),
          later,
        ]),
      RuleExample(
        "the app starts it again",
        steps: story(bound: false) + [
          connected, .at(62, answered([]), by: .nextLife),
          .at(65, TaskCreated(task: .example(2), type: .download, intent: "episode-7"), by: .nextLife), later,
        ]),
      RuleExample(
        "the app gives it up",
        steps: story(bound: false) + [
          connected, .at(62, answered([]), by: .nextLife),
          .at(65, AppOutcomeRecorded(intent: "episode-7", outcome: .failure), by: .nextLife), later,
        ]),
      RuleExample(
        "the answer does not say which tasks there are",
        steps: story(bound: false) + [connected, .at(62, answered(nil, count: 2), by: .nextLife), later]),
      RuleExample(
        "the life in which it was asked is over at once",
        steps: story(bound: false) + [
          connected, .at(62, answered([]), by: .nextLife),
          .at(63, ProcessExited(code: 0, exitReason: .returned), by: .nextLife),
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
