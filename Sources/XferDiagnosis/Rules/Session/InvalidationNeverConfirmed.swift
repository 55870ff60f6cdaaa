import XferEvents
import XferLifecycle
import XferReplay

/// Reports a session whose invalidation is never confirmed although its tasks have ended.
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
  /// Returns the steps of an invalidation that lets the running task finish, followed by other steps.
  private static func finishing(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    made + [.at(1, requested), .at(5, done)] + steps
  }
  private static let invalidated = RuleExample.Step.at(5, SessionInvalidated(session: session, instance: instance))
  private static let queued = RuleExample.Step.at(
    5, DeliverySent(session: session, delivery: DeliveryID(9), callback: .didBecomeInvalid))
  private static let later = RuleExample.Step.at(70, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "invalidation-never-confirmed", severity: .warning,
    summary: "A session was invalidated and has no running tasks, but its invalidation was never confirmed.",
    explanation: """
      Invalidation is asynchronous: a session becomes invalid after its last task has ended and \
      urlSession(_:didBecomeInvalidWithError:) has been called. Until then it retains its delegate, and code that waits for \
      the call before it continues or creates a new session waits forever. In a reported case, the call was missing after the \
      app had gone to the background and returned to the foreground. The call also never comes if code on the delegate's queue \
      does not return, for example because it waits for this call.
      """,
    remedy: """
      Do not depend on urlSession(_:didBecomeInvalidWithError:) alone. If it is not called within a minute, continue without \
      it and create the next session with a new identifier. Do not block the delegate's queue.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/15909"],
    reports: [
      RuleExample(
        "a minute passed after the last task ended", .probable, cites: [.sessionInvalidationRequested, .taskCompleted],
        steps: finishing(later)),
      RuleExample(
        "no task was running at the invalidation", .probable, cites: [.sessionInvalidationRequested],
        steps: made + [.at(1, done), .at(5, requested), later]),
      RuleExample(
        "the callback waits in the delegate's queue", .probable, cites: [.sessionInvalidationRequested, .deliverySent],
        steps: finishing(invalidated, queued, later)),
    ],
    staysSilent: [
      RuleExample(
        "the invalidation was confirmed",
        steps: finishing(invalidated, later)),
      RuleExample(
        "the callback was called",
        steps: finishing(
          invalidated, queued,
          .at(9, DeliveryEntered(session: session, delivery: DeliveryID(9), callback: .didBecomeInvalid)), later)),
      RuleExample("a task is still running", steps: made + [.at(1, requested), later]),
      RuleExample(
        "the process ended before the confirmation was due",
        steps: finishing(.at(6, ProcessExited(code: 0, exitReason: .returned)))),
      RuleExample(
        "the process was suspended most of the time",
        steps: finishing(.at(6, ProcessStateChanged(state: .suspended)), .at(69, ProcessStateChanged(state: .resumed)), later)),
      RuleExample(
        "the session object was released",
        steps: finishing(.at(6, SessionReleased(session: session, instance: instance)), later)),
      RuleExample("less than a minute has passed", steps: finishing(.at(60, LogHeartbeatWritten()))),
    ])

  static let watches: Set<EventKind> = [.sessionInvalidationRequested, .taskCompleted, .deliverySent]

  /// The time that a session may take to confirm its invalidation.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "the time that a session without running tasks may take to confirm its invalidation")
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let requested = session.invalidationRequested else { return asked.isEndOfLog ? .silent : nil }
    if session.released != nil { return .silent }
    if session.invalidated != nil, session.confirmationQueued == nil { return asked.isEndOfLog ? .silent : nil }
    guard session.ending.awaited == 0 else { return nil }
    let process = world.processes[session.process]
    let queued = session.confirmationQueued
    let since = queued ?? session.ending.lastTaskEnded ?? requested
    guard asked.covered(since: since, by: process) >= patience else {
      return asked.isEndOfLog || process.endFact != nil ? nil : .wait(patience, after: since)
    }
    return .finding(
      Draft(
        summary: queued == nil
          ? "Session \(session.identifier) was invalidated and has no running tasks, but its invalidation was never confirmed."
          : "Session \(session.identifier) became invalid, but its delegate was never told: the delegate's queue is blocked.",
        claim: .absence(since: since, shownBy: .coverage), evidence: requested, [queued ?? session.ending.lastTaskEnded],
        missing: [.init(queued == nil ? .sessionInvalidated : .deliveryEntered, dueBy: since.due(within: patience))]))
  }
}
