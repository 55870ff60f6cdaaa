import XferEvents
import XferLifecycle
import XferReplay

/// A new task has the number of one from an earlier life that is not done with.
struct TaskIDReuseAcrossGenerations: TaskRule {
  private static let other = TaskIdentity(
    uid: TaskUID(high: 0xE1, low: 9), session: TaskIdentity.example.session, number: TaskIdentity.example.number)
  private static let session = RuleExample.Step.at(
    0, SessionCreated(session: other.session, sessionKind: .background, hasDelegate: true))
  private static let created = TaskCreated(task: other, type: .download)
  private static let over = RuleExample.Step.at(9, ProcessExited(code: 0, exitReason: .returned))
  private static let again = TaskCreated(type: .download)
  private static func bound(_ key: String) -> AppIntentBound { AppIntentBound(intent: "film", task: other, key: key) }
  private static let done = RuleExample.Step.at(5, TaskCompleted(task: other, received: 9, status: 200))

  static let description = RuleDescription(
    id: "task-id-reuse-across-generations", severity: .critical,
    summary: "A new task has the number of an older one that is not done with.",
    explanation: """
      A task's number is unique in one session object only. In the app's next life, or with a daemon that begins anew, it may \
      be given again, while an older task of that number, or the app's record of it, is still open. A map from numbers to \
      records that survives the restart then books the new task's end for the old one. The variant says what is open: "task", \
      or "record".
      """,
    remedy:
      "Keep records under an id that is never given again: the task's uid, or a key of the app's own that travels with the task.",
    sources: ["https://github.com/Alamofire/Alamofire/issues/1052", "https://github.com/Automattic/pocket-casts-ios/pull/5057"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the older task still runs", .certain, variant: "task", cites: [.taskCreated],
        session, .at(1, created), .at(1, TaskResumed(task: other)), over, .at(20, again, by: .nextLife)),
      RuleExample(
        "the app's record of the older one is open", .certain, variant: "record", cites: [.last(.taskCreated), .appIntentBound],
        session, .at(1, created), .at(1, bound("session+number")), done, over, .at(20, again, by: .nextLife)),
    ],
    staysSilent: [
      RuleExample("the older one was complete", session, .at(1, created), done, over, .at(20, again, by: .nextLife)),
      RuleExample(
        "the record was closed",
        session, .at(1, created), .at(1, bound("session+number")), done,
        .at(5, AppOutcomeRecorded(intent: "film", task: other, outcome: .success)), over, .at(20, again, by: .nextLife)),
      RuleExample(
        "the app knows its tasks by their uid",
        session, .at(1, created), .at(1, bound("uid")), done, over, .at(20, again, by: .nextLife)),
      RuleExample(
        "a default session, whose tasks end with the process",
        .at(0, SessionCreated(session: other.session, sessionKind: .default)), .at(1, created), over,
        .at(20, again, by: .nextLife)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.sharesNumber)]
  static let watches: Set<EventKind> = [.taskCreated]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let same = task.oddities.sameNumber, let created = task.created else { return asked.isTaskOver ? .silentSoFar : nil }
    let what = same.isRecord ? "whose record the app has not closed" : "that is not over"
    return .finding(
      Draft(
        variant: same.isRecord ? "record" : "task",
        summary: "A new task has the number of an older one \(what): \(task.identity.text).", claim: .presence, evidence: created,
        [same.fact], tasks: [same.task]))
  }
}
