import XferEvents
import XferLifecycle
import XferReplay

/// A task came back from its daemon without the description that the app had given it.
struct CorrelationMetadataLost: TaskRule {
  private static let session = RuleExample.Step.event(
    SessionCreated(session: TaskIdentity.example.session, sessionKind: .background, hasDelegate: true), at: .zero)
  private static func created(_ label: String?) -> TaskCreated { TaskCreated(task: .example, type: .download, label: label) }
  private static func adopted(_ label: String?) -> TaskAdopted { TaskAdopted(task: .example, label: label) }
  private static let over = RuleExample.Step.event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(9))

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
        "it came back empty", certainty: .certain, variant: "empty",
        session, .evidence(created("film 7"), at: .seconds(1)), .event(TaskResumed(task: .example), at: .seconds(1)), over,
        .evidence(adopted(nil), at: .seconds(20), by: .nextLife)),
      RuleExample(
        "a library had written over it", certainty: .certain, variant: "changed",
        session, .evidence(created("film 7"), at: .seconds(1)), .event(TaskResumed(task: .example), at: .seconds(1)),
        .evidence(TaskChanged(task: .example, label: "request-1", by: .engine), at: .seconds(2)), over,
        .evidence(adopted("request-1"), at: .seconds(20), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample(
        "it came back as it was",
        session, .event(created("film 7"), at: .seconds(1)), over, .event(adopted("film 7"), at: .seconds(20), by: .nextLife)),
      RuleExample(
        "the app had changed it itself",
        session, .event(created("film 7"), at: .seconds(1)),
        .event(TaskChanged(task: .example, label: "film 8", by: .app), at: .seconds(2)), over,
        .event(adopted("film 8"), at: .seconds(20), by: .nextLife)),
      RuleExample(
        "it never had one",
        session, .event(created(nil), at: .seconds(1)), over, .event(adopted(nil), at: .seconds(20), by: .nextLife)),
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
