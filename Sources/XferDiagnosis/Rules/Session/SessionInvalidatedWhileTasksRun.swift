import XferEvents
import XferLifecycle
import XferReplay

/// A session was invalidated while it had work that nobody had given up.
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
    task: .example, domain: .url, error: -999, errorName: "cancelled", cancelReason: .sessionInvalidated)
  private static let confirmed = RuleExample.Step.at(6, SessionInvalidated(session: session, instance: instance))
  private static let later = RuleExample.Step.at(30, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "session-invalidated-while-tasks-run", severity: .error,
    summary: "A session was invalidated while it had tasks that nobody had given up.",
    explanation: """
      invalidateAndCancel ends all tasks of a session, whoever started them, and the session cannot be used again. Code that calls \
      it when its background time runs out, or when one screen closes, ends transfers that others wait for. The variant says what \
      was lost: "tasks cancelled", where tasks ran, or "new work", where the session was given a task after it had been told to \
      finish.
      """,
    remedy: """
      Cancel the tasks that are not wanted, each by itself, and keep the session. Where it has to go (at logout), record for each \
      task that it is given up.
      """,
    sources: ["https://github.com/matrix-org/matrix-ios-sdk/pull/144", "https://github.com/mozilla/glean/pull/2235"],
    needsWholeLog: true,
    consequenceOf: ["finish-events-misread-as-all-done"],
    reports: [
      RuleExample(
        "a download is cancelled with its session", .probable, variant: "tasks cancelled",
        cites: [.sessionInvalidationRequested, .taskCompleted],
        steps: made + [.at(5, requested(.cancel)), .at(5, asked), .at(5, cancelled), confirmed, later]),
      RuleExample(
        "given a task after it was told to finish", .certain, variant: "new work",
        cites: [.last(.taskCreated), .sessionInvalidationRequested],
        steps: made + [.at(5, requested(.finishTasks)), .at(6, TaskCreated(task: .example(2), type: .download))]),
    ],
    staysSilent: [
      RuleExample(
        "the user logged out",
        steps: made + [.at(5, requested(.cancel, by: .user)), .at(5, asked), .at(5, cancelled), confirmed, later]),
      RuleExample(
        "the app had given the task up before",
        steps: made + [.at(4, TaskCancelRequested(by: .app)), .at(5, requested(.cancel)), .at(5, cancelled), confirmed, later]),
      RuleExample(
        "the app says that it does not want it any more",
        steps: made + [
          .at(5, requested(.cancel)), .at(5, asked), .at(5, cancelled),
          .at(6, AppOutcomeRecorded(task: .example, outcome: .discarded)),
          confirmed, later,
        ]),
      RuleExample(
        "the program was ending",
        steps: made + [
          .at(5, requested(.cancel)), .at(5, asked), .at(5, cancelled), confirmed,
          .at(6, ProcessExited(code: 0, exitReason: .returned)),
        ]),
      RuleExample(
        "it had no task",
        .at(0, SessionCreated(session: session, instance: instance, sessionKind: .default)), .at(5, requested(.cancel)),
        confirmed, later),
      RuleExample(
        "it finishes its tasks",
        steps: made + [.at(5, requested(.finishTasks)), .at(6, TaskCompleted(received: 9, status: 200)), confirmed, later]),
      RuleExample(
        "a new session of that name has the new work",
        steps: made + [
          .at(5, requested(.finishTasks)),
          .at(6, SessionCreated(session: session, instance: CorrelationID(2), sessionKind: .default)),
          .at(7, TaskCreated(task: .example(2), type: .download)),
        ]),
    ])

  static let watches: Set<EventKind> = [.taskCompleted, .taskCreated]

  /// For the app to say that it had given them up, or to end.
  var patience: Duration = .seconds(10)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long the app may take to say that the cancelled tasks were not wanted")
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let requested = session.invalidationRequested else { return asked.isEndOfLog ? .silent : nil }
    if session.invalidatedBy == .user { return .silent }
    if let later = session.ending.laterTask {
      return .finding(
        Draft(
          variant: "new work", summary: "Session \(session.identifier) was given a task after it had been told to finish.",
          claim: .presence, evidence: requested, [later.fact], tasks: [later.task]))
    }
    guard session.invalidation == .cancel, let interrupted = session.ending.interrupted else {
      return asked.isEndOfLog ? .silent : nil
    }
    let process = world.processes[session.process]
    if let end = process.endFact, interrupted.fact.duration(to: end) ?? .zero < patience { return .silent }
    guard asked.covered(since: interrupted.fact, by: process) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: interrupted.fact)
    }
    let wanted = session.ending.running.filter { Self.isWanted($0, in: world) }
    if wanted.isEmpty { return .silent }
    let count = wanted.count == 1 ? "a task that was" : "\(wanted.count) tasks that were"
    return .finding(
      Draft(
        variant: "tasks cancelled", summary: "Session \(session.identifier) was invalidated with \(count) still wanted.",
        claim: .absence(since: interrupted.fact, shownBy: .coverage), evidence: requested, [interrupted.fact],
        missing: [.init(.appOutcomeRecorded, dueBy: interrupted.fact.due(within: patience))],
        unless: ["the app had given them up and did not say so"], tasks: wanted))
  }

  /// Whether nothing says that the app had given a task up.
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
