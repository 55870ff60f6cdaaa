import XferEvents
import XferLifecycle
import XferReplay

/// Reports an app that creates a background session but starts the transfer on another session.
struct TaskOnUnintendedSession: SessionRule {
  private static let background = "com.example.img"
  private static let foreground = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: "shared", number: 1)
  private static let own = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)
  private static let shared: RuleExample.Step = .at(
    0, SessionCreated(session: "shared", instance: CorrelationID(9), sessionKind: .shared))
  private static let created = SessionCreated(session: background, instance: CorrelationID(1), sessionKind: .background)
  private static let task = TaskCreated(task: foreground, type: .download, completion: .closure)
  private static let transfer: [RuleExample.Step] = [
    .at(1.003, TaskResumed(task: foreground)), .at(1.004, AttemptStarted(task: foreground, attempt: 1)),
    .at(2, AttemptEnded(task: foreground, attempt: 1, end: .finished, received: 10)),
    .at(2, TaskTransferred(task: foreground, received: 10, status: 200)),
    .at(2, DeliverySent(task: foreground, delivery: DeliveryID(1), callback: .didComplete)),
    .at(2, DeliveryReceived(task: foreground, delivery: DeliveryID(1), callback: .didComplete)),
    .at(2, DeliveryEntered(task: foreground, delivery: DeliveryID(1), callback: .didComplete)),
    .at(2, DeliveryLeft(task: foreground, delivery: DeliveryID(1), callback: .didComplete)),
    .at(2, TaskCompleted(task: foreground, delivery: DeliveryID(1), received: 10, status: 200)),
    .at(2, TaskAcknowledged(task: foreground, delivery: DeliveryID(1))),
  ]
  private static let covered: RuleExample.Step = .at(90, LogHeartbeatWritten())
  /// Returns the steps up to the end of a transfer on the shared session.
  private static func story(created time: Double = 1, _ creation: TaskCreated = Self.task) -> [RuleExample.Step] {
    [shared, .at(time, created), .at(1.002, creation)] + transfer
  }

  static let description = RuleDescription(
    id: "task-on-unintended-session", severity: .notice,
    summary: "A background session was created but got no task, while a transfer started on another session right after it.",
    explanation: """
      A common mistake is to create a background session and then to create the task on the shared session in the next line. \
      The code compiles and works while the app is in the foreground, but the transfer ends with the app. No error reports the \
      mistake, because an idle background session is valid. For each identifier, only the first session is checked, because a \
      session that is recreated at launch often has nothing to do.
      """,
    remedy:
      "Create the task with the background session's method, for example downloadTask(with:), not with URLSession.shared.",
    sources: ["https://developer.apple.com/documentation/foundation/urlsession/1411554-downloadtask"],
    reports: [
      RuleExample(
        "a download starts on the shared session right after a background session is created", .probable,
        cites: [.last(.sessionCreated), .taskCreated],
        steps: story() + [covered])
    ],
    staysSilent: [
      RuleExample(
        "the background session gets a task later",
        steps: story() + [.at(20, TaskCreated(task: own, type: .download)), .at(20, TaskResumed(task: own)), covered]),
      RuleExample(
        "the background session gets a task after minutes",
        steps: story() + [
          covered, .at(300, TaskCreated(task: own, type: .download)), .at(300, TaskResumed(task: own)),
          .at(310, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "the background session was invalid and rejected a task",
        steps: story() + [
          .at(2, TaskRejected(session: background, instance: CorrelationID(2), type: .download, rejection: .invalidSession)),
          covered,
        ]),
      RuleExample(
        "the task on the other session is a data task",
        steps: story(TaskCreated(task: foreground, type: .data, completion: .async)) + [covered]),
      RuleExample("the task on the other session was created a second later", steps: story(created: 0.001) + [covered]),
      RuleExample(
        "the background session is recreated at a later launch",
        steps: [
          .at(0, created), .at(1, ProcessExited(code: 0, exitReason: .returned)),
          .at(9, SessionCreated(session: "shared", instance: CorrelationID(9), sessionKind: .shared), by: .nextLife),
          .at(10, SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background), by: .nextLife),
          .at(10.002, task, by: .nextLife), .at(10.003, TaskResumed(task: foreground), by: .nextLife),
          .at(12, TaskTransferred(task: foreground, received: 10, status: 200), by: .nextLife),
          .at(100, LogHeartbeatWritten(), by: .nextLife),
        ]),
      RuleExample(
        "the app hands the transfer off to the background session",
        steps: [shared, .at(1, created), .at(1.002, task)] + transfer.prefix(2) + [
          .at(20, TaskCreated(task: own, type: .download)), .at(20, TaskHandedOff(task: foreground, successor: own)), covered,
        ]),
    ])

  static let watches: Set<EventKind> = [.sessionCreated, .taskCreated]

  /// The maximum time between the creation of a session and the creation of a task by adjacent lines of code.
  var adjacency: Duration = .milliseconds(250)
  /// The time within which a background session usually gets its first task.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit(
      "adjacency", \Self.adjacency,
      "the time after the session's creation within which another session's task counts as meant for it"),
    RuleLimit("patience", \Self.patience, "the time that a background session may exist without a task"),
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard session.kind == .background, let created = session.created else { return asked.isEndOfLog ? .silent : nil }
    let process = world.processes[session.process]
    if session.surroundings.firstTask != nil { return .excused(because: "the session got a task later") }
    guard process.exited != nil || asked.covered(since: created, by: process) >= patience else {
      return process.endFact != nil || asked.isEndOfLog ? .silent : .wait(patience, after: created)
    }
    guard let foreground = session.surroundings.aside, foreground.type == .download || foreground.type == .upload,
      let gap = created.duration(to: foreground.created), gap <= adjacency
    else { return .silent }
    let other = foreground.kind == .shared ? "the shared session" : "a session that ends with the app"
    return .finding(
      Draft(
        summary: """
          Background session \(session.identifier) got no task; task \(foreground.task.label), created right after it, belongs to \
          \(other).
          """,
        claim: .absence(since: created, shownBy: .coverage), evidence: created, [foreground.created],
        missing: [.init(.taskCreated, dueBy: created.due(within: patience))],
        unless: ["the background session is for other tasks that are created later"], tasks: [foreground.task]))
  }
}
