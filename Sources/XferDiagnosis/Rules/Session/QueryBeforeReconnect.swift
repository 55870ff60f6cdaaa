import XferEvents
import XferLifecycle
import XferReplay

/// A session said that it has no tasks before it could know.
struct QueryBeforeReconnect: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(2)
  private static let before: [RuleExample.Step] = [
    .at(0, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background, hasDelegate: true)),
    .at(5, ProcessExited(code: 0, exitReason: .returned)),
    .at(60, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
    .at(61, SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true), by: .nextLife),
    .at(61, SessionConnectStarted(session: session, instance: instance), by: .nextLife),
  ]
  private static let made = TaskCreated(type: .download)
  private static let resumed = RuleExample.Step.at(1, TaskResumed())
  private static let queried = RuleExample.Step.at(
    61, SessionTasksQueried(session: session, instance: instance, query: CorrelationID(5)), by: .nextLife)
  private static func answered(_ count: Int64 = 0, connected: Bool) -> SessionTasksAnswered {
    SessionTasksAnswered(
      session: session, instance: instance, query: CorrelationID(5), count: count, connected: connected)
  }
  private static let connected = RuleExample.Step.at(
    62, SessionConnected(session: session, instance: instance, generation: 1, pending: 0), by: .nextLife)
  private static let later = RuleExample.Step.at(90, LogHeartbeatWritten(), by: .nextLife)

  /// In the order of their times.
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    (before + [queried] + steps).enumerated().sorted { ($0.1.offset, $0.0) < ($1.1.offset, $1.0) }.map(\.1)
  }

  static let description = RuleDescription(
    id: "query-before-reconnect", severity: .error,
    summary: "A background session answered that it has no tasks before it had heard of those that it has.",
    explanation: """
      After a launch a background session first has to be connected to the daemon, and only then knows its tasks. Nothing orders \
      the list of tasks behind that: asked too early, the session answers with an empty list, and an app that believes it starts \
      everything a second time, or gives up what is still under way. The variant says how the log shows it: "not connected", or \
      "tasks came after", where the session was taken for connected.
      """,
    remedy: "Ask for the tasks when the session is connected, and take an empty list for true only then.",
    sources: ["https://github.com/lionheart/openradar-mirror/issues/16881"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the daemon had a task", .certain, variant: "not connected", cites: [.taskCreated, .sessionTasksAnswered],
        steps: story(.at(1, made), resumed, .at(61, answered(connected: false), by: .nextLife), later)),
      RuleExample(
        "a task came a second later", .certain, variant: "tasks came after", cites: [.sessionTasksAnswered, .taskAdopted],
        steps: story(.at(61, answered(connected: true), by: .nextLife), .at(62, TaskAdopted(), by: .nextLife), later)),
    ],
    staysSilent: [
      RuleExample("it had none", steps: story(.at(61, answered(connected: false), by: .nextLife), connected, later)),
      RuleExample(
        "its only task had completed",
        steps: story(
          .at(1, made), resumed,
          .at(4, TaskCompleted(received: 9, status: 200)),
          .at(61, answered(connected: false), by: .nextLife), later)),
      RuleExample(
        "what came was made since",
        steps: story(
          .at(61, answered(connected: true), by: .nextLife),
          .at(62, made, by: .nextLife), .at(63, TaskAdopted(), by: .nextLife),
          later)),
      RuleExample(
        "a task came much later",
        steps: story(.at(61, answered(connected: true), by: .nextLife), .at(80, TaskAdopted(), by: .nextLife), later)),
      RuleExample(
        "it was not empty",
        steps: story(.at(1, made), resumed, .at(61, answered(1, connected: true), by: .nextLife), later)),
      RuleExample(
        "another process has the session, which is told by itself",
        steps: story(
          .at(1, made), resumed,
          .at(61, SessionConnectFailed(session: session, instance: instance, domain: .url, error: -996), by: .nextLife),
          .at(61, answered(connected: false), by: .nextLife), later)),
    ])

  static let watches: Set<EventKind> = [.sessionTasksAnswered, .taskAdopted]

  var window: Duration = .seconds(10)

  static let limits = [
    RuleLimit("window", \Self.window, "how soon after an empty list a task that it left out shows that it came too early")
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
      summary: "Session \(session.identifier) answered that it has no tasks, and had \(task.task.text).", claim: .presence,
      evidence: answered, [task.fact], tasks: [task.task])
  }
}
