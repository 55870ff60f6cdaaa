import XferEvents
import XferLifecycle
import XferReplay

/// The app was woken for a background session and did not make it.
struct SessionNotRecreatedAfterRelaunch: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"
  private static let started = ProcessStarted(startReason: .transfer, background: true, executable: "app")
  private static let delivered = WakeDelivered(session: session, handler: wake)
  private static let created = SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)
  private static let other = SessionCreated(
    session: "com.example.films", instance: CorrelationID(2), sessionKind: .background)

  static let description = RuleDescription(
    id: "session-not-recreated-after-relaunch", severity: .critical,
    summary: "The app was woken for a background session and never made it.",
    explanation: """
      Completions, files and challenges of a background session reach an app only through a session object with the same \
      identifier. An app that is started in the background and does not make one gets nothing: its files are removed, and \
      what it was woken for is lost or comes at the next launch. Often the session is made by a screen, in a view's load \
      method, and a launch without a screen never gets there.
      """,
    remedy: """
      Make all background sessions that the app knows at every launch, before anything of the user interface, and the one \
      whose identifier is handed over in any case.
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
        "half a minute later there is no session", .probable, cites: [.wakeDelivered],
        .at(0, started), .at(0.01, delivered), .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the app ended by itself without one", .certain, cites: [.wakeDelivered, .processExited],
        .at(0, started), .at(0.01, delivered),
        .at(0.012, WakeHandlerCalled(session: session, handler: wake, onMainThread: true)),
        .at(5, ProcessExited(code: 0, exitReason: .returned))),
      RuleExample(
        "of two sessions that the app has it made the other one only", .certain, cites: [.last(.processExited), .wakeDelivered],
        .at(0, created), .at(0.005, other), .at(1, ProcessExited(code: 0, exitReason: .exitCall)),
        .at(5, started, by: .nextLife), .at(5, other, by: .nextLife), .at(6, delivered, by: .nextLife),
        .at(9, ProcessExited(code: 0, exitReason: .returned), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample("made at once", .at(0, started), .at(0.01, delivered), .at(0.02, created), .at(45, LogHeartbeatWritten())),
      RuleExample("the app was alive and had it", .at(0, created), .at(90, delivered), .at(150, LogHeartbeatWritten())),
      RuleExample(
        "killed before it could make one",
        .at(0, started), .at(0.01, delivered),
        .at(2, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), by: .daemon)),
      RuleExample(
        "suspended most of the time",
        .at(0, started), .at(0.01, delivered), .at(1, ProcessStateChanged(state: .suspended)),
        .at(300, ProcessStateChanged(state: .resumed)), .at(301, created)),
      RuleExample(
        "another one was made in its place, which has a name of its own",
        .at(0, started), .at(0.01, delivered),
        .at(0.02, SessionCreated(session: "com.example.main", instance: CorrelationID(1), sessionKind: .background)),
        .at(45, LogHeartbeatWritten())),
      RuleExample(
        "a debugger holds it",
        .at(0, ProcessStarted(startReason: .transfer, background: true, debugger: true)), .at(0.01, delivered),
        .at(45, LogHeartbeatWritten())),
    ])

  static let watches: Set<EventKind> = [.wakeDelivered, .sessionCreated, .sessionConnected, .sessionEventsFinished]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let woken = WokenProcess(wake, in: world) else { return asked.isEndOfLog ? .silent : nil }
    if woken.hasSession { return .silent }
    guard let proof = woken.proofOfAbsence(asked) else { return asked.isEndOfLog ? nil : woken.wait }
    // Another session in its place tells more.
    if !woken.others.isEmpty { return .silent }
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    return .finding(
      Draft(
        summary: "\(woken.name) was woken for \(woken.session) and made no session of that identifier.",
        claim: .absence(since: woken.delivered, shownBy: proof), evidence: woken.delivered, [end],
        missing: [.init(.sessionCreated, dueBy: woken.delivered.due(within: woken.time))],
        unless: end == nil ? ["the session is made by code that records nothing"] : []))
  }
}
