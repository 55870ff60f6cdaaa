import XferEvents
import XferLifecycle
import XferReplay

/// Reports a session that lists no tasks before it can know its tasks.
struct QueryBeforeReconnect: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(2)
  private static let before: [RuleExample.Step] = [
    .at(0, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background, hasDelegate: true)),
    .at(5, ProcessExited(code: 0, exitReason: .returned)),
    .at(60, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
    .at(61, SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true), by: .nextLife),
    .at(61, SessionConnectStarted(session: session, instance: instance), by: .nextLife),
    .at(61, SessionTasksQueried(session: session, instance: instance, query: CorrelationID(5)), by: .nextLife),
  ]
  private static let made = TaskCreated(type: .download)
  private static let resumed = RuleExample.Step.at(1, TaskResumed())

  /// Returns the steps of two launches and of a task query that is answered with `count` tasks, sorted by time.
  private static func story(_ count: Int64 = 0, connected: Bool, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    let answered = SessionTasksAnswered(
      session: session, instance: instance, query: CorrelationID(5), count: count, connected: connected)
    let end: [RuleExample.Step] = [.at(61, answered, by: .nextLife), .at(90, LogHeartbeatWritten(), by: .nextLife)]
    return (before + steps + end).enumerated().sorted { ($0.1.offset, $0.0) < ($1.1.offset, $1.0) }.map(\.1)
  }

  static let description = RuleDescription(
    id: "query-before-reconnect", severity: .error,
    summary: "A background session answered that it has no tasks before the daemon had reported its tasks.",
    explanation: """
      After a launch, a background session does not know its tasks until it is connected to the daemon. A call to getAllTasks \
      does not wait for the connection: a session that is asked too early answers with an empty list. An app that relies on \
      this answer starts every transfer a second time, or drops its records of the running ones. The variant says what shows \
      that the list was wrong: "not connected", or "tasks came after", if the session already counted as connected.
      """,
    remedy: "Call getAllTasks after the session is connected, and do not rely on an empty list before that.",
    sources: ["https://github.com/lionheart/openradar-mirror/issues/16881"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the daemon had a running task", .certain, variant: "not connected", cites: [.taskCreated, .sessionTasksAnswered],
        steps: story(connected: false, .at(1, made), resumed)),
      RuleExample(
        "a task was reported a second later", .certain, variant: "tasks came after",
        cites: [.sessionTasksAnswered, .taskAdopted],
        steps: story(connected: true, .at(62, TaskAdopted(), by: .nextLife))),
    ],
    staysSilent: [
      RuleExample(
        "the session had no tasks",
        steps: story(
          connected: false,
          .at(62, SessionConnected(session: session, instance: instance, generation: 1, pending: 0), by: .nextLife))),
      RuleExample(
        "the only task had completed",
        steps: story(connected: false, .at(1, made), resumed, .at(4, TaskCompleted(received: 9, status: 200)))),
      RuleExample(
        "the reported task was created after the query",
        steps: story(connected: true, .at(62, made, by: .nextLife), .at(63, TaskAdopted(), by: .nextLife))),
      RuleExample("a task was reported much later", steps: story(connected: true, .at(80, TaskAdopted(), by: .nextLife))),
      RuleExample("the list was not empty", steps: story(1, connected: true, .at(1, made), resumed)),
      RuleExample(
        "another process uses the session, which another rule reports",
        steps: story(
          connected: false, .at(1, made), resumed,
          .at(61, SessionConnectFailed(session: session, instance: instance, domain: .url, error: -996), by: .nextLife))),
    ])

  static let watches: Set<EventKind> = [.sessionTasksAnswered, .taskAdopted]

  /// The maximum time from an empty list to the report of a task that the list should have contained.
  var window: Duration = .seconds(10)

  static let limits = [
    RuleLimit(
      "window", \Self.window, "the time after an empty list within which an omitted task shows that the query was too early")
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let empty = session.emptyAnswer, session.kind == .background, session.refusals.inUse == nil else {
      return asked.isEndOfLog ? .silent : nil
    }
    if !empty.isConnected, let known = empty.known {
      return .finding(draft(session, "not connected", empty.answered, known))
    }
    if let late = empty.late, empty.answered.duration(to: late.fact) ?? .zero <= window {
      return .finding(draft(session, empty.isConnected ? "tasks came after" : "not connected", empty.answered, late))
    }
    return asked.isEndOfLog ? .silent : nil
  }

  private func draft(
    _ session: SessionLifecycle, _ variant: String, _ answered: Fact, _ task: SessionLifecycle.TaskEnd
  ) -> Draft {
    Draft(
      variant: variant,
      summary: "Session \(session.identifier) answered that it has no tasks, although it has task \(task.task.label).",
      claim: .presence, evidence: answered, [task.fact], tasks: [task.task])
  }
}
