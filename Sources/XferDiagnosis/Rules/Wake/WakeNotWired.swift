import XferEvents
import XferLifecycle
import XferReplay

/// The app was launched for its background events, but its code never received them.
struct WakeNotWired: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"

  private static func launched(launch: LaunchID? = ExampleProcess.app.launch, pid: Int? = nil) -> [RuleExample.Step] {
    [
      .at(0, WakeWanted(session: session, handler: wake, wakeCause: .completion, pending: 2), by: .daemon),
      .at(
        1,
        WakeLaunched(session: session, handler: wake, launch: launch, pid: pid, executable: "app", wakeCause: .completion),
        by: .daemon),
    ]
  }
  private static let started: RuleExample.Step = .at(
    2, ProcessStarted(startReason: .transfer, background: true, executable: "app"))
  private static let later: RuleExample.Step = .at(40, LogHeartbeatWritten())

  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] { launched() + [started] + steps }

  static let description = RuleDescription(
    id: "wake-not-wired", severity: .error,
    summary: "The app was launched for its background events, but its code never received them.",
    explanation: """
      After a launch for background transfers the system calls the app with the session's identifier and the completion \
      handler. If the app does not implement that call, because the delegate's method is missing or the framework's entry point \
      has no delegate, the system answers for the app, and the app ends without having handled anything.
      """,
    remedy: """
      Implement application(_:handleEventsForBackgroundURLSession:completionHandler:) in the app's delegate. Add an app \
      delegate (UIApplicationDelegateAdaptor) if the app has none.
      """,
    sources: ["https://github.com/bilipp/Lume/pull/176", "https://github.com/joltup/rn-fetch-blob/issues/234"],
    needsNoDebugger: true,
    reports: [
      RuleExample(
        "the app received nothing within half a minute", .probable, cites: [.wakeLaunched, .processStarted],
        steps: story(later)),
      RuleExample(
        "the daemon knew the process only by its process identifier", .probable, cites: [.wakeLaunched, .processStarted],
        steps: launched(launch: nil, pid: 4001) + [started, later]),
      RuleExample(
        "the app exited without having received anything", .probable, cites: [.wakeLaunched, .processStarted, .processExited],
        steps: story(.at(9, ProcessExited(code: 0, exitReason: .returned)))),
    ],
    staysSilent: [
      RuleExample(
        "the app received its events", steps: story(.at(3, WakeDelivered(session: session, handler: wake)), later)),
      RuleExample(
        "the user brought the app to the foreground, where events go directly to the session's delegate",
        steps: story(
          .at(3, ProcessStateChanged(state: .foreground)), .at(9, ProcessStateChanged(state: .background)), later)),
      RuleExample(
        "the app crashed before it could receive anything",
        steps: story(
          .at(3, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 11, exitReason: .signal), by: .daemon))),
      RuleExample(
        "the app called exit() right after its start", steps: story(.at(2.3, ProcessExited(code: 0, exitReason: .exitCall)))),
      RuleExample("the app was started less than half a minute ago", steps: story(.at(20, LogHeartbeatWritten()))),
      RuleExample("the app's own log is missing", steps: launched() + [.at(90, LogHeartbeatWritten(), by: .daemon)]),
    ])

  static let watches: Set<EventKind> = [.wakeLaunched, .wakeDelivered, .processStarted, .processStateChanged]

  /// The minimum lifetime of a process that could have received its events, long enough to connect to the daemon on a busy
  /// device.
  var handover: Duration = .seconds(5)

  /// The time in which the app must receive its events.
  var budget = WakeLifecycle.usualBudget

  static let limits = [
    RuleLimit("handover", \Self.handover, "the minimum lifetime of a process that could have received its events"),
    RuleLimit("budget", \Self.budget, "the maximum time from the app's start to the receipt of its events"),
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
          \(process.executable ?? "The app") was launched for the events of \(wake.session ?? "a session"), but its code never \
          received them.
          """,
        // The finding rests on absence, because an app that receives its events without recording them looks the same.
        claim: .absence(since: started, shownBy: .coverage), evidence: launched, [started, end],
        missing: [.init(.wakeDelivered, dueBy: started.due(within: budget))],
        unless: ["the app receives its background events in code that records nothing"]))
  }
}
