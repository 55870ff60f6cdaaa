import XferEvents
import XferLifecycle
import XferReplay

/// A session was let go while its tasks ran, and they failed for it.
struct SessionReleasedEarly: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static func made(_ kind: SessionKind = .default) -> [RuleExample.Step] {
    [
      .event(SessionCreated(session: session, instance: instance, sessionKind: kind, hasDelegate: true), at: .zero),
      .event(TaskCreated(task: .example, type: .download), at: .zero), .event(TaskResumed(task: .example), at: .zero),
      .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(1)),
    ]
  }
  private static let released = SessionReleased(session: session, instance: instance, liveTasks: 1)
  private static func failed(_ error: Int) -> TaskCompleted { TaskCompleted(task: .example, domain: .url, error: error) }

  static let description = RuleDescription(
    id: "session-released-early", severity: .error,
    summary: "A session was let go while its tasks ran, and they failed for it.",
    explanation: """
      A session that nobody keeps ends, and its tasks end with it, as cancelled (−999) or as cut off from their daemon (−997), \
      although nobody cancelled anything. It happens where the session, or the object that owns it, is a local variable of the \
      function that starts the task.
      """,
    remedy: "Keep the session in a property of something that lives as long as its transfers.",
    sources: ["https://github.com/Alamofire/Alamofire/issues/2408"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "cancelled by nobody", certainty: .certain, variant: "cancelled",
        steps: made() + [.evidence(released, at: .seconds(5)), .evidence(failed(-999), at: .seconds(5))]),
      RuleExample(
        "cut off from the daemon", certainty: .certain, variant: "disconnected",
        steps: made(.background) + [.evidence(released, at: .seconds(5)), .evidence(failed(-997), at: .seconds(5))]),
    ],
    staysSilent: [
      RuleExample(
        "the daemon kept it, and the app's next life had it again",
        steps: made(.background) + [
          .event(released, at: .seconds(5)), .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(6)),
          .event(TaskAdopted(task: .example), at: .seconds(20), by: .nextLife),
          .event(TaskCompleted(task: .example, received: 9, status: 200), at: .seconds(30), by: .nextLife),
        ]),
      RuleExample(
        "the app cancelled it",
        steps: made() + [
          .event(TaskCancelRequested(task: .example, by: .app), at: .seconds(4)), .event(released, at: .seconds(5)),
          .event(failed(-999), at: .seconds(5)),
        ]),
      RuleExample(
        "it failed for another reason",
        steps: made() + [.event(released, at: .seconds(5)), .event(failed(-1001), at: .seconds(30))]),
      RuleExample(
        "cancelled before the session was let go",
        steps: made() + [.event(failed(-999), at: .seconds(4)), .event(released, at: .seconds(5))]),
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
        summary: "Session \(session.identifier) was let go while its tasks ran, and task \(failed.task.text) failed for it.",
        claim: .presence, evidence: released, [failed.fact], tasks: session.ending.abandoned))
  }
}
