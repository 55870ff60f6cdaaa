import XferEvents
import XferLifecycle
import XferReplay

/// A session had events for its app, and nobody ever launched it.
struct WakeNeverHappened: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"
  private static let wanted = WakeWanted(session: session, handler: wake, wakeCause: .completion, pending: 2)

  private static func held(_ reason: HoldWakeReason, delay: Duration? = nil) -> WakeHeld {
    WakeHeld(session: session, handler: wake, holdWake: reason, delay: delay)
  }
  private static func alive(at time: Duration) -> RuleExample.Step { .at(time, LogHeartbeatWritten(), by: .daemon) }

  static let description = RuleDescription(
    id: "wake-never-happened", severity: .critical,
    summary: "A background session had events for its app, and the app was never launched for them.",
    explanation: """
      When its transfers have ended and the app is not running, it is to be launched. Where that does not happen, files lie \
      in the system's care until the user opens the app by chance. There are good reasons to wait: the user quit the app, \
      background refresh is off, the session does not send launch events, the app was woken too often; the daemon names \
      them. This is for wakes without one, an hour after the app was wanted and any delay that was announced has passed. The \
      variant "could not be started" says that the launch was tried and failed.
      """,
    remedy: """
      Look at the daemon's log around the time of the wake. Check that the registered program is still where it was and may be \
      executed. In the app, look for finished transfers at every launch, and not only when it is woken.
      """,
    sources: ["https://github.com/Danie1s/Tiercel/issues/69", "https://forums.developer.apple.com/forums/thread/654464"],
    reports: [
      RuleExample(
        "wanted, and an hour later nothing had happened", .probable, variant: "never launched", cites: [.wakeWanted],
        .at(0, wanted, by: .daemon), alive(at: .seconds(3700))),
      RuleExample(
        "the program could not be started", .probable, variant: "could not be started", cites: [.wakeWanted, .wakeHeld],
        .at(0, wanted, by: .daemon), .at(1, held(.launchFailed), by: .daemon), alive(at: .seconds(3700))),
    ],
    staysSilent: [
      RuleExample(
        "launched",
        .at(0, wanted, by: .daemon), .at(1, WakeLaunched(session: session, handler: wake, executable: "app"), by: .daemon),
        alive(at: .seconds(3700))),
      RuleExample(
        "the user had quit the app",
        .at(0, wanted, by: .daemon), .at(1, held(.userQuit), by: .daemon), alive(at: .seconds(3700))),
      RuleExample(
        "background refresh is off",
        .at(0, wanted, by: .daemon), .at(1, held(.policy), by: .daemon), alive(at: .seconds(3700))),
      RuleExample(
        "the delay that was announced has not passed for an hour",
        .at(0, wanted, by: .daemon), .at(1, held(.rateLimit, delay: .seconds(1920)), by: .daemon), alive(at: .seconds(3700))),
      RuleExample(
        "the user opened the app meanwhile",
        .at(0, wanted, by: .daemon), .at(60, ProcessStarted(startReason: .user)),
        .at(61, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
        alive(at: .seconds(3700))),
      RuleExample("the log ends within the hour", .at(0, wanted, by: .daemon), alive(at: .seconds(600))),
    ])

  static let watches: Set<EventKind> = [.wakeWanted, .wakeHeld, .wakeLaunched, .wakeDelivered, .sessionCreated]

  /// Longer than any wait that has no name.
  var patience: Duration = .seconds(3600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a wake may take, beside the delay that the daemon has named")
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
    // A daemon that ends launches nobody, and the next one may.
    guard asked.covered(since: wanted, by: world.processes[writer]) >= limit else {
      return asked.isEndOfLog ? nil : .wait(limit, after: wanted)
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
        unless: ["the daemon launches it after the end of this log"]))
  }

  /// Incarnations of a session to look at: earlier ones are of lives that were over long before.
  private static let lookBack = 64

  /// Whoever opens the app meanwhile gets the events without a wake.
  private static func hasConnected(_ session: String, since wanted: Fact, in world: World) -> Bool {
    world.background.places(of: session).suffix(lookBack).contains { place in
      let known = world.sessions[place]
      guard let fact = known.connected ?? known.created else { return false }
      return (wanted.duration(to: fact) ?? .zero) >= .zero
    }
  }
}
