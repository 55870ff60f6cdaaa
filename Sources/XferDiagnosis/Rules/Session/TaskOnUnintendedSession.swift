import XferEvents
import XferLifecycle
import XferReplay

/// The app made a background session and then had another session do the work.
struct TaskOnUnintendedSession: SessionRule {
  private static let background = "com.example.img"
  private static let aside = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: "shared", number: 1)
  private static let own = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)
  private static let shared: RuleExample.Step = .at(
    0, SessionCreated(session: "shared", instance: CorrelationID(9), sessionKind: .shared))
  private static let created = SessionCreated(session: background, instance: CorrelationID(1), sessionKind: .background)
  private static let task = TaskCreated(task: aside, type: .download, completion: .closure)
  private static let going: [RuleExample.Step] = [
    .at(1.003, TaskResumed(task: aside)), .at(1.004, AttemptStarted(task: aside, attempt: 1)),
    .at(2, AttemptEnded(task: aside, attempt: 1, end: .finished, received: 10)),
    .at(2, TaskTransferred(task: aside, received: 10, status: 200)),
    .at(2, DeliverySent(task: aside, delivery: DeliveryID(1), callback: .didComplete)),
    .at(2, DeliveryReceived(task: aside, delivery: DeliveryID(1), callback: .didComplete)),
    .at(2, DeliveryEntered(task: aside, delivery: DeliveryID(1), callback: .didComplete)),
    .at(2, DeliveryLeft(task: aside, delivery: DeliveryID(1), callback: .didComplete)),
    .at(2, TaskCompleted(task: aside, delivery: DeliveryID(1), received: 10, status: 200)),
    .at(2, TaskAcknowledged(task: aside, delivery: DeliveryID(1))),
  ]
  private static let covered: RuleExample.Step = .at(90, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "task-on-unintended-session", severity: .notice,
    summary: "A background session was made and got no task, while a transfer was begun on another session right after it.",
    explanation: """
      A configuration and a session for the background are made, and the next line asks the shared session for the task: it \
      compiles, it works while the app is in front, and it ends with the app. Nothing says so, because the background \
      session is in order; it only has no work. The first session of its identifier is judged alone, because one that is \
      made again at a launch often has nothing to do.
      """,
    remedy: "Ask the session that was made for it for the task.",
    sources: ["https://developer.apple.com/documentation/foundation/urlsession/1411554-downloadtask"],
    reports: [
      RuleExample(
        "a session for the background, and a download on the shared one", .probable,
        cites: [.last(.sessionCreated), .taskCreated],
        steps: [shared, .at(1, created), .at(1.002, task)] + going + [covered])
    ],
    staysSilent: [
      RuleExample(
        "the background session got its task later",
        steps: [shared, .at(1, created), .at(1.002, task)] + going + [
          .at(20, TaskCreated(task: own, type: .download)), .at(20, TaskResumed(task: own)),
          covered,
        ]),
      RuleExample(
        "the other task is a short request for data",
        steps: [
          shared, .at(1, created),
          .at(1.002, TaskCreated(task: aside, type: .data, completion: .async)),
        ] + going + [covered]),
      RuleExample(
        "the other task was made at another time",
        steps: [shared, .at(0.001, created)] + [.at(1.002, task)] + going + [covered]),
      RuleExample(
        "a background session that is made at every launch",
        steps: [
          .at(0, created), .at(1, ProcessExited(code: 0, exitReason: .returned)),
          .at(9, SessionCreated(session: "shared", instance: CorrelationID(9), sessionKind: .shared), by: .nextLife),
          .at(10, SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background), by: .nextLife),
          .at(10.002, task, by: .nextLife), .at(10.003, TaskResumed(task: aside), by: .nextLife),
          .at(12, TaskTransferred(task: aside, received: 10, status: 200), by: .nextLife),
          .at(100, LogHeartbeatWritten(), by: .nextLife),
        ]),
      RuleExample(
        "the work is handed to the background session",
        steps: [shared, .at(1, created), .at(1.002, task)] + going.prefix(2) + [
          .at(20, TaskCreated(task: own, type: .download)),
          .at(20, TaskHandedOff(task: aside, successor: own)), covered,
        ]),
    ])

  static let watches: Set<EventKind> = [.sessionCreated]

  /// Two lines of code that stand one below the other.
  var adjacency: Duration = .milliseconds(250)
  /// For the background session to get work of its own.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("adjacency", \Self.adjacency, "how soon after the session a task counts as meant for it"),
    RuleLimit("patience", \Self.patience, "how long a background session may be without a task"),
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard session.kind == .background, let created = session.created else { return asked.isEndOfLog ? .silent : nil }
    let process = world.processes[session.process]
    if session.surroundings.firstTask != nil { return .silent }
    guard process.exited != nil || asked.covered(since: created, by: process) >= patience else {
      return process.endFact != nil || asked.isEndOfLog ? .silent : .wait(patience, after: created)
    }
    guard let aside = session.surroundings.aside, aside.type == .download || aside.type == .upload,
      let gap = created.duration(to: aside.created), gap <= adjacency
    else { return .silent }
    let kind = aside.kind == .shared ? "the shared session" : "a session that ends with the app"
    return .finding(
      Draft(
        summary: "Session \(session.identifier) was made and got no task; \(aside.task.text), right after it, is of \(kind).",
        claim: .absence(since: created, shownBy: .coverage), evidence: created, [aside.created],
        missing: [.init(.taskCreated, dueBy: created.due(within: patience))],
        unless: ["the background session is for other work, which comes later"],
        tasks: [aside.task]))
  }
}
