import XferEvents
import XferLifecycle
import XferReplay

/// Reports a new task whose number is still in use by a task or record from an earlier launch.
struct TaskIDReuseAcrossGenerations: TaskRule {
  private static let other = TaskIdentity(
    uid: TaskUID(high: 0xE1, low: 9), session: TaskIdentity.example.session, number: TaskIdentity.example.number)
  private static let session = RuleExample.Step.at(
    0, SessionCreated(session: other.session, sessionKind: .background, hasDelegate: true))
  private static let created = TaskCreated(task: other, type: .download)
  private static let exited = RuleExample.Step.at(9, ProcessExited(code: 0, exitReason: .returned))
  private static let again = TaskCreated(type: .download)
  private static func bound(_ key: String) -> AppIntentBound { AppIntentBound(intent: "film", task: other, key: key) }
  private static let done = RuleExample.Step.at(5, TaskCompleted(task: other, received: 9, status: 200))

  static let description = RuleDescription(
    id: "task-id-reuse-across-generations", severity: .critical,
    summary: "A new task has the same number as an older task that is unfinished or whose record is still open.",
    explanation: """
      A task's number is unique only within one session object. After a relaunch or a restart of the daemon, a number may be \
      reused while the older task, or the app's record of it, is still open. A map from numbers to records that survives the \
      restart then assigns the new task's result to the old record. The variant says what is still open: "task" or "record".
      """,
    remedy: "Store records under an identifier that is never reused: the task's uid, or a key of your own in taskDescription.",
    sources: ["https://github.com/Alamofire/Alamofire/issues/1052", "https://github.com/Automattic/pocket-casts-ios/pull/5057"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the older task is still running", .certain, variant: "task", cites: [.taskCreated],
        session, .at(1, created), .at(1, TaskResumed(task: other)), exited, .at(20, again, by: .nextLife)),
      RuleExample(
        "the app's record of the older task is still open", .certain, variant: "record",
        cites: [.last(.taskCreated), .appIntentBound],
        session, .at(1, created), .at(1, bound("session+number")), done, exited, .at(20, again, by: .nextLife)),
    ],
    staysSilent: [
      RuleExample("the older task was complete", session, .at(1, created), done, exited, .at(20, again, by: .nextLife)),
      RuleExample(
        "the app had closed the record",
        session, .at(1, created), .at(1, bound("session+number")), done,
        .at(5, AppOutcomeRecorded(intent: "film", task: other, outcome: .success)), exited, .at(20, again, by: .nextLife)),
      RuleExample(
        "the app identifies tasks by uid",
        session, .at(1, created), .at(1, bound("uid")), done, exited, .at(20, again, by: .nextLife)),
      RuleExample(
        "the session is a default session, whose tasks end with the process",
        .at(0, SessionCreated(session: other.session, sessionKind: .default)), .at(1, created), exited,
        .at(20, again, by: .nextLife)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.sharesNumber)]
  static let watches: Set<EventKind> = [.taskCreated]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let same = task.oddities.sameNumber, let created = task.created else { return asked.isTaskOver ? .silentSoFar : nil }
    let state = same.isRecord ? "whose record is still open" : "that is unfinished"
    return .finding(
      Draft(
        variant: same.isRecord ? "record" : "task",
        summary: "New task \(task.identity.label) has the same number as an older task \(state).", claim: .presence,
        evidence: created,
        [same.fact], tasks: [same.task]))
  }
}
