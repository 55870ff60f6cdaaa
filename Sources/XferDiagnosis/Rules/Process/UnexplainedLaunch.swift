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
        "nothing that follows explains it", certainty: .probable,
        .evidence(started(.unknown), at: .seconds(1)),
        .event(ProcessStateChanged(state: .background), at: .seconds(1)), .event(LogHeartbeatWritten(), at: .seconds(40))),
      RuleExample(
        "it ended again before anything had explained it", certainty: .certain,
        .evidence(started(nil), at: .seconds(1)), .evidence(ProcessExited(code: 0, exitReason: .returned), at: .seconds(4))),
    ],
    staysSilent: [
      RuleExample(
        "for its transfers",
        .event(started(.transfer), at: .seconds(1)), .event(LogHeartbeatWritten(), at: .seconds(40))),
      RuleExample(
        "the system prepared it before use",
        .event(started(.prewarm), at: .seconds(1)), .event(LogHeartbeatWritten(), at: .seconds(40))),
      RuleExample(
        "a wake reached it right after",
        .event(started(.unknown), at: .seconds(1)),
        .event(WakeDelivered(session: "photos", handler: HandlerID(9)), at: .seconds(2)),
        .event(SessionCreated(session: "photos", sessionKind: .background), at: .seconds(2)),
        .event(SessionEventsFinished(session: "photos", handler: HandlerID(9)), at: .seconds(3)),
        .event(WakeHandlerCalled(session: "photos", handler: HandlerID(9)), at: .seconds(3)),
        .event(LogHeartbeatWritten(), at: .seconds(40))),
      RuleExample(
        "the daemon says that it launched it",
        .event(
          WakeLaunched(session: "photos", handler: HandlerID(9), launch: ExampleProcess.app.launch, executable: "app"),
          at: .zero, by: .daemon),
        .event(started(.unknown), at: .seconds(1)), .event(LogHeartbeatWritten(), at: .seconds(40))),
      RuleExample(
        "a region was left",
        .event(started(.unknown), at: .seconds(1)),
        .event(TriggerFired(trigger: CorrelationID(2), triggerKind: .region, name: "wakeupinbg"), at: .seconds(2)),
        .event(LogHeartbeatWritten(), at: .seconds(40))),
      RuleExample(
        "it came to the front, so the user had opened it",
        .event(started(.unknown), at: .seconds(1)), .event(ProcessStateChanged(state: .foreground), at: .seconds(2)),
        .event(LogHeartbeatWritten(), at: .seconds(40))),
      RuleExample(
        "there is still time for what it was launched for",
        .event(started(.unknown), at: .seconds(1)), .event(LogHeartbeatWritten(), at: .seconds(9))),
      RuleExample(
        "not in the background, as far as the log says",
        .event(started(nil, background: nil), at: .seconds(1)), .event(LogHeartbeatWritten(), at: .seconds(40))),
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
