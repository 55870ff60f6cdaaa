import XferEvents
import XferLifecycle
import XferReplay

/// Reports an app that is woken for a background session and does not create the session.
struct SessionNotRecreatedAfterRelaunch: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"
  private static let started = ProcessStarted(startReason: .transfer, background: true, executable: "app")
  private static let delivered = WakeDelivered(session: session, handler: wake)
  private static let created = SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)
  private static let other = SessionCreated(session: "com.example.films", instance: CorrelationID(2), sessionKind: .background)

  static let description = RuleDescription(
    id: "session-not-recreated-after-relaunch", severity: .critical,
    summary: "The app was woken for the events of a background session but never created that session.",
    explanation: """
      An app receives the completions, files and challenges of a background session only through a session object with the \
      same identifier. If an app that the system launches or resumes for these events does not create the session, its \
      downloaded files are deleted, and the events are lost or delayed until the next launch. A common cause is a session that \
      is created by a screen, for example in viewDidLoad(): a background launch shows no screen.
      """,
    remedy: """
      At every launch, create all background sessions that the app uses before you set up the user interface. Also create the \
      session whose identifier application(_:handleEventsForBackgroundURLSession:completionHandler:) passes.
      """,
    sources: [
      "https://developer.apple.com/documentation/uikit/uiapplicationdelegate/1622941-application",
      "https://github.com/spoonconsulting/cordova-plugin-background-upload/pull/43",
    ],
    needsNoDebugger: true,
    needsWholeLog: true,
    consequenceOf: ["ephemeral-identifier"],
    reports: [
      RuleExample(
        "no session exists 45 seconds after the app was woken", .probable, cites: [.wakeDelivered],
        .at(0, started), .at(0.01, delivered), .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the app exited without creating the session", .certain, cites: [.wakeDelivered, .processExited],
        .at(0, started), .at(0.01, delivered),
        .at(0.012, WakeHandlerCalled(session: session, handler: wake, onMainThread: true)),
        .at(5, ProcessExited(code: 0, exitReason: .returned))),
      RuleExample(
        "the app created only the other one of its two sessions", .certain, cites: [.last(.processExited), .wakeDelivered],
        .at(0, created), .at(0.005, other), .at(1, ProcessExited(code: 0, exitReason: .exitCall)),
        .at(5, started, by: .nextLife), .at(5, other, by: .nextLife), .at(6, delivered, by: .nextLife),
        .at(9, ProcessExited(code: 0, exitReason: .returned), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample(
        "the session was created immediately",
        .at(0, started), .at(0.01, delivered), .at(0.02, created), .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the app was running and had the session", .at(0, created), .at(90, delivered), .at(150, LogHeartbeatWritten())),
      RuleExample(
        "the app was killed before it could create the session",
        .at(0, started), .at(0.01, delivered),
        .at(2, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), by: .daemon)),
      RuleExample(
        "the app was suspended most of the time",
        .at(0, started), .at(0.01, delivered), .at(1, ProcessStateChanged(state: .suspended)),
        .at(300, ProcessStateChanged(state: .resumed)), .at(301, created)),
      RuleExample(
        "the app created another session instead, which another rule reports",
        .at(0, started), .at(0.01, delivered),
        .at(0.02, SessionCreated(session: "com.example.main", instance: CorrelationID(1), sessionKind: .background)),
        .at(45, LogHeartbeatWritten())),
      RuleExample(
        "a debugger is attached",
        .at(0, ProcessStarted(startReason: .transfer, background: true, debugger: true)), .at(0.01, delivered),
        .at(45, LogHeartbeatWritten())),
    ])

  static let watches: Set<EventKind> = [.wakeDelivered, .sessionCreated, .sessionConnected, .sessionEventsFinished]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let woken = WokenProcess(wake, in: world) else { return asked.isEndOfLog ? .silent : nil }
    if woken.hasSession { return .silent }
    guard let proof = woken.proofOfAbsence(asked) else { return asked.isEndOfLog ? nil : woken.wait }
    // `WrongIdentifierRecreated` reports another session that was created instead.
    if !woken.others.isEmpty { return .silent }
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    return .finding(
      Draft(
        summary: "\(woken.name) was woken for session \(woken.session) but did not create a session with that identifier.",
        claim: .absence(since: woken.delivered, shownBy: proof), evidence: woken.delivered, [end],
        missing: [.init(.sessionCreated, dueBy: woken.delivered.due(within: woken.time))],
        unless: end == nil ? ["the session is created by code that records no events"] : []))
  }
}
