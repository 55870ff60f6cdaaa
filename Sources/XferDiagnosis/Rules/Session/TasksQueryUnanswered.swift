import XferEvents
import XferLifecycle
import XferReplay

/// Reports a query for a session's tasks that is never answered.
struct TasksQueryUnanswered: SessionRule {
  private static let session = "com.example.img"
  private static let created: RuleExample.Step = .at(
    0, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background))
  private static let queried = SessionTasksQueried(session: session, instance: CorrelationID(1), query: CorrelationID(5))
  private static let answered = SessionTasksAnswered(
    session: session, instance: CorrelationID(1), query: CorrelationID(5), count: 0)

  static let description = RuleDescription(
    id: "tasks-query-unanswered", severity: .error,
    summary: "A session was asked for its tasks but did not answer.",
    explanation: """
      One source says that URLSession does not call the completion handler of getTasksWithCompletionHandler if a session has \
      no tasks; another source relies on the opposite. An app that waits for the answer before it continues could wait \
      forever. The rule reports a query (session.tasksQueried) that has no answer (session.tasksAnswered) in the log after \
      ten seconds, although the process was running and the session was not invalidated. No app is known to have failed this \
      way, so the finding is at most possible.
      """,
    remedy: "Do not depend on the answer alone: continue without it after a few seconds.",
    sources: ["https://developer.apple.com/documentation/foundation/urlsession/1411578-gettaskswithcompletionhandler"],
    isContractOnly: true,
    reports: [
      RuleExample(
        "the session has not answered after half a minute", .possible, cites: [.sessionTasksQueried],
        created, .at(1, queried), .at(31, LogHeartbeatWritten()))
    ],
    staysSilent: [
      RuleExample(
        "the session answers that it has no tasks",
        created, .at(1, queried), .at(1.001, answered), .at(31, LogHeartbeatWritten())),
      RuleExample(
        "the process exited before the session could answer",
        created, .at(1, queried), .at(2, ProcessExited(code: 0, exitReason: .returned))),
      RuleExample(
        "the process was suspended right after the query",
        created, .at(1, queried), .at(2, ProcessStateChanged(state: .suspended)),
        .at(300, ProcessStateChanged(state: .resumed)), .at(301, LogHeartbeatWritten())),
      RuleExample(
        "the session was invalidated after the query",
        created, .at(1, queried), .at(2, SessionInvalidated(session: session, instance: CorrelationID(1))),
        .at(31, LogHeartbeatWritten())),
    ])

  static let watches: Set<EventKind> = [.sessionTasksQueried]

  /// The time that a session may take to answer. The list of tasks is in memory or one message to the daemon away.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "the time that a session may take to list its tasks")]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let query = session.openQuery, session.invalidated == nil else { return asked.isEndOfLog ? .silent : nil }
    let process = world.processes[session.process]
    guard asked.covered(since: query, by: process) >= patience else {
      return asked.isEndOfLog || process.endFact != nil ? nil : .wait(patience, after: query)
    }
    return .finding(
      Draft(
        summary: "Session \(session.identifier) was asked for its tasks but did not answer.",
        claim: .absence(since: query, shownBy: .coverage), evidence: query,
        missing: [.init(.sessionTasksAnswered, dueBy: query.due(within: patience))],
        unless: ["the session was waiting for the daemon, which was unreachable"]))
  }
}
