import XferEvents
import XferLifecycle
import XferReplay

/// The variable that held background time was used for another one.
struct AssertionIDOverwritten: AssertionRule {
  private static let (first, second) = (CorrelationID(5), CorrelationID(6))
  private static let slot = "backgroundTask"
  private static let begun = AssertionBegun(assertion: first, name: "sync", slot: slot)
  private static let begunAgain = AssertionBegun(assertion: second, name: "sync", slot: slot)
  private static let ended = AssertionEnded(assertion: second, name: "sync")

  static let description = RuleDescription(
    id: "assertion-id-overwritten", severity: .error,
    summary: "The variable that held background time was overwritten, so that the first was never ended.",
    explanation: """
      Background time is ended by its number. Code that keeps the number in one variable and begins again while the first \
      is open, at the second notification or for the second upload, loses the first number for good: it can only end the \
      second. The first runs out with nobody who could end it, and the app is killed for it.
      """,
    remedy: """
      Keep the number in a local variable that the closures capture, one for each piece of work; or end the old one before \
      its place is used again.
      """,
    sources: [
      "https://github.com/forcedotcom/SalesforceMobileSDK-iOS/pull/3039", "https://github.com/mixpanel/mixpanel-iphone/pull/389",
    ],
    reports: [
      RuleExample(
        "only the second was ended, and the first ran out", .certain,
        cites: [.assertionBegun, .assertionEnded, .assertionExpired],
        .at(0, ProcessStarted(executable: "app")), .at(1, begun), .at(3, begunAgain), .at(9, ended),
        .at(31, AssertionExpired(assertion: first, name: "sync"))),
      RuleExample(
        "a minute later nobody has ended the first", .probable, cites: [.assertionBegun, .assertionEnded],
        .at(0, ProcessStarted(executable: "app")), .at(1, begun), .at(3, begunAgain), .at(9, ended),
        .at(80, LogHeartbeatWritten())),
    ],
    staysSilent: [
      RuleExample(
        "both were ended",
        .at(1, begun), .at(3, begunAgain), .at(9, ended), .at(10, AssertionEnded(assertion: first, name: "sync")),
        .at(80, LogHeartbeatWritten())),
      RuleExample(
        "the first was ended before the second began",
        .at(1, begun), .at(2, AssertionEnded(assertion: first, name: "sync")), .at(3, begunAgain), .at(9, ended),
        .at(80, LogHeartbeatWritten())),
      RuleExample(
        "each has a variable of its own",
        .at(1, begun), .at(3, AssertionBegun(assertion: second, name: "sync", slot: "other")), .at(9, ended),
        .at(80, LogHeartbeatWritten())),
      RuleExample(
        "the same begin, written twice",
        .at(1, begun), .at(1, begun), .at(10, AssertionEnded(assertion: first, name: "sync")), .at(80, LogHeartbeatWritten())),
      RuleExample(
        "the second was ended a moment ago",
        .at(1, begun), .at(3, begunAgain), .at(9, ended), .at(20, LogHeartbeatWritten())),
      RuleExample("neither was ended so far", .at(1, begun), .at(3, begunAgain), .at(80, LogHeartbeatWritten())),
      RuleExample(
        "killed while both were open",
        .at(1, begun), .at(3, begunAgain),
        .at(9, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 11, exitReason: .signal), by: .daemon)),
    ])

  static let watches: Set<EventKind> = [.assertionEnded, .assertionExpired]

  /// Whoever has the first number in another place uses it soon.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long whoever has the first number elsewhere may take to use it")
  ]

  func verdict(on assertion: AssertionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if assertion.ended != nil { return .silent }
    guard let begun = assertion.begun, let overwritten = assertion.overwritten, let laterEnded = assertion.laterEnded else {
      return asked.isEndOfLog ? .silent : nil
    }
    var proof: Draft.AbsenceProof?
    if let expired = assertion.expired, laterEnded.duration(to: expired) ?? .zero >= .zero {
      proof = .end(expired)
    } else {
      proof = asked.proofOfAbsence(since: laterEnded, within: patience, by: world.processes[assertion.process])
    }
    guard let proof else { return asked.isEndOfLog ? nil : .wait(patience, after: laterEnded) }
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    return .finding(
      Draft(
        summary: "“\(assertion.text)” was begun again before it was ended, and only the later one was ended.",
        claim: .absence(since: overwritten, shownBy: proof), evidence: begun, [overwritten, laterEnded, end],
        missing: [.init(.assertionEnded, dueBy: end?.moment ?? laterEnded.due(within: patience))]))
  }
}
