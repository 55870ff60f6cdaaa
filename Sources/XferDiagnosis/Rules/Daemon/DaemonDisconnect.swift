import XferEvents
import XferLifecycle
import XferReplay

/// An app lost its connection to the daemon while tasks of its background sessions ran.
struct DaemonDisconnect: ProcessRule, TaskRule {
  private static let peer = ExampleProcess.daemon.launch

  private static func story(_ type: TaskType = .download) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(startReason: .user, executable: "app")),
      .at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon),
      .at(0.001, LinkConnected(peer: peer, generation: 1)),
      .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)),
      .at(0.002, TaskCreated(type: type)),
      .at(0.003, TaskResumed()),
      .at(0.004, AttemptStarted(attempt: 1), by: .daemon),
    ]
  }

  private static func down(_ reason: String = "closed") -> LinkDisconnected {
    LinkDisconnected(peer: peer, generation: 1, reason: reason)
  }

  static let description = RuleDescription(
    id: "daemon-disconnect", severity: .error,
    summary: "The app lost its connection to the transfer daemon while its background tasks ran.",
    explanation: """
      The tasks of background sessions run in another process, and the app is linked to it. When that link goes down \
      (NSURLErrorBackgroundSessionWasDisconnected, −997) the app hears nothing more of its tasks, although they may well go \
      on. The causes are of five kinds: the daemon ended or is overloaded, the app was suspended, an extension ended, or the \
      session was given a task that it cannot carry, such as a data task. The variant names the one that the log shows.
      """,
    remedy: """
      Connect again, list the session's tasks and adopt them; do not take a task for failed that the daemon still runs. Give \
      background sessions downloads, and uploads from files, only.
      """,
    sources: [
      "https://github.com/aws-amplify/aws-sdk-ios/issues/1472", "https://github.com/joltup/rn-fetch-blob/issues/234",
      "https://github.com/daltoniam/SwiftHTTP/issues/98", "https://github.com/Vydia/react-native-background-upload/issues/92",
    ],
    needsWholeLog: true,
    consequenceOf: ["session-released-early", "task-flood"],
    reports: [
      RuleExample(
        "down, and not up again", .probable, variant: "unknown", cites: [.linkDisconnected],
        steps: story() + [.at(5, down()), .at(30, LogHeartbeatWritten())]),
      RuleExample(
        "up again after a minute", .certain, variant: "unknown", cites: [.last(.linkConnected), .linkDisconnected],
        steps: story() + [.at(5, down()), .at(65, LinkConnected(peer: peer, generation: 1))]),
      RuleExample(
        "the daemon was stopped", .probable, variant: "daemon ended", cites: [.daemonExited, .linkDisconnected],
        steps: story() + [
          .at(5, DaemonExited(generation: 1, reason: "stopped"), by: .daemon), .at(5, down()), .at(30, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "a data task in a background session", .probable, variant: "data task", cites: [.linkDisconnected],
        steps: story(.data) + [.at(5, down()), .at(30, LogHeartbeatWritten())]),
      RuleExample(
        "a task ends with −997, and nothing tells of a link", .certain, variant: "unknown", cites: [.taskCompleted],
        .at(0, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.001, TaskCreated(type: .upload)),
        .at(0.002, TaskResumed()), .at(30, TaskCompleted(domain: .url, error: -997))),
    ],
    staysSilent: [
      RuleExample(
        "up again at once",
        steps: story() + [.at(5, down()), .at(6, LinkConnected(peer: peer, generation: 1)), .at(30, LogHeartbeatWritten())]),
      RuleExample(
        "the app ended, in good order",
        steps: story() + [
          .at(5, ProcessExited(code: 0, exitReason: .exitCall)),
          .at(5, LinkDisconnected(peer: ExampleProcess.app.launch, generation: 1, reason: "closed"), by: .daemon),
        ]),
      RuleExample(
        "nothing ran",
        .at(0, SessionCreated(session: "default-1", sessionKind: .background)),
        .at(0.001, LinkConnected(peer: peer, generation: 1)), .at(5, down()), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "the daemon had crashed, which is told by itself",
        steps: story() + [
          .at(5, ProcessExitObserved(launch: peer, signal: 11, exitReason: .signal)), .at(5, down()),
          .at(30, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "the app was suspended, and connected again when it went on",
        steps: story() + [
          .at(4, ProcessStateChanged(state: .suspended)),
          .at(5, LinkDisconnected(peer: ExampleProcess.app.launch, generation: 1, reason: "closed"), by: .daemon),
          .at(900, ProcessStateChanged(state: .resumed)), .at(901, LinkConnected(peer: peer, generation: 1)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.linkDisconnected, .linkConnected, .taskCompleted]

  /// Who connects again does so at once.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long an app may take to connect to the daemon again")]
  /// NSURLErrorBackgroundSessionWasDisconnected.
  static let wasDisconnected = -997

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.error?.domain == .url, task.error?.number == Self.wasDisconnected else { return .silent }
    // Where the log tells of the link, that is the story.
    if let owner = task.owner, world.processes[owner].link.disconnected != nil { return .silent }
    return .finding(
      Draft(
        variant: task.type == .data ? "data task" : "unknown",
        summary: "Task \(task.identity.text) ended because the app had lost the daemon (−997).", claim: .presence,
        evidence: completed))
  }

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard process.role != .daemon, let down = process.link.disconnected else {
      return asked.isEndOfLog || process.endFact != nil ? .silent : nil
    }
    let reconnected = process.link.reconnected
    let until = reconnected?.monotonic ?? process.coveredUntil
    let without = process.runningTime(from: down.monotonic ?? 0, to: until)
    guard without >= patience.nanoseconds else {
      if reconnected != nil { return asked.isEndOfLog ? .silent : nil }
      return process.endFact != nil || asked.isEndOfLog ? .silent : .wait(patience, after: down)
    }
    let live = world.tasks.indexes.map { world.tasks[$0] }.filter { task in
      let owner = task.owner.map { world.processes[$0].launch }
      return task.isLive && task.cancelRequested == nil && owner == process.launch && world.sessionKind(of: task) == .background
    }
    if live.isEmpty { return asked.isEndOfLog || process.endFact != nil ? .silent : nil }
    let daemon = world.processes.last { $0.daemon?.started.map { $0.monotonic ?? 0 <= down.monotonic ?? 0 } ?? false }
    // A crash of the daemon is told by itself.
    if let daemon, daemon.daemon?.exited == nil, daemon.exited == nil, daemon.exitObserved != nil || daemon.daemon?.next != nil {
      return .silent
    }
    let ended = daemon?.daemon?.exited
    let variant = ended != nil ? "daemon ended" : live.contains { $0.type == .data } ? "data task" : "unknown"
    let reason = process.link.reason.map { " (\($0))" } ?? ""
    return .finding(
      Draft(
        variant: variant,
        summary: """
          \(process.executable ?? "The app") lost the daemon\(reason) while \(live.count) of its background tasks ran.
          """,
        claim: .absence(since: down, shownBy: reconnected.map { .end($0) } ?? .coverage), evidence: down, [ended, reconnected],
        missing: [.init(.linkConnected, dueBy: down.due(within: patience))], tasks: live.map(\.identity)))
  }
}
