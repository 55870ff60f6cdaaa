import XferEvents
import XferLifecycle
import XferReplay

/// A session said that it has no tasks before it could know.
struct QueryBeforeReconnect: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(2)
  private static let before: [RuleExample.Step] = [
    .event(
      SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background, hasDelegate: true), at: .zero),
    .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(5)),
    .event(ProcessStarted(startReason: .user, executable: "app"), at: .seconds(60), by: .nextLife),
    .event(
      SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true), at: .seconds(61),
      by: .nextLife),
    .event(SessionConnectStarted(session: session, instance: instance), at: .seconds(61), by: .nextLife),
  ]
  private static let made = TaskCreated(task: .example, type: .download)
  private static let resumed = RuleExample.Step.event(TaskResumed(task: .example), at: .seconds(1))
  private static let queried = RuleExample.Step.event(
    SessionTasksQueried(session: session, instance: instance, query: CorrelationID(5)), at: .seconds(61), by: .nextLife)
  private static func answered(_ count: Int64 = 0, connected: Bool) -> SessionTasksAnswered {
    SessionTasksAnswered(
      session: session, instance: instance, query: CorrelationID(5), count: count, connected: connected)
  }
  private static let connected = RuleExample.Step.event(
    SessionConnected(session: session, instance: instance, generation: 1, pending: 0), at: .seconds(62), by: .nextLife)
  private static let later = RuleExample.Step.event(LogHeartbeatWritten(), at: .seconds(90), by: .nextLife)

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
        "the daemon had a task", certainty: .certain, variant: "not connected",
        steps: story(
          .evidence(made, at: .seconds(1)), resumed, .evidence(answered(connected: false), at: .seconds(61), by: .nextLife), later
        )),
      RuleExample(
        "a task came a second later", certainty: .certain, variant: "tasks came after",
        steps: story(
          .evidence(answered(connected: true), at: .seconds(61), by: .nextLife),
          .evidence(TaskAdopted(task: .example), at: .seconds(62), by: .nextLife), later)),
    ],
    staysSilent: [
      RuleExample(
        "it had none", steps: story(.event(answered(connected: false), at: .seconds(61), by: .nextLife), connected, later)),
      RuleExample(
        "its only task had completed",
        steps: story(
          .event(made, at: .seconds(1)), resumed,
          .event(TaskCompleted(task: .example, received: 9, status: 200), at: .seconds(4)),
          .event(answered(connected: false), at: .seconds(61), by: .nextLife), later)),
      RuleExample(
        "what came was made since",
        steps: story(
          .event(answered(connected: true), at: .seconds(61), by: .nextLife),
          .event(made, at: .seconds(62), by: .nextLife), .event(TaskAdopted(task: .example), at: .seconds(63), by: .nextLife),
          later)),
      RuleExample(
        "a task came much later",
        steps: story(
          .event(answered(connected: true), at: .seconds(61), by: .nextLife),
          .event(TaskAdopted(task: .example), at: .seconds(80), by: .nextLife), later)),
      RuleExample(
        "it was not empty",
        steps: story(
          .event(made, at: .seconds(1)), resumed, .event(answered(1, connected: true), at: .seconds(61), by: .nextLife), later)),
      RuleExample(
        "another process has the session, which is told by itself",
        steps: story(
          .event(made, at: .seconds(1)), resumed,
          .event(
            SessionConnectFailed(session: session, instance: instance, domain: .url, error: -996), at: .seconds(61), by: .nextLife
          ),
          .event(answered(connected: false), at: .seconds(61), by: .nextLife), later)),
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
