import XferEvents
import XferLifecycle
import XferReplay

/// The app asked a session for its tasks and was never answered.
struct TasksQueryUnanswered: SessionRule {
  private static let session = "com.example.img"
  private static let created: RuleExample.Step = .event(
    SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background), at: .zero)
  private static let queried = SessionTasksQueried(session: session, instance: CorrelationID(1), query: CorrelationID(5))
  private static let answered = SessionTasksAnswered(
    session: session, instance: CorrelationID(1), query: CorrelationID(5), count: 0)

  static let description = RuleDescription(
    id: "tasks-query-unanswered", severity: .error,
    summary: "A session was asked for its tasks and did not answer.",
    explanation: """
      One source says that URLSession does not call back when a session has no tasks; another relies on the opposite. An app \
      that waits for the answer before it goes on would wait for ever. This engine always answers, and says so in the log; a \
      question without an answer is at most a hint.
      """,
    remedy: "Do not make anything depend on the answer alone: go on without it after a few seconds.",
    sources: ["https://developer.apple.com/documentation/foundation/urlsession/1411578-gettaskswithcompletionhandler"],
    isContractOnly: true,
    reports: [
      RuleExample(
        "half a minute without an answer", certainty: .possible,
        created, .evidence(queried, at: .seconds(1)), .event(LogHeartbeatWritten(), at: .seconds(31)))
    ],
    staysSilent: [
      RuleExample(
        "answered, with no tasks",
        created, .event(queried, at: .seconds(1)), .event(answered, at: .milliseconds(1001)),
        .event(LogHeartbeatWritten(), at: .seconds(31))),
      RuleExample(
        "the process ended before there was time to answer",
        created, .event(queried, at: .seconds(1)), .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(2))),
      RuleExample(
        "suspended right after the question",
        created, .event(queried, at: .seconds(1)), .event(ProcessStateChanged(state: .suspended), at: .seconds(2)),
        .event(ProcessStateChanged(state: .resumed), at: .seconds(300)), .event(LogHeartbeatWritten(), at: .seconds(301))),
      RuleExample(
        "the session was invalidated meanwhile",
        created, .event(queried, at: .seconds(1)),
        .event(SessionInvalidated(session: session, instance: CorrelationID(1)), at: .seconds(2)),
        .event(LogHeartbeatWritten(), at: .seconds(31))),
    ])

  static let watches: Set<EventKind> = [.sessionTasksQueried]

  /// For a list that is in memory, or a message away.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long a session may take to list its tasks")]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let query = session.openQuery, session.invalidated == nil else { return asked.isEndOfLog ? .silent : nil }
    let process = world.processes[session.process]
    guard asked.covered(since: query, by: process) >= patience else {
      return asked.isEndOfLog || process.endFact != nil ? nil : .wait(patience, after: query)
    }
    return .finding(
      Draft(
        summary: "Session \(session.identifier) was asked for its tasks and did not answer.",
        claim: .absence(since: query, shownBy: .coverage), evidence: query,
        missing: [.init(.sessionTasksAnswered, dueBy: query.due(within: patience))],
        unless: ["the daemon could not be reached"]))
  }
}
