import XferEvents
import XferLifecycle
import XferReplay

/// More tasks than the daemon bears.
struct TaskFlood: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let made = RuleExample.Step.event(
    SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true), at: .zero)

  /// Tasks that are made one after another; the first and the last are what is cited.
  private static func tasks(_ count: Int, every pause: Duration, areEvidence: Bool, done: Bool = false) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let identity = TaskIdentity.example(UInt32(number))
      let (created, time) = (TaskCreated(task: identity, type: .download), pause * number)
      let isCited = areEvidence && (number == 1 || number == count)
      let first: RuleExample.Step = isCited ? .evidence(created, at: time) : .event(created, at: time)
      let resumed = RuleExample.Step.event(TaskResumed(task: identity), at: time)
      guard done else { return [first, resumed] }
      return [first, resumed, .event(TaskCompleted(task: identity, received: 9, status: 200), at: time)]
    }
  }

  private static func failed(at time: Duration, isEvidence: Bool) -> [RuleExample.Step] {
    let failed = SessionConnectFailed(session: session, instance: instance, domain: .url, error: -997)
    return [
      .event(SessionConnectStarted(session: session, instance: instance), at: time),
      isEvidence ? .evidence(failed, at: time) : .event(failed, at: time),
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
      Fetch fewer and larger things: an archive instead of its files. Keep the list of what is to do in the app, and have a window \
      of some tens of tasks under way.
      """,
    sources: ["https://forums.developer.apple.com/message/32659", "https://github.com/danie1s/tiercel/issues/24"],
    reports: [
      RuleExample(
        "a thousand live tasks, and the session cannot be connected", certainty: .certain, variant: "too many live",
        steps: [made] + tasks(1000, every: .milliseconds(500), areEvidence: true) + failed(at: .seconds(501), isEvidence: true)),
      RuleExample(
        "two hundred tasks in twenty seconds, and the next is refused", certainty: .certain, variant: "made too fast",
        steps: [made] + tasks(200, every: .milliseconds(100), areEvidence: true) + [
          .evidence(
            TaskRejected(session: session, instance: instance, type: .download, rejection: .tooManyTasks), at: .seconds(21))
        ]),
    ],
    staysSilent: [
      RuleExample(
        "a thousand live tasks, and all is well", steps: [made] + tasks(1000, every: .milliseconds(500), areEvidence: false)),
      RuleExample(
        "a connection that fails, with few tasks",
        steps: [made] + tasks(50, every: .seconds(1), areEvidence: false) + failed(at: .seconds(51), isEvidence: false)),
      RuleExample(
        "many tasks one after another, each done at once",
        steps: [made] + tasks(400, every: .seconds(1), areEvidence: false, done: true)
          + failed(at: .seconds(401), isEvidence: false)),
      RuleExample(
        "199 of them within the minute",
        steps: [made] + tasks(199, every: .milliseconds(100), areEvidence: false) + failed(at: .seconds(21), isEvidence: false)),
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
