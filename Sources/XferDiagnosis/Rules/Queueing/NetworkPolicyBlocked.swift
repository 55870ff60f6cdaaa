import XferEvents
import XferLifecycle
import XferReplay

/// A network is available, but the task is not allowed to use it.
struct NetworkPolicyBlocked: TaskRule {
  private static let cellular = NetworkPathChanged(up: true, expensive: true, constrained: false, cellular: true)
  private static let down = NetworkPathChanged(up: false)

  private static func story(
    _ steps: RuleExample.Step..., on path: NetworkPathChanged = cellular, held: HoldReason? = .networkPolicy
  ) -> [RuleExample.Step] {
    let made: [RuleExample.Step] = [
      .at(0, path), .at(0.001, TaskCreated(type: .download, allowsCellular: false)), .at(0.002, TaskResumed()),
    ]
    let hold: [RuleExample.Step] = held.map { [.at(1, TaskHeld(hold: $0))] } ?? []
    return made + hold + steps + [.at(90, LogHeartbeatWritten(liveTasks: 1))]
  }

  static let description = RuleDescription(
    id: "network-policy-blocked", severity: .warning,
    summary: "The task waits although a network is available, because it is not allowed to use that network.",
    explanation: """
      A task may not use a cellular, expensive or constrained network if allowsCellularAccess, allowsExpensiveNetworkAccess or \
      allowsConstrainedNetworkAccess is false. On such a network the task waits as if there were no network, and the user sees \
      a connection and no progress. A session keeps the settings with which it was created, so existing tasks keep them when \
      the user changes a setting. The variant names the kind of the network: "cellular", "constrained", "expensive" or \
      "unknown".
      """,
    remedy: """
      Show that the transfer waits for another network, and offer to continue on this one. When the setting changes, cancel the \
      tasks with resume data and create them again in a session with the new setting.
      """,
    sources: ["https://github.com/owncloud/ios-app/pull/709"],
    consequenceOf: ["policy-change-not-applied"],
    reports: [
      RuleExample(
        "the task waits on a cellular network", .probable, variant: "cellular", cites: [.networkPathChanged, .taskHeld],
        steps: story()),
      RuleExample(
        "an attempt waits on a constrained network", .probable, variant: "constrained",
        cites: [.networkPathChanged, .attemptNetworkAwaited],
        steps: story(
          .at(0.003, AttemptStarted(attempt: 1)), .at(1, AttemptNetworkAwaited(attempt: 1, hold: .networkPolicy)),
          on: NetworkPathChanged(up: true, constrained: true), held: nil)),
    ],
    staysSilent: [
      RuleExample("no network is available", steps: story(on: down)),
      RuleExample(
        "Wi-Fi became available, and the task started",
        steps: story(
          .at(20, NetworkPathChanged(up: true, cellular: false)),
          .at(20, TaskHoldEnded(hold: .networkPolicy)), .at(20, AttemptStarted(attempt: 1)))),
      RuleExample("the task waits for any network", steps: story(on: down, held: .network)),
      RuleExample(
        "the app cancelled the task", steps: story(.at(5, TaskCancelRequested(by: .app)))),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.taskHeld), .event(.attemptNetworkAwaited)]
  static let watches: Set<EventKind> = [.taskHeld, .attemptNetworkAwaited]

  /// The maximum time for a task to wait for another network, longer than network changes of a moving device take.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "the maximum time for a task to wait for another network")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let awaited = task.attempt?.networkHold == .networkPolicy && task.attempt?.ended == nil ? task.attempt?.networkAwaited : nil
    guard task.isLive, task.cancelRequested == nil, let held = task.hold == .networkPolicy ? task.held : awaited else {
      return asked.isTaskOver ? .silent : nil
    }
    let process = world.process(of: task)
    let waited = asked.covered(since: held, by: process)
    guard waited >= patience else { return asked.isEndOfLog ? nil : .wait(patience, after: held) }
    let path = world.network
    guard path.isUp != false else { return asked.isEndOfLog ? .silent : .wait(waited + patience, after: held) }
    let kind = Self.kind(of: path)
    return .finding(
      Draft(
        variant: kind,
        summary: "Task \(task.identity.label) is not allowed to use the available network (\(kind)) and waits for another one.",
        claim: .absence(since: held, shownBy: .coverage), evidence: held, [path.described],
        missing: [
          .init(task.hold == .networkPolicy ? .taskHoldEnded : .attemptConnectionAcquired, dueBy: held.due(within: patience))
        ]
      ))
  }

  private static func kind(of path: NetworkPath) -> String {
    if path.isCellular == true { return "cellular" }
    if path.isConstrained == true { return "constrained" }
    return path.isExpensive == true ? "expensive" : "unknown"
  }
}
