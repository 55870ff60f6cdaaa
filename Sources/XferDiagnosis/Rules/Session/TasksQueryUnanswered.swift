import XferEvents
import XferLifecycle
import XferReplay

/// The app asked a session for its tasks and was never answered.
struct TasksQueryUnanswered: SessionRule {
  private static let session = "com.example.img"
  private static let created: RuleExample.Step = .at(
    0, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background))
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
        "half a minute without an answer", .possible, cites: [.sessionTasksQueried],
        created, .at(1, queried), .at(31, LogHeartbeatWritten()))
    ],
    staysSilent: [
      RuleExample("answered, with no tasks", created, .at(1, queried), .at(1.001, answered), .at(31, LogHeartbeatWritten())),
      RuleExample(
        "the process ended before there was time to answer",
        created, .at(1, queried), .at(2, ProcessExited(code: 0, exitReason: .returned))),
      RuleExample(
        "suspended right after the question",
        created, .at(1, queried), .at(2, ProcessStateChanged(state: .suspended)),
        .at(300, ProcessStateChanged(state: .resumed)), .at(301, LogHeartbeatWritten())),
      RuleExample(
        "the session was invalidated meanwhile",
        created, .at(1, queried), .at(2, SessionInvalidated(session: session, instance: CorrelationID(1))),
        .at(31, LogHeartbeatWritten())),
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
