import XferEvents
import XferLifecycle
import XferReplay

/// The app is in front of its user again, its task moves, and it is not told.
struct ProgressSilentAfterForeground: ProcessRule {
  private static let begun: [RuleExample.Step] = [
    .event(ProcessStarted(startReason: .user, executable: "app"), at: .zero),
    .event(
      SessionCreated(session: TaskIdentity.example.session, sessionKind: .background, hasDelegate: true), at: .zero),
    .event(TaskCreated(task: .example, type: .download), at: .seconds(1)),
    .event(TaskResumed(task: .example), at: .seconds(1)),
    .event(AttemptStarted(task: .example, attempt: 1), at: .seconds(2), by: .daemon),
  ]
  private static func told(_ delivery: UInt64, at time: Duration) -> [RuleExample.Step] {
    [
      .event(DeliveryReceived(task: .example, delivery: DeliveryID(delivery), callback: .didWriteData), at: time),
      .event(DeliveryEntered(task: .example, delivery: DeliveryID(delivery), callback: .didWriteData), at: time),
      .event(DeliveryLeft(task: .example, delivery: DeliveryID(delivery), callback: .didWriteData), at: time),
    ]
  }
  private static func bytes(_ received: Int64) -> AttemptBytesReceived {
    AttemptBytesReceived(task: .example, attempt: 1, received: received)
  }
  private static let away: [RuleExample.Step] = [
    .event(ProcessStateChanged(state: .background), at: .seconds(5)),
    .event(bytes(50), at: .seconds(6), by: .daemon),
  ]
  private static let front = ProcessStateChanged(state: .foreground)
  private static let alive = RuleExample.Step.event(LogHeartbeatWritten(), at: .seconds(75))

  static let description = RuleDescription(
    id: "progress-silent-after-foreground", severity: .notice,
    summary: "The app came back to the front while its task moved, and was told of no progress.",
    explanation: """
      While an app is in the background nobody reports progress to it, and when it comes back the reports go on, unless whoever \
      takes the task up again forgets to ask for them or has no queue to give them on. Its user sees a bar that stands still, and \
      a transfer that then is suddenly complete.
      """,
    remedy: """
      Set the progress handler and its queue again when a task is adopted. Suspending and resuming the task has helped as a nudge.
      """,
    sources: [
      "https://github.com/aws-amplify/aws-sdk-ios/issues/1513", "https://github.com/aws-amplify/aws-sdk-ios/issues/595",
      "https://github.com/google/gtm-session-fetcher/issues/92",
    ],
    reports: [
      RuleExample(
        "a quarter of a minute in front, and bytes move", certainty: .probable,
        steps: begun + told(1, at: .seconds(3)) + away + [
          .evidence(front, at: .seconds(60)), .event(bytes(100), at: .seconds(61), by: .daemon), alive,
          .evidence(bytes(200), at: .seconds(76), by: .daemon),
        ])
    ],
    staysSilent: [
      RuleExample(
        "told again",
        steps: begun + told(1, at: .seconds(3)) + away + [
          .event(front, at: .seconds(60)), .event(bytes(100), at: .seconds(61), by: .daemon),
        ] + told(2, at: .seconds(62)) + [alive, .event(bytes(200), at: .seconds(76), by: .daemon)]),
      RuleExample(
        "nothing moved",
        steps: begun + told(1, at: .seconds(3)) + away + [
          .event(front, at: .seconds(60)), .event(bytes(50), at: .seconds(61), by: .daemon), alive,
          .event(bytes(50), at: .seconds(76), by: .daemon),
        ]),
      RuleExample(
        "the app never asked for progress",
        steps: begun + away + [
          .event(front, at: .seconds(60)), .event(bytes(100), at: .seconds(61), by: .daemon), alive,
          .event(bytes(200), at: .seconds(76), by: .daemon),
        ]),
      RuleExample(
        "in the background again",
        steps: begun + told(1, at: .seconds(3)) + away + [
          .event(front, at: .seconds(60)), .event(bytes(100), at: .seconds(61), by: .daemon),
          .event(ProcessStateChanged(state: .background), at: .seconds(65)), alive,
          .event(bytes(200), at: .seconds(76), by: .daemon),
        ]),
      RuleExample(
        "in front for nine seconds",
        steps: begun + told(1, at: .seconds(3)) + away + [
          .event(front, at: .seconds(60)), .event(bytes(100), at: .seconds(61), by: .daemon),
          .event(LogHeartbeatWritten(), at: .seconds(69)), .event(bytes(200), at: .seconds(69), by: .daemon),
        ]),
    ])

  static let watches: Set<EventKind> = [.attemptBytesReceived, .attemptBytesSent]

  var patience: Duration = .seconds(10)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long an app may be in front before it is told of its tasks’ progress")
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let silent = process.silentProgress, let time = silent.front.duration(to: silent.moved), time > patience,
      asked.covered(since: silent.front, by: process) > patience
    else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        summary:
          "\(process.executable ?? "The app") came to the front, and was told nothing of task \(silent.task.text), which moved.",
        claim: .absence(since: silent.front, shownBy: .coverage), evidence: silent.front, [silent.moved],
        missing: [.init(.deliveryEntered, dueBy: silent.front.due(within: patience))], tasks: [silent.task]))
  }
}
