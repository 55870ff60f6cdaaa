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
        "half a minute later there is no session", certainty: .probable,
        .event(started, at: .zero), .evidence(delivered, at: .milliseconds(10)), .event(LogHeartbeatWritten(), at: .seconds(45))),
      RuleExample(
        "the app ended by itself without one", certainty: .certain,
        .event(started, at: .zero), .evidence(delivered, at: .milliseconds(10)),
        .event(WakeHandlerCalled(session: session, handler: wake, onMainThread: true), at: .milliseconds(12)),
        .evidence(ProcessExited(code: 0, exitReason: .returned), at: .seconds(5))),
      RuleExample(
        "of two sessions that the app has it made the other one only", certainty: .certain,
        .event(created, at: .zero), .event(other, at: .milliseconds(5)),
        .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(1)), .event(started, at: .seconds(5), by: .nextLife),
        .event(other, at: .seconds(5), by: .nextLife), .evidence(delivered, at: .seconds(6), by: .nextLife),
        .evidence(ProcessExited(code: 0, exitReason: .returned), at: .seconds(9), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample(
        "made at once",
        .event(started, at: .zero), .event(delivered, at: .milliseconds(10)), .event(created, at: .milliseconds(20)),
        .event(LogHeartbeatWritten(), at: .seconds(45))),
      RuleExample(
        "the app was alive and had it",
        .event(created, at: .zero), .event(delivered, at: .seconds(90)), .event(LogHeartbeatWritten(), at: .seconds(150))),
      RuleExample(
        "killed before it could make one",
        .event(started, at: .zero), .event(delivered, at: .milliseconds(10)),
        .event(
          ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), at: .seconds(2),
          by: .daemon)),
      RuleExample(
        "suspended most of the time",
        .event(started, at: .zero), .event(delivered, at: .milliseconds(10)),
        .event(ProcessStateChanged(state: .suspended), at: .seconds(1)),
        .event(ProcessStateChanged(state: .resumed), at: .seconds(300)), .event(created, at: .seconds(301))),
      RuleExample(
        "another one was made in its place, which has a name of its own",
        .event(started, at: .zero), .event(delivered, at: .milliseconds(10)),
        .event(
          SessionCreated(session: "com.example.main", instance: CorrelationID(1), sessionKind: .background), at: .milliseconds(20)
        ),
        .event(LogHeartbeatWritten(), at: .seconds(45))),
      RuleExample(
        "a debugger holds it",
        .event(ProcessStarted(startReason: .transfer, background: true, debugger: true), at: .zero),
        .event(delivered, at: .milliseconds(10)), .event(LogHeartbeatWritten(), at: .seconds(45))),
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
