import XferEvents
import XferLifecycle
import XferReplay

/// Reports a task that keeps its cellular allowance after the user has changed the setting.
struct PolicyChangeNotApplied: TaskRule {
  private static func made(allowed: Bool) -> [RuleExample.Step] {
    [.at(0, TaskCreated(type: .upload, allowsCellular: allowed)), .at(0.001, TaskResumed())]
  }
  private static func changed(to allows: Bool) -> PolicyChanged {
    PolicyChanged(policy: .cellularData, enabled: allows, by: .user)
  }
  private static let cellular = NetworkPathChanged(up: true, expensive: true, cellular: true)
  private static let started = RuleExample.Step.at(20, AttemptStarted(attempt: 1))
  private static let later = RuleExample.Step.at(90, LogHeartbeatWritten(liveTasks: 1))

  /// The steps of an example: a task waits for Wi-Fi until the user allows cellular data; then `rest` follows.
  private static func allowed(_ rest: RuleExample.Step...) -> [RuleExample.Step] {
    [.at(0, cellular)] + made(allowed: false) + [.at(1, TaskHeld(hold: .networkPolicy)), .at(20, changed(to: true))] + rest
  }

  static let description = RuleDescription(
    id: "policy-change-not-applied", severity: .warning,
    summary: "The user changed a network setting, and an existing task still uses the old setting.",
    explanation: """
      A task's network allowance is fixed when the task is created: it copies allowsCellularAccess from its request and its \
      session's configuration. When the user allows cellular data in the app's settings, uploads that wait for Wi-Fi keep \
      waiting ("still waits"); when the user forbids it, existing tasks keep using it ("still uses it"). A background session \
      that is created again with another setting does not apply it to its existing tasks either.
      """,
    remedy: """
      When the setting changes, cancel the open tasks with resume data (cancel(byProducingResumeData:)) and create them again \
      in a session with the new setting. A background session needs a new identifier for that.
      """,
    sources: ["https://github.com/owncloud/ios-app/pull/709", "https://github.com/seethroughlab/familiar/pull/317"],
    reports: [
      RuleExample(
        "cellular data was allowed, and the task still waits", .probable, variant: "still waits",
        cites: [.taskHeld, .policyChanged], steps: allowed(later)),
      RuleExample(
        "cellular data was forbidden, and the task starts on the cellular network", .certain, variant: "still uses it",
        cites: [.policyChanged, .networkPathChanged, .attemptStarted],
        steps: made(allowed: true) + [.at(5, changed(to: false)), .at(10, cellular), started]),
    ],
    staysSilent: [
      RuleExample(
        "the task was cancelled and created again",
        steps: allowed(
          .at(21, TaskCancelRequested(by: .app)),
          .at(21, TaskCreated(task: .example(2), type: .upload, allowsCellular: true)),
          .at(21, TaskResumed(task: .example(2))), .at(22, AttemptStarted(task: .example(2), attempt: 1)), later)),
      RuleExample(
        "the task waits, and no setting was changed",
        steps: made(allowed: false) + [.at(1, TaskHeld(hold: .discretionary)), later]),
      RuleExample(
        "cellular data was allowed ten seconds ago", steps: allowed(.at(30, LogHeartbeatWritten(liveTasks: 1)))),
      RuleExample(
        "the task was created after the change",
        steps: [.at(0, changed(to: false)), .at(0, cellular)] + made(allowed: true) + [started]),
      RuleExample(
        "cellular data was forbidden, and the task starts on Wi-Fi",
        steps: made(allowed: true) + [
          .at(5, changed(to: false)), .at(10, NetworkPathChanged(up: true, cellular: false)), started,
        ]),
      RuleExample(
        "cellular data was forbidden and allowed again before the task started",
        steps: made(allowed: true) + [.at(5, changed(to: false)), .at(6, changed(to: true)), .at(10, cellular), started]),
      RuleExample(
        "another setting was changed",
        steps: [.at(0, cellular)] + made(allowed: true) + [
          .at(5, PolicyChanged(policy: .lowPowerMode, enabled: false, by: .user)), started,
        ]),
      RuleExample(
        "cellular data was allowed, and the task continued",
        steps: allowed(.at(21, TaskHoldEnded(hold: .networkPolicy)), .at(21, AttemptStarted(attempt: 1)), later)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.policyChanged)]
  static let watches: Set<EventKind> = [.policyChanged, .taskHeld, .attemptStarted]

  /// The time that the app has to cancel the task and create it again.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a task may wait under the old setting after the change")
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
        summary: "Task \(task.identity.label) still waits for another network, although the user has allowed cellular data.",
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
        summary: "Task \(task.identity.label) uses the cellular network although the user has forbidden it.",
        claim: .presence, evidence: change.changed, [world.network.described, started]))
  }
}
