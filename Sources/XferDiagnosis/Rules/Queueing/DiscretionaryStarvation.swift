import XferEvents
import XferLifecycle
import XferReplay

/// A discretionary task has been waiting for too long.
struct DiscretionaryStarvation: TaskRule {
  private static func story(
    origin: TaskOrigin = .foreground, discretionary: Bool = true, _ steps: RuleExample.Step..., ends seconds: Double = 3700
  ) -> [RuleExample.Step] {
    let held: [RuleExample.Step] = [
      .at(0, TaskCreated(type: .download, origin: origin, discretionary: discretionary)), .at(0.001, TaskResumed()),
      .at(2, TaskHeld(hold: .discretionary)),
    ]
    return held + steps + [.at(seconds, LogHeartbeatWritten(liveTasks: 1))]
  }

  static let description = RuleDescription(
    id: "discretionary-starvation", severity: .warning,
    summary: "The task is discretionary, and the system has delayed it for more than an hour.",
    explanation: """
      The system runs a discretionary task when conditions are favourable: on Wi-Fi, on power, at night. On a device that is \
      rarely charged the task may not run for days. That is acceptable for background maintenance, and wrong for a transfer \
      that a user has started. If the log shows that the device was not charging, the finding cites it.
      """,
    remedy: """
      Set isDiscretionary to false for transfers that a user starts, and use a separate session for the others. Tell the user \
      what the transfer waits for.
      """,
    sources: [
      "https://github.com/AFNetworking/AFNetworking/issues/3809", "https://github.com/easefun/polyv-ios-client-demo/issues/41",
    ],
    reports: [
      RuleExample("the task has waited for over an hour", .probable, cites: [.taskHeld], steps: story()),
      RuleExample(
        "the device was not charging", .probable, cites: [.powerChanged, .taskHeld],
        steps: [.at(0, PowerChanged(charging: false, battery: 60))] + story()),
    ],
    staysSilent: [
      RuleExample(
        "the task began within the hour",
        steps: story(.at(1800, TaskHoldEnded(hold: .discretionary)), .at(1800, AttemptStarted(attempt: 1)), ends: 1801)),
      RuleExample(
        "the task is delayed although the app did not make it discretionary, which another rule reports",
        steps: story(origin: .background, discretionary: false)),
      RuleExample("the app cancelled the task", steps: story(.at(600, TaskCancelRequested(by: .app)))),
      RuleExample("the log ends within the hour", steps: story(ends: 600)),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.taskHeld)]
  static let watches: Set<EventKind> = [.taskHeld]

  var patience: Duration = .seconds(3600)

  static let limits = [RuleLimit("patience", \Self.patience, "the maximum time for a discretionary task to be delayed")]

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
          Task \(task.identity.label) is discretionary and has been delayed for more than \(patience.inSeconds)\
          \(power == nil ? "" : "; the device is not charging").
          """,
        claim: .absence(since: held, shownBy: .coverage), evidence: held, [power],
        missing: [.init(.taskHoldEnded, dueBy: held.due(within: patience))], unless: ["the app accepts this delay"]))
  }
}
