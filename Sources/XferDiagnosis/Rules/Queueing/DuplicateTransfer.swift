import XferEvents
import XferLifecycle
import XferReplay

/// Two tasks fetch the same resource for the same purpose at the same time.
struct DuplicateTransfer: TaskRule {
  private static func created(_ number: UInt32, intent: String? = "film", to file: String? = nil, path: String = "/film")
    -> RuleExample.Step
  {
    .at(
      number == 1 ? 0 : 2,
      TaskCreated(
        task: .example(number), type: .download, method: "GET", scheme: "https", host: "example.com", path: path, intent: intent,
        destination: file))
  }
  private static func begun(_ number: UInt32, at seconds: Double) -> [RuleExample.Step] {
    [
      .at(seconds, TaskResumed(task: .example(number))), .at(seconds, AttemptStarted(task: .example(number), attempt: 1)),
    ]
  }
  private static func declared(_ number: UInt32) -> RuleExample.Step {
    .at(number == 1 ? 0.5 : 2.5, AppIntentDeclared(intent: "film", task: .example(number)))
  }
  private static func moved(_ number: UInt32, at seconds: Double, to file: String = "/a/film") -> [RuleExample.Step] {
    let (task, delivery) = (TaskIdentity.example(number), DeliveryID(UInt64(number)))
    return [
      .at(seconds, AttemptEnded(task: task, attempt: 1, end: .finished, received: 9)),
      .at(seconds, TaskTransferred(task: task, received: 9, status: 200)),
      .at(seconds, DeliveryEntered(task: task, delivery: delivery, callback: .didFinishDownloading)),
      .at(seconds, FileOffered(task: task, delivery: delivery, inode: Int64(number), size: 9, exists: true)),
      .at(seconds, FileClaimed(task: task, delivery: delivery, operation: .move, destination: file, inCallback: true)),
      .at(seconds, DeliveryLeft(task: task, delivery: delivery, callback: .didFinishDownloading)),
    ]
  }
  /// The steps of the first task, which is running when the second one is created.
  private static let first = [created(1)] + begun(1, at: 1)

  static let description = RuleDescription(
    id: "duplicate-transfer", severity: .warning,
    summary: "Two tasks fetch the same resource for the same purpose at the same time.",
    explanation: """
      After a crash or a relaunch the older task is still running in the daemon. An app that restarts its transfers without \
      checking for running tasks fetches the resource twice: it pays for both transfers, and they overwrite each other's file. \
      The rule reports two tasks for the same resource and the same purpose. The resource is the same if scheme, host, \
      port, path and query of the two URLs are equal. The purpose is the same if the log names the same destination file \
      for both tasks, at their creation or when the app moves the files (variant "same destination"), or the same intent, the \
      app's own key for the wanted result ("same intent").
      """,
    remedy: """
      Ask the session for its tasks (getAllTasks) before you create any, and create only the missing ones. Use one key for each \
      wanted resource, and one task for each key.
      """,
    sources: [
      "https://github.com/chasseurmic/TWRDownloadManager/issues/24", "https://github.com/onezens/YCDownloadSession/issues/33",
      "https://github.com/Sage-Bionetworks/Bridge-iOS-SDK/pull/94", "https://github.com/home-assistant/iOS/pull/5703",
    ],
    consequenceOf: ["handoff-duplicated", "query-before-reconnect"],
    reports: [
      RuleExample(
        "both tasks have the same destination", .certain, variant: "same destination", cites: [.taskCreated],
        steps: [created(1, intent: nil, to: "/a/film")] + begun(1, at: 1) + [created(2, intent: nil, to: "/a/film")]
          + begun(2, at: 3)),
      RuleExample(
        "both tasks have the same intent", .probable, variant: "same intent", cites: [.taskCreated],
        steps: first + [created(2)] + begun(2, at: 3)),
      RuleExample(
        "the app declared the same intent after it had created each task", .probable, variant: "same intent",
        cites: [.taskCreated],
        steps: [created(1, intent: nil), declared(1)] + begun(1, at: 1) + [created(2, intent: nil), declared(2)]
          + begun(2, at: 3)),
      RuleExample(
        "the app moved both files to the same place", .certain, variant: "same destination", cites: [.taskCreated],
        steps: [created(1, intent: nil)] + begun(1, at: 1) + [created(2, intent: nil)] + begun(2, at: 3) + moved(1, at: 4)
          + moved(2, at: 5)),
    ],
    staysSilent: [
      RuleExample(
        "the app fetched the resource again after it had moved the first file",
        steps: [created(1, intent: nil)] + begun(1, at: 1) + moved(1, at: 1.5) + [created(2, intent: nil)] + begun(2, at: 3)
          + moved(2, at: 5)),
      RuleExample(
        "the app moved the two files to different places",
        steps: [created(1, intent: nil)] + begun(1, at: 1) + [created(2, intent: nil)] + begun(2, at: 3) + moved(1, at: 4)
          + moved(2, at: 5, to: "/a/copy")),
      RuleExample(
        "the first task had ended when the second one began",
        steps: first + [
          created(2), .at(3, AttemptEnded(task: .example(1), attempt: 1, end: .finished, received: 9)),
          .at(3, TaskTransferred(task: .example(1), received: 9, status: 200)),
        ] + begun(2, at: 4)),
      RuleExample(
        "the second task shares the transfer of the first one",
        steps: first + [created(2), .at(2, TaskCoalesced(task: .example(2), carrier: .example(1)))]),
      RuleExample(
        "the first task was lost with its process, and the next one fetched the resource again",
        steps: [.at(0, SessionCreated(session: "default-1", sessionKind: .default))] + first + [
          .at(1.5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife),
          .at(
            2,
            TaskCreated(
              task: .example(2), type: .download, method: "GET", scheme: "https", host: "example.com", path: "/film",
              intent: "film"),
            by: .nextLife), .at(3, TaskResumed(task: .example(2)), by: .nextLife),
          .at(3, AttemptStarted(task: .example(2), attempt: 1), by: .nextLife), .at(60, LogHeartbeatWritten(), by: .nextLife),
        ]),
      RuleExample(
        "the first task was cancelled",
        steps: first + [.at(2, TaskCancelRequested(task: .example(1), by: .app)), created(2)] + begun(2, at: 3)),
      RuleExample("the tasks have different intents", steps: first + [created(2, intent: "poster")] + begun(2, at: 3)),
      RuleExample("the tasks fetch two parts for one intent", steps: first + [created(2, path: "/film/2")] + begun(2, at: 3)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.hasTwin)]
  static let watches: Set<EventKind> = [.attemptStarted, .appIntentDeclared, .appIntentBound, .fileClaimed]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let twin = task.oddities.twin, let created = task.created, task.coalesced == nil, task.cancelRequested == nil else {
      return asked.isTaskOver ? .silentSoFar : nil
    }
    guard let began = task.firstAttempt else { return asked.isTaskOver ? .silent : nil }
    let other = world.tasks[twin.index]
    guard other.identity.uid == twin.task.uid, other.handedOff == nil, other.cancelRequested == nil, other.coalesced == nil else {
      return .silent
    }
    // A transfer ends with its process, unless the daemon carries it.
    if other.processEnd != nil, !world.mayOutliveProcess(other) { return .silent }
    if let end = other.wireEnd ?? other.completed ?? other.forgotten, end.duration(to: began) ?? .zero >= .zero { return .silent }
    guard other.firstAttempt != nil else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        variant: twin.hasSameDestination ? "same destination" : "same intent",
        summary: "Tasks \(twin.task.label) and \(task.identity.label) fetch the same resource at the same time.",
        claim: twin.hasSameDestination ? .presence : .absence(since: created, shownBy: .coverage), evidence: twin.created,
        [created],
        missing: twin.hasSameDestination ? [] : [.init(.taskCancelRequested, dueBy: began.moment)], tasks: [twin.task]))
  }
}
