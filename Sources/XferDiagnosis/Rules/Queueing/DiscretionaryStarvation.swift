import XferEvents
import XferLifecycle
import XferReplay

/// A discretionary task waits for longer than anybody will.
struct DiscretionaryStarvation: TaskRule {
  private static let made: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download, origin: .foreground, discretionary: true)), .at(0.001, TaskResumed()),
  ]
  private static let held = TaskHeld(hold: .discretionary)

  private static func heartbeat(at time: Duration) -> RuleExample.Step { .at(time, LogHeartbeatWritten(liveTasks: 1)) }

  static let description = RuleDescription(
    id: "discretionary-starvation", severity: .warning,
    summary: "The task is discretionary, and has waited for a better time for more than an hour.",
    explanation: """
      A discretionary task runs when the system thinks that it suits: on Wi-Fi, with the device on power, at night. On a device \
      that is seldom charged it may not run for days. That is right for what nobody waits for, and wrong for what a user has \
      started. If the log says whether the device was charging, that is in the evidence.
      """,
    remedy: """
      Set isDiscretionary to false for what a user has started; keep a session of its own for the rest. Tell the user what it \
      waits for.
      """,
    sources: [
      "https://github.com/AFNetworking/AFNetworking/issues/3809", "https://github.com/easefun/polyv-ios-client-demo/issues/41",
    ],
    reports: [
      RuleExample(
        "an hour and more", .probable, cites: [.taskHeld],
        steps: made + [.at(2, held), heartbeat(at: .seconds(3700))]),
      RuleExample(
        "the device was not charging", .probable, cites: [.powerChanged, .taskHeld],
        steps: [.at(0, PowerChanged(charging: false, battery: 60))] + made + [.at(2, held), heartbeat(at: .seconds(3700))]),
    ],
    staysSilent: [
      RuleExample(
        "it began within the hour",
        steps: made + [
          .at(2, held), .at(1800, TaskHoldEnded(hold: .discretionary)), .at(1800, AttemptStarted(attempt: 1)),
          heartbeat(at: .seconds(1801)),
        ]),
      RuleExample(
        "nobody had asked for it, which is another problem",
        .at(0, TaskCreated(type: .download, origin: .background, discretionary: false)), .at(0.001, TaskResumed()),
        .at(2, held), heartbeat(at: .seconds(3700))),
      RuleExample(
        "the app cancelled it",
        steps: made + [.at(2, held), .at(600, TaskCancelRequested(by: .app)), heartbeat(at: .seconds(3700))]),
      RuleExample("the log ends before", steps: made + [.at(2, held), heartbeat(at: .seconds(600))]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.taskHeld)]
  static let watches: Set<EventKind> = [.taskHeld]

  var patience: Duration = .seconds(3600)

  static let limits = [RuleLimit("patience", \Self.patience, "how long a task may wait for a better time")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.isLive, task.cancelRequested == nil, task.hold == .discretionary, let held = task.held else {
      return asked.isTaskOver ? .silent : nil
    }
    guard task.discretionary ?? world.session(of: task)?.discretionary ?? true else { return .silent }
    let process = world.process(of: task)
    guard asked.covered(since: held, by: process) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: held)
    }
    let power = world.conditions.charging.flatMap { $0.isOn ? nil : $0.changed }
    return .finding(
      Draft(
        summary: """
          Task \(task.identity.text) has waited for a better time for more than \(patience.inSeconds)\
          \(power == nil ? "" : "; the device is not charging").
          """,
        claim: .absence(since: held, shownBy: .coverage), evidence: held, [power],
        missing: [.init(.taskHoldEnded, dueBy: held.due(within: patience))], unless: ["it may wait so long"]))
  }
}
