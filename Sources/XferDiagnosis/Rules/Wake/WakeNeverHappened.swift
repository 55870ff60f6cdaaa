import XferEvents
import XferLifecycle
import XferReplay

/// A session had events for its app, and the app was never launched.
struct WakeNeverHappened: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"

  private static func story(_ steps: RuleExample.Step..., ends seconds: Double = 3700) -> [RuleExample.Step] {
    let wanted = WakeWanted(session: session, handler: wake, wakeCause: .completion, pending: 2)
    return [.at(0, wanted, by: .daemon)] + steps + [.at(seconds, LogHeartbeatWritten(), by: .daemon)]
  }
  private static func held(_ reason: HoldWakeReason, delay: Duration? = nil) -> RuleExample.Step {
    .at(1, WakeHeld(session: session, handler: wake, holdWake: reason, delay: delay), by: .daemon)
  }

  static let description = RuleDescription(
    id: "wake-never-happened", severity: .critical,
    summary: "A background session had events for its app, and the app was never launched for them.",
    explanation: """
      When transfers end while the app is not running, the daemon launches the app. If it does not, the system keeps the files \
      until the user happens to open the app. The daemon may have a valid reason, which it logs: the user quit the app, \
      background refresh is off, the session does not send launch events, or the app is already running. Unless such a reason \
      was logged, the rule reports a wake that has not launched the app within an hour of its request. If the daemon delays \
      the wake, because the app was woken too often, the logged delay is added to the hour. The variant "could not be started" \
      means that a launch was tried and failed.
      """,
    remedy: """
      Read the daemon's log around the time of the wake. Check that the registered program still exists and is executable. In \
      the app, look for finished transfers at every launch, not only when it is woken.
      """,
    sources: ["https://github.com/Danie1s/Tiercel/issues/69", "https://forums.developer.apple.com/forums/thread/654464"],
    reports: [
      RuleExample(
        "no launch followed within an hour", .probable, variant: "never launched", cites: [.wakeWanted], steps: story()),
      RuleExample(
        "the program could not be started", .probable, variant: "could not be started", cites: [.wakeWanted, .wakeHeld],
        steps: story(held(.launchFailed))),
    ],
    staysSilent: [
      RuleExample(
        "the daemon launched the app",
        steps: story(.at(1, WakeLaunched(session: session, handler: wake, executable: "app"), by: .daemon))),
      RuleExample("the user had quit the app", steps: story(held(.userQuit))),
      RuleExample("background refresh is off", steps: story(held(.policy))),
      RuleExample("the announced delay passed less than an hour ago", steps: story(held(.rateLimit, delay: .seconds(1920)))),
      RuleExample(
        "the user opened the app within the hour",
        steps: story(
          .at(60, ProcessStarted(startReason: .user)),
          .at(61, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)))),
      RuleExample("the log ends within the hour", steps: story(ends: 600)),
    ])

  static let watches: Set<EventKind> = [.wakeWanted, .wakeHeld, .wakeLaunched, .wakeDelivered, .sessionCreated]

  /// The maximum time from the request for a wake to the launch, longer than any delay for which the daemon logs no reason.
  var patience: Duration = .seconds(3600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "the maximum time from the wake's request to the launch, plus an announced delay")
  ]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if wake.delivered != nil || (wake.launched != nil && wake.launchError == nil) { return .silent }
    guard let wanted = wake.wanted, let writer = wake.wantedBy else { return asked.isEndOfLog ? .silent : nil }
    switch wake.hold {
    case .userQuit, .policy, .suppressed, .running: return asked.isEndOfLog ? .silent : nil
    case .rateLimit, .storm, .launchFailed, nil: break
    }
    if let session = wake.session, Self.hasConnected(session, since: wanted, in: world) { return .silent }
    let limit = patience + (wake.holdDelay ?? .zero)
    // Time after the daemon's end does not count: the next daemon may launch the app.
    guard asked.covered(since: wanted, by: world.processes[writer]) >= limit else {
      return asked.isEndOfLog ? nil : .wait(limit, after: wanted, on: writer)
    }
    let hasFailed = wake.launchError != nil || wake.hold == .launchFailed
    return .finding(
      Draft(
        variant: hasFailed ? "could not be started" : "never launched",
        summary: """
          Session \(wake.session ?? "?") had events for its app, and the app \
          \(hasFailed ? "could not be started" : "was never launched").
          """,
        claim: .absence(since: wanted, shownBy: .coverage), evidence: wanted, [wake.held, wake.launched],
        missing: [.init(.wakeLaunched, dueBy: wanted.due(within: limit))],
        unless: ["the daemon launches the app after the end of this log"]))
  }

  /// The number of a session's latest instances to examine. Earlier ones belong to processes that ended long before.
  private static let lookBack = 64

  /// Whether the session connected after the wake was requested; the app then receives the events without a wake.
  private static func hasConnected(_ session: String, since wanted: Fact, in world: World) -> Bool {
    world.background.places(of: session).suffix(lookBack).contains { place in
      let known = world.sessions[place]
      guard let fact = known.connected ?? known.created else { return false }
      return (wanted.duration(to: fact) ?? .zero) >= .zero
    }
  }
}
