import XferEvents
import XferLifecycle
import XferReplay

/// A task that made progress after the app had come to the foreground, without progress callbacks.
struct ProgressSilentAfterForeground: ProcessRule {
  /// The steps of an example: a task starts in the foreground, with a progress callback if `reported`; the app leaves the foreground and
  /// returns; then `steps` follow.
  private static func story(reported: Bool = true, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    let begun: [RuleExample.Step] = [
      .at(0, ProcessStarted(startReason: .user, executable: "app")),
      .at(0, SessionCreated(session: "default-1", sessionKind: .background, hasDelegate: true)),
      .at(1, TaskCreated(type: .download)), .at(1, TaskResumed()), .at(2, AttemptStarted(attempt: 1), by: .daemon),
    ]
    let away: [RuleExample.Step] = [
      .at(5, ProcessStateChanged(state: .background)), bytes(50, at: 6), .at(60, ProcessStateChanged(state: .foreground)),
    ]
    return begun + (reported ? progress(1, at: 3) : []) + away + steps
  }
  private static func progress(_ delivery: UInt64, at time: Double) -> [RuleExample.Step] {
    [
      .at(time, DeliveryReceived(task: .example, delivery: DeliveryID(delivery), callback: .didWriteData)),
      .at(time, DeliveryEntered(task: .example, delivery: DeliveryID(delivery), callback: .didWriteData)),
      .at(time, DeliveryLeft(task: .example, delivery: DeliveryID(delivery), callback: .didWriteData)),
    ]
  }
  private static func bytes(_ received: Int64, at time: Double) -> RuleExample.Step {
    .at(time, AttemptBytesReceived(attempt: 1, received: received), by: .daemon)
  }
  private static let alive = RuleExample.Step.at(75, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "progress-silent-after-foreground", severity: .notice,
    summary: "The app came to the foreground while a task made progress, but received no progress callbacks.",
    explanation: """
      Progress is not reported to an app in the background. The reports continue when the app returns to the foreground, but \
      they do not reach an app that has lost the task's progress handler or its queue, for example because it got the task \
      from the session's list of tasks and did not set them again. The user sees a progress bar that stands still, and then \
      a transfer that is suddenly complete.
      """,
    remedy: """
      When the app returns to the foreground, or gets a task from the session's list (getAllTasks), set the task's progress \
      handler and its queue again. Suspending and resuming the task has helped as a workaround.
      """,
    sources: [
      "https://github.com/aws-amplify/aws-sdk-ios/issues/1513", "https://github.com/aws-amplify/aws-sdk-ios/issues/595",
      "https://github.com/google/gtm-session-fetcher/issues/92",
    ],
    untriggerable: "The engine reports progress to the session’s delegate, which an app cannot lose while the session exists.",
    reports: [
      RuleExample(
        "16 seconds in the foreground without a callback, although bytes arrive", .probable,
        cites: [.last(.processStateChanged), .last(.attemptBytesReceived)],
        steps: story(bytes(100, at: 61), alive, bytes(200, at: 76)))
    ],
    staysSilent: [
      RuleExample(
        "progress was reported again", steps: story(bytes(100, at: 61)) + progress(2, at: 62) + [alive, bytes(200, at: 76)]),
      RuleExample("the task made no progress", steps: story(bytes(50, at: 61), alive, bytes(50, at: 76))),
      RuleExample(
        "the app never received progress callbacks",
        steps: story(reported: false, bytes(100, at: 61), alive, bytes(200, at: 76))),
      RuleExample(
        "the app went to the background again",
        steps: story(bytes(100, at: 61), .at(65, ProcessStateChanged(state: .background)), alive, bytes(200, at: 76))),
      RuleExample(
        "the app was in the foreground for nine seconds",
        steps: story(bytes(100, at: 61), .at(69, LogHeartbeatWritten()), bytes(200, at: 69))),
    ])

  static let watches: Set<EventKind> = [.attemptBytesReceived, .attemptBytesSent]

  var patience: Duration = .seconds(10)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long an app may be in the foreground before it receives progress callbacks")
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let silent = process.silentProgress, let time = silent.front.duration(to: silent.moved), time > patience,
      asked.covered(since: silent.front, by: process) > patience
    else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        summary: """
          \(process.executable ?? "The app") came to the foreground but received no progress of task \(silent.task.label), \
          which was making progress.
          """,
        claim: .absence(since: silent.front, shownBy: .coverage), evidence: silent.front, [silent.moved],
        missing: [.init(.deliveryEntered, dueBy: silent.front.due(within: patience))], tasks: [silent.task]))
  }
}
