import XferEvents
import XferLifecycle
import XferReplay

/// A task came back from its daemon without the description that the app had given it.
struct CorrelationMetadataLost: TaskRule {
  private static let session = RuleExample.Step.at(
    0, SessionCreated(session: TaskIdentity.example.session, sessionKind: .background, hasDelegate: true))
  private static func created(_ label: String?) -> TaskCreated { TaskCreated(type: .download, label: label) }
  private static func adopted(_ label: String?) -> TaskAdopted { TaskAdopted(label: label) }
  private static let over = RuleExample.Step.at(9, ProcessExited(code: 0, exitReason: .returned))

  static let description = RuleDescription(
    id: "correlation-metadata-lost", severity: .error,
    summary: "A task came back after a launch with another description than the app had given it.",
    explanation: """
      taskDescription is the only field that travels with a background task, so apps keep the key to their record there. So do \
      libraries: one that writes its own text into it takes the app's away, which shows only after a relaunch, when nothing else \
      is left. The variant says what came back: "empty", or "changed".
      """,
    remedy: """
      Give the library's text and the app's each a place of its own, or keep the record on disk under the task's own id. Set the \
      description before the task is resumed, and leave it.
      """,
    sources: ["https://github.com/AFNetworking/AFNetworking/issues/2805", "https://github.com/bilipp/Lume/pull/176"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "it came back empty", .certain, variant: "empty", cites: [.taskCreated, .taskAdopted],
        session, .at(1, created("film 7")), .at(1, TaskResumed()), over, .at(20, adopted(nil), by: .nextLife)),
      RuleExample(
        "a library had written over it", .certain, variant: "changed", cites: [.taskCreated, .taskChanged, .taskAdopted],
        session, .at(1, created("film 7")), .at(1, TaskResumed()), .at(2, TaskChanged(label: "request-1", by: .engine)), over,
        .at(20, adopted("request-1"), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample(
        "it came back as it was",
        session, .at(1, created("film 7")), over, .at(20, adopted("film 7"), by: .nextLife)),
      RuleExample(
        "the app had changed it itself",
        session, .at(1, created("film 7")), .at(2, TaskChanged(label: "film 8", by: .app)), over,
        .at(20, adopted("film 8"), by: .nextLife)),
      RuleExample("it never had one", session, .at(1, created(nil)), over, .at(20, adopted(nil), by: .nextLife)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.relabelled)]
  static let watches: Set<EventKind> = [.taskAdopted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let lost = task.oddities.relabelled else { return asked.isTaskOver ? .silentSoFar : nil }
    guard lost.isKnown else { return .undecidable(needs: "label of task.created and task.adopted") }
    let who = lost.label.overwritten == nil ? "" : "; it was not the app that changed it"
    return .finding(
      Draft(
        variant: lost.isEmpty ? "empty" : "changed",
        summary:
          "Task \(task.identity.text) came back \(lost.isEmpty ? "without its description" : "with another description")\(who).",
        claim: .presence, evidence: lost.label.said, [lost.label.overwritten, lost.adopted]))
  }
}
