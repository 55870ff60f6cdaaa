import XferEvents
import XferLifecycle
import XferReplay

/// A session that repeatedly fails to connect to the daemon while another session connects.
struct DaemonStateCorrupt: SessionRule {
  private static let (broken, fine) = ("com.example.photos", "com.example.music")

  private static let made: [RuleExample.Step] = [
    .at(0, SessionCreated(session: broken, instance: CorrelationID(1), sessionKind: .background)),
    .at(0, SessionCreated(session: fine, instance: CorrelationID(2), sessionKind: .background)),
  ]

  private static func failure(at time: Double, _ error: Int = 5, _ name: String = "journal") -> [RuleExample.Step] {
    let failed = SessionConnectFailed(
      session: broken, instance: CorrelationID(1), domain: .xfer, error: error, errorName: name)
    return [.at(time, SessionConnectStarted(session: broken, instance: CorrelationID(1))), .at(time + 1, failed)]
  }

  private static func success(_ session: String = fine, _ instance: CorrelationID = CorrelationID(2), at time: Double = 15)
    -> [RuleExample.Step]
  {
    [
      .at(time, SessionConnectStarted(session: session, instance: instance)),
      .at(time + 1, SessionConnected(session: session, instance: instance, generation: 1, pending: 0)),
    ]
  }

  static let description = RuleDescription(
    id: "daemon-state-corrupt", severity: .error,
    summary: "A session repeatedly failed to connect to the daemon, while another session connected.",
    explanation: """
      The state that the daemon stores for a session identifier may be damaged. Connecting that session then fails or hangs at \
      every launch, and restarting the app or the machine does not help, although other identifiers work. So far, only a new \
      identifier, or removing the app with its data, has helped.
      """,
    remedy: """
      In the daemon, set the damaged journal aside, start an empty one, and keep what can be read of the old one. In the app, \
      fall back to a second fixed identifier, and restart the transfers that are open in the app's own records.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/2965"],
    untriggerable: "The daemon sets damaged records aside and starts, so that every session connects.",
    reports: [
      RuleExample(
        "the session failed to connect three times", .certain,
        cites: [.first(.sessionConnectStarted), .last(.sessionConnectFailed), .sessionConnected],
        steps: made + failure(at: 10) + success() + failure(at: 20) + failure(at: 30))
    ],
    staysSilent: [
      RuleExample("no session can be connected", steps: made + failure(at: 10) + failure(at: 20) + failure(at: 30)),
      RuleExample(
        "the second attempt succeeded",
        steps: made + failure(at: 10) + success() + success(broken, CorrelationID(1), at: 20)),
      RuleExample(
        "another process has the session open",
        steps: made + failure(at: 10, 18, "backgroundSessionInUse") + success() + failure(at: 20, 18, "backgroundSessionInUse")
          + failure(at: 30, 18, "backgroundSessionInUse")),
      RuleExample("the session failed to connect once", steps: made + failure(at: 10) + success()),
    ])

  static let watches: Set<EventKind> = [.sessionConnectFailed]

  /// The minimum number of failed attempts that is reported; one or two failures may be chance.
  var tries = 3

  static let limits = [RuleLimit("tries", \Self.tries, "how many attempts to connect a session must fail to be reported")]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    // The daemon also refuses a session that another process has open. Its state is not damaged then.
    guard session.connectTries > 0, session.refusals.inUse == nil, let failed = session.connectFailed else {
      return asked.isEndOfLog ? .silent : nil
    }
    // Each launch has its own session object. The attempts of all objects with the identifier count, and the finding is
    // reported once, for the first object.
    let same = world.sessions.incarnations(of: session.identifier).filter { $0.connectTries > 0 }
    guard let first = same.first, first.process == session.process, first.instance == session.instance,
      let since = first.firstConnectTry, same.reduce(0, { $0 + $1.connectTries }) >= tries
    else { return asked.isEndOfLog ? .silent : nil }
    let connected = world.sessions.filter { $0.connected.flatMap { since.isBefore($0) } ?? false }
    if connected.contains(where: { $0.identifier == session.identifier }) { return .silent }
    guard let other = connected.first(where: { $0.kind == .background }), let up = other.connected else {
      return asked.isEndOfLog ? .silent : nil
    }
    let last = same.compactMap(\.connectFailed).last ?? failed
    return .finding(
      Draft(
        summary: "Session \(session.identifier) cannot connect to the daemon, although session \(other.identifier) can.",
        claim: .presence, evidence: since, [up, last]))
  }
}
