import XferEvents
import XferLifecycle
import XferReplay

/// Reports an app that is woken for one background session and creates another.
struct WrongIdentifierRecreated: WakeRule {
  private static let wake = HandlerID(3)
  private static let (wanted, other) = ("com.example.share", "com.example.main")
  private static let started = ProcessStarted(startReason: .transfer, background: true, executable: "app")
  private static let delivered = WakeDelivered(session: wanted, handler: wake)

  private static func created(_ session: String, _ instance: UInt64 = 1, kind: SessionKind = .background) -> SessionCreated {
    SessionCreated(session: session, instance: CorrelationID(instance), sessionKind: kind)
  }

  static let description = RuleDescription(
    id: "wrong-identifier-recreated", severity: .critical,
    summary: "The app was woken for one background session but created another.",
    explanation: """
      The system passes the identifier of the session that it wakes the app for. If the app creates a different session, \
      because it always creates the same one or generates a new identifier, the events of the requested session are not \
      delivered. This happens with extensions, whose sessions have their own identifiers, and with identifiers that contain a \
      version or a user name.
      """,
    remedy: """
      Create the session with the identifier that application(_:handleEventsForBackgroundURLSession:completionHandler:) \
      passes, in addition to the sessions that the app always creates.
      """,
    sources: [
      "https://www.avanderlee.com/swift/urlsession-common-pitfalls-with-background-download-upload-tasks",
      "https://www.fixwikihub.com/articles/swift-urlsession-background-session-not-completing",
    ],
    needsNoDebugger: true,
    needsWholeLog: true,
    consequenceOf: ["ephemeral-identifier"],
    reports: [
      RuleExample(
        "the app created its main session instead", .probable, cites: [.wakeDelivered, .sessionCreated],
        .at(0, started), .at(0.01, delivered), .at(0.02, created(other)), .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the app exited with only its main session", .certain, cites: [.sessionCreated, .wakeDelivered, .processExited],
        .at(0, started), .at(0.005, created(other)), .at(0.01, delivered),
        .at(5, ProcessExited(code: 0, exitReason: .returned))),
    ],
    staysSilent: [
      RuleExample(
        "the app created the requested session four seconds later",
        .at(0, started), .at(0.01, delivered), .at(0.02, created(other)), .at(4, created(wanted, 2)),
        .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the app created all of its sessions",
        .at(0, started), .at(0.005, created(other)), .at(0.006, created(wanted, 2)), .at(0.01, delivered),
        .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the app created no session, which another rule reports",
        .at(0, started), .at(0.01, delivered), .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the other session is not a background session",
        .at(0, started), .at(0.01, delivered), .at(0.02, created("default-1", kind: .default)), .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the other session existed long before the app was woken",
        .at(0, ProcessStarted(startReason: .user)), .at(0.005, created(other)), .at(90, delivered),
        .at(150, LogHeartbeatWritten())),
      RuleExample(
        "an earlier launch had created both sessions",
        .at(0, created(wanted)), .at(0.005, created(other, 2)), .at(1, ProcessExited(code: 0, exitReason: .exitCall)),
        .at(5, started, by: .nextLife), .at(5, created(other, 3), by: .nextLife), .at(6, delivered, by: .nextLife),
        .at(9, ProcessExited(code: 0, exitReason: .returned), by: .nextLife)),
    ])

  static let watches: Set<EventKind> = [.wakeDelivered, .sessionCreated, .sessionConnected, .sessionEventsFinished]

  /// The maximum number of sessions to cite.
  private static let cited = 3

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let woken = WokenProcess(wake, in: world) else { return asked.isEndOfLog ? .silent : nil }
    if woken.hasSession { return .silent }
    guard let proof = woken.proofOfAbsence(asked) else { return asked.isEndOfLog ? nil : woken.wait }
    guard let other = woken.others.first else { return .silent }
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    return .finding(
      Draft(
        summary: "\(woken.name) was woken for session \(woken.session) but created session \(other.identifier).",
        claim: .absence(since: woken.delivered, shownBy: proof), evidence: woken.delivered,
        woken.others.prefix(Self.cited).map(\.created) + [end],
        missing: [.init(.sessionCreated, dueBy: woken.delivered.due(within: woken.time))]))
  }
}
