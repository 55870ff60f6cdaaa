import XferEvents
import XferLifecycle
import XferReplay

/// A connection to the daemon that was lost while background tasks were in flight.
struct DaemonDisconnect: ProcessRule, TaskRule {
  private static let peer = ExampleProcess.daemon.launch
  private static let connected = LinkConnected(peer: peer, generation: 1)
  private static let lost = RuleExample.Step.at(5, LinkDisconnected(peer: peer, generation: 1, reason: "closed"))
  private static let lostByDaemon = RuleExample.Step.at(
    5, LinkDisconnected(peer: ExampleProcess.app.launch, generation: 1, reason: "closed"), by: .daemon)
  private static let later = RuleExample.Step.at(30, LogHeartbeatWritten())

  /// The steps of an example: the daemon starts a background task; then `steps` follow.
  private static func story(type: TaskType = .download, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(startReason: .user, executable: "app")),
      .at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon), .at(0.001, connected),
      .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.002, TaskCreated(type: type)),
      .at(0.003, TaskResumed()), .at(0.004, AttemptStarted(attempt: 1), by: .daemon),
    ] + steps
  }

  static let description = RuleDescription(
    id: "daemon-disconnect", severity: .error,
    summary: "The app lost its connection to the transfer daemon while its background tasks were in flight.",
    explanation: """
      Tasks of background sessions run in the daemon, and the app is connected to it. When the connection is lost \
      (NSURLErrorBackgroundSessionWasDisconnected, −997), the app receives no more events about its tasks, although they may \
      continue. Five causes are known: the daemon ended, the daemon is overloaded, the app was suspended, an app extension \
      ended, or the session was given a task that background sessions do not support, such as a data task. A log shows two of \
      them, which the variant names ("daemon ended" or "data task"). It cannot tell the others apart ("unknown").
      """,
    remedy: """
      Reconnect, list the session's tasks (getAllTasks) and match them with your own records; do not treat a task that the \
      daemon still runs as failed. In background sessions, create only downloads and uploads from files.
      """,
    sources: [
      "https://github.com/aws-amplify/aws-sdk-ios/issues/1472", "https://github.com/joltup/rn-fetch-blob/issues/234",
      "https://github.com/daltoniam/SwiftHTTP/issues/98", "https://github.com/Vydia/react-native-background-upload/issues/92",
    ],
    needsWholeLog: true,
    isStatedByEvents: true,
    consequenceOf: ["session-released-early", "task-flood"],
    reports: [
      RuleExample(
        "the app did not reconnect", .probable, variant: "unknown", cites: [.linkDisconnected], steps: story(lost, later)),
      RuleExample(
        "the app reconnected after a minute", .certain, variant: "unknown", cites: [.last(.linkConnected), .linkDisconnected],
        steps: story(lost, .at(65, connected))),
      RuleExample(
        "the daemon was stopped", .probable, variant: "daemon ended", cites: [.daemonExited, .linkDisconnected],
        steps: story(.at(5, DaemonExited(generation: 1, reason: "stopped"), by: .daemon), lost, later)),
      RuleExample(
        "the background session had a data task", .probable, variant: "data task", cites: [.linkDisconnected],
        steps: story(type: .data, lost, later)),
      RuleExample(
        "a task failed with −997, and the log has no connection events", .certain, variant: "unknown", cites: [.taskCompleted],
        .at(0, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.001, TaskCreated(type: .upload)),
        .at(0.002, TaskResumed()), .at(30, TaskCompleted(domain: .url, error: -997))),
    ],
    staysSilent: [
      RuleExample("the app reconnected after a second", steps: story(lost, .at(6, connected), later)),
      RuleExample("the app exited normally", steps: story(.at(5, ProcessExited(code: 0, exitReason: .exitCall)), lostByDaemon)),
      RuleExample(
        "no task was in flight",
        .at(0, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.001, connected), lost, later),
      RuleExample(
        "the daemon had crashed, which another rule reports",
        steps: story(.at(5, ProcessExitObserved(launch: peer, signal: 11, exitReason: .signal)), lost, later)),
      RuleExample(
        "the app was suspended and reconnected when it was resumed",
        steps: story(
          .at(4, ProcessStateChanged(state: .suspended)), lostByDaemon, .at(900, ProcessStateChanged(state: .resumed)),
          .at(901, connected))),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.linkDisconnected, .linkConnected, .taskCompleted]

  /// The time that an app has to reconnect; most apps reconnect immediately.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long an app may take to reconnect to the daemon")]
  /// The error code `NSURLErrorBackgroundSessionWasDisconnected`.
  static let wasDisconnected = -997

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.error?.domain == .url, task.error?.number == Self.wasDisconnected else { return .silent }
    // If the log shows the lost connection, it is reported once, for the process and not for each task.
    if let owner = task.owner, world.processes[owner].link.disconnected != nil { return .silent }
    return .finding(
      Draft(
        variant: task.type == .data ? "data task" : "unknown",
        summary: "Task \(task.identity.label) failed because the app lost its connection to the daemon (−997).",
        claim: .presence, evidence: completed))
  }

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard process.role != .daemon, let down = process.link.disconnected else {
      return asked.isEndOfLog || process.endFact != nil ? .silent : nil
    }
    let reconnected = process.link.reconnected
    let without = reconnected.map { process.runningTime(from: down, to: $0) } ?? process.runningTime(since: down)
    guard without >= patience || process.coverage != nil && reconnected == nil && asked.isEndOfLog else {
      if reconnected != nil { return asked.isEndOfLog ? .silent : nil }
      return process.endFact != nil || asked.isEndOfLog ? .silent : .wait(patience, after: down)
    }
    let live = world.tasks.indexes.map { world.tasks[$0] }.filter { task in
      let owner = task.owner.map { world.processes[$0].launch }
      return task.isLive && task.cancelRequested == nil && owner == process.launch && world.sessionKind(of: task) == .background
    }
    if live.isEmpty {
      // A foreign log rarely names the tasks of a session.
      if process.coverage != nil, asked.isEndOfLog { return .undecidable(needs: "the tasks that were in flight") }
      return asked.isEndOfLog || process.endFact != nil ? .silent : nil
    }
    let daemon = world.processes.last { $0.daemon?.started?.duration(to: down).map { $0 >= .zero } ?? false }
    // The rule `daemon-crash` reports a crash of the daemon.
    if let daemon, daemon.daemon?.exited == nil, daemon.exited == nil, daemon.exitObserved != nil || daemon.daemon?.next != nil {
      return .silent
    }
    let ended = daemon?.daemon?.exited
    let variant = ended != nil ? "daemon ended" : live.contains { $0.type == .data } ? "data task" : "unknown"
    let reason = process.link.reason.map { "; the log describes the disconnection as “\($0)”" } ?? ""
    return .finding(
      Draft(
        variant: variant,
        summary: """
          \(process.executable ?? "The app") lost its connection to the daemon while \(live.count) of its background tasks \
          \(live.count == 1 ? "was" : "were") in flight\(reason).
          """,
        claim: .absence(since: down, shownBy: reconnected.map { .end($0) } ?? .coverage), evidence: down, [ended, reconnected],
        missing: [.init(.linkConnected, dueBy: down.due(within: patience))], tasks: live.map(\.identity)))
  }
}
