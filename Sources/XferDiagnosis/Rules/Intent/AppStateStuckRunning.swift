import XferEvents
import XferLifecycle
import XferReplay

/// A task that the app's record marks as running although its session no longer has it.
struct AppStateStuckRunning: IntentRule {
  private static let session = TaskIdentity.example.session

  /// The steps of an example: the app creates a task for an intent and exits; its next launch creates the session again, and
  /// connects it if `connects`; then `steps` follow.
  private static func story(connects: Bool = true, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    let begun: [RuleExample.Step] = [
      .at(0, ProcessStarted(startReason: .user, executable: "app")),
      .at(1, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
      .at(2, TaskCreated(type: .download)), .at(3, AppIntentBound(intent: "episode-7", task: .example, key: "uid")),
      .at(4, TaskResumed()), .at(5, ProcessExited(code: 0, exitReason: .returned)),
      .at(60, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
      .at(61, SessionCreated(session: session, instance: CorrelationID(2), sessionKind: .background), by: .nextLife),
      .at(61, SessionConnectStarted(session: session, instance: CorrelationID(2)), by: .nextLife),
    ]
    let connected = RuleExample.Step.at(
      61.5, SessionConnected(session: session, instance: CorrelationID(2)), by: .nextLife)
    return begun + (connects ? [connected] : []) + steps
  }

  private static func answered(_ tasks: [TaskIdentity]? = [], count: Int64 = 0, connected: Bool? = nil) -> RuleExample.Step {
    .at(
      62,
      SessionTasksAnswered(
        session: session, instance: CorrelationID(2), query: CorrelationID(3), count: count, tasks: tasks,
        connected: connected), by: .nextLife)
  }

  private static let later = RuleExample.Step.at(150, LogHeartbeatWritten(), by: .nextLife)

  static let description = RuleDescription(
    id: "app-state-stuck-running", severity: .error,
    summary: "The app’s record marks a transfer as running, but the task no longer exists.",
    explanation: """
      The app keeps a record of each transfer and marks it as running when it creates the task. If the task disappears (its \
      session belonged to a process that ended, or the daemon lost the task), the mark never changes: the user sees \
      “downloading” forever, and the record prevents a new start. The log shows the fault in the list of tasks that a later \
      launch of the app received from the session.
      """,
    remedy: """
      At each launch, once the session is connected, compare the records marked as running with the session’s tasks, and \
      restart the missing transfers after a grace period of some seconds.
      """,
    sources: [
      "https://github.com/fluttercommunity/flutter_downloader/issues/356",
      "https://github.com/Automattic/pocket-casts-ios/pull/484", "https://github.com/Automattic/pocket-casts-android/pull/3006",
    ],
    reports: [
      RuleExample(
        "the session's list lacks the task, and the app does not react", .probable,
        cites: [.appIntentBound, .sessionTasksAnswered], steps: story(answered(), later)),
      RuleExample(
        "the connected session answers that it has no tasks", .probable, cites: [.appIntentBound, .sessionTasksAnswered],
        steps: story(answered(nil, connected: true), later)),
    ],
    staysSilent: [
      RuleExample("the task is in the list", steps: story(answered([.example], count: 1), later)),
      RuleExample("the app asked before the session was connected", steps: story(connects: false, answered(), later)),
      RuleExample(
        "the task's completion comes a second later",
        steps: story(answered(), .at(63, TaskCompleted(received: 5, status: 200), by: .nextLife), later)),
      RuleExample(
        "the app restarts the transfer",
        steps: story(
          answered(), .at(65, TaskCreated(task: .example(2), type: .download, intent: "episode-7"), by: .nextLife), later)),
      RuleExample(
        "the app records a failure",
        steps: story(answered(), .at(65, AppOutcomeRecorded(intent: "episode-7", outcome: .failure), by: .nextLife), later)),
      RuleExample("the answer does not name the tasks", steps: story(answered(nil, count: 2), later)),
      RuleExample(
        "the app exits a second after the answer",
        steps: story(answered(), .at(63, ProcessExited(code: 0, exitReason: .returned), by: .nextLife))),
    ])

  static let watches: Set<EventKind> = [
    .sessionTasksAnswered, .taskCreated, .taskCompleted, .appIntentBound, .appIntentUnbound, .appOutcomeRecorded,
  ]

  /// The time for a completion in flight to arrive, and for the app to update its records.
  var grace: Duration = .seconds(60)

  static let limits = [
    RuleLimit("grace", \Self.grace, "how long the app may take to update its record after it received the session's tasks")
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
          The app’s record marks task \(unlisted.task.label) for “\(intent.key)” as running, but its session no longer has the \
          task.
          """,
        claim: .absence(since: unlisted.answer, shownBy: .coverage), evidence: unlisted.answer, [unlisted.bound],
        missing: [.init(.taskCompleted, dueBy: due), .init(.appOutcomeRecorded, dueBy: due)], tasks: [unlisted.task]))
  }
}
