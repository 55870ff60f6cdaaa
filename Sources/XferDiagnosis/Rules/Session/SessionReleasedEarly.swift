import XferEvents
import XferLifecycle
import XferReplay

/// Reports a session that is released while its tasks run, so that the tasks fail.
struct SessionReleasedEarly: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static func made(_ kind: SessionKind = .default) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: session, instance: instance, sessionKind: kind, hasDelegate: true)),
      .at(0, TaskCreated(type: .download)), .at(0, TaskResumed()), .at(0.001, AttemptStarted(attempt: 1)),
    ]
  }
  private static let released = SessionReleased(session: session, instance: instance, liveTasks: 1)
  private static func failed(_ error: Int) -> TaskCompleted { TaskCompleted(domain: .url, error: error) }

  static let description = RuleDescription(
    id: "session-released-early", severity: .error,
    summary: "A session was released while its tasks were running, and the tasks failed as a result.",
    explanation: """
      A session without a strong reference is deallocated. Its tasks then fail as cancelled (−999) or as disconnected from the \
      daemon (−997), although the app cancelled nothing. This happens when the session, or the object that owns it, is a local \
      variable of the function that starts the task. The variant names the failure: "cancelled" or "disconnected".
      """,
    remedy: "Keep the session in a property of an object that lives as long as its transfers.",
    sources: ["https://github.com/Alamofire/Alamofire/issues/2408"],
    needsWholeLog: true,
    untriggerable: """
      A task of the engine retains its session, so that no session is released while it has tasks.
      """,
    reports: [
      RuleExample(
        "the task failed as cancelled without a cancel request", .certain, variant: "cancelled",
        cites: [.sessionReleased, .taskCompleted],
        steps: made() + [.at(5, released), .at(5, failed(-999))]),
      RuleExample(
        "the task was disconnected from the daemon", .certain, variant: "disconnected",
        cites: [.sessionReleased, .taskCompleted],
        steps: made(.background) + [.at(5, released), .at(5, failed(-997))]),
    ],
    staysSilent: [
      RuleExample(
        "the daemon kept the task until the app was relaunched",
        steps: made(.background) + [
          .at(5, released), .at(6, ProcessExited(code: 0, exitReason: .returned)), .at(20, TaskAdopted(), by: .nextLife),
          .at(30, TaskCompleted(received: 9, status: 200), by: .nextLife),
        ]),
      RuleExample(
        "the app cancelled the task",
        steps: made() + [.at(4, TaskCancelRequested(by: .app)), .at(5, released), .at(5, failed(-999))]),
      RuleExample("the task failed for another reason", steps: made() + [.at(5, released), .at(30, failed(-1001))]),
      RuleExample(
        "the task was cancelled before the session was released", steps: made() + [.at(4, failed(-999)), .at(5, released)]),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let released = session.released, let failed = session.ending.failed else { return asked.isEndOfLog ? .silent : nil }
    var isCancelled = false
    if let place = world.tasks.indexes.first(where: { world.tasks[$0].identity.uid == failed.task.uid }) {
      switch CancelCause(of: world.tasks[place], in: world) {
      case .sessionReleased: isCancelled = true
      case nil: break
      case .known, .reason, .userQuit, .refreshOff, .unexplained: return .silent
      }
    }
    return .finding(
      Draft(
        variant: isCancelled ? "cancelled" : "disconnected",
        summary: "Session \(session.identifier) was released while its tasks were running, so task \(failed.task.label) failed.",
        claim: .presence, evidence: released, [failed.fact], tasks: session.ending.abandoned))
  }
}
