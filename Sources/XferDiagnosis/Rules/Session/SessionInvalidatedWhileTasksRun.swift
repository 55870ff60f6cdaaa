import XferEvents
import XferLifecycle
import XferReplay

/// Reports a session that is invalidated while it has tasks that the app still needs.
struct SessionInvalidatedWhileTasksRun: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let made: [RuleExample.Step] = [
    .at(0, SessionCreated(session: session, instance: instance, sessionKind: .default)), .at(0, TaskCreated(type: .download)),
    .at(0, TaskResumed()), .at(0.001, AttemptStarted(attempt: 1)),
  ]
  private static func requested(_ mode: InvalidationMode, by: Actor = .app) -> SessionInvalidationRequested {
    SessionInvalidationRequested(session: session, instance: instance, invalidation: mode, by: by, liveTasks: 1)
  }
  private static let asked = TaskCancelRequested(by: .app, cancelReason: .sessionInvalidated)
  private static let cancelled = TaskCompleted(
    domain: .url, error: -999, errorName: "cancelled", cancelReason: .sessionInvalidated)
  /// Returns the steps of an invalidation that cancels the task, followed by other steps.
  private static func cancelling(by actor: Actor = .app, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    made + [.at(5, requested(.cancel, by: actor)), .at(5, asked), .at(5, cancelled)] + steps
  }
  private static let confirmed = RuleExample.Step.at(6, SessionInvalidated(session: session, instance: instance))
  private static let later = RuleExample.Step.at(30, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "session-invalidated-while-tasks-run", severity: .error,
    summary: "The app invalidated a session while the session still had tasks to run.",
    explanation: """
      invalidateAndCancel() cancels all tasks of a session, including those that other parts of the app started, and the \
      session cannot be used again. Code that calls it when its background time expires or a screen closes cancels transfers \
      that other code waits for. The variant says what was lost: "tasks cancelled", if tasks were running, or "new work", if \
      the session got a new task after finishTasksAndInvalidate().
      """,
    remedy: """
      Cancel each unwanted task with cancel() and keep the session. If you must invalidate the session, for example at logout, \
      first record for each task that it is discarded.
      """,
    sources: ["https://github.com/matrix-org/matrix-ios-sdk/pull/144", "https://github.com/mozilla/glean/pull/2235"],
    needsWholeLog: true,
    consequenceOf: ["finish-events-misread-as-all-done"],
    reports: [
      RuleExample(
        "the invalidation cancels a running download", .probable, variant: "tasks cancelled",
        cites: [.sessionInvalidationRequested, .taskCompleted],
        steps: cancelling(confirmed, later)),
      RuleExample(
        "the session gets a task after finishTasksAndInvalidate()", .certain, variant: "new work",
        cites: [.last(.taskCreated), .sessionInvalidationRequested],
        steps: made + [.at(5, requested(.finishTasks)), .at(6, TaskCreated(task: .example(2), type: .download))]),
    ],
    staysSilent: [
      RuleExample("the user requested the invalidation", steps: cancelling(by: .user, confirmed, later)),
      RuleExample(
        "the app cancelled the task before the invalidation",
        steps: made + [.at(4, TaskCancelRequested(by: .app)), .at(5, requested(.cancel)), .at(5, cancelled), confirmed, later]),
      RuleExample(
        "the app records that it discarded the task",
        steps: cancelling(.at(6, AppOutcomeRecorded(task: .example, outcome: .discarded)), confirmed, later)),
      RuleExample(
        "the process exits right after the invalidation",
        steps: cancelling(confirmed, .at(6, ProcessExited(code: 0, exitReason: .returned)))),
      RuleExample(
        "the session had no tasks",
        .at(0, SessionCreated(session: session, instance: instance, sessionKind: .default)), .at(5, requested(.cancel)),
        confirmed, later),
      RuleExample(
        "the session finishes its tasks",
        steps: made + [.at(5, requested(.finishTasks)), .at(6, TaskCompleted(received: 9, status: 200)), confirmed, later]),
      RuleExample(
        "a new session with the same identifier gets the new task",
        steps: made + [
          .at(5, requested(.finishTasks)),
          .at(6, SessionCreated(session: session, instance: CorrelationID(2), sessionKind: .default)),
          .at(7, TaskCreated(task: .example(2), type: .download)),
        ]),
    ])

  static let watches: Set<EventKind> = [.taskCompleted, .taskCreated]

  /// The time that the app has to exit, or to record that the cancelled tasks were not needed.
  var patience: Duration = .seconds(10)

  static let limits = [
    RuleLimit("patience", \Self.patience, "the time within which the app can record that the cancelled tasks were not needed")
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let requested = session.invalidationRequested else { return asked.isEndOfLog ? .silent : nil }
    if session.invalidatedBy == .user { return .silent }
    if let later = session.ending.laterTask {
      return .finding(
        Draft(
          variant: "new work",
          summary: "Session \(session.identifier) was given a new task after its invalidation was requested.",
          claim: .presence, evidence: requested, [later.fact], tasks: [later.task]))
    }
    guard session.invalidation == .cancel, let interrupted = session.ending.interrupted else {
      return asked.isEndOfLog ? .silent : nil
    }
    let process = world.processes[session.process]
    if process.endFact != nil, process.livedAtLeast(after: interrupted.fact) < patience { return .silent }
    guard asked.covered(since: interrupted.fact, by: process) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: interrupted.fact)
    }
    let wanted = session.ending.running.filter { Self.isWanted($0, in: world) }
    if wanted.isEmpty { return .silent }
    let count = wanted.count == 1 ? "one task" : "\(wanted.count) tasks"
    return .finding(
      Draft(
        variant: "tasks cancelled",
        summary: "The invalidation of session \(session.identifier) cancelled \(count) still needed by the app.",
        claim: .absence(since: interrupted.fact, shownBy: .coverage), evidence: requested, [interrupted.fact],
        missing: [.init(.appOutcomeRecorded, dueBy: interrupted.fact.due(within: patience))],
        unless: ["the app no longer needed the tasks and did not record it"], tasks: wanted))
  }

  /// Whether the log has no record that the app cancelled or discarded the task.
  private static func isWanted(_ identity: TaskIdentity, in world: World) -> Bool {
    let givenUp: [Outcome?] = [.discarded, .cancelled]
    if let task = world.tasks.indexes.first(where: { world.tasks[$0].identity.uid == identity.uid }),
      givenUp.contains(world.tasks[task].outcome)
    {
      return false
    }
    return !world.intents.indexes.contains { place in
      let intent = world.intents[place]
      let binding = intent.bindings.last { $0.task.uid == identity.uid }
      return binding.map { $0.unbound != nil || givenUp.contains(intent.outcome) } ?? false
    }
  }
}
