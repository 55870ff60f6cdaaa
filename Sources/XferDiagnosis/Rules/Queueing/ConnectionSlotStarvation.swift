import XferEvents
import XferLifecycle
import XferReplay

/// A task waits for a connection, and those that have one do not move.
struct ConnectionSlotStarvation: TaskRule {
  private static let host = "example.com"
  private static let held = TaskHeld(hold: .hostSlots, host: host, slotsUsed: 2, slots: 2)

  /// Two tasks have the host's two connections, sent their requests, and are answered by nobody.
  private static func holders() -> [RuleExample.Step] {
    ([2, 3] as [UInt32]).flatMap { place -> [RuleExample.Step] in
      let task = TaskIdentity.example(place)
      let sent = AttemptRequestSent(task: task, attempt: 1, method: "GET")
      return [
        .at(0, TaskCreated(task: task, type: .data, host: host)),
        .at(0.001, TaskResumed(task: task)),
        .at(0.002, AttemptStarted(task: task, attempt: 1, host: host)),
        .at(0.003, AttemptConnectionAcquired(task: task, attempt: 1)),
        .at(0.004, sent),
      ]
    }
  }

  private static let waiting: [RuleExample.Step] = [.at(1, TaskCreated(type: .data, host: host)), .at(1, TaskResumed())]

  static let description = RuleDescription(
    id: "connection-slot-starvation", severity: .warning,
    summary: "The task waited for a connection to its host while all of them were held by tasks that did not move.",
    explanation: """
      A session opens only so many connections to a host (six by default), and further tasks wait for one. That is fair as \
      long as those in front move on. When they stall, or wait for an answer themselves, they keep their connections, \
      and everything behind them stands, however fast the host would be.
      """,
    remedy: """
      Give up transfers that do not move, so that their connections come free. Do not allow a single connection only; use \
      HTTP/2 where the server has it; keep requests that are held open for long in a session of their own.
      """,
    sources: ["https://github.com/Alamofire/Alamofire/issues/1852"],
    consequenceOf: ["stalled-transfer", "challenge-unanswered", "waits-for-connectivity-forever"],
    reports: [
      RuleExample(
        "both connections of the host wait for an answer", .probable, cites: [.attemptRequestSent, .taskHeld],
        steps: holders() + waiting + [.at(2, held), .at(303, LogHeartbeatWritten(liveTasks: 3))])
    ],
    staysSilent: [
      RuleExample(
        "those in front move",
        steps: holders() + waiting + [
          .at(2, held), .at(3, AttemptResponseReceived(task: .example(2), attempt: 1, status: 200)),
          .at(100, AttemptBytesReceived(task: .example(2), attempt: 1, received: 10)),
          .at(200, AttemptBytesReceived(task: .example(2), attempt: 1, received: 20)),
          .at(300, AttemptBytesReceived(task: .example(2), attempt: 1, received: 30)),
          .at(303, LogHeartbeatWritten(liveTasks: 3)),
        ]),
      RuleExample(
        "another task had its turn, so the queue moves",
        steps: holders() + waiting + [
          .at(2, held), .at(250, AttemptEnded(task: .example(2), attempt: 1, end: .finished)),
          .at(250, TaskCreated(task: .example(4), type: .data, host: host)), .at(250, TaskResumed(task: .example(4))),
          .at(251, AttemptStarted(task: .example(4), attempt: 1, host: host)), .at(303, LogHeartbeatWritten(liveTasks: 3)),
        ]),
      RuleExample(
        "it has waited for four minutes",
        steps: holders() + waiting + [.at(2, held), .at(240, LogHeartbeatWritten(liveTasks: 3))]),
      RuleExample(
        "it waited four minutes and went",
        steps: holders() + waiting + [
          .at(2, held), .at(240, TaskHoldEnded(hold: .hostSlots)), .at(241, AttemptStarted(attempt: 1, host: host)),
          .at(303, LogHeartbeatWritten(liveTasks: 3)),
        ]),
      RuleExample(
        "it waits for something else",
        steps: holders() + waiting + [
          .at(2, TaskHeld(hold: .discretionary)), .at(303, LogHeartbeatWritten(liveTasks: 3)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.taskHeld)]
  static let watches: Set<EventKind> = [.taskHeld]

  /// Nobody waits so long for a connection unless those in front are slow beyond measure.
  var patience: Duration = .seconds(300)
  /// Without a movement for so long, a task counts as one that keeps its connection for nothing.
  var stillness: Duration = .seconds(120)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a task may wait for a connection"),
    RuleLimit("stillness", \Self.stillness, "after how long without a movement a task keeps its connection for nothing"),
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
          Task \(task.identity.text) waits for a connection to \(host), and none of the \(holders.count) that hold one moves.
          """,
        claim: .absence(since: held, shownBy: .coverage), evidence: held, moved,
        missing: [.init(.taskHoldEnded, dueBy: held.due(within: patience))], tasks: holders.map(\.identity)))
  }

  /// Whether a task has a connection that another one of its session waits for.
  private static func holds(_ holder: TaskLifecycle, _ host: String, _ waiting: TaskLifecycle) -> Bool {
    guard let attempt = holder.attempt, attempt.started != nil, attempt.ended == nil, holder.isLive, holder.held == nil else {
      return false
    }
    return holder.identity != waiting.identity && holder.identity.session == waiting.identity.session
      && (attempt.redirects.origin?.host ?? holder.host) == host
  }
}
