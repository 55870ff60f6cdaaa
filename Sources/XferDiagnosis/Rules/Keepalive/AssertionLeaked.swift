import XferEvents
import XferLifecycle
import XferReplay

/// Reports a background assertion that was never ended.
struct AssertionLeaked: AssertionRule {
  private static let begun = RuleExample.Step.at(
    1, AssertionBegun(assertion: CorrelationID(5), name: "upload", slot: "uploadTime", remaining: .seconds(30)))
  private static let expired = RuleExample.Step.at(31, AssertionExpired(assertion: CorrelationID(5), name: "upload"))
  private static let ended = AssertionEnded(assertion: CorrelationID(5), name: "upload")
  private static let exited = RuleExample.Step.at(20, ProcessExited(code: 0, exitReason: .exitCall))

  /// The steps of an example: a process begins a background assertion; then `rest` follows.
  private static func story(_ rest: RuleExample.Step...) -> [RuleExample.Step] {
    [.at(0, ProcessStarted(executable: "app")), begun] + rest
  }

  static let description = RuleDescription(
    id: "assertion-leaked", severity: .error,
    summary: "A background assertion was begun and never ended.",
    explanation: """
      An app that begins a background assertion (beginBackgroundTask) must end it (endBackgroundTask) when the work is done, \
      and in the expiration handler. A held assertion keeps the app awake needlessly, and the system kills an app that does \
      not end it within seconds of its expiry. The variant names the latest time at which it should have been ended: when it \
      expired ("expired"), or when the app exited by itself ("exited").
      """,
    remedy: """
      Call endBackgroundTask on every path: when the work succeeds, when it fails, and in the expiration handler. Wrap the \
      assertion in a type whose deinitializer ends it, and name each one.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/729335",
      "https://dev.to/tejeshwargill/all-about-handling-background-tasks-in-ios-13-4gc0",
      "https://github.com/google/gtm-session-fetcher/issues/217",
    ],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the assertion expired, and the app continued", .probable, variant: "expired",
        cites: [.assertionBegun, .assertionExpired],
        steps: story(expired, .at(35, ProcessStateChanged(state: .foreground)), .at(60, LogHeartbeatWritten()))),
      RuleExample(
        "the app exited normally with the assertion held", .certain, variant: "exited",
        cites: [.assertionBegun, .processExited], steps: story(exited)),
    ],
    staysSilent: [
      RuleExample("the assertion was ended when the work was done", steps: story(.at(12, ended), exited)),
      RuleExample(
        "the assertion was ended in the expiration handler",
        steps: story(expired, .at(31.005, ended), .at(60, LogHeartbeatWritten()))),
      RuleExample(
        "the app is in the foreground, and the work continues",
        .at(0, ProcessStarted(executable: "app")), .at(0, ProcessStateChanged(state: .foreground)), begun,
        .at(600, LogHeartbeatWritten())),
      RuleExample(
        "the app crashed while the assertion was held, which is another fault",
        steps: story(
          .at(9, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 11, exitReason: .signal), by: .daemon))),
      RuleExample(
        "the user quit the app",
        steps: story(
          .at(9, ProcessExitObserved(launch: ExampleProcess.app.launch, code: 0, exitReason: .userQuit), by: .daemon))),
      RuleExample(
        "the assertion expired right before the app was suspended",
        steps: story(
          expired, .at(32, ProcessStateChanged(state: .suspended)), .at(600, ProcessStateChanged(state: .resumed)),
          .at(601, ended))),
    ])

  static let watches: Set<EventKind> = [.assertionExpired, .assertionEnded]

  /// The time that an expiration handler has to end the assertion.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long an expiration handler may take to end the assertion")]

  func verdict(on assertion: AssertionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if let unended = assertion.unended { return .finding(reported(assertion, unended)) }
    guard let begun = assertion.begun else { return asked.isEndOfLog ? .silent : nil }
    if assertion.ended != nil { return .silent }
    let process = world.processes[assertion.process]
    let end = process.endFact
    // The rules `assertion-id-overwritten` and `assertion-expired-kill` report these two cases, so this rule stays silent.
    if assertion.overwritten != nil, assertion.laterEnded != nil { return .silent }
    if AssertionExpiredKill.kill(of: process, for: assertion) != nil { return .silent }
    if assertion.overwritten != nil, end == nil { return nil }
    guard let expired = assertion.expired else {
      guard end != nil else { return nil }
      guard let exit = process.exitObserved == nil ? end : process.exited else { return .silent }
      return .finding(draft(assertion, "exited", since: begun, .end(exit), [begun, exit]))
    }
    guard let proof = asked.proofOfAbsence(since: expired, within: patience, by: process) else {
      return asked.isEndOfLog ? nil : .wait(patience, after: expired)
    }
    guard case .end(let exit) = proof else {
      return .finding(draft(assertion, "expired", since: expired, proof, [begun, expired]))
    }
    return .finding(draft(assertion, "expired", since: expired, proof, [begun, expired, exit]))
  }

  /// The finding for an assertion that the system itself reports as not ended.
  private func reported(_ assertion: AssertionLifecycle, _ report: Fact) -> Draft {
    Draft(
      variant: "expired",
      summary: "The system reports that the background assertion “\(assertion.text)” was not ended although it had expired.",
      claim: .presence, evidence: report, [assertion.begun ?? assertion.overdue])
  }

  private func draft(
    _ assertion: AssertionLifecycle, _ variant: String, since: Fact, _ proof: Draft.AbsenceProof, _ evidence: [Fact]
  ) -> Draft {
    let when = variant == "expired" ? "although it had expired" : "before the app exited"
    return Draft(
      variant: variant, summary: "The background assertion “\(assertion.text)” was not ended \(when).",
      claim: .absence(since: since, shownBy: proof), evidence: evidence[0], Array(evidence.dropFirst()),
      missing: [.init(.assertionEnded, dueBy: variant == "expired" ? since.due(within: patience) : evidence.last?.moment)])
  }
}
