import XferEvents
import XferLifecycle
import XferReplay

/// The app was stopped in the middle of a transfer that only the app carries.
struct ForegroundTransferFrozen: TaskRule {
  private static func begun(_ kind: SessionKind = .default) -> [RuleExample.Step] {
    [
      .event(SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: kind), at: .zero),
      .event(TaskCreated(task: .example, type: .data), at: .seconds(1)),
      .event(TaskResumed(task: .example), at: .seconds(1)),
      .event(AttemptStarted(task: .example, attempt: 1), at: .seconds(1)),
      .event(AttemptConnectionAcquired(task: .example, attempt: 1), at: .seconds(2)),
    ]
  }
  private static let stopped = ProcessStateChanged(state: .suspending)
  private static func resumed(at second: Int) -> RuleExample.Step {
    .event(ProcessStateChanged(state: .foreground), at: .seconds(second))
  }
  private static func failed(_ error: Int, _ name: String, domain: ErrorDomain = .url) -> TaskCompleted {
    TaskCompleted(task: .example, delivery: DeliveryID(1), received: 0, domain: domain, error: error, errorName: name)
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
        "timed out as soon as the user was back", certainty: .certain, variant: "timed out",
        steps: begun() + [
          .evidence(stopped, at: .seconds(3)), resumed(at: 300), .evidence(failed(-1001, "timedOut"), at: .seconds(301)),
        ]),
      RuleExample(
        "the connection was gone", certainty: .certain, variant: "connection lost",
        steps: begun(.ephemeral) + [
          .evidence(stopped, at: .seconds(3)), resumed(at: 300),
          .evidence(failed(-1005, "networkConnectionLost"), at: .seconds(301)),
        ]),
      RuleExample(
        "cancelled by nobody", certainty: .certain, variant: "cancelled",
        steps: begun() + [
          .evidence(stopped, at: .seconds(3)), resumed(at: 300), .evidence(failed(-999, "cancelled"), at: .seconds(301)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "continued, and finished",
        steps: begun() + [
          .event(stopped, at: .seconds(3)), resumed(at: 20),
          .event(TaskCompleted(task: .example, delivery: DeliveryID(1), received: 9, status: 200), at: .seconds(25)),
        ]),
      RuleExample(
        "a background session's task is the daemon's",
        steps: begun(.background) + [
          .event(stopped, at: .seconds(3)), resumed(at: 300), .event(failed(-1001, "timedOut"), at: .seconds(301)),
        ]),
      RuleExample(
        "the app had asked for background time",
        steps: begun() + [
          .event(AssertionBegun(assertion: CorrelationID(7), name: "upload", remaining: .seconds(30)), at: .seconds(2)),
          .event(stopped, at: .seconds(3)), resumed(at: 20),
          .event(AssertionEnded(assertion: CorrelationID(7), name: "upload"), at: .seconds(21)),
          .event(failed(-1005, "networkConnectionLost"), at: .seconds(22)),
        ]),
      RuleExample(
        "it failed long after the return",
        steps: begun() + [
          .event(stopped, at: .seconds(3)), resumed(at: 20),
          .event(failed(-1005, "networkConnectionLost"), at: .seconds(200)),
        ]),
      RuleExample(
        "it began after the return",
        steps: [.event(stopped, at: .zero), .event(ProcessStateChanged(state: .foreground), at: .milliseconds(500))] + begun() + [
          .event(failed(-1005, "networkConnectionLost"), at: .seconds(4))
        ]),
      RuleExample(
        "it had failed before the app was stopped",
        steps: begun() + [
          .event(
            AttemptEnded(task: .example, attempt: 1, end: .transport, domain: .curl, error: 56), at: .milliseconds(2500)),
          .event(stopped, at: .seconds(3)), resumed(at: 300),
          .event(failed(-1005, "networkConnectionLost"), at: .seconds(301)),
        ]),
      RuleExample(
        "the app cancelled it",
        steps: begun() + [
          .event(stopped, at: .seconds(3)), resumed(at: 300),
          .event(TaskCancelRequested(task: .example, by: .app), at: .seconds(301)),
          .event(failed(-999, "cancelled"), at: .seconds(301)),
        ]),
      RuleExample(
        "the server had no such thing",
        steps: begun() + [
          .event(stopped, at: .seconds(3)), resumed(at: 300), .event(failed(-1100, "fileDoesNotExist"), at: .seconds(301)),
        ]),
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
