import XferEvents
import XferLifecycle
import XferReplay

/// The system treats a task as discretionary because it was created in the background.
struct ImplicitDiscretionary: TaskRule {
  private static func story(
    origin: TaskOrigin = .background, discretionary: Bool? = false, held: TaskHeld = TaskHeld(hold: .discretionary)
  ) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, origin: origin, discretionary: discretionary)), .at(0.001, TaskResumed()),
      .at(0.002, held),
    ]
  }

  static let description = RuleDescription(
    id: "implicit-discretionary", severity: .warning,
    summary: "The task is delayed as discretionary because it was created in the background, although isDiscretionary is false.",
    explanation: """
      The system treats tasks that an app creates in the background as discretionary, whatever isDiscretionary says: they wait \
      for Wi-Fi, for power, or for an idle system. A chain of small requests, each created in the callback of the previous \
      one, takes hours this way.
      """,
    remedy: """
      Create all tasks at once, while the app is in the foreground. Do not create tasks in a wake if a user waits for them.
      """,
    sources: ["https://github.com/objccn/articles/issues/439", "https://github.com/firebase/firebase-ios-sdk/issues/147"],
    reports: [
      RuleExample("the app did not make the task discretionary", .certain, cites: [.taskCreated, .taskHeld], steps: story()),
      RuleExample(
        "the app did not make the session discretionary", .certain, cites: [.taskCreated, .taskHeld],
        steps: [.at(0, SessionCreated(session: "default-1", sessionKind: .background, discretionary: false))]
          + story(discretionary: nil)),
    ],
    staysSilent: [
      RuleExample("the task was created in the foreground", steps: story(origin: .foreground)),
      RuleExample("the app made the task discretionary", steps: story(discretionary: true)),
      RuleExample("the task waits for another reason", steps: story(held: TaskHeld(hold: .hostSlots, host: "example.com"))),
      RuleExample("the log does not show whether isDiscretionary is set", steps: story(discretionary: nil)),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.taskHeld)]
  static let watches: Set<EventKind> = [.taskHeld]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.hold == .discretionary, let held = task.held else { return asked.isTaskOver ? .silent : nil }
    guard task.origin == .background, let created = task.created else { return .silent }
    guard let isWanted = task.discretionary ?? world.session(of: task)?.discretionary else {
      return asked.isEndOfLog ? .undecidable(needs: "discretionary of the session or the task") : nil
    }
    if isWanted { return .silent }
    return .finding(
      Draft(
        summary: "Task \(task.identity.label) was created in the background and is delayed as if it were discretionary.",
        claim: .presence,
        evidence: held, [created]))
  }
}
