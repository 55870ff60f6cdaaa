import XferEvents
import XferLifecycle
import XferReplay

/// There is a network, and the task may not use it.
struct NetworkPolicyBlocked: TaskRule {
  private static let made: [RuleExample.Step] = [
    .event(TaskCreated(task: .example, type: .download, allowsCellular: false), at: .milliseconds(1)),
    .event(TaskResumed(task: .example), at: .milliseconds(2)),
  ]
  private static let cellular = NetworkPathChanged(up: true, expensive: true, constrained: false, cellular: true)
  private static let held = TaskHeld(task: .example, hold: .networkPolicy)
  private static let later = RuleExample.Step.event(LogHeartbeatWritten(liveTasks: 1), at: .seconds(90))

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
        "on a cellular path", certainty: .probable, variant: "cellular",
        steps: [.evidence(cellular, at: .zero)] + made + [.evidence(held, at: .seconds(1)), later]),
      RuleExample(
        "an attempt waits for it", certainty: .probable, variant: "constrained",
        steps: [.evidence(NetworkPathChanged(up: true, constrained: true), at: .zero)] + made + [
          .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(3)),
          .evidence(AttemptNetworkAwaited(task: .example, attempt: 1, hold: .networkPolicy), at: .seconds(1)), later,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "there is no path",
        steps: [.event(NetworkPathChanged(up: false), at: .zero)] + made + [.event(held, at: .seconds(1)), later]),
      RuleExample(
        "Wi-Fi came, and it went on",
        steps: [.event(cellular, at: .zero)] + made + [
          .event(held, at: .seconds(1)), .event(NetworkPathChanged(up: true, cellular: false), at: .seconds(20)),
          .event(TaskHoldEnded(task: .example, hold: .networkPolicy), at: .seconds(20)),
          .event(AttemptStarted(task: .example, attempt: 1), at: .seconds(20)), later,
        ]),
      RuleExample(
        "it waits for the network itself",
        steps: [.event(NetworkPathChanged(up: false), at: .zero)] + made + [
          .event(TaskHeld(task: .example, hold: .network), at: .seconds(1)), later,
        ]),
      RuleExample(
        "the app cancelled it",
        steps: [.event(cellular, at: .zero)] + made + [
          .event(held, at: .seconds(1)), .event(TaskCancelRequested(task: .example, by: .app), at: .seconds(5)), later,
        ]),
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
