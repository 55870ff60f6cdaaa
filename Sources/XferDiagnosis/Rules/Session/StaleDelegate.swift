import XferEvents
import XferLifecycle
import XferReplay

/// Reports a caller that gets an existing session, so that callbacks go to the delegate of the first caller.
struct StaleDelegate: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let (old, new) = (CorrelationID(11), CorrelationID(12))

  private static let made: [RuleExample.Step] = [
    .at(0, SessionCreated(session: session, instance: instance, sessionKind: .background, delegate: old, hasDelegate: true)),
    .at(1, TaskCreated(type: .download)),
  ]
  private static func reused(_ caller: CorrelationID) -> SessionReused {
    SessionReused(session: session, instance: instance, delegate: old, callerDelegate: caller)
  }
  private static func entered(_ delegate: CorrelationID?) -> DeliveryEntered {
    DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading, delegate: delegate)
  }

  static let description = RuleDescription(
    id: "stale-delegate", severity: .critical,
    summary: "A session was requested with one delegate, but its callbacks went to another delegate.",
    explanation: """
      A background session whose identifier is already in use is not created a second time: the caller gets the existing \
      object with its original delegate. The delegate of a session cannot be changed, so the caller's delegate is never \
      called. The second caller waits forever, and the first delegate receives files and completions that it does not know.
      """,
    remedy: """
      Create each background session in one place, with one delegate that lives as long as the app and dispatches events to \
      the clients. Reject a second client with an error, or tell the client that it got an existing session.
      """,
    sources: [
      "https://github.com/tus/TUSKit/issues/190",
      "https://www.ralfebert.com/ios-examples/networking/urlsession-background-downloads/",
    ],
    consequenceOf: ["invalidated-session-reissued"],
    untriggerable: """
      Only URLSession returns an existing session to a second caller; the engine rejects the second session.
      """,
    reports: [
      RuleExample(
        "the second client's file goes to the first client's delegate", .certain, cites: [.sessionReused, .deliveryEntered],
        steps: made + [.at(2, reused(new)), .at(3, entered(old))])
    ],
    staysSilent: [
      RuleExample("the session was requested with the same delegate", steps: made + [.at(2, reused(old)), .at(3, entered(old))]),
      RuleExample("the new delegate was called", steps: made + [.at(2, reused(new)), .at(3, entered(new))]),
      RuleExample(
        "the old delegate was called before the second request", steps: made + [.at(2, entered(old)), .at(3, reused(new))]),
      RuleExample(
        "the log does not record which delegate was called", steps: made + [.at(2, reused(new)), .at(3, entered(nil))]),
    ])

  static let watches: Set<EventKind> = [.deliveryEntered]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let stale = session.stale else { return asked.isEndOfLog ? .silent : nil }
    if let called = stale.called {
      return .finding(
        Draft(
          summary: """
            Session \(session.identifier) was requested with a new delegate, but its callbacks went to the delegate that it was \
            created with.
            """,
          claim: .presence, evidence: stale.reused, [called]))
    }
    guard asked.isEndOfLog else { return nil }
    return stale.calledSomebody == nil ? .silent : .undecidable(needs: "delegate of delivery.entered")
  }
}
