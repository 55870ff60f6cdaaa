import XferEvents
import XferLifecycle
import XferReplay

/// The app was stopped in the middle of a transfer that only the app carries.
struct ForegroundTransferFrozen: TaskRule {
  private static func begun(_ kind: SessionKind = .default) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: kind)),
      .at(1, TaskCreated(type: .data)),
      .at(1, TaskResumed()),
      .at(1, AttemptStarted(attempt: 1)),
      .at(2, AttemptConnectionAcquired(attempt: 1)),
    ]
  }
  private static let stopped = ProcessStateChanged(state: .suspending)
  private static func resumed(at second: Int) -> RuleExample.Step {
    .at(.seconds(second), ProcessStateChanged(state: .foreground))
  }
  private static func failed(_ error: Int, _ name: String, domain: ErrorDomain = .url) -> TaskCompleted {
    TaskCompleted(delivery: DeliveryID(1), received: 0, domain: domain, error: error, errorName: name)
  }

  static let description = RuleDescription(
    id: "foreground-transfer-frozen", severity: .error,
    summary: "The app was suspended while a transfer of its own ran, and the transfer failed when it was continued.",
    explanation: """
      Tasks of default and ephemeral sessions live in the app's process. When the user leaves, the system stops the app within \
      seconds, and with it the transfer; the server goes on without it. Continued soon, the transfer goes on; later, its time \
      is over at once, or the connection is gone, because the system took the socket or the server gave up. The variant says \
      how it ended. Users who keep the app open to watch a transfer know this.
      """,
    remedy: """
      Ask for background time (beginBackgroundTask) for what takes seconds, and hand what takes longer to a background \
      session. Expect these errors after a return, and go on with a range.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/99991", "https://github.com/tus/TUSKit/issues/57",
      "https://github.com/bilipp/Lume/pull/176",
    ],
    needsNoDebugger: true,
    needsWholeLog: true,
    reports: [
      RuleExample(
        "timed out as soon as the user was back", .certain, variant: "timed out",
        cites: [.first(.processStateChanged), .taskCompleted],
        steps: begun() + [.at(3, stopped), resumed(at: 300), .at(301, failed(-1001, "timedOut"))]),
      RuleExample(
        "the connection was gone", .certain, variant: "connection lost", cites: [.first(.processStateChanged), .taskCompleted],
        steps: begun(.ephemeral) + [.at(3, stopped), resumed(at: 300), .at(301, failed(-1005, "networkConnectionLost"))]),
      RuleExample(
        "cancelled by nobody", .certain, variant: "cancelled", cites: [.first(.processStateChanged), .taskCompleted],
        steps: begun() + [.at(3, stopped), resumed(at: 300), .at(301, failed(-999, "cancelled"))]),
    ],
    staysSilent: [
      RuleExample(
        "continued, and finished",
        steps: begun() + [
          .at(3, stopped), resumed(at: 20), .at(25, TaskCompleted(delivery: DeliveryID(1), received: 9, status: 200)),
        ]),
      RuleExample(
        "a background session's task is the daemon's",
        steps: begun(.background) + [.at(3, stopped), resumed(at: 300), .at(301, failed(-1001, "timedOut"))]),
      RuleExample(
        "the app had asked for background time",
        steps: begun() + [
          .at(2, AssertionBegun(assertion: CorrelationID(7), name: "upload", remaining: .seconds(30))), .at(3, stopped),
          resumed(at: 20), .at(21, AssertionEnded(assertion: CorrelationID(7), name: "upload")),
          .at(22, failed(-1005, "networkConnectionLost")),
        ]),
      RuleExample(
        "it failed long after the return",
        steps: begun() + [.at(3, stopped), resumed(at: 20), .at(200, failed(-1005, "networkConnectionLost"))]),
      RuleExample(
        "it began after the return",
        steps: [.at(0, stopped), .at(0.5, ProcessStateChanged(state: .foreground))] + begun() + [
          .at(4, failed(-1005, "networkConnectionLost"))
        ]),
      RuleExample(
        "it had failed before the app was stopped",
        steps: begun() + [
          .at(2.5, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56)), .at(3, stopped), resumed(at: 300),
          .at(301, failed(-1005, "networkConnectionLost")),
        ]),
      RuleExample(
        "the app cancelled it",
        steps: begun() + [
          .at(3, stopped), resumed(at: 300), .at(301, TaskCancelRequested(by: .app)), .at(301, failed(-999, "cancelled")),
        ]),
      RuleExample(
        "the server had no such thing",
        steps: begun() + [.at(3, stopped), resumed(at: 300), .at(301, failed(-1100, "fileDoesNotExist"))]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  /// What fails later has other reasons.
  var aftermath: Duration = .seconds(60)

  static let limits = [RuleLimit("aftermath", \Self.aftermath, "how long after the return a failure counts as the stop's")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    guard let variant = Self.end(of: task), let stop = process.suspension, !stop.hadAssertion, let back = stop.ended,
      let started = task.firstAttempt, task.cancelRequested == nil
    else { return .silent }
    switch world.sessionKind(of: task) {
    case .default, .ephemeral, .shared: break
    case .background, nil: return .silent
    }
    let ended = task.attempt?.ended ?? completed
    guard let before = started.duration(to: stop.began), before >= .zero, let running = stop.began.duration(to: ended),
      running >= .zero, let after = back.duration(to: completed), after <= aftermath
    else { return .silent }
    return .finding(
      Draft(
        variant: variant,
        summary: """
          The app was suspended while task \(task.identity.text) ran, and the task failed \(max(.zero, after).inSeconds) after \
          the app's return (\(variant)).
          """,
        claim: .presence, evidence: stop.began, [completed]))
  }

  private static func end(of task: TaskLifecycle) -> String? {
    if task.result == .cancelled { return "cancelled" }
    if task.timedOut { return "timed out" }
    guard let error = task.error else { return nil }
    let isLost: Bool =
      switch error.domain {
      // CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR.
      case .curl: [18, 52, 55, 56].contains(error.number)
      case .url: error.number == -1005
      default: error.name == "networkConnectionLost"
      }
    return isLost || error.name == "networkConnectionLost" ? "connection lost" : nil
  }
}
