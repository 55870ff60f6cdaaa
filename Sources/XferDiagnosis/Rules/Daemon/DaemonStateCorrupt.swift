import XferEvents
import XferLifecycle
import XferReplay

/// One identifier cannot be connected, and others can.
struct DaemonStateCorrupt: SessionRule {
  private static let (broken, fine) = ("com.example.photos", "com.example.music")

  private static func tries(_ count: Int, fails: Bool = true) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let instance = CorrelationID(1)
      let begun = SessionConnectStarted(session: broken, instance: instance)
      let failed = SessionConnectFailed(session: broken, instance: instance, domain: .xfer, error: 5, errorName: "journal")
      let time: Duration = .seconds(10 * number)
      return [.at(time, begun)] + (fails ? [.at(time + .seconds(1), failed)] : [])
    }
  }

  private static let made: [RuleExample.Step] = [
    .at(0, SessionCreated(session: broken, instance: CorrelationID(1), sessionKind: .background)),
    .at(0, SessionCreated(session: fine, instance: CorrelationID(2), sessionKind: .background)),
  ]

  private static let other: [RuleExample.Step] = [
    .at(15, SessionConnectStarted(session: fine, instance: CorrelationID(2))),
    .at(16, SessionConnected(session: fine, instance: CorrelationID(2), generation: 1, pending: 0)),
  ]

  private static func story(_ parts: [RuleExample.Step]...) -> [RuleExample.Step] {
    parts.flatMap(\.self).sorted { $0.offset < $1.offset }
  }

  static let description = RuleDescription(
    id: "daemon-state-corrupt", severity: .error,
    summary: "A session could not be connected to the daemon again and again, while another one could.",
    explanation: """
      What the daemon keeps for each identifier may be damaged. Then connecting that session fails or hangs, at each launch, and \
      no start of the app or the machine helps; other identifiers work. Only a new identifier, or removing the app with its \
      data, has helped so far.
      """,
    remedy: """
      Set the damaged journal aside and begin with an empty one; keep what can be read of it. An app can fall back to a second, \
      fixed identifier, and start again what its own record has open.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/2965"],
    reports: [
      RuleExample(
        "three times in vain", .certain,
        cites: [.first(.sessionConnectStarted), .last(.sessionConnectFailed), .sessionConnected],
        steps: story(made, tries(3), other))
    ],
    staysSilent: [
      RuleExample("no session can be connected", steps: story(made, tries(3))),
      RuleExample(
        "the second try worked",
        steps: story(made, tries(1), other) + [
          .at(20, SessionConnectStarted(session: broken, instance: CorrelationID(1))),
          .at(21, SessionConnected(session: broken, instance: CorrelationID(1), generation: 1, pending: 0)),
        ]),
      RuleExample("it failed once", steps: story(made, tries(1), other)),
    ])

  static let watches: Set<EventKind> = [.sessionConnectFailed]

  /// Once or twice may be chance.
  var tries = 3

  static let limits = [RuleLimit("tries", \Self.tries, "how often a session has to be connected in vain")]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard session.connectTries > 0, let failed = session.connectFailed else { return asked.isEndOfLog ? .silent : nil }
    // Each life has a session object of its own: the identifier is what counts, and the first of them tells it.
    let same = world.sessions.incarnations(of: session.identifier).filter { $0.connectTries > 0 }
    guard let first = same.first, first.process == session.process, first.instance == session.instance,
      let since = first.firstConnectTry, same.reduce(0, { $0 + $1.connectTries }) >= tries
    else { return asked.isEndOfLog ? .silent : nil }
    let start = since.monotonic ?? .min
    let connected = world.sessions.filter { $0.connected.map { $0.monotonic ?? .min > start } ?? false }
    if connected.contains(where: { $0.identifier == session.identifier }) { return .silent }
    guard let other = connected.first(where: { $0.kind == .background }), let up = other.connected else {
      return asked.isEndOfLog ? .silent : nil
    }
    let last = same.compactMap(\.connectFailed).last ?? failed
    return .finding(
      Draft(
        summary: "Session \(session.identifier) cannot be connected to the daemon, and \(other.identifier) can.",
        claim: .presence, evidence: since, [up, last]))
  }
}
