import XferEvents
import XferLifecycle
import XferReplay

/// Reports a session with more tasks than the daemon can handle.
struct TaskFlood: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let made = RuleExample.Step.at(
    0, SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true))

  /// Returns steps that create tasks at a fixed interval and, if `done`, complete each task at once.
  private static func tasks(_ count: Int, every pause: Duration, done: Bool = false) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let (task, time) = (TaskIdentity.example(UInt32(number)), pause * number)
      let steps: [RuleExample.Step] = [
        .at(time, TaskCreated(task: task, type: .download)), .at(time, TaskResumed(task: task)),
      ]
      return done ? steps + [.at(time, TaskCompleted(task: task, received: 9, status: 200))] : steps
    }
  }

  private static func failed(at time: Duration) -> [RuleExample.Step] {
    let failed = SessionConnectFailed(session: session, instance: instance, domain: .url, error: -997)
    return [.at(time, SessionConnectStarted(session: session, instance: instance)), .at(time, failed)]
  }

  static let description = RuleDescription(
    id: "task-flood", severity: .error,
    summary: "A session was given more tasks than the daemon can handle.",
    explanation: """
      Each background task costs the daemon memory, a file and messages, and one daemon serves all apps. Two or three thousand \
      tasks have blocked the daemon for the whole device; with far fewer, requests to create a task or connect a session start \
      to fail. The rule reports a session with too many tasks when its connection to the daemon fails or is lost, or when one \
      of its tasks is rejected or fails for lack of resources. It counts only the tasks of that session, including those that \
      earlier launches created. The variant says which number was too high: "too many live" or "made too fast".
      """,
    remedy: """
      Transfer fewer and larger items, for example one archive instead of its files. Keep the queue in the app, and limit the \
      number of tasks in flight to a few dozen.
      """,
    sources: ["https://forums.developer.apple.com/message/32659", "https://github.com/danie1s/tiercel/issues/24"],
    reports: [
      RuleExample(
        "the session cannot connect with a thousand live tasks", .certain, variant: "too many live",
        cites: [.first(.taskCreated), .last(.taskCreated), .sessionConnectFailed],
        steps: [made] + tasks(1000, every: .milliseconds(500)) + failed(at: .seconds(501))),
      RuleExample(
        "a task is rejected after two hundred tasks in twenty seconds", .certain, variant: "made too fast",
        cites: [.first(.taskCreated), .last(.taskCreated), .taskRejected],
        steps: [made] + tasks(200, every: .milliseconds(100)) + [
          .at(21, TaskRejected(session: session, instance: instance, type: .download, rejection: .tooManyTasks))
        ]),
    ],
    staysSilent: [
      RuleExample("nothing fails with a thousand live tasks", steps: [made] + tasks(1000, every: .milliseconds(500))),
      RuleExample(
        "the session cannot connect with fifty tasks",
        steps: [made] + tasks(50, every: .seconds(1)) + failed(at: .seconds(51))),
      RuleExample(
        "each of many tasks completes before the next is created",
        steps: [made] + tasks(400, every: .seconds(1), done: true) + failed(at: .seconds(401))),
      RuleExample(
        "the session cannot connect after 199 tasks within a minute",
        steps: [made] + tasks(199, every: .milliseconds(100)) + failed(at: .seconds(21))),
    ])

  static let watches: Set<EventKind> = [
    .sessionConnectFailed, .taskRejected, .taskCreationFailed, .taskCompleted, .linkDisconnected,
  ]

  /// The minimum number of live tasks that explains a failure of the session.
  var liveTasks = 1000
  /// The minimum number of tasks created within a minute that explains a failure of the session.
  var tasksPerMinute = 200

  static let limits = [
    RuleLimit("live-tasks", \Self.liveTasks, "the minimum number of live tasks in a session that explains a failure"),
    RuleLimit(
      "tasks-per-minute", \Self.tasksPerMinute, "the minimum number of tasks created within a minute that explains a failure"),
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
    let circumstance =
      isMany
      ? "while the session had \(live.count) live tasks"
      : "after \(fresh.count) tasks had been created in the session within a minute"
    return .finding(
      Draft(
        variant: isMany ? "too many live" : "made too fast",
        summary: "An operation of session \(session.identifier) failed \(circumstance).",
        claim: .presence, evidence: strained, [first, last], unless: ["the failure has another cause"]))
  }
}
