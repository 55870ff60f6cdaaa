import XferEvents
import XferLifecycle
import XferReplay

/// A session was asked for a task, and gave neither one nor a reason.
struct TaskCreateReturnedNothing: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let made = RuleExample.Step.at(
    0, SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true))
  private static let failed = TaskCreationFailed(session: session, instance: instance, type: .upload)
  private static let rejected = TaskRejected(session: session, instance: instance, type: .upload, rejection: .missingSource)

  static let description = RuleDescription(
    id: "task-create-returned-nothing", severity: .error,
    summary: "A session was asked for a task and gave neither a task nor a reason.",
    explanation: """
      The call that makes a task is documented to return one, and callers take it as given. Now and then it returns nil, seen \
      with uploads in background sessions. Then there is no task, no error and no callback: whatever was to be sent is not, \
      and no part of the system will ever say so.
      """,
    remedy: "Look at what the call returns. Try again a few times with a pause, and tell whoever waits when that does not help.",
    sources: ["https://github.com/AFNetworking/AFNetworking/pull/2074"],
    reports: [
      RuleExample(
        "an upload", .certain, cites: [.taskCreationFailed],
        made, .at(1, failed))
    ],
    staysSilent: [
      RuleExample("a reason was given", made, .at(1, rejected), .at(1.001, failed)),
      RuleExample(
        "refused twice for the same reason, which was given both times",
        made, .at(1, rejected), .at(1.001, failed), .at(9, rejected), .at(9.001, failed)),
      RuleExample("refused", made, .at(1, rejected)),
      RuleExample("a task was made", made, .at(1, TaskCreated(type: .upload))),
    ])

  static let watches: Set<EventKind> = [.taskCreationFailed]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let nothing = session.refusals.nothing else { return asked.isEndOfLog ? .silent : nil }
    let what = session.refusals.nothingType.map { "\($0.name) task" } ?? "task"
    return .finding(
      Draft(
        summary: "Session \(session.identifier) was asked for a \(what) and gave neither that nor a reason.",
        claim: .absence(since: world.processes[session.process].firstSeen ?? nothing, shownBy: .overtaken(by: nothing)),
        evidence: nothing, missing: [.init(.taskRejected, dueBy: nothing.moment)]))
  }
}
