import XferEvents
import XferLifecycle
import XferReplay

/// The app was launched for its background events, and its code never heard of it.
struct WakeNotWired: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"
  private static let wanted: RuleExample.Step = .at(
    0, WakeWanted(session: session, handler: wake, wakeCause: .completion, pending: 2), by: .daemon)
  private static let launched = WakeLaunched(
    session: session, handler: wake, launch: ExampleProcess.app.launch, executable: "app", wakeCause: .completion)
  private static let started = ProcessStarted(startReason: .transfer, background: true, executable: "app")

  static let description = RuleDescription(
    id: "wake-not-wired", severity: .error,
    summary: "The app was launched for its background events, but its code was never handed them.",
    explanation: """
      A launch for background transfers goes on with a call of the app: here is the session's identifier, here is the \
      completion handler. Where nothing is installed to take it (the delegate's method is missing, or the framework's own \
      entry point has no delegate at all) the system answers in the app's place, and the app ends without having done \
      anything.
      """,
    remedy: """
      Implement handleEventsForBackgroundURLSession in the app's delegate. An app without a delegate of its own has to be \
      given one for that.
      """,
    sources: ["https://github.com/bilipp/Lume/pull/176", "https://github.com/joltup/rn-fetch-blob/issues/234"],
    needsNoDebugger: true,
    reports: [
      RuleExample(
        "started, and half a minute later nothing was handed over", .probable, cites: [.wakeLaunched, .processStarted],
        wanted, .at(1, launched, by: .daemon), .at(2, started), .at(40, LogHeartbeatWritten())),
      RuleExample(
        "its daemon knew it by its number alone", .probable, cites: [.wakeLaunched, .processStarted],
        wanted,
        .at(1, WakeLaunched(session: session, handler: wake, pid: 4001, executable: "app", wakeCause: .completion), by: .daemon),
        .at(2, started), .at(40, LogHeartbeatWritten())),
      RuleExample(
        "started, and ended again by itself", .probable, cites: [.wakeLaunched, .processStarted, .processExited],
        wanted, .at(1, launched, by: .daemon), .at(2, started), .at(9, ProcessExited(code: 0, exitReason: .returned))),
    ],
    staysSilent: [
      RuleExample(
        "handed over",
        wanted, .at(1, launched, by: .daemon), .at(2, started), .at(3, WakeDelivered(session: session, handler: wake)),
        .at(40, LogHeartbeatWritten())),
      RuleExample(
        "the user brought the app to the front, where events go straight to the session's delegate",
        wanted, .at(1, launched, by: .daemon), .at(2, started), .at(3, ProcessStateChanged(state: .foreground)),
        .at(9, ProcessStateChanged(state: .background)), .at(40, LogHeartbeatWritten())),
      RuleExample(
        "it crashed before it could be told",
        wanted, .at(1, launched, by: .daemon), .at(2, started),
        .at(3, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 11, exitReason: .signal), by: .daemon)),
      RuleExample(
        "it ended by itself before anybody could have told it",
        wanted, .at(1, launched, by: .daemon), .at(2, started), .at(2.3, ProcessExited(code: 0, exitReason: .exitCall))),
      RuleExample(
        "it has only just been started",
        wanted, .at(1, launched, by: .daemon), .at(2, started), .at(20, LogHeartbeatWritten())),
      RuleExample(
        "the app's own log is not here",
        wanted, .at(1, launched, by: .daemon), .at(90, LogHeartbeatWritten(), by: .daemon)),
    ])

  static let watches: Set<EventKind> = [.wakeLaunched, .wakeDelivered, .processStarted, .processStateChanged]

  /// What it takes to connect and to be told, on a device that has much else to do.
  var handover: Duration = .seconds(5)

  /// For the app to be handed its events.
  var budget = WakeLifecycle.usualBudget

  static let limits = [
    RuleLimit("handover", \Self.handover, "how long a process must have lived to be handed anything"),
    RuleLimit("budget", \Self.budget, "how long after its start the app must have been handed its events"),
  ]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if wake.delivered != nil { return .silent }
    guard let launched = wake.launched, wake.launchError == nil else { return asked.isEndOfLog ? .silent : nil }
    guard let place = wake.launchedProcess, let started = world.processes[place].started else {
      return asked.isEndOfLog ? .undecidable(needs: "the log of the process that was launched") : nil
    }
    let process = world.processes[place]
    if process.cameToFront != nil || (process.startReason != .transfer && process.startReason != .challenge) { return .silent }
    if process.exited == nil, process.endFact != nil, asked.covered(since: started, by: process) < budget {
      return .silent
    }
    if let end = process.endFact, started.duration(to: end) ?? .zero < handover { return .silent }
    guard let proof = asked.proofOfAbsence(since: started, within: budget, by: process) else {
      return asked.isEndOfLog ? nil : .wait(budget, after: started)
    }
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    return .finding(
      Draft(
        summary: """
          \(process.executable ?? "The app") was launched for the events of \(wake.session ?? "a session"), and its code was never \
          handed them.
          """,
        // An app that takes them without saying so looks the same.
        claim: .absence(since: started, shownBy: .coverage), evidence: launched, [started, end],
        missing: [.init(.wakeDelivered, dueBy: started.due(within: budget))],
        unless: ["the app takes its background events in code that records nothing"]))
  }
}
