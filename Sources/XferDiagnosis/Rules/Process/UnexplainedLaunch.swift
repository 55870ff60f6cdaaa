import XferEvents
import XferLifecycle
import XferReplay

/// The app was launched in the background, and the log does not show why.
struct UnexplainedLaunch: ProcessRule {
  private static func started(_ reason: StartReason? = .unknown, background: Bool? = true) -> RuleExample.Step {
    .at(1, ProcessStarted(startReason: reason, background: background, executable: "app"))
  }
  private static let later: RuleExample.Step = .at(40, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "unexplained-launch", severity: .notice,
    summary: "The app was launched in the background, and nothing in the log shows why.",
    explanation: """
      A background launch has a cause: a transfer's events, a challenge, a location change, a push, a timer, or prewarming by \
      the system. The launch options name it or are empty. Without the reason in the log, a reader cannot tell whether an \
      expected wake occurred, and code that assumes that a user is present may run although none is.
      """,
    remedy: """
      Log the reason of each launch before any other code runs. Take it from the launch options or from the program that \
      starts the process.
      """,
    sources: ["https://jp.narouhz.com/forums/thread/767561"],
    reports: [
      RuleExample(
        "no later event explains the launch", .probable, cites: [.processStarted],
        started(), .at(1, ProcessStateChanged(state: .background)), later),
      RuleExample(
        "the process ended before any event explained the launch", .certain, cites: [.processStarted, .processExited],
        started(nil), .at(4, ProcessExited(code: 0, exitReason: .returned))),
    ],
    staysSilent: [
      RuleExample("the app was launched for its transfers", started(.transfer), later),
      RuleExample("the system prewarmed the app", started(.prewarm), later),
      RuleExample(
        "the app received a wake right after the launch",
        started(), .at(2, WakeDelivered(session: "photos", handler: HandlerID(9))),
        .at(2, SessionCreated(session: "photos", sessionKind: .background)),
        .at(3, SessionEventsFinished(session: "photos", handler: HandlerID(9))),
        .at(3, WakeHandlerCalled(session: "photos", handler: HandlerID(9))), later),
      RuleExample(
        "the daemon logged that it launched the app",
        .at(
          0, WakeLaunched(session: "photos", handler: HandlerID(9), launch: ExampleProcess.app.launch, executable: "app"),
          by: .daemon),
        started(), later),
      RuleExample(
        "the device left a region",
        started(), .at(2, TriggerFired(trigger: CorrelationID(2), triggerKind: .region, name: "wakeupinbg")), later),
      RuleExample(
        "the app came to the foreground, so the user opened it",
        started(), .at(2, ProcessStateChanged(state: .foreground)), later),
      RuleExample("the cause of the launch may still arrive", started(), .at(9, LogHeartbeatWritten())),
      RuleExample("the log does not show a background launch", started(nil, background: nil), later),
    ])

  static let watches: Set<EventKind> = [.processStarted, .processStateChanged]

  /// The maximum time from a launch to the event that explains it; most explanations follow within seconds.
  var patience: Duration = .seconds(30)

  static let limits = [
    RuleLimit("patience", \Self.patience, "the maximum time from a launch to the event that explains it")
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let started = process.started else { return asked.isEndOfLog || process.endFact != nil ? .silent : nil }
    let hasReason = process.startReason ?? .unknown != .unknown
    guard process.startedInBackground == true, !hasReason, !process.isPrewarmed, process.launchCause == nil,
      process.state != .foreground
    else { return .silent }
    guard let proof = asked.proofOfAbsence(since: started, within: patience, by: process) else {
      return asked.isEndOfLog ? nil : .wait(patience, after: started)
    }
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    let name = process.executable ?? "The app"
    return .finding(
      Draft(
        summary: "\(name) was launched in the background, and nothing in the log shows why.",
        claim: .absence(since: started, shownBy: proof), evidence: started, [end],
        missing: [.init(.wakeDelivered, dueBy: started.due(within: patience))]))
  }
}
