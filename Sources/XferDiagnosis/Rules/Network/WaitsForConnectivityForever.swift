import XferEvents
import XferLifecycle
import XferReplay

/// A task waits for a network that is there.
struct WaitsForConnectivityForever: TaskRule {
  private static let waiting: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .data)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
  ]
  private static let awaited = AttemptNetworkAwaited(attempt: 1, hold: .network)

  static let description = RuleDescription(
    id: "waits-for-connectivity-forever", severity: .error,
    summary: "The task went on waiting for the network while there was one.",
    explanation: """
      A session that waits for connectivity does not fail when there is no path: its task waits until there is one, and no \
      request limit runs meanwhile, only the resource limit of seven days. Background sessions always wait, whatever the \
      flag says. When the change of the path is missed, or the path that came back is not one that the task may use, \
      the task waits on, and the user sees a transfer that neither moves nor fails.
      """,
    remedy: """
      Set a resource limit that fits the task, say in the user interface that it waits (taskIsWaitingForConnectivity), and \
      offer to cancel it. Whoever schedules tasks starts those that wait whenever the path changes.
      """,
    sources: [
      "https://github.com/Danie1s/Tiercel/issues/206", "https://github.com/ViennaRSS/vienna-rss/pull/2006",
      "https://github.com/Alamofire/Alamofire/issues/1920",
    ],
    reports: [
      RuleExample(
        "the network came back, and nothing was started again", .probable, variant: "the network came back",
        cites: [.last(.networkPathChanged), .attemptNetworkAwaited],
        steps: [.at(0, NetworkPathChanged(up: false))] + waiting + [
          .at(0.003, awaited), .at(30, NetworkPathChanged(up: true)),
          .at(70, LogHeartbeatWritten(liveTasks: 1)),
          .at(100, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "the network was there all the time", .probable, variant: "the network was there",
        cites: [.networkPathChanged, .attemptNetworkAwaited],
        steps: [.at(0, NetworkPathChanged(up: true))] + waiting + [
          .at(0.003, awaited), .at(70, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "the network was there, until the time was over", .probable, variant: "the network was there",
        cites: [.networkPathChanged, .attemptNetworkAwaited, .attemptEnded],
        steps: [.at(0, NetworkPathChanged(up: true))] + waiting + [
          .at(0.003, awaited),
          .at(600, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "there really is no network",
        steps: [.at(0, NetworkPathChanged(up: false))] + waiting + [
          .at(0.003, awaited), .at(50_000, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "the network came back, and so did the task",
        steps: [.at(0, NetworkPathChanged(up: false))] + waiting + [
          .at(0.003, awaited), .at(30, NetworkPathChanged(up: true)),
          .at(31, AttemptConnectionAcquired(attempt: 1)),
          .at(100, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "nobody says whether there was a network, for a few minutes",
        steps: waiting + [.at(0.003, awaited), .at(300, LogHeartbeatWritten(liveTasks: 1))]),
      RuleExample(
        "the path is one that the task may not use, which is another problem",
        steps: [.at(0, NetworkPathChanged(up: true, cellular: true))] + waiting + [
          .at(0.003, AttemptNetworkAwaited(attempt: 1, hold: .networkPolicy)),
          .at(100, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "the network is back for half a minute",
        steps: [.at(0, NetworkPathChanged(up: false))] + waiting + [
          .at(0.003, awaited), .at(30, NetworkPathChanged(up: true)),
          .at(60, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "there really was no network, until the time was over",
        steps: [.at(0, NetworkPathChanged(up: false))] + waiting + [
          .at(0.003, awaited),
          .at(600, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
        ]),
      RuleExample(
        "the network was there, and the attempt failed soon",
        steps: [.at(0, NetworkPathChanged(up: true))] + waiting + [
          .at(0.003, awaited),
          .at(20, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
        ]),
      RuleExample(
        "the log does not say whether there was a network",
        steps: waiting + [.at(0.003, awaited), .at(50_000, LogHeartbeatWritten(liveTasks: 1))]),
      RuleExample(
        "the app gave up",
        steps: [.at(0, NetworkPathChanged(up: true))] + waiting + [
          .at(0.003, awaited), .at(5, TaskCancelRequested(by: .app)),
          .at(100, LogHeartbeatWritten(liveTasks: 1)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.attemptNetworkAwaited), .event(.taskHeld)]
  static let watches: Set<EventKind> = [.attemptNetworkAwaited, .taskHeld, .attemptEnded]

  /// Paths come and go while a device moves; a task that is to start does so within seconds.
  var patience: Duration = .seconds(60)
  /// From here on it would have to be known whether there is a network.
  var longWait: Duration = .seconds(3600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a task may take to begin when there is a network"),
    RuleLimit("long-wait", \Self.longWait, "from when on it has to be known whether there is a network"),
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
    let cameBack = (awaited.monotonic ?? .min) < changed.monotonic ?? .min
    let start = cameBack ? changed : awaited
    if let ended = attempt?.ended {
      // The time was over before it was noticed that there is a network.
      let waited = process.runningTime(from: start.monotonic ?? 0, to: ended.monotonic ?? 0)
      guard isUp, attempt?.end == .timeout, waited >= patience.nanoseconds else {
        return attempt?.retryIn == nil || asked.isTaskOver ? .silent : nil
      }
    } else {
      guard isUp else { return .wait(waited + patience, after: awaited) }
      guard asked.covered(since: start, by: process) >= patience else { return .wait(patience, after: start) }
    }
    return .finding(
      Draft(
        variant: cameBack ? "the network came back" : "the network was there",
        summary: """
          Task \(task.identity.text) waits for the network, which has been there for \(patience.inSeconds) and more.
          """,
        claim: .absence(since: start, shownBy: .coverage), evidence: awaited, [changed, attempt?.ended],
        missing: [.init(.attemptConnectionAcquired, dueBy: start.due(within: patience))]))
  }
}
