import XferEvents
import XferLifecycle
import XferReplay

/// Two tasks fetch the same thing for the same purpose at the same time.
struct DuplicateTransfer: TaskRule {
  private static func created(_ number: UInt32, intent: String? = nil, to file: String? = nil, path: String = "/film")
    -> TaskCreated
  {
    TaskCreated(
      task: .example(number), type: .download, method: "GET", scheme: "https", host: "example.com", path: path, intent: intent,
      destination: file)
  }
  private static func begun(_ number: UInt32, at time: Duration) -> [RuleExample.Step] {
    [
      .at(time, TaskResumed(task: .example(number))),
      .at(time, AttemptStarted(task: .example(number), attempt: 1)),
    ]
  }
  private static func over(_ number: UInt32, at time: Duration) -> [RuleExample.Step] {
    [
      .at(time, AttemptEnded(task: .example(number), attempt: 1, end: .finished, received: 9)),
      .at(time, TaskTransferred(task: .example(number), received: 9, status: 200)),
    ]
  }

  static let description = RuleDescription(
    id: "duplicate-transfer", severity: .warning,
    summary: "Two tasks fetch the same thing for the same purpose at the same time.",
    explanation: """
      After a crash or a launch the older task still runs in the daemon, and an app that starts its list anew without asking has \
      two for one thing: it pays twice, and the two overwrite each other's file. The variant says what they share: "same \
      destination", or "same intent", where the app names one purpose for both.
      """,
    remedy:
      "Ask the session for its tasks first, and make only those that are missing. Have one key for what is wanted, and one task for a key.",
    sources: [
      "https://github.com/chasseurmic/TWRDownloadManager/issues/24", "https://github.com/onezens/YCDownloadSession/issues/33",
      "https://github.com/Sage-Bionetworks/Bridge-iOS-SDK/pull/94", "https://github.com/home-assistant/iOS/pull/5703",
    ],
    consequenceOf: ["handoff-duplicated", "query-before-reconnect"],
    reports: [
      RuleExample(
        "both are to be one file", .certain, variant: "same destination", cites: [.taskCreated],
        steps: [.at(0, created(1, to: "/a/film"))] + begun(1, at: .seconds(1)) + [
          .at(2, created(2, to: "/a/film"))
        ] + begun(2, at: .seconds(3))),
      RuleExample(
        "both are for one intent", .probable, variant: "same intent", cites: [.taskCreated],
        steps: [.at(0, created(1, intent: "film"))] + begun(1, at: .seconds(1)) + [
          .at(2, created(2, intent: "film"))
        ] + begun(2, at: .seconds(3))),
    ],
    staysSilent: [
      RuleExample(
        "the first was over when the second began",
        steps: [.at(0, created(1, intent: "film"))] + begun(1, at: .seconds(1)) + [
          .at(2, created(2, intent: "film"))
        ] + over(1, at: .seconds(3)) + begun(2, at: .seconds(4))),
      RuleExample(
        "the second shares the first one's transfer",
        steps: [.at(0, created(1, intent: "film"))] + begun(1, at: .seconds(1)) + [
          .at(2, created(2, intent: "film")),
          .at(2, TaskCoalesced(task: .example(2), carrier: .example(1))),
        ]),
      RuleExample(
        "the first was cancelled",
        steps: [.at(0, created(1, intent: "film"))] + begun(1, at: .seconds(1)) + [
          .at(2, TaskCancelRequested(task: .example(1), by: .app)),
          .at(2, created(2, intent: "film")),
        ] + begun(2, at: .seconds(3))),
      RuleExample(
        "one page for two purposes",
        steps: [.at(0, created(1, intent: "film"))] + begun(1, at: .seconds(1)) + [
          .at(2, created(2, intent: "poster"))
        ] + begun(2, at: .seconds(3))),
      RuleExample(
        "two parts of one purpose",
        steps: [.at(0, created(1, intent: "film"))] + begun(1, at: .seconds(1)) + [
          .at(2, created(2, intent: "film", path: "/film/2"))
        ] + begun(2, at: .seconds(3))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.hasTwin)]
  static let watches: Set<EventKind> = [.attemptStarted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let twin = task.oddities.twin, let created = task.created, task.coalesced == nil, task.cancelRequested == nil else {
      return asked.isTaskOver ? .silentSoFar : nil
    }
    guard let began = task.firstAttempt else { return asked.isTaskOver ? .silent : nil }
    let other = world.tasks[twin.index]
    guard other.identity.uid == twin.task.uid, other.handedOff == nil, other.cancelRequested == nil, other.coalesced == nil else {
      return .silent
    }
    if let end = other.wireEnd ?? other.completed ?? other.forgotten, end.duration(to: began) ?? .zero >= .zero { return .silent }
    guard other.firstAttempt != nil else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        variant: twin.hasSameDestination ? "same destination" : "same intent",
        summary: "Tasks \(twin.task.text) and \(task.identity.text) fetch the same thing at the same time.",
        claim: twin.hasSameDestination ? .presence : .absence(since: created, shownBy: .coverage), evidence: twin.created,
        [created],
        missing: twin.hasSameDestination ? [] : [.init(.taskCancelRequested, dueBy: began.moment)], tasks: [twin.task]))
  }
}
