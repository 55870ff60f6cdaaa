import XferEvents
import XferLifecycle
import XferReplay

/// A session that was invalidated, and has no task left, does not say that it is invalid.
struct InvalidationNeverConfirmed: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let made: [RuleExample.Step] = [
    .at(0, SessionCreated(session: session, instance: instance, sessionKind: .default)), .at(0, TaskCreated(type: .data)),
    .at(0, TaskResumed()),
  ]
  private static let requested = SessionInvalidationRequested(
    session: session, instance: instance, invalidation: .finishTasks, by: .app)
  private static let done = TaskCompleted(received: 9, status: 200)
  private static let later = RuleExample.Step.at(70, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "invalidation-never-confirmed", severity: .warning,
    summary: "A session was invalidated and its last task had ended, but it never said that it is invalid.",
    explanation: """
      Invalidating a session is a request: it is invalid when its last task has ended and didBecomeInvalid was called. Until then \
      it holds its delegate, and code that waits for the call before it goes on, or makes the session anew, waits for ever. It \
      has been seen after a trip to the background and back.
      """,
    remedy: "Let nothing depend on the confirmation alone: go on without it after a minute, with a new identifier.",
    sources: ["https://github.com/lionheart/openradar-mirror/issues/15909"],
    reports: [
      RuleExample(
        "a minute after its last task", .probable, cites: [.sessionInvalidationRequested, .taskCompleted],
        steps: made + [.at(1, requested), .at(5, done), later]),
      RuleExample(
        "it had no task when its end was asked for", .probable, cites: [.sessionInvalidationRequested],
        steps: made + [.at(1, done), .at(5, requested), later]),
    ],
    staysSilent: [
      RuleExample(
        "confirmed",
        steps: made + [
          .at(1, requested), .at(5, done), .at(5, SessionInvalidated(session: session, instance: instance)), later,
        ]),
      RuleExample("its task still runs", steps: made + [.at(1, requested), later]),
      RuleExample(
        "the process ended first",
        steps: made + [.at(1, requested), .at(5, done), .at(6, ProcessExited(code: 0, exitReason: .returned))]),
      RuleExample(
        "suspended for most of the time",
        steps: made + [
          .at(1, requested), .at(5, done), .at(6, ProcessStateChanged(state: .suspended)),
          .at(69, ProcessStateChanged(state: .resumed)), later,
        ]),
      RuleExample(
        "the object itself is gone",
        steps: made + [.at(1, requested), .at(5, done), .at(6, SessionReleased(session: session, instance: instance)), later]),
      RuleExample("not a minute yet", steps: made + [.at(1, requested), .at(5, done), .at(60, LogHeartbeatWritten())]),
    ])

  static let watches: Set<EventKind> = [.sessionInvalidationRequested, .taskCompleted]

  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a session without tasks may take to say that it is invalid")
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let requested = session.invalidationRequested else { return asked.isEndOfLog ? .silent : nil }
    if session.invalidated != nil || session.released != nil { return .silent }
    guard session.ending.awaited == 0 else { return nil }
    let process = world.processes[session.process]
    let since = session.ending.lastTaskEnded ?? requested
    guard asked.covered(since: since, by: process) >= patience else {
      return asked.isEndOfLog || process.endFact != nil ? nil : .wait(patience, after: since)
    }
    return .finding(
      Draft(
        summary: "Session \(session.identifier) was invalidated and has no task left, and it never said that it is invalid.",
        claim: .absence(since: since, shownBy: .coverage), evidence: requested, [session.ending.lastTaskEnded],
        missing: [.init(.sessionInvalidated, dueBy: since.due(within: patience))]))
  }
}
