import XferEvents
import XferLifecycle
import XferReplay

/// More tasks than the daemon bears.
struct TaskFlood: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let made = RuleExample.Step.at(
    0, SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true))

  /// Tasks that are made one after another; the first and the last are what is cited.
  private static func tasks(_ count: Int, every pause: Duration, done: Bool = false) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let identity = TaskIdentity.example(UInt32(number))
      let (created, time) = (TaskCreated(task: identity, type: .download), pause * number)
      let first: RuleExample.Step = .at(time, created)
      let resumed = RuleExample.Step.at(time, TaskResumed(task: identity))
      guard done else { return [first, resumed] }
      return [first, resumed, .at(time, TaskCompleted(task: identity, received: 9, status: 200))]
    }
  }

  private static func failed(at time: Duration) -> [RuleExample.Step] {
    let failed = SessionConnectFailed(session: session, instance: instance, domain: .url, error: -997)
    return [
      .at(time, SessionConnectStarted(session: session, instance: instance)),
      .at(time, failed),
    ]
  }

  static let description = RuleDescription(
    id: "task-flood", severity: .error,
    summary: "A session was given so many tasks that the daemon could not go on.",
    explanation: """
      Each background task costs the daemon memory, a file and messages, and it serves all apps. Two or three thousand of them \
      have wedged it for the whole device; long before, making a task or connecting a session begins to fail. The variant says \
      what was too much: "too many live", or "made too fast".
      """,
    remedy: """
      Fetch fewer and larger things: an archive instead of its files. Keep the list of what is to do in the app, and have a \
      window of some tens of tasks under way.
      """,
    sources: ["https://forums.developer.apple.com/message/32659", "https://github.com/danie1s/tiercel/issues/24"],
    reports: [
      RuleExample(
        "a thousand live tasks, and the session cannot be connected", .certain, variant: "too many live",
        cites: [.first(.taskCreated), .last(.taskCreated), .sessionConnectFailed],
        steps: [made] + tasks(1000, every: .milliseconds(500)) + failed(at: .seconds(501))),
      RuleExample(
        "two hundred tasks in twenty seconds, and the next is refused", .certain, variant: "made too fast",
        cites: [.first(.taskCreated), .last(.taskCreated), .taskRejected],
        steps: [made] + tasks(200, every: .milliseconds(100)) + [
          .at(21, TaskRejected(session: session, instance: instance, type: .download, rejection: .tooManyTasks))
        ]),
    ],
    staysSilent: [
      RuleExample(
        "a thousand live tasks, and all is well",
        steps: [made] + tasks(1000, every: .milliseconds(500))),
      RuleExample(
        "a connection that fails, with few tasks",
        steps: [made] + tasks(50, every: .seconds(1)) + failed(at: .seconds(51))),
      RuleExample(
        "many tasks one after another, each done at once",
        steps: [
          made
        ] + tasks(400, every: .seconds(1), done: true) + failed(at: .seconds(401))),
      RuleExample(
        "199 of them within the minute",
        steps: [made] + tasks(199, every: .milliseconds(100)) + failed(at: .seconds(21))),
    ])

  static let watches: Set<EventKind> = [
    .sessionConnectFailed, .taskRejected, .taskCreationFailed, .taskCompleted, .linkDisconnected,
  ]

  var liveTasks = 1000
  var tasksPerMinute = 200

  static let limits = [
    RuleLimit("live-tasks", \Self.liveTasks, "from how many live tasks of a session on its trouble is due to their number"),
    RuleLimit("tasks-per-minute", \Self.tasksPerMinute, "from how many new tasks within a minute on"),
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let strained = session.strained else { return asked.isEndOfLog ? .silent : nil }
    var (live, fresh): ([Fact], [Fact]) = ([], [])
    for index in world.openTasks(ofSession: session.identifier) {
      let task = world.tasks[index]
      guard let created = task.created, let age = created.duration(to: strained), age >= .zero else { continue }
      if task.isLive { live.append(created) }
      if age <= .seconds(60) { fresh.append(created) }
    }
    let isMany = live.count >= liveTasks
    guard isMany || fresh.count >= tasksPerMinute else { return asked.isEndOfLog ? .silent : nil }
    let cited = isMany ? live : fresh
    guard let first = cited.first, let last = cited.last else { return nil }
    return .finding(
      Draft(
        variant: isMany ? "too many live" : "made too fast",
        summary: """
          Session \(session.identifier) got into trouble with \
          \(isMany ? "\(live.count) live tasks" : "\(fresh.count) tasks made within a minute").
          """,
        claim: .presence, evidence: strained, [first, last], unless: ["the trouble has another cause"]))
  }
}
