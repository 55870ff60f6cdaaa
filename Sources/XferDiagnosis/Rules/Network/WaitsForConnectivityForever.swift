import XferEvents
import XferLifecycle
import XferReplay

/// Reports a task that waits for connectivity while the network is up.
struct WaitsForConnectivityForever: TaskRule {
  private static let waiting: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .data)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
  ]
  private static let back = RuleExample.Step.at(30, NetworkPathChanged(up: true))
  private static func alive(_ seconds: Double) -> RuleExample.Step { .at(seconds, LogHeartbeatWritten(liveTasks: 1)) }
  private static func timedOut(_ seconds: Double) -> RuleExample.Step {
    .at(seconds, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28))
  }

  /// The steps of an example: a task waits for the network; then `rest` follows. `isUp` is `nil` if the log does not show whether
  /// the network is up.
  private static func story(isUp: Bool?, _ rest: RuleExample.Step...) -> [RuleExample.Step] {
    let path: [RuleExample.Step] = isUp.map { [.at(0, NetworkPathChanged(up: $0))] } ?? []
    return path + waiting + [.at(0.003, AttemptNetworkAwaited(attempt: 1, hold: .network))] + rest
  }

  static let description = RuleDescription(
    id: "waits-for-connectivity-forever", severity: .error,
    summary: "The task kept waiting for connectivity while the network was up.",
    explanation: """
      In a session with waitsForConnectivity, a task without a network path does not fail but waits. While the task waits, the \
      request timeout is paused, and only the resource timeout (seven days by default) limits the wait. Tasks of background \
      sessions always wait, regardless of waitsForConnectivity. When the path change is missed, or the task may not use the \
      new path, the task keeps waiting, and the user sees a transfer that neither progresses nor fails.
      """,
    remedy: """
      Set a timeoutIntervalForResource that fits the task, show in the user interface that the task waits \
      (taskIsWaitingForConnectivity), and offer to cancel it. In your own scheduler, restart waiting tasks on every path change.
      """,
    sources: [
      "https://github.com/Danie1s/Tiercel/issues/206", "https://github.com/ViennaRSS/vienna-rss/pull/2006",
      "https://github.com/Alamofire/Alamofire/issues/1920",
    ],
    reports: [
      RuleExample(
        "the network came back, and the task was not restarted", .probable, variant: "the network came back",
        cites: [.last(.networkPathChanged), .attemptNetworkAwaited], steps: story(isUp: false, back, alive(70), alive(100))),
      RuleExample(
        "the network was up the whole time", .probable, variant: "the network was there",
        cites: [.networkPathChanged, .attemptNetworkAwaited], steps: story(isUp: true, alive(70))),
      RuleExample(
        "the network was up until the timeout", .probable, variant: "the network was there",
        cites: [.networkPathChanged, .attemptNetworkAwaited, .attemptEnded], steps: story(isUp: true, timedOut(600))),
    ],
    staysSilent: [
      RuleExample("the network is down", steps: story(isUp: false, alive(50_000))),
      RuleExample(
        "the network came back, and the task continued",
        steps: story(isUp: false, back, .at(31, AttemptConnectionAcquired(attempt: 1)), alive(100))),
      RuleExample("the network's state is unknown for a few minutes", steps: story(isUp: nil, alive(300))),
      RuleExample(
        "the task may not use the current path, which another rule reports",
        steps: [.at(0, NetworkPathChanged(up: true, cellular: true))] + waiting + [
          .at(0.003, AttemptNetworkAwaited(attempt: 1, hold: .networkPolicy)), alive(100),
        ]),
      RuleExample("the network came back half a minute ago", steps: story(isUp: false, back, alive(60))),
      RuleExample("the network was down until the timeout", steps: story(isUp: false, timedOut(600))),
      RuleExample("the network was up, and the attempt timed out soon", steps: story(isUp: true, timedOut(20))),
      RuleExample("the network's state is unknown for hours", steps: story(isUp: nil, alive(50_000))),
      RuleExample(
        "the app cancelled the task", steps: story(isUp: true, .at(5, TaskCancelRequested(by: .app)), alive(100))),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.attemptNetworkAwaited), .event(.taskHeld)]
  static let watches: Set<EventKind> = [.attemptNetworkAwaited, .taskHeld, .attemptEnded]

  /// The time that a task has to start once the network is up; paths change often while a device moves.
  var patience: Duration = .seconds(60)
  /// How long a task may wait while the network's state is unknown. After a longer wait, the rule reports that the log lacks the
  /// network's state.
  var longWait: Duration = .seconds(3600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a task may take to start once the network is up"),
    RuleLimit("long-wait", \Self.longWait, "how long a task may wait while the network's state is unknown"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let attempt = task.attempt
    guard task.isLive || attempt?.ended != nil, task.completed == nil, task.cancelRequested == nil, task.suspended == nil,
      let awaited = attempt?.networkAwaited ?? (task.hold == .network ? task.held : nil),
      attempt?.networkAwaited == nil || attempt?.networkHold != .networkPolicy
    else { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    let waited = asked.covered(since: awaited, by: process)
    guard let isUp = world.network.isUp, let changed = world.network.changed else {
      if asked.isEndOfLog, waited >= longWait { return .undecidable(needs: "network.pathChanged") }
      return .wait(waited + longWait, after: awaited)
    }
    let cameBack = awaited.isBefore(changed) ?? false
    let start = cameBack ? changed : awaited
    if let ended = attempt?.ended {
      // An attempt that has ended is reported only if it timed out although the network was up.
      let waited = process.runningTime(from: start, to: ended)
      guard isUp, attempt?.end == .timeout, waited >= patience else {
        return attempt?.retryIn == nil || asked.isTaskOver ? .silent : nil
      }
    } else {
      guard isUp else { return .wait(waited + patience, after: awaited) }
      guard asked.covered(since: start, by: process) >= patience else { return .wait(patience, after: start) }
    }
    return .finding(
      Draft(
        variant: cameBack ? "the network came back" : "the network was there",
        summary: summary(task),
        claim: .absence(since: start, shownBy: .coverage), evidence: awaited, [changed, attempt?.ended],
        missing: [.init(.attemptConnectionAcquired, dueBy: start.due(within: patience))]))
  }

  private func summary(_ task: TaskLifecycle) -> String {
    let isWaiting =
      task.completed == nil && task.attempt?.ended == nil && (task.attempt?.networkAwaited != nil || task.hold == .network)
    let time = patience.inSeconds
    return isWaiting
      ? "Task \(task.identity.label) waits for the network, which has been up for at least \(time)."
      : "Task \(task.identity.label) waited for the network, which had been up for at least \(time)."
  }

  func finalSummary(
    of finding: Finding, on task: TaskLifecycle, _ memories: (all: RuleMemories, rule: Int), in world: World
  ) -> String? { summary(task) }
}
