import XferEvents
import XferLifecycle
import XferReplay

/// The app is in front of its user again, its task moves, and it is not told.
struct ProgressSilentAfterForeground: ProcessRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .user, executable: "app")),
    .at(0, SessionCreated(session: TaskIdentity.example.session, sessionKind: .background, hasDelegate: true)),
    .at(1, TaskCreated(type: .download)), .at(1, TaskResumed()), .at(2, AttemptStarted(attempt: 1), by: .daemon),
  ]
  private static func told(_ delivery: UInt64, at time: Duration) -> [RuleExample.Step] {
    [
      .at(time, DeliveryReceived(task: .example, delivery: DeliveryID(delivery), callback: .didWriteData)),
      .at(time, DeliveryEntered(task: .example, delivery: DeliveryID(delivery), callback: .didWriteData)),
      .at(time, DeliveryLeft(task: .example, delivery: DeliveryID(delivery), callback: .didWriteData)),
    ]
  }
  private static func bytes(_ received: Int64) -> AttemptBytesReceived {
    AttemptBytesReceived(attempt: 1, received: received)
  }
  private static let away: [RuleExample.Step] = [
    .at(5, ProcessStateChanged(state: .background)), .at(6, bytes(50), by: .daemon),
  ]
  private static let front = ProcessStateChanged(state: .foreground)
  private static let alive = RuleExample.Step.at(75, LogHeartbeatWritten())

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
        "a quarter of a minute in front, and bytes move", .probable,
        cites: [.last(.processStateChanged), .last(.attemptBytesReceived)],
        steps: begun + told(1, at: .seconds(3)) + away + [
          .at(60, front), .at(61, bytes(100), by: .daemon), alive, .at(76, bytes(200), by: .daemon),
        ])
    ],
    staysSilent: [
      RuleExample(
        "told again",
        steps: begun + told(1, at: .seconds(3)) + away + [
          .at(60, front), .at(61, bytes(100), by: .daemon),
        ] + told(2, at: .seconds(62)) + [alive, .at(76, bytes(200), by: .daemon)]),
      RuleExample(
        "nothing moved",
        steps: begun + told(1, at: .seconds(3)) + away + [
          .at(60, front), .at(61, bytes(50), by: .daemon), alive, .at(76, bytes(50), by: .daemon),
        ]),
      RuleExample(
        "the app never asked for progress",
        steps: begun + away + [.at(60, front), .at(61, bytes(100), by: .daemon), alive, .at(76, bytes(200), by: .daemon)]),
      RuleExample(
        "in the background again",
        steps: begun + told(1, at: .seconds(3)) + away + [
          .at(60, front), .at(61, bytes(100), by: .daemon), .at(65, ProcessStateChanged(state: .background)), alive,
          .at(76, bytes(200), by: .daemon),
        ]),
      RuleExample(
        "in front for nine seconds",
        steps: begun + told(1, at: .seconds(3)) + away + [
          .at(60, front), .at(61, bytes(100), by: .daemon), .at(69, LogHeartbeatWritten()), .at(69, bytes(200), by: .daemon),
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
