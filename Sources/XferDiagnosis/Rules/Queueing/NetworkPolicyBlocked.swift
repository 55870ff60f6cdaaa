import XferEvents
import XferLifecycle
import XferReplay

/// There is a network, and the task may not use it.
struct NetworkPolicyBlocked: TaskRule {
  private static let made: [RuleExample.Step] = [
    .at(0.001, TaskCreated(type: .download, allowsCellular: false)), .at(0.002, TaskResumed()),
  ]
  private static let cellular = NetworkPathChanged(up: true, expensive: true, constrained: false, cellular: true)
  private static let held = TaskHeld(hold: .networkPolicy)
  private static let later = RuleExample.Step.at(90, LogHeartbeatWritten(liveTasks: 1))

  static let description = RuleDescription(
    id: "network-policy-blocked", severity: .warning,
    summary: "The task waits although there is a network, because it is not allowed to use that one.",
    explanation: """
      allowsCellularAccess, allowsExpensiveNetworkAccess and allowsConstrainedNetworkAccess keep a task from paths of that \
      kind: it waits, as without a network, and the user sees a connection and no progress. A session's settings are those of \
      the moment in which it was made: tasks that exist keep theirs when the user changes a switch. The variant names what the \
      path is, as far as the log says.
      """,
    remedy: """
      Show that a transfer waits for another network, and offer to go on. When the setting changes, cancel with resume data and \
      make the tasks anew in a session with the new one.
      """,
    sources: ["https://github.com/owncloud/ios-app/pull/709"],
    consequenceOf: ["policy-change-not-applied"],
    reports: [
      RuleExample(
        "on a cellular path", .probable, variant: "cellular", cites: [.networkPathChanged, .taskHeld],
        steps: [.at(0, cellular)] + made + [.at(1, held), later]),
      RuleExample(
        "an attempt waits for it", .probable, variant: "constrained", cites: [.networkPathChanged, .attemptNetworkAwaited],
        steps: [.at(0, NetworkPathChanged(up: true, constrained: true))] + made + [
          .at(0.003, AttemptStarted(attempt: 1)),
          .at(1, AttemptNetworkAwaited(attempt: 1, hold: .networkPolicy)), later,
        ]),
    ],
    staysSilent: [
      RuleExample("there is no path", steps: [.at(0, NetworkPathChanged(up: false))] + made + [.at(1, held), later]),
      RuleExample(
        "Wi-Fi came, and it went on",
        steps: [.at(0, cellular)] + made + [
          .at(1, held), .at(20, NetworkPathChanged(up: true, cellular: false)),
          .at(20, TaskHoldEnded(hold: .networkPolicy)),
          .at(20, AttemptStarted(attempt: 1)), later,
        ]),
      RuleExample(
        "it waits for the network itself",
        steps: [.at(0, NetworkPathChanged(up: false))] + made + [.at(1, TaskHeld(hold: .network)), later]),
      RuleExample(
        "the app cancelled it",
        steps: [.at(0, cellular)] + made + [.at(1, held), .at(5, TaskCancelRequested(by: .app)), later]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.taskHeld), .event(.attemptNetworkAwaited)]
  static let watches: Set<EventKind> = [.taskHeld, .attemptNetworkAwaited]

  /// Paths come and go while a device moves.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long a task may wait for another network")]

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
        summary: "Task \(task.identity.text) waits for another network; the one that is there (\(kind)) is not allowed.",
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
