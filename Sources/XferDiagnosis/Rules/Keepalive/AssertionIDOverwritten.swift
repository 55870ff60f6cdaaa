import XferEvents
import XferLifecycle
import XferReplay

/// Reports a background assertion whose identifier was overwritten by that of a second assertion.
struct AssertionIDOverwritten: AssertionRule {
  private static let (first, second) = (CorrelationID(5), CorrelationID(6))
  private static let begun = RuleExample.Step.at(1, AssertionBegun(assertion: first, name: "sync", slot: "backgroundTask"))
  private static let begunAgain = RuleExample.Step.at(
    3, AssertionBegun(assertion: second, name: "sync", slot: "backgroundTask"))
  private static let secondEnded = RuleExample.Step.at(9, AssertionEnded(assertion: second, name: "sync"))
  private static func firstEnded(_ seconds: Double) -> RuleExample.Step {
    .at(seconds, AssertionEnded(assertion: first, name: "sync"))
  }
  private static let later = RuleExample.Step.at(80, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "assertion-id-overwritten", severity: .error,
    summary: "The identifier of a background assertion was overwritten, so the assertion was never ended.",
    explanation: """
      endBackgroundTask needs the assertion's identifier. Code that keeps the identifier in one variable and begins a second \
      assertion while the first is held, for a second notification or a second upload, overwrites the first identifier and \
      can end only the second assertion. The first assertion expires, no code can end it, and the system kills the app.
      """,
    remedy: """
      Keep each identifier in a local variable that the closures capture, one for each piece of work. Or call \
      endBackgroundTask with the old identifier before you overwrite the variable.
      """,
    sources: [
      "https://github.com/forcedotcom/SalesforceMobileSDK-iOS/pull/3039", "https://github.com/mixpanel/mixpanel-iphone/pull/389",
    ],
    reports: [
      RuleExample(
        "only the second assertion was ended, and the first expired", .certain,
        cites: [.assertionBegun, .assertionEnded, .assertionExpired],
        .at(0, ProcessStarted(executable: "app")), begun, begunAgain, secondEnded,
        .at(31, AssertionExpired(assertion: first, name: "sync"))),
      RuleExample(
        "the first assertion is still held a minute later", .probable, cites: [.assertionBegun, .assertionEnded],
        .at(0, ProcessStarted(executable: "app")), begun, begunAgain, secondEnded, later),
    ],
    staysSilent: [
      RuleExample("both assertions were ended", begun, begunAgain, secondEnded, firstEnded(10), later),
      RuleExample("the first was ended before the second began", begun, firstEnded(2), begunAgain, secondEnded, later),
      RuleExample(
        "each assertion has its own variable",
        begun, .at(3, AssertionBegun(assertion: second, name: "sync", slot: "other")), secondEnded, later),
      RuleExample("the begin event of one assertion was recorded twice", begun, begun, firstEnded(10), later),
      RuleExample(
        "the second assertion was ended ten seconds ago", begun, begunAgain, secondEnded, .at(20, LogHeartbeatWritten())),
      RuleExample("neither assertion has been ended yet", begun, begunAgain, later),
      RuleExample(
        "the app crashed while both assertions were held",
        begun, begunAgain,
        .at(9, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 11, exitReason: .signal), by: .daemon)),
    ])

  static let watches: Set<EventKind> = [.assertionEnded, .assertionExpired]

  /// The time after the end of the second assertion in which the app may end the first one. It may have kept another copy of the first
  /// identifier.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long the app may take to end the first assertion after it ended the second")
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
        summary: """
          The background assertion “\(assertion.text)” was begun again before it was ended, and only the second one was ended.
          """,
        claim: .absence(since: overwritten, shownBy: proof), evidence: begun, [overwritten, laterEnded, end],
        missing: [.init(.assertionEnded, dueBy: end?.moment ?? laterEnded.due(within: patience))]))
  }
}
