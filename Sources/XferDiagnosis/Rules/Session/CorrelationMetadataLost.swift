import XferEvents
import XferLifecycle
import XferReplay

/// Reports a task whose description is missing or different after a relaunch.
struct CorrelationMetadataLost: TaskRule {
  private static let session = RuleExample.Step.at(
    0, SessionCreated(session: TaskIdentity.example.session, sessionKind: .background, hasDelegate: true))
  private static func created(_ label: String?) -> TaskCreated { TaskCreated(type: .download, label: label) }
  private static func adopted(_ label: String?) -> TaskAdopted { TaskAdopted(label: label) }
  private static let exited = RuleExample.Step.at(9, ProcessExited(code: 0, exitReason: .returned))

  static let description = RuleDescription(
    id: "correlation-metadata-lost", severity: .error,
    summary: "After a relaunch, a background task has a different description from the one that the app set.",
    explanation: """
      taskDescription is the only app-defined value that a background task keeps across launches, so apps store the key of \
      their record in it. Some libraries write their own text into the same property and overwrite the app's value. The app \
      notices only after a relaunch, when it cannot match the task to a record. The variant says what the task came back with: \
      "empty" or "changed".
      """,
    remedy: """
      Store the library's text and the app's text in different places, or keep the record on disk under the task's own \
      identifier. Set taskDescription before the call to resume() and do not change it afterwards.
      """,
    sources: ["https://github.com/AFNetworking/AFNetworking/issues/2805", "https://github.com/bilipp/Lume/pull/176"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the description is empty after the relaunch", .certain, variant: "empty", cites: [.taskCreated, .taskAdopted],
        session, .at(1, created("film 7")), .at(1, TaskResumed()), exited, .at(20, adopted(nil), by: .nextLife)),
      RuleExample(
        "a library overwrote the description", .certain, variant: "changed", cites: [.taskCreated, .taskChanged, .taskAdopted],
        session, .at(1, created("film 7")), .at(1, TaskResumed()), .at(2, TaskChanged(label: "request-1", by: .engine)), exited,
        .at(20, adopted("request-1"), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample(
        "the description is unchanged", session, .at(1, created("film 7")), exited, .at(20, adopted("film 7"), by: .nextLife)),
      RuleExample(
        "the app changed the description itself",
        session, .at(1, created("film 7")), .at(2, TaskChanged(label: "film 8", by: .app)), exited,
        .at(20, adopted("film 8"), by: .nextLife)),
      RuleExample(
        "the task never had a description", session, .at(1, created(nil)), exited, .at(20, adopted(nil), by: .nextLife)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.relabelled)]
  static let watches: Set<EventKind> = [.taskAdopted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let lost = task.oddities.relabelled else { return asked.isTaskOver ? .silentSoFar : nil }
    guard lost.isKnown else { return .undecidable(needs: "label of task.created and task.adopted") }
    let blame = lost.label.overwritten == nil ? "" : "; the app did not change it"
    return .finding(
      Draft(
        variant: lost.isEmpty ? "empty" : "changed",
        summary: """
          After a relaunch, task \(task.identity.text) has \(lost.isEmpty ? "no description" : "a different description")\(blame).
          """,
        claim: .presence, evidence: lost.label.said, [lost.label.overwritten, lost.adopted]))
  }
}
