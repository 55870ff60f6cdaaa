import XferEvents
import XferLifecycle
import XferReplay

/// Reports a task whose description is missing or different after a relaunch.
struct CorrelationMetadataLost: RememberingTaskRule {
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
      notices only after a relaunch, when it cannot match the task to a record. The variant says what the description is then: \
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

  static let watches: Set<EventKind> = [.taskAdopted]
  static let remembers: Set<EventKind> = [.taskCreated]
  static let updates: Set<EventKind> = [.taskChanged, .taskAdopted]

  /// The `taskDescription` that the app set last, and the first adoption with another one.
  struct Memory {
    let set: Fact
    /// A key that is equal for equal descriptions; `nil` if unknown.
    let key: String?
    /// A later change by someone other than the app.
    var overwritten: Fact?
    var lost: Lost?
  }

  struct Lost {
    let adopted: Fact
    let isEmpty: Bool
    /// Whether the log has enough of both descriptions to compare them.
    let isKnown: Bool
  }

  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?) {
    switch fact.kind {
    case .taskCreated:
      memory = event.label.map { Memory(set: fact, key: $0.key) }
    case .taskChanged:
      guard memory != nil, memory?.lost == nil, let text = event.label else { return }
      if event.by == nil || event.by == .app {
        memory = Memory(set: fact, key: text.key)
      } else {
        memory?.overwritten = fact
      }
    case .taskAdopted:
      guard let label = memory, label.lost == nil else { return }
      let isKnown = label.key != nil && (event.label == nil || event.label?.key != nil)
      guard event.label == nil || event.label?.key != label.key || !isKnown else { return }
      memory?.lost = Lost(adopted: fact, isEmpty: event.label == nil, isKnown: isKnown || event.label == nil)
    default: break
    }
  }

  func verdict(on task: TaskLifecycle, remembering memory: Memory, in world: World, asked: Occasion) -> Verdict? {
    guard world.sessionKind(of: task) == .background, let lost = memory.lost else { return asked.isTaskOver ? .silentSoFar : nil }
    guard lost.isKnown else { return .undecidable(needs: "label of task.created and task.adopted") }
    let blame = memory.overwritten == nil ? "" : "; the app did not change it"
    return .finding(
      Draft(
        variant: lost.isEmpty ? "empty" : "changed",
        summary: """
          After a relaunch, task \(task.identity.label) has \(lost.isEmpty ? "no description" : "a different description")\(blame).
          """,
        claim: .presence, evidence: memory.set, [memory.overwritten, lost.adopted]))
  }
}
