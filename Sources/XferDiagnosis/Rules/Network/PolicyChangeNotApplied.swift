import XferEvents
import XferLifecycle
import XferReplay

/// The user changed a setting, and tasks that existed kept the old one.
struct PolicyChangeNotApplied: TaskRule {
  private static func made(allowed: Bool) -> [RuleExample.Step] {
    [
      .event(TaskCreated(task: .example, type: .upload, allowsCellular: allowed), at: .zero),
      .event(TaskResumed(task: .example), at: .milliseconds(1)),
    ]
  }
  private static func changed(to allows: Bool) -> PolicyChanged {
    PolicyChanged(policy: .cellularData, enabled: allows, by: .user)
  }
  private static let cellular = NetworkPathChanged(up: true, expensive: true, cellular: true)
  private static let held = TaskHeld(task: .example, hold: .networkPolicy)
  private static let started = AttemptStarted(task: .example, attempt: 1)
  private static let later = RuleExample.Step.event(LogHeartbeatWritten(liveTasks: 1), at: .seconds(90))

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
        "allowed now, and it still waits", certainty: .probable, variant: "still waits",
        steps: [.event(cellular, at: .zero)] + made(allowed: false) + [
          .evidence(held, at: .seconds(1)), .evidence(changed(to: true), at: .seconds(20)), later,
        ]),
      RuleExample(
        "forbidden now, and it begins on the cellular network", certainty: .certain, variant: "still uses it",
        steps: made(allowed: true) + [
          .evidence(changed(to: false), at: .seconds(5)), .evidence(cellular, at: .seconds(10)),
          .evidence(started, at: .seconds(20)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "cancelled, and made anew",
        steps: [.event(cellular, at: .zero)] + made(allowed: false) + [
          .event(held, at: .seconds(1)), .event(changed(to: true), at: .seconds(20)),
          .event(TaskCancelRequested(task: .example, by: .app), at: .seconds(21)),
          .event(TaskCreated(task: .example(2), type: .upload, allowsCellular: true), at: .seconds(21)),
          .event(TaskResumed(task: .example(2)), at: .seconds(21)),
          .event(AttemptStarted(task: .example(2), attempt: 1), at: .seconds(22)), later,
        ]),
      RuleExample(
        "it waits, and nothing was changed",
        steps: made(allowed: false) + [
          .event(TaskHeld(task: .example, hold: .discretionary), at: .seconds(1)), later,
        ]),
      RuleExample(
        "allowed a moment ago",
        steps: [.event(cellular, at: .zero)] + made(allowed: false) + [
          .event(held, at: .seconds(1)), .event(changed(to: true), at: .seconds(20)),
          .event(LogHeartbeatWritten(liveTasks: 1), at: .seconds(30)),
        ]),
      RuleExample(
        "it was made under the new setting",
        steps: [.event(changed(to: false), at: .zero), .event(cellular, at: .zero)] + made(allowed: true) + [
          .event(started, at: .seconds(20))
        ]),
      RuleExample(
        "forbidden now, and it begins on Wi-Fi",
        steps: made(allowed: true) + [
          .event(changed(to: false), at: .seconds(5)), .event(NetworkPathChanged(up: true, cellular: false), at: .seconds(10)),
          .event(started, at: .seconds(20)),
        ]),
      RuleExample(
        "another setting",
        steps: [.event(cellular, at: .zero)] + made(allowed: true) + [
          .event(PolicyChanged(policy: .lowPowerMode, enabled: false, by: .user), at: .seconds(5)),
          .event(started, at: .seconds(20)),
        ]),
      RuleExample(
        "allowed now, and it went on",
        steps: [.event(cellular, at: .zero)] + made(allowed: false) + [
          .event(held, at: .seconds(1)), .event(changed(to: true), at: .seconds(20)),
          .event(TaskHoldEnded(task: .example, hold: .networkPolicy), at: .seconds(21)),
          .event(started, at: .seconds(21)), later,
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
