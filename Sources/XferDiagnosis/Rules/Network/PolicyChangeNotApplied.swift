import XferEvents
import XferLifecycle
import XferReplay

/// The user changed a setting, and tasks that existed kept the old one.
struct PolicyChangeNotApplied: TaskRule {
  private static func made(allowed: Bool) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .upload, allowsCellular: allowed)),
      .at(0.001, TaskResumed()),
    ]
  }
  private static func changed(to allows: Bool) -> PolicyChanged {
    PolicyChanged(policy: .cellularData, enabled: allows, by: .user)
  }
  private static let cellular = NetworkPathChanged(up: true, expensive: true, cellular: true)
  private static let held = TaskHeld(hold: .networkPolicy)
  private static let started = AttemptStarted(attempt: 1)
  private static let later = RuleExample.Step.at(90, LogHeartbeatWritten(liveTasks: 1))

  static let description = RuleDescription(
    id: "policy-change-not-applied", severity: .warning,
    summary: "The user has changed what the app may use, and a task that was made before goes by the old setting.",
    explanation: """
      What a task may use is settled when it is made: allowsCellularAccess of its request and of its session's configuration \
      are copied. When the user allows the cellular network in the app's settings, the uploads that wait for Wi-Fi go on \
      waiting ("still waits"); when the user forbids it, those that exist go on paying for it ("still uses it"). A background \
      session that is made again with another setting does not pass it on to its tasks either.
      """,
    remedy: """
      When the setting changes, cancel the tasks that are open with their resume data, and make them anew in a session with \
      the new setting; a background session needs another identifier for that.
      """,
    sources: ["https://github.com/owncloud/ios-app/pull/709", "https://github.com/seethroughlab/familiar/pull/317"],
    reports: [
      RuleExample(
        "allowed now, and it still waits", .probable, variant: "still waits", cites: [.taskHeld, .policyChanged],
        steps: [.at(0, cellular)] + made(allowed: false) + [.at(1, held), .at(20, changed(to: true)), later]),
      RuleExample(
        "forbidden now, and it begins on the cellular network", .certain, variant: "still uses it",
        cites: [.policyChanged, .networkPathChanged, .attemptStarted],
        steps: made(allowed: true) + [.at(5, changed(to: false)), .at(10, cellular), .at(20, started)]),
    ],
    staysSilent: [
      RuleExample(
        "cancelled, and made anew",
        steps: [.at(0, cellular)] + made(allowed: false) + [
          .at(1, held), .at(20, changed(to: true)),
          .at(21, TaskCancelRequested(by: .app)),
          .at(21, TaskCreated(task: .example(2), type: .upload, allowsCellular: true)),
          .at(21, TaskResumed(task: .example(2))),
          .at(22, AttemptStarted(task: .example(2), attempt: 1)), later,
        ]),
      RuleExample(
        "it waits, and nothing was changed",
        steps: made(allowed: false) + [.at(1, TaskHeld(hold: .discretionary)), later]),
      RuleExample(
        "allowed a moment ago",
        steps: [.at(0, cellular)] + made(allowed: false) + [
          .at(1, held), .at(20, changed(to: true)),
          .at(30, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "it was made under the new setting",
        steps: [.at(0, changed(to: false)), .at(0, cellular)] + made(allowed: true) + [.at(20, started)]),
      RuleExample(
        "forbidden now, and it begins on Wi-Fi",
        steps: made(allowed: true) + [
          .at(5, changed(to: false)), .at(10, NetworkPathChanged(up: true, cellular: false)), .at(20, started),
        ]),
      RuleExample(
        "another setting",
        steps: [.at(0, cellular)] + made(allowed: true) + [
          .at(5, PolicyChanged(policy: .lowPowerMode, enabled: false, by: .user)),
          .at(20, started),
        ]),
      RuleExample(
        "allowed now, and it went on",
        steps: [.at(0, cellular)] + made(allowed: false) + [
          .at(1, held), .at(20, changed(to: true)),
          .at(21, TaskHoldEnded(hold: .networkPolicy)),
          .at(21, started), later,
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.policyChanged)]
  static let watches: Set<EventKind> = [.policyChanged, .taskHeld, .attemptStarted]

  /// To cancel a task and to make it anew takes a moment.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long after the change a task may still wait for the old setting")
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.isLive, task.cancelRequested == nil, let change = task.incidents.policyChange else {
      return asked.isTaskOver ? .silent : nil
    }
    if !change.allows { return usesOld(task, change, in: world) ?? (asked.isTaskOver ? .silent : nil) }
    guard task.hold == .networkPolicy, let held = task.held else { return asked.isTaskOver ? .silent : nil }
    let since = change.changed.duration(to: held) ?? .zero > .zero ? held : change.changed
    guard asked.covered(since: since, by: world.process(of: task)) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: since)
    }
    return .finding(
      Draft(
        variant: "still waits",
        summary: "Task \(task.identity.text) waits for another network, although the user has allowed the one that is there.",
        claim: .absence(since: since, shownBy: .coverage), evidence: change.changed, [held],
        missing: [.init(.taskHoldEnded, dueBy: since.due(within: patience))]))
  }

  private func usesOld(_ task: TaskLifecycle, _ change: TaskLifecycle.PolicyChange, in world: World) -> Verdict? {
    guard let started = task.attempt?.started, task.attempt?.ended == nil,
      change.changed.duration(to: started) ?? .zero > .zero, world.network.isCellular == true, world.network.isUp != false
    else { return nil }
    return .finding(
      Draft(
        variant: "still uses it",
        summary: "Task \(task.identity.text) uses the cellular network, which the user has forbidden meanwhile.",
        claim: .presence, evidence: change.changed, [world.network.described, started]))
  }
}
