import XferEvents
import XferLifecycle
import XferReplay

/// Reports a session that returned neither a task nor an error.
struct TaskCreateReturnedNothing: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let made = RuleExample.Step.at(
    0, SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true))
  private static let failed = TaskCreationFailed(session: session, instance: instance, type: .upload)
  private static let rejected = TaskRejected(session: session, instance: instance, type: .upload, rejection: .missingSource)

  static let description = RuleDescription(
    id: "task-create-returned-nothing", severity: .error,
    summary: "A session was asked for a task but returned neither a task nor an error.",
    explanation: """
      The methods that create a task are documented to return one, and callers rely on it. Occasionally they return nil, which \
      has been reported for uploads in background sessions. In that case there is no task, no error and no callback: the \
      upload is silently lost.
      """,
    remedy: "Check whether the call returned nil. Retry a few times with a pause, and report an error if the retries fail.",
    sources: ["https://github.com/AFNetworking/AFNetworking/pull/2074"],
    untriggerable: """
      The engine's methods return a task or throw an error; only URLSession's Objective-C methods return nil.
      """,
    reports: [
      RuleExample("the session returned nothing for an upload", .certain, cites: [.taskCreationFailed], made, .at(1, failed))
    ],
    staysSilent: [
      RuleExample("the session reported a reason", made, .at(1, rejected), .at(1.001, failed)),
      RuleExample(
        "the session rejected two tasks and reported the reason each time",
        made, .at(1, rejected), .at(1.001, failed), .at(9, rejected), .at(9.001, failed)),
      RuleExample("the session rejected the task", made, .at(1, rejected)),
      RuleExample("the session created the task", made, .at(1, TaskCreated(type: .upload))),
    ])

  static let watches: Set<EventKind> = [.taskCreationFailed]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let nothing = session.refusals.nothing else { return asked.isEndOfLog ? .silent : nil }
    let task = session.refusals.nothingType.map { "\($0 == .upload ? "an" : "a") \($0.name) task" } ?? "a task"
    return .finding(
      Draft(
        summary: "Session \(session.identifier) was asked for \(task) but returned neither a task nor an error.",
        claim: .absence(since: world.processes[session.process].firstSeen ?? nothing, shownBy: .overtaken(by: nothing)),
        evidence: nothing, missing: [.init(.taskRejected, dueBy: nothing.moment)]))
  }
}
