import XferEvents
import XferLifecycle
import XferReplay

/// A session was let go while its tasks ran, and they failed for it.
struct SessionReleasedEarly: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static func made(_ kind: SessionKind = .default) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: session, instance: instance, sessionKind: kind, hasDelegate: true)),
      .at(0, TaskCreated(type: .download)), .at(0, TaskResumed()),
      .at(0.001, AttemptStarted(attempt: 1)),
    ]
  }
  private static let released = SessionReleased(session: session, instance: instance, liveTasks: 1)
  private static func failed(_ error: Int) -> TaskCompleted { TaskCompleted(domain: .url, error: error) }

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
        "cancelled by nobody", .certain, variant: "cancelled", cites: [.sessionReleased, .taskCompleted],
        steps: made() + [.at(5, released), .at(5, failed(-999))]),
      RuleExample(
        "cut off from the daemon", .certain, variant: "disconnected", cites: [.sessionReleased, .taskCompleted],
        steps: made(.background) + [.at(5, released), .at(5, failed(-997))]),
    ],
    staysSilent: [
      RuleExample(
        "the daemon kept it, and the app's next life had it again",
        steps: made(.background) + [
          .at(5, released), .at(6, ProcessExited(code: 0, exitReason: .returned)), .at(20, TaskAdopted(), by: .nextLife),
          .at(30, TaskCompleted(received: 9, status: 200), by: .nextLife),
        ]),
      RuleExample(
        "the app cancelled it",
        steps: made() + [.at(4, TaskCancelRequested(by: .app)), .at(5, released), .at(5, failed(-999))]),
      RuleExample("it failed for another reason", steps: made() + [.at(5, released), .at(30, failed(-1001))]),
      RuleExample("cancelled before the session was let go", steps: made() + [.at(4, failed(-999)), .at(5, released)]),
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
