import XferEvents
import XferLifecycle
import XferReplay

/// The app was started in the background, and nothing says what for.
struct UnexplainedLaunch: ProcessRule {
  private static func started(_ reason: StartReason?, background: Bool? = true) -> ProcessStarted {
    ProcessStarted(startReason: reason, background: background, executable: "app")
  }

  static let description = RuleDescription(
    id: "unexplained-launch", severity: .notice,
    summary: "The app was launched in the background, and nothing in the log says why.",
    explanation: """
      An app that is launched unseen was launched for something: a transfer's events, a challenge, a place, a push, a timer, \
      the system's own preparation. The launch options name it, or are empty. Without the reason in the log nobody can tell \
      whether a wake that was waited for has come, and code that assumes a user runs for nobody.
      """,
    remedy: """
      Log the reason of each launch, from the launch options or from whoever starts the process, before anything else runs.
      """,
    sources: ["https://jp.narouhz.com/forums/thread/767561"],
    reports: [
      RuleExample(
        "nothing that follows explains it", .probable, cites: [.processStarted],
        .at(1, started(.unknown)), .at(1, ProcessStateChanged(state: .background)), .at(40, LogHeartbeatWritten())),
      RuleExample(
        "it ended again before anything had explained it", .certain, cites: [.processStarted, .processExited],
        .at(1, started(nil)), .at(4, ProcessExited(code: 0, exitReason: .returned))),
    ],
    staysSilent: [
      RuleExample("for its transfers", .at(1, started(.transfer)), .at(40, LogHeartbeatWritten())),
      RuleExample("the system prepared it before use", .at(1, started(.prewarm)), .at(40, LogHeartbeatWritten())),
      RuleExample(
        "a wake reached it right after",
        .at(1, started(.unknown)), .at(2, WakeDelivered(session: "photos", handler: HandlerID(9))),
        .at(2, SessionCreated(session: "photos", sessionKind: .background)),
        .at(3, SessionEventsFinished(session: "photos", handler: HandlerID(9))),
        .at(3, WakeHandlerCalled(session: "photos", handler: HandlerID(9))), .at(40, LogHeartbeatWritten())),
      RuleExample(
        "the daemon says that it launched it",
        .at(
          0, WakeLaunched(session: "photos", handler: HandlerID(9), launch: ExampleProcess.app.launch, executable: "app"),
          by: .daemon),
        .at(1, started(.unknown)), .at(40, LogHeartbeatWritten())),
      RuleExample(
        "a region was left",
        .at(1, started(.unknown)), .at(2, TriggerFired(trigger: CorrelationID(2), triggerKind: .region, name: "wakeupinbg")),
        .at(40, LogHeartbeatWritten())),
      RuleExample(
        "it came to the front, so the user had opened it",
        .at(1, started(.unknown)), .at(2, ProcessStateChanged(state: .foreground)), .at(40, LogHeartbeatWritten())),
      RuleExample("there is still time for what it was launched for", .at(1, started(.unknown)), .at(9, LogHeartbeatWritten())),
      RuleExample(
        "not in the background, as far as the log says",
        .at(1, started(nil, background: nil)), .at(40, LogHeartbeatWritten())),
    ])

  static let watches: Set<EventKind> = [.processStarted, .processStateChanged]

  /// What a process was launched for reaches it within seconds.
  var patience: Duration = .seconds(30)

  static let limits = [RuleLimit("patience", \Self.patience, "how long what a process was launched for may take to reach it")]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let started = process.started else { return asked.isEndOfLog || process.endFact != nil ? .silent : nil }
    let isSaid = process.startReason ?? .unknown != .unknown
    guard process.startedInBackground == true, !isSaid, !process.isPrewarmed, process.launchCause == nil,
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
        summary: "\(name) was launched in the background, and nothing says why.",
        claim: .absence(since: started, shownBy: proof), evidence: started, [end],
        missing: [.init(.wakeDelivered, dueBy: started.due(within: patience))]))
  }
}
