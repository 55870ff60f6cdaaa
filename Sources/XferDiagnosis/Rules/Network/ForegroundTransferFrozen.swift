import XferEvents
import XferLifecycle
import XferReplay

/// Reports a transfer that failed because the app that runs it was suspended.
struct ForegroundTransferFrozen: TaskRule {
  private static func begun(_ kind: SessionKind = .default) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: kind)),
      .at(1, TaskCreated(type: .data)), .at(1, TaskResumed()), .at(1, AttemptStarted(attempt: 1)),
      .at(2, AttemptConnectionAcquired(attempt: 1)),
    ]
  }
  private static func suspended(until seconds: Double = 300) -> [RuleExample.Step] {
    [.at(3, ProcessStateChanged(state: .suspending)), .at(seconds, ProcessStateChanged(state: .foreground))]
  }
  private static func failed(_ error: Int, _ name: String) -> TaskCompleted {
    TaskCompleted(delivery: DeliveryID(1), received: 0, domain: .url, error: error, errorName: name)
  }
  private static let lost = failed(-1005, "networkConnectionLost")

  /// The steps of an example: a transfer fails a second after the app has returned from its suspension.
  private static func story(in kind: SessionKind = .default, _ completed: TaskCompleted) -> [RuleExample.Step] {
    begun(kind) + suspended() + [.at(301, completed)]
  }

  static let description = RuleDescription(
    id: "foreground-transfer-frozen", severity: .error,
    summary:
      "The app was suspended while it ran a transfer in its own process, and the transfer failed after the app's return.",
    explanation: """
      Tasks of default and ephemeral sessions run in the app's process. When the user leaves the app, the system suspends it \
      within seconds, and the transfer stops, but the server's timeouts keep running. After a short suspension the transfer \
      continues. After a long one, the transfer times out at once, or its connection is lost because the system reclaimed the \
      socket or the server closed it. Users then have to keep the app open during every transfer. The variant states how the \
      transfer ended.
      """,
    remedy: """
      Begin a background assertion (beginBackgroundTask) for transfers of some seconds, and use a background session for \
      longer ones. Expect these errors after a return to the foreground, and resume the transfer with a Range header.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/99991", "https://github.com/tus/TUSKit/issues/57",
      "https://github.com/bilipp/Lume/pull/176",
    ],
    needsNoDebugger: true,
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the transfer timed out a second after the return", .certain, variant: "timed out",
        cites: [.first(.processStateChanged), .taskCompleted], steps: story(failed(-1001, "timedOut"))),
      RuleExample(
        "the connection was lost", .certain, variant: "connection lost",
        cites: [.first(.processStateChanged), .taskCompleted], steps: story(in: .ephemeral, lost)),
      RuleExample(
        "the transfer was cancelled without a request from the app", .certain, variant: "cancelled",
        cites: [.first(.processStateChanged), .taskCompleted], steps: story(failed(-999, "cancelled"))),
    ],
    staysSilent: [
      RuleExample(
        "the transfer continued and succeeded",
        steps: begun() + suspended(until: 20) + [.at(25, TaskCompleted(delivery: DeliveryID(1), received: 9, status: 200))]),
      RuleExample("the task belongs to a background session", steps: story(in: .background, failed(-1001, "timedOut"))),
      RuleExample(
        "the app held a background assertion",
        steps: begun() + [.at(2, AssertionBegun(assertion: CorrelationID(7), name: "upload", remaining: .seconds(30)))]
          + suspended(until: 20) + [.at(21, AssertionEnded(assertion: CorrelationID(7), name: "upload")), .at(22, lost)]),
      RuleExample("the transfer failed long after the return", steps: begun() + suspended(until: 20) + [.at(200, lost)]),
      RuleExample(
        "the transfer began after the return",
        steps: [
          .at(0, ProcessStateChanged(state: .suspending)), .at(0.5, ProcessStateChanged(state: .foreground)),
        ] + begun() + [.at(4, lost)]),
      RuleExample(
        "the attempt had failed before the app was suspended",
        steps: begun() + [.at(2.5, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56))] + suspended()
          + [.at(301, lost)]),
      RuleExample(
        "the app cancelled the transfer",
        steps: begun() + suspended() + [.at(301, TaskCancelRequested(by: .app)), .at(301, failed(-999, "cancelled"))]),
      RuleExample(
        "the transfer failed because the server does not have the resource",
        steps: story(failed(-1100, "fileDoesNotExist"))),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  /// The longest time between the app's return and a failure that the suspension caused.
  var aftermath: Duration = .seconds(60)

  static let limits = [
    RuleLimit("aftermath", \Self.aftermath, "how long after the app's return a failure is attributed to the suspension")
  ]

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
          The app was suspended while task \(task.identity.label) ran, and the task failed \(max(.zero, after).inSeconds) after \
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
