import XferEvents
import XferLifecycle
import XferReplay

/// A task that was made in the background waits for a better time, although nobody asked for that.
struct ImplicitDiscretionary: TaskRule {
  private static func story(
    origin: TaskOrigin = .background, discretionary: Bool? = false
  ) -> [RuleExample.Step] {
    let created = TaskCreated(type: .download, origin: origin, discretionary: discretionary)
    let held = TaskHeld(hold: .discretionary)
    return [
      .at(0, created),
      .at(0.001, TaskResumed()),
      .at(0.002, held),
    ]
  }

  static let description = RuleDescription(
    id: "implicit-discretionary", severity: .warning,
    summary: "The task waits for a better time because it was made in the background, although the configuration says otherwise.",
    explanation: """
      Tasks that an app makes while it is in the background are treated as discretionary, whatever isDiscretionary says: they \
      wait for Wi-Fi, for power, for the system's leisure. A chain of small requests, each made in the callback of the one \
      before, crawls for hours in this way.
      """,
    remedy: """
      Make the tasks while the app is in front, all at once. In a wake, make none that somebody waits for.
      """,
    sources: ["https://github.com/objccn/articles/issues/439", "https://github.com/firebase/firebase-ios-sdk/issues/147"],
    reports: [
      RuleExample("the task says that it is not", .certain, cites: [.taskCreated, .taskHeld], steps: story()),
      RuleExample(
        "its session says that it is not", .certain, cites: [.taskCreated, .taskHeld],
        steps: [
          .at(0, SessionCreated(session: "default-1", sessionKind: .background, discretionary: false))
        ] + story(discretionary: nil)),
    ],
    staysSilent: [
      RuleExample("made in front", steps: story(origin: .foreground)),
      RuleExample("asked for", steps: story(discretionary: true)),
      RuleExample(
        "held for another reason",
        .at(0, TaskCreated(type: .download, origin: .background, discretionary: false)), .at(0.001, TaskResumed()),
        .at(0.002, TaskHeld(hold: .hostSlots, host: "example.com"))),
      RuleExample("nobody says what was asked for", steps: story(discretionary: nil)),
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
        summary: "Task \(task.identity.text) was made in the background, and waits as if it were discretionary.",
        claim: .presence,
        evidence: held, [created]))
  }
}
