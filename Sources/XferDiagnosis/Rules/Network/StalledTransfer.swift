import XferEvents
import XferLifecycle
import XferReplay

/// The body stopped in the middle, and nothing said why.
struct StalledTransfer: TaskRule {
  /// A download whose body has begun.
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
    .at(0.005, AttemptConnectionAcquired(attempt: 1)),
    .at(0.009, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000)),
  ]
  private static let bytes = AttemptBytesReceived(attempt: 1, received: 400, expected: 1000)

  static let description = RuleDescription(
    id: "stalled-transfer", severity: .error,
    summary: "The body of the transfer stopped coming, with the network there and nothing holding the task.",
    explanation: """
      A connection whose other end has silently gone looks like one that is slow: no error comes, and libcurl's low-speed \
      limit is off unless it is set. URLSession's request limit starts anew with each packet, so a server that sends a \
      little now and then keeps a transfer alive for days. The transfer holds its connection meanwhile, and others wait for it.
      """,
    remedy: """
      Set a low-speed limit (CURLOPT_LOW_SPEED_LIMIT and CURLOPT_LOW_SPEED_TIME) or a watch of your own over the count of \
      bytes; give up what does not move, and resume it with a range.
      """,
    sources: [
      "https://github.com/nextcloud/ios/issues/3713", "https://coderapp.vercel.app/answer/66479261",
      "https://github.com/opencloud-eu/android/issues/71",
      "https://learn.microsoft.com/en-us/windows/desktop/api/Bits/ne-bits-bg_job_state",
    ],
    reports: [
      RuleExample(
        "no byte for two minutes", .probable, variant: "download", cites: [.attemptBytesReceived],
        steps: begun + [.at(2, bytes), .at(130, LogHeartbeatWritten(liveTasks: 1))]),
      RuleExample(
        "no byte until the time was over", .probable, variant: "download", cites: [.attemptBytesReceived, .attemptEnded],
        steps: begun + [
          .at(2, bytes), .at(200, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28, received: 400)),
        ]),
      RuleExample(
        "the upload's body stopped on its way out", .probable, variant: "upload", cites: [.attemptBytesSent],
        steps: begun.prefix(4) + [
          .at(2, AttemptBytesSent(attempt: 1, sent: 400, expected: 1000)), .at(130, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "the network came back, the bytes did not", .probable, variant: "download",
        cites: [.attemptBytesReceived, .last(.networkPathChanged)],
        steps: begun + [
          .at(2, bytes), .at(3, NetworkPathChanged(up: false)), .at(200, NetworkPathChanged(up: true)),
          .at(250, LogHeartbeatWritten(liveTasks: 1)), .at(330, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "no byte for ten minutes in the background", .probable, variant: "download", cites: [.attemptBytesReceived],
        steps: [.at(0, ProcessStateChanged(state: .background))] + begun + [
          .at(2, bytes), .at(610, LogHeartbeatWritten(liveTasks: 1)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the request is sent whole, and the server is at work",
        steps: begun.prefix(4) + [
          .at(1, AttemptBytesSent(attempt: 1, sent: 1000, expected: 1000)),
          .at(2, AttemptRequestSent(attempt: 1, method: "POST")), .at(500, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "slow, but it moves",
        steps: begun + [
          .at(2, bytes), .at(100, AttemptBytesReceived(attempt: 1, received: 500)),
          .at(200, AttemptBytesReceived(attempt: 1, received: 600)), .at(250, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "nothing was said for long, but the last bytes had just come when it failed",
        steps: begun + [
          .at(2, bytes), .at(200, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 900)),
        ]),
      RuleExample(
        "a long silence, and then the end of it all",
        steps: begun + [.at(2, bytes), .at(200, AttemptEnded(attempt: 1, end: .finished, received: 1000))]),
      RuleExample(
        "the network was away",
        steps: begun + [.at(2, bytes), .at(3, NetworkPathChanged(up: false)), .at(500, LogHeartbeatWritten(liveTasks: 1))]),
      RuleExample(
        "the app had suspended it",
        steps: begun + [.at(2, bytes), .at(3, TaskSuspended(by: .app)), .at(500, LogHeartbeatWritten(liveTasks: 1))]),
      RuleExample(
        "an authentication challenge is open",
        steps: begun.prefix(4) + [
          .at(2, AttemptBytesSent(attempt: 1, sent: 400, expected: 1000)),
          .at(2, AttemptChallengeReceived(attempt: 1, challenge: CorrelationID(1), challengeMethod: .basic)),
          .at(40, AttemptEnded(attempt: 1, end: .cancelled)), .at(500, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "the app has not returned from its callback, so it takes no more",
        steps: begun + [
          .at(2, bytes), .at(2, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
          .at(2, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
          .at(2, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
          .at(500, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample(
        "in the background there are ten minutes",
        steps: [.at(0, ProcessStateChanged(state: .background))] + begun + [
          .at(2, bytes), .at(500, LogHeartbeatWritten(liveTasks: 1)),
        ]),
      RuleExample("the log covers a minute of it", steps: begun + [.at(2, bytes), .at(60, LogHeartbeatWritten(liveTasks: 1))]),
      RuleExample(
        "all declared bytes are there",
        steps: begun + [.at(2, AttemptBytesReceived(attempt: 1, received: 1000)), .at(500, LogHeartbeatWritten(liveTasks: 1))]),
    ])

  static let watches: Set<EventKind> = [.attemptEnded]
  static let watchesUnlessWaiting: Set<EventKind> = [
    .attemptConnectionAcquired, .attemptResponseReceived, .taskResumed, .taskHoldEnded, .attemptChallengeAnswered,
  ]

  /// Twice the request limit of URLSession, which a body that stands still for so long should have met.
  var patience: Duration = .seconds(120)
  /// In the background the system may let a transfer rest.
  var backgroundPatience: Duration = .seconds(600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a body may stand still"),
    RuleLimit("background-patience", \Self.backgroundPatience, "the same for the daemon, and for an app in the background"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let attempt = task.attempt, let moved = attempt.lastMovement, task.isLive || attempt.ended != nil,
      task.cancelRequested == nil, task.completed == nil
    else { return asked.isTaskOver ? .silent : nil }
    // Each of these ends with an event that is watched.
    if task.hold != nil || task.suspended != nil || attempt.challengeOpen != nil { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    let patience = patience(with: task, of: process, in: world)
    var (start, back) = (moved, nil as Fact?)
    if let changed = world.network.changed, (moved.monotonic ?? .min) < changed.monotonic ?? .min {
      (start, back) = (changed, changed)
    }
    // An app that does not return from a callback takes no more bytes.
    let shouldMove = attempt.isBodyUnderWay && task.runningCallback == nil && world.network.isUp != false
    if let ended = attempt.ended {
      guard shouldMove, attempt.end == .timeout || attempt.end == .transport,
        let from = start.monotonic, let to = ended.monotonic, process.runningTime(from: from, to: to) >= patience.nanoseconds
      else { return attempt.retryIn == nil || asked.isTaskOver ? .silent : nil }
    } else {
      guard shouldMove else { return .wait(asked.covered(since: moved, by: process) + patience, after: moved) }
      guard asked.covered(since: start, by: process) >= patience else { return .wait(patience, after: start) }
    }
    return .finding(draft(task, attempt, since: start, moved: moved, back: back, patience))
  }

  private func patience(with task: TaskLifecycle, of process: ProcessLifecycle, in world: World) -> Duration {
    let isUnseen = process.state == .background || process.role == .daemon || world.sessionKind(of: task) == .background
    return isUnseen ? backgroundPatience : patience
  }

  private func draft(
    _ task: TaskLifecycle, _ attempt: AttemptLifecycle, since start: Fact, moved: Fact, back: Fact?, _ patience: Duration
  ) -> Draft {
    let isUpload = attempt.status == nil
    return Draft(
      variant: isUpload ? "upload" : "download",
      summary: """
        Task \(task.identity.text) stands still after \(isUpload ? attempt.sent : attempt.received) bytes, for more than \
        \(patience.inSeconds).
        """,
      claim: .absence(since: start, shownBy: .coverage), evidence: moved, [back, attempt.ended],
      missing: [.init(isUpload ? .attemptBytesSent : .attemptBytesReceived, dueBy: start.due(within: patience))],
      unless: ["the network was away, which a log shows as network.pathChanged"])
  }
}
