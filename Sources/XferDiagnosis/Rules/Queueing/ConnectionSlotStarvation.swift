import XferEvents
import XferLifecycle
import XferReplay

/// A task waits for a connection while all connections to its host are held by tasks that make no progress.
struct ConnectionSlotStarvation: TaskRule {
  private static let host = "example.com"

  /// The steps of an example: two tasks hold the host's two connections and get no response, a third one waits for a connection,
  /// and `steps` happen.
  private static func story(
    _ steps: RuleExample.Step..., hold: TaskHeld = TaskHeld(hold: .hostSlots, host: host, slotsUsed: 2, slots: 2),
    ends seconds: Double = 303
  ) -> [RuleExample.Step] {
    let holders = [TaskIdentity.example(2), .example(3)].flatMap { task -> [RuleExample.Step] in
      [
        .at(0, TaskCreated(task: task, type: .data, host: host)), .at(0.001, TaskResumed(task: task)),
        .at(0.002, AttemptStarted(task: task, attempt: 1, host: host)),
        .at(0.003, AttemptConnectionAcquired(task: task, attempt: 1)),
        .at(0.004, AttemptRequestSent(task: task, attempt: 1, method: "GET")),
      ]
    }
    let waiting: [RuleExample.Step] = [.at(1, TaskCreated(type: .data, host: host)), .at(1, TaskResumed()), .at(2, hold)]
    return holders + waiting + steps + [.at(seconds, LogHeartbeatWritten(liveTasks: 3))]
  }

  static let description = RuleDescription(
    id: "connection-slot-starvation", severity: .warning,
    summary: "The task waited for a connection to its host while all connections were held by tasks that made no progress.",
    explanation: """
      A session opens a limited number of connections to a host (six by default); further tasks wait for a free one. The queue \
      advances only while the tasks that hold the connections make progress. Tasks that stall, or whose requests get no \
      response, keep their connections and block every task behind them, however fast the host is.
      """,
    remedy: """
      Cancel transfers that make no progress, to free their connections. Do not set httpMaximumConnectionsPerHost to 1. Use \
      HTTP/2 where the server supports it, and run long-polling requests in a separate session.
      """,
    sources: ["https://github.com/Alamofire/Alamofire/issues/1852"],
    consequenceOf: ["stalled-transfer", "challenge-unanswered", "waits-for-connectivity-forever"],
    reports: [
      RuleExample(
        "both tasks that hold the host's connections wait for a response", .probable, cites: [.attemptRequestSent, .taskHeld],
        steps: story())
    ],
    staysSilent: [
      RuleExample(
        "a task that holds a connection makes progress",
        steps: story(
          .at(3, AttemptResponseReceived(task: .example(2), attempt: 1, status: 200)),
          .at(100, AttemptBytesReceived(task: .example(2), attempt: 1, received: 10)),
          .at(200, AttemptBytesReceived(task: .example(2), attempt: 1, received: 20)),
          .at(300, AttemptBytesReceived(task: .example(2), attempt: 1, received: 30)))),
      RuleExample(
        "another task got a connection, so the queue advances",
        steps: story(
          .at(250, AttemptEnded(task: .example(2), attempt: 1, end: .finished)),
          .at(250, TaskCreated(task: .example(4), type: .data, host: host)), .at(250, TaskResumed(task: .example(4))),
          .at(251, AttemptStarted(task: .example(4), attempt: 1, host: host)))),
      RuleExample("the task has waited for four minutes", steps: story(ends: 240)),
      RuleExample(
        "the task got a connection after four minutes",
        steps: story(
          .at(240, TaskHoldEnded(hold: .hostSlots)),
          .at(241, AttemptStarted(attempt: 1, host: host)))),
      RuleExample("the task waits for something else", steps: story(hold: TaskHeld(hold: .discretionary))),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.taskHeld)]
  static let watches: Set<EventKind> = [.taskHeld]

  /// The maximum time for a task to wait for a connection. Longer than the usual wait in a queue that advances.
  var patience: Duration = .seconds(300)
  /// The time without progress after which a task counts as stalled.
  var stillness: Duration = .seconds(120)

  static let limits = [
    RuleLimit("patience", \Self.patience, "the maximum time for a task to wait for a connection"),
    RuleLimit("stillness", \Self.stillness, "the time without progress after which a task that holds a connection is stalled"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.isLive, task.cancelRequested == nil, let held = task.held, task.hold == .hostSlots, let host = task.holdHost else {
      return asked.isTaskOver ? .silent : nil
    }
    let process = world.process(of: task)
    let waited = asked.covered(since: held, by: process)
    guard waited >= patience else { return .wait(patience, after: held) }
    let holders = world.tasksOnWire(ofProcess: task.process).map { world.tasks[$0] }.filter { Self.holds($0, host, task) }
    let moved = holders.compactMap { $0.attempt?.lastMovement }
    let allStandStill = moved.allSatisfy { asked.covered(since: $0, by: process) >= stillness }
    guard !holders.isEmpty, holders.count >= task.slots ?? 1, allStandStill else {
      return .wait(waited + stillness, after: held)
    }
    return .finding(
      Draft(
        summary: """
          Task \(task.identity.label) waits for a connection to \(host), and none of the \(holders.count) tasks that hold one \
          makes progress.
          """,
        claim: .absence(since: held, shownBy: .coverage), evidence: held, moved,
        missing: [.init(.taskHoldEnded, dueBy: held.due(within: patience))], tasks: holders.map(\.identity)))
  }

  /// Whether a task holds a connection that another task of its session waits for.
  private static func holds(_ holder: TaskLifecycle, _ host: String, _ waiting: TaskLifecycle) -> Bool {
    guard let attempt = holder.attempt, attempt.started != nil, attempt.ended == nil, holder.isLive, holder.held == nil else {
      return false
    }
    return holder.identity != waiting.identity && holder.identity.session == waiting.identity.session
      && (attempt.redirects.origin?.host ?? holder.host) == host
  }
}
