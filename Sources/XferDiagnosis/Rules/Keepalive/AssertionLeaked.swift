import XferEvents
import XferLifecycle
import XferReplay

/// Background time was asked for and never given back.
struct AssertionLeaked: AssertionRule {
  private static let id = CorrelationID(5)
  private static let begun = AssertionBegun(assertion: id, name: "upload", slot: "uploadTime", remaining: .seconds(30))
  private static let expired = AssertionExpired(assertion: id, name: "upload")
  private static let started: [RuleExample.Step] = [.event(ProcessStarted(executable: "app"), at: .zero)]

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
        "it ran out, and the app went on", certainty: .probable, variant: "expired",
        steps: started + [
          .evidence(begun, at: .seconds(1)), .evidence(expired, at: .seconds(31)),
          .event(ProcessStateChanged(state: .foreground), at: .seconds(35)), .event(LogHeartbeatWritten(), at: .seconds(60)),
        ]),
      RuleExample(
        "the app exited in good order with it", certainty: .certain, variant: "exited",
        steps: started + [
          .evidence(begun, at: .seconds(1)), .evidence(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(20)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "ended when the work was done",
        steps: started + [
          .event(begun, at: .seconds(1)), .event(AssertionEnded(assertion: id, name: "upload"), at: .seconds(12)),
          .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(20)),
        ]),
      RuleExample(
        "ended in the expiration handler",
        steps: started + [
          .event(begun, at: .seconds(1)), .event(expired, at: .seconds(31)),
          .event(AssertionEnded(assertion: id, name: "upload"), at: .milliseconds(31_005)),
          .event(LogHeartbeatWritten(), at: .seconds(60)),
        ]),
      RuleExample(
        "the app is in front, and the work goes on",
        steps: started + [
          .event(ProcessStateChanged(state: .foreground), at: .zero), .event(begun, at: .seconds(1)),
          .event(LogHeartbeatWritten(), at: .seconds(600)),
        ]),
      RuleExample(
        "the app crashed while it worked, which is another problem",
        steps: started + [
          .event(begun, at: .seconds(1)),
          .event(
            ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 11, exitReason: .signal), at: .seconds(9), by: .daemon),
        ]),
      RuleExample(
        "the user quit it",
        steps: started + [
          .event(begun, at: .seconds(1)),
          .event(
            ProcessExitObserved(launch: ExampleProcess.app.launch, code: 0, exitReason: .userQuit), at: .seconds(9), by: .daemon),
        ]),
      RuleExample(
        "it ran out right before the app was suspended",
        steps: started + [
          .event(begun, at: .seconds(1)), .event(expired, at: .seconds(31)),
          .event(ProcessStateChanged(state: .suspended), at: .seconds(32)),
          .event(ProcessStateChanged(state: .resumed), at: .seconds(600)),
          .event(AssertionEnded(assertion: id, name: "upload"), at: .seconds(601)),
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
