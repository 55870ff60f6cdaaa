import XferEvents
import XferLifecycle
import XferReplay

/// A session that was invalidated, and has no task left, does not say that it is invalid.
struct InvalidationNeverConfirmed: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let made: [RuleExample.Step] = [
    .event(SessionCreated(session: session, instance: instance, sessionKind: .default), at: .zero),
    .event(TaskCreated(task: .example, type: .data), at: .zero), .event(TaskResumed(task: .example), at: .zero),
  ]
  private static let requested = SessionInvalidationRequested(
    session: session, instance: instance, invalidation: .finishTasks, by: .app)
  private static let done = TaskCompleted(task: .example, received: 9, status: 200)
  private static let later = RuleExample.Step.event(LogHeartbeatWritten(), at: .seconds(70))

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
        "a minute after its last task", certainty: .probable,
        steps: made + [.evidence(requested, at: .seconds(1)), .evidence(done, at: .seconds(5)), later]),
      RuleExample(
        "it had no task when its end was asked for", certainty: .probable,
        steps: made + [.event(done, at: .seconds(1)), .evidence(requested, at: .seconds(5)), later]),
    ],
    staysSilent: [
      RuleExample(
        "confirmed",
        steps: made + [
          .event(requested, at: .seconds(1)), .event(done, at: .seconds(5)),
          .event(SessionInvalidated(session: session, instance: instance), at: .seconds(5)), later,
        ]),
      RuleExample("its task still runs", steps: made + [.event(requested, at: .seconds(1)), later]),
      RuleExample(
        "the process ended first",
        steps: made + [
          .event(requested, at: .seconds(1)), .event(done, at: .seconds(5)),
          .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(6)),
        ]),
      RuleExample(
        "suspended for most of the time",
        steps: made + [
          .event(requested, at: .seconds(1)), .event(done, at: .seconds(5)),
          .event(ProcessStateChanged(state: .suspended), at: .seconds(6)),
          .event(ProcessStateChanged(state: .resumed), at: .seconds(69)), later,
        ]),
      RuleExample(
        "the object itself is gone",
        steps: made + [
          .event(requested, at: .seconds(1)), .event(done, at: .seconds(5)),
          .event(SessionReleased(session: session, instance: instance), at: .seconds(6)), later,
        ]),
      RuleExample(
        "not a minute yet",
        steps: made + [
          .event(requested, at: .seconds(1)), .event(done, at: .seconds(5)), .event(LogHeartbeatWritten(), at: .seconds(60)),
        ]),
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
