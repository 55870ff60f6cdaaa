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
        "the app made its main session, as always", certainty: .probable,
        .event(started, at: .zero), .evidence(delivered, at: .milliseconds(10)), .evidence(created(other), at: .milliseconds(20)),
        .event(LogHeartbeatWritten(), at: .seconds(45))),
      RuleExample(
        "and ended with that", certainty: .certain,
        .event(started, at: .zero), .evidence(created(other), at: .milliseconds(5)), .evidence(delivered, at: .milliseconds(10)),
        .evidence(ProcessExited(code: 0, exitReason: .returned), at: .seconds(5))),
    ],
    staysSilent: [
      RuleExample(
        "the right one was made later, in time",
        .event(started, at: .zero), .event(delivered, at: .milliseconds(10)), .event(created(other), at: .milliseconds(20)),
        .event(created(wanted, 2), at: .seconds(4)), .event(LogHeartbeatWritten(), at: .seconds(45))),
      RuleExample(
        "all of the app's sessions were made",
        .event(started, at: .zero), .event(created(other), at: .milliseconds(5)),
        .event(created(wanted, 2), at: .milliseconds(6)), .event(delivered, at: .milliseconds(10)),
        .event(LogHeartbeatWritten(), at: .seconds(45))),
      RuleExample(
        "none was made, which is another problem",
        .event(started, at: .zero), .event(delivered, at: .milliseconds(10)), .event(LogHeartbeatWritten(), at: .seconds(45))),
      RuleExample(
        "what was made is no background session",
        .event(started, at: .zero), .event(delivered, at: .milliseconds(10)),
        .event(created("default-1", kind: .default), at: .milliseconds(20)), .event(LogHeartbeatWritten(), at: .seconds(45))),
      RuleExample(
        "the other one had been there for long when the app was woken",
        .event(ProcessStarted(startReason: .user), at: .zero), .event(created(other), at: .milliseconds(5)),
        .event(delivered, at: .seconds(90)), .event(LogHeartbeatWritten(), at: .seconds(150))),
      RuleExample(
        "an earlier life had made both, so that the other is made for its own sake",
        .event(created(wanted), at: .zero), .event(created(other, 2), at: .milliseconds(5)),
        .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(1)), .event(started, at: .seconds(5), by: .nextLife),
        .event(created(other, 3), at: .seconds(5), by: .nextLife), .event(delivered, at: .seconds(6), by: .nextLife),
        .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(9), by: .nextLife)),
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
