import XferEvents
import XferLifecycle
import XferReplay

/// Background time was asked for and never given back.
struct AssertionLeaked: AssertionRule {
  private static let id = CorrelationID(5)
  private static let begun = AssertionBegun(assertion: id, name: "upload", slot: "uploadTime", remaining: .seconds(30))
  private static let expired = AssertionExpired(assertion: id, name: "upload")
  private static let started: [RuleExample.Step] = [.at(0, ProcessStarted(executable: "app"))]

  static let description = RuleDescription(
    id: "assertion-leaked", severity: .error,
    summary: "Background time was begun and not ended.",
    explanation: """
      Whoever asks for background time (beginBackgroundTask) has to say when it is no longer needed, also in the handler \
      that is called when it runs out. Time that is not given back keeps the app awake for nothing, and an app that has \
      not ended it seconds after it ran out is killed. The variant says when it should have been ended at the latest: when \
      it expired, or when the app ended of its own accord.
      """,
    remedy: """
      End it on every path: when the work is done, when it fails, and first thing in the expiration handler. A type whose \
      deinitialiser ends it, and a name for each, make that hard to forget.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/729335",
      "https://dev.to/tejeshwargill/all-about-handling-background-tasks-in-ios-13-4gc0",
      "https://github.com/google/gtm-session-fetcher/issues/217",
    ],
    reports: [
      RuleExample(
        "it ran out, and the app went on", .probable, variant: "expired", cites: [.assertionBegun, .assertionExpired],
        steps: started + [
          .at(1, begun), .at(31, expired), .at(35, ProcessStateChanged(state: .foreground)), .at(60, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "the app exited in good order with it", .certain, variant: "exited", cites: [.assertionBegun, .processExited],
        steps: started + [.at(1, begun), .at(20, ProcessExited(code: 0, exitReason: .exitCall))]),
    ],
    staysSilent: [
      RuleExample(
        "ended when the work was done",
        steps: started + [
          .at(1, begun), .at(12, AssertionEnded(assertion: id, name: "upload")),
          .at(20, ProcessExited(code: 0, exitReason: .exitCall)),
        ]),
      RuleExample(
        "ended in the expiration handler",
        steps: started + [
          .at(1, begun), .at(31, expired), .at(31.005, AssertionEnded(assertion: id, name: "upload")),
          .at(60, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "the app is in front, and the work goes on",
        steps: started + [.at(0, ProcessStateChanged(state: .foreground)), .at(1, begun), .at(600, LogHeartbeatWritten())]),
      RuleExample(
        "the app crashed while it worked, which is another problem",
        steps: started + [
          .at(1, begun),
          .at(9, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 11, exitReason: .signal), by: .daemon),
        ]),
      RuleExample(
        "the user quit it",
        steps: started + [
          .at(1, begun),
          .at(9, ProcessExitObserved(launch: ExampleProcess.app.launch, code: 0, exitReason: .userQuit), by: .daemon),
        ]),
      RuleExample(
        "it ran out right before the app was suspended",
        steps: started + [
          .at(1, begun), .at(31, expired), .at(32, ProcessStateChanged(state: .suspended)),
          .at(600, ProcessStateChanged(state: .resumed)), .at(601, AssertionEnded(assertion: id, name: "upload")),
        ]),
    ])

  static let watches: Set<EventKind> = [.assertionExpired, .assertionEnded]

  /// An expiration handler has seconds.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long an expiration handler may take")]

  func verdict(on assertion: AssertionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let begun = assertion.begun else { return asked.isEndOfLog ? .silent : nil }
    if assertion.ended != nil { return .silent }
    let process = world.processes[assertion.process]
    let end = process.endFact
    // Whose variable was used again, or who was killed for it, is told by itself.
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

  private func draft(
    _ assertion: AssertionLifecycle, _ variant: String, since: Fact, _ proof: Draft.AbsenceProof, _ evidence: [Fact]
  ) -> Draft {
    let when = variant == "expired" ? "although it had run out" : "before the app ended"
    return Draft(
      variant: variant, summary: "Background time “\(assertion.text)” was not ended \(when).",
      claim: .absence(since: since, shownBy: proof), evidence: evidence[0], Array(evidence.dropFirst()),
      missing: [.init(.assertionEnded, dueBy: variant == "expired" ? since.due(within: patience) : evidence.last?.moment)])
  }
}
