import XferEvents
import XferLifecycle
import XferReplay

/// Who asked for a session was given an older one, and its callbacks go to that one's delegate.
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
    summary: "A session was asked for with one delegate, and its callbacks went to another one.",
    explanation: """
      A background session whose identifier is in use already is not made a second time: whoever asks is given the object that \
      is there, with the delegate that it was made with. A delegate belongs to a session for good, so the new one is never \
      called. The second client waits for ever, and the first is given files and completions that it knows nothing of.
      """,
    remedy: """
      Make each background session in one place, with a delegate that lives as long as the app, and let that one tell the \
      clients apart. Refuse a second client openly, or tell it whose session it was given.
      """,
    sources: [
      "https://github.com/tus/TUSKit/issues/190",
      "https://www.ralfebert.com/ios-examples/networking/urlsession-background-downloads/",
    ],
    consequenceOf: ["invalidated-session-reissued"],
    reports: [
      RuleExample(
        "the second client's file goes to the first one's delegate", .certain, cites: [.sessionReused, .deliveryEntered],
        steps: made + [.at(2, reused(new)), .at(3, entered(old))])
    ],
    staysSilent: [
      RuleExample("asked for with the same delegate", steps: made + [.at(2, reused(old)), .at(3, entered(old))]),
      RuleExample(
        "the new delegate was called: the session was bound to it",
        steps: made + [.at(2, reused(new)), .at(3, entered(new))]),
      RuleExample("called before anybody else asked for it", steps: made + [.at(2, entered(old)), .at(3, reused(new))]),
      RuleExample("the log does not say whose delegate was called", steps: made + [.at(2, reused(new)), .at(3, entered(nil))]),
    ])

  static let watches: Set<EventKind> = [.deliveryEntered]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let stale = session.stale else { return asked.isEndOfLog ? .silent : nil }
    if let called = stale.called {
      return .finding(
        Draft(
          summary: """
            Session \(session.identifier) was asked for with another delegate than it has, and its callbacks went to the one that it \
            has.
            """,
          claim: .presence, evidence: stale.reused, [called]))
    }
    guard asked.isEndOfLog else { return nil }
    return stale.calledSomebody == nil ? .silent : .undecidable(needs: "delegate of delivery.entered")
  }
}
