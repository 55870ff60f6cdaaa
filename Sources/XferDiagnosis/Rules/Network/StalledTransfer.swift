import XferEvents
import XferLifecycle
import XferReplay

/// Reports a transfer that stopped in the middle of its body while the network was up and the task was not held.
struct StalledTransfer: TaskRule {
  /// The steps of a download up to the beginning of its body.
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
    .at(0.005, AttemptConnectionAcquired(attempt: 1)),
    .at(0.009, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000)),
  ]
  private static func alive(_ seconds: Double) -> RuleExample.Step { .at(seconds, LogHeartbeatWritten(liveTasks: 1)) }

  /// The steps of an example: a download receives 400 of 1000 bytes; then `rest` follows.
  private static func download(_ rest: RuleExample.Step...) -> [RuleExample.Step] {
    begun + [.at(2, AttemptBytesReceived(attempt: 1, received: 400, expected: 1000))] + rest
  }

  /// The steps of an example: an upload sends 400 of 1000 bytes; then `rest` follows.
  private static func upload(_ rest: RuleExample.Step...) -> [RuleExample.Step] {
    Array(begun.prefix(4)) + [.at(2, AttemptBytesSent(attempt: 1, sent: 400, expected: 1000))] + rest
  }

  static let description = RuleDescription(
    id: "stalled-transfer", severity: .error,
    summary: "The transfer stopped in the middle of the body, although the network was up and nothing held the task back.",
    explanation: """
      A connection whose other end disappeared without closing it looks like a slow one: no error occurs, and libcurl's \
      low-speed limit is off by default. URLSession's request timeout restarts with each packet, so a server that sends a few \
      bytes now and then keeps a transfer alive for days. The transfer holds its connection in the meantime, and other tasks \
      wait for it.
      """,
    remedy: """
      Set a low-speed limit (CURLOPT_LOW_SPEED_LIMIT and CURLOPT_LOW_SPEED_TIME), or watch the byte count yourself. Cancel a \
      transfer that does not progress, and resume it with a Range header.
      """,
    sources: [
      "https://github.com/nextcloud/ios/issues/3713", "https://coderapp.vercel.app/answer/66479261",
      "https://github.com/opencloud-eu/android/issues/71",
      "https://learn.microsoft.com/en-us/windows/desktop/api/Bits/ne-bits-bg_job_state",
    ],
    reports: [
      RuleExample(
        "no byte arrived for two minutes", .probable, variant: "download", cites: [.attemptBytesReceived],
        steps: download(alive(130))),
      RuleExample(
        "no byte arrived until the timeout", .probable, variant: "download", cites: [.attemptBytesReceived, .attemptEnded],
        steps: download(.at(200, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28, received: 400)))),
      RuleExample(
        "no byte of an upload was sent for two minutes", .probable, variant: "upload", cites: [.attemptBytesSent],
        steps: upload(alive(130))),
      RuleExample(
        "the network came back, and the transfer did not continue", .probable, variant: "download",
        cites: [.attemptBytesReceived, .last(.networkPathChanged)],
        steps: download(
          .at(3, NetworkPathChanged(up: false)), .at(200, NetworkPathChanged(up: true)), alive(250), alive(330))),
      RuleExample(
        "no byte arrived for ten minutes in the background", .probable, variant: "download", cites: [.attemptBytesReceived],
        steps: [.at(0, ProcessStateChanged(state: .background))] + download(alive(610))),
    ],
    staysSilent: [
      RuleExample(
        "the request was sent completely, and the server is processing it",
        steps: begun.prefix(4) + [
          .at(1, AttemptBytesSent(attempt: 1, sent: 1000, expected: 1000)),
          .at(2, AttemptRequestSent(attempt: 1, method: "POST")), alive(500),
        ]),
      RuleExample(
        "the transfer is slow but progresses",
        steps: download(
          .at(100, AttemptBytesReceived(attempt: 1, received: 500)),
          .at(200, AttemptBytesReceived(attempt: 1, received: 600)), alive(250))),
      RuleExample(
        "progress was not recorded, but the attempt's end shows that more bytes had arrived",
        steps: download(.at(200, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 900)))),
      RuleExample(
        "the transfer finished after a long pause",
        steps: download(.at(200, AttemptEnded(attempt: 1, end: .finished, received: 1000)))),
      RuleExample("the network was down", steps: download(.at(3, NetworkPathChanged(up: false)), alive(500))),
      RuleExample("the app suspended the task", steps: download(.at(3, TaskSuspended(by: .app)), alive(500))),
      RuleExample(
        "an authentication challenge is open",
        steps: upload(
          .at(2, AttemptChallengeReceived(attempt: 1, challenge: CorrelationID(1), challengeMethod: .basic)),
          .at(40, AttemptEnded(attempt: 1, end: .cancelled)), alive(500))),
      RuleExample(
        "the app's data callback has not returned",
        steps: download(
          .at(2, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
          .at(2, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
          .at(2, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)), alive(500))),
      RuleExample(
        "in the background, the limit of ten minutes has not passed",
        steps: [.at(0, ProcessStateChanged(state: .background))] + download(alive(500))),
      RuleExample("the log covers only a minute of the pause", steps: download(alive(60))),
      RuleExample(
        "all declared bytes have arrived",
        steps: begun + [.at(2, AttemptBytesReceived(attempt: 1, received: 1000)), alive(500)]),
    ])

  static let watches: Set<EventKind> = [.attemptEnded]
  static let watchesUnlessWaiting: Set<EventKind> = [
    .attemptConnectionAcquired, .attemptResponseReceived, .taskResumed, .taskHoldEnded, .attemptChallengeAnswered,
  ]

  /// The longest pause of a body in the foreground: twice URLSession's default request timeout.
  var patience: Duration = .seconds(120)
  /// The longest pause of a body in the background, where the system may pause a transfer.
  var backgroundPatience: Duration = .seconds(600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a body may pause in the foreground"),
    RuleLimit("background-patience", \Self.backgroundPatience, "how long a body may pause in the daemon or in the background"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let attempt = task.attempt, let moved = attempt.lastMovement, task.isLive || attempt.ended != nil,
      task.cancelRequested == nil, task.completed == nil
    else { return asked.isTaskOver ? .silent : nil }
    // A hold, a suspension and a challenge each end with an event that this rule watches.
    if task.hold != nil || task.suspended != nil || attempt.challengeOpen != nil { return asked.isTaskOver ? .silent : nil }
    // Most attempts end in another way, so this is decided first.
    if attempt.ended != nil, attempt.end != .timeout, attempt.end != .transport {
      return attempt.retryIn == nil || asked.isTaskOver ? .silent : nil
    }
    let process = world.process(of: task)
    let patience = patience(with: task, of: process, in: world)
    var (start, back) = (moved, nil as Fact?)
    if let changed = world.network.changed, moved.isBefore(changed) ?? false {
      (start, back) = (changed, changed)
    }
    // While a callback runs, the app takes no more bytes, so the transfer is not expected to progress.
    let shouldMove = attempt.isBodyUnderWay && task.runningCallback == nil && world.network.isUp != false
    if let ended = attempt.ended {
      guard shouldMove, process.runningTime(from: start, to: ended) >= patience else {
        return attempt.retryIn == nil || asked.isTaskOver ? .silent : nil
      }
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
        Task \(task.identity.label) has stalled after \(isUpload ? attempt.sent : attempt.received) bytes for more than \
        \(patience.inSeconds).
        """,
      claim: .absence(since: start, shownBy: .coverage), evidence: moved, [back, attempt.ended],
      missing: [.init(isUpload ? .attemptBytesSent : .attemptBytesReceived, dueBy: start.due(within: patience))],
      unless: ["the network was down and the app does not record this (network.pathChanged)"])
  }
}
