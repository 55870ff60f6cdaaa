import XferEvents
import XferLifecycle
import XferReplay

/// The app made a background session and then had another session do the work.
struct TaskOnUnintendedSession: SessionRule {
  private static let background = "com.example.img"
  private static let aside = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: "shared", number: 1)
  private static let own = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)
  private static let shared: RuleExample.Step = .event(
    SessionCreated(session: "shared", instance: CorrelationID(9), sessionKind: .shared), at: .zero)
  private static let created = SessionCreated(session: background, instance: CorrelationID(1), sessionKind: .background)
  private static let task = TaskCreated(task: aside, type: .download, completion: .closure)
  private static let going: [RuleExample.Step] = [
    .event(TaskResumed(task: aside), at: .milliseconds(1003)),
    .event(AttemptStarted(task: aside, attempt: 1), at: .milliseconds(1004)),
    .event(AttemptEnded(task: aside, attempt: 1, end: .finished, received: 10), at: .seconds(2)),
    .event(TaskTransferred(task: aside, received: 10, status: 200), at: .seconds(2)),
    .event(DeliverySent(task: aside, delivery: DeliveryID(1), callback: .didComplete), at: .seconds(2)),
    .event(DeliveryReceived(task: aside, delivery: DeliveryID(1), callback: .didComplete), at: .seconds(2)),
    .event(DeliveryEntered(task: aside, delivery: DeliveryID(1), callback: .didComplete), at: .seconds(2)),
    .event(DeliveryLeft(task: aside, delivery: DeliveryID(1), callback: .didComplete), at: .seconds(2)),
    .event(TaskCompleted(task: aside, delivery: DeliveryID(1), received: 10, status: 200), at: .seconds(2)),
    .event(TaskAcknowledged(task: aside, delivery: DeliveryID(1)), at: .seconds(2)),
  ]
  private static let covered: RuleExample.Step = .event(LogHeartbeatWritten(), at: .seconds(90))

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
        "a session for the background, and a download on the shared one", certainty: .probable,
        steps: [shared, .evidence(created, at: .seconds(1)), .evidence(task, at: .milliseconds(1002))] + going + [covered])
    ],
    staysSilent: [
      RuleExample(
        "the background session got its task later",
        steps: [shared, .event(created, at: .seconds(1)), .event(task, at: .milliseconds(1002))] + going + [
          .event(TaskCreated(task: own, type: .download), at: .seconds(20)), .event(TaskResumed(task: own), at: .seconds(20)),
          covered,
        ]),
      RuleExample(
        "the other task is a short request for data",
        steps: [
          shared, .event(created, at: .seconds(1)),
          .event(TaskCreated(task: aside, type: .data, completion: .async), at: .milliseconds(1002)),
        ] + going + [covered]),
      RuleExample(
        "the other task was made at another time",
        steps: [shared, .event(created, at: .milliseconds(1))] + [.event(task, at: .milliseconds(1002))] + going + [covered]),
      RuleExample(
        "a background session that is made at every launch",
        steps: [
          .event(created, at: .zero), .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(1)),
          .event(
            SessionCreated(session: "shared", instance: CorrelationID(9), sessionKind: .shared), at: .seconds(9), by: .nextLife),
          .event(
            SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background), at: .seconds(10),
            by: .nextLife),
          .event(task, at: .milliseconds(10_002), by: .nextLife),
          .event(TaskResumed(task: aside), at: .milliseconds(10_003), by: .nextLife),
          .event(TaskTransferred(task: aside, received: 10, status: 200), at: .seconds(12), by: .nextLife),
          .event(LogHeartbeatWritten(), at: .seconds(100), by: .nextLife),
        ]),
      RuleExample(
        "the work is handed to the background session",
        steps: [shared, .event(created, at: .seconds(1)), .event(task, at: .milliseconds(1002))] + going.prefix(2) + [
          .event(TaskCreated(task: own, type: .download), at: .seconds(20)),
          .event(TaskHandedOff(task: aside, successor: own), at: .seconds(20)), covered,
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
