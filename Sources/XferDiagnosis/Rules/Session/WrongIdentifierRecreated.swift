import XferEvents
import XferLifecycle
import XferReplay

/// The app was woken for one background session and made another.
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
    summary: "The app was woken for one background session and made another.",
    explanation: """
      The system says which session it woke the app for, by its identifier. An app that makes the one it always makes, and an \
      app that builds the identifier anew and gets another, leave the events of the first where they are. It comes with \
      extensions, whose sessions have identifiers of their own, and with identifiers that contain a version or a user.
      """,
    remedy: "Make the session with the identifier that was handed over, beside those that the app always makes.",
    sources: [
      "https://www.avanderlee.com/swift/urlsession-common-pitfalls-with-background-download-upload-tasks",
      "https://www.fixwikihub.com/articles/swift-urlsession-background-session-not-completing",
    ],
    needsNoDebugger: true,
    needsWholeLog: true,
    consequenceOf: ["ephemeral-identifier"],
    reports: [
      RuleExample(
        "the app made its main session, as always", .probable, cites: [.wakeDelivered, .sessionCreated],
        .at(0, started), .at(0.01, delivered), .at(0.02, created(other)), .at(45, LogHeartbeatWritten())),
      RuleExample(
        "and ended with that", .certain, cites: [.sessionCreated, .wakeDelivered, .processExited],
        .at(0, started), .at(0.005, created(other)), .at(0.01, delivered),
        .at(5, ProcessExited(code: 0, exitReason: .returned))),
    ],
    staysSilent: [
      RuleExample(
        "the right one was made later, in time",
        .at(0, started), .at(0.01, delivered), .at(0.02, created(other)), .at(4, created(wanted, 2)),
        .at(45, LogHeartbeatWritten())),
      RuleExample(
        "all of the app's sessions were made",
        .at(0, started), .at(0.005, created(other)), .at(0.006, created(wanted, 2)), .at(0.01, delivered),
        .at(45, LogHeartbeatWritten())),
      RuleExample(
        "none was made, which is another problem",
        .at(0, started), .at(0.01, delivered), .at(45, LogHeartbeatWritten())),
      RuleExample(
        "what was made is no background session",
        .at(0, started), .at(0.01, delivered), .at(0.02, created("default-1", kind: .default)), .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the other one had been there for long when the app was woken",
        .at(0, ProcessStarted(startReason: .user)), .at(0.005, created(other)), .at(90, delivered),
        .at(150, LogHeartbeatWritten())),
      RuleExample(
        "an earlier life had made both, so that the other is made for its own sake",
        .at(0, created(wanted)), .at(0.005, created(other, 2)), .at(1, ProcessExited(code: 0, exitReason: .exitCall)),
        .at(5, started, by: .nextLife), .at(5, created(other, 3), by: .nextLife), .at(6, delivered, by: .nextLife),
        .at(9, ProcessExited(code: 0, exitReason: .returned), by: .nextLife)),
    ])

  static let watches: Set<EventKind> = [.wakeDelivered, .sessionCreated, .sessionConnected, .sessionEventsFinished]

  /// Sessions to cite.
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
        summary: "\(woken.name) was woken for \(woken.session) and made \(other.identifier).",
        claim: .absence(since: woken.delivered, shownBy: proof), evidence: woken.delivered,
        woken.others.prefix(Self.cited).map(\.created) + [end],
        missing: [.init(.sessionCreated, dueBy: woken.delivered.due(within: woken.time))]))
  }
}
