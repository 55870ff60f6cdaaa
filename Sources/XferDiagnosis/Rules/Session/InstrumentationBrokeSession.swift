import XferEvents
import XferLifecycle
import XferReplay

/// A session whose callbacks go to an object that the app did not pass as its delegate.
struct InstrumentationBrokeSession: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let (own, other) = (CorrelationID(11), CorrelationID(12))

  private static func made(delegate: CorrelationID? = own) -> [RuleExample.Step] {
    [
      .at(
        0,
        SessionCreated(
          session: session, instance: instance, sessionKind: .background, delegate: delegate, hasDelegate: delegate != nil),
        by: .recorder), .at(1, TaskCreated(type: .download), by: .recorder),
    ]
  }
  private static func entered(_ delegate: CorrelationID?) -> RuleExample.Step {
    .at(
      3, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading, delegate: delegate),
      by: .recorder)
  }
  private static let reused = RuleExample.Step.at(
    2, SessionReused(session: session, instance: instance, delegate: own, callerDelegate: other), by: .recorder)

  static let description = RuleDescription(
    id: "instrumentation-broke-session", severity: .critical,
    summary: "The callbacks of a session go to an object that the app did not pass as its delegate.",
    explanation: """
      Monitoring SDKs replace methods of URLSession at run time (swizzling) to see all requests. Some pass a delegate of their own \
      instead of the app's, or only for tasks without one, and forward an incomplete set of methods: the app's delegate receives \
      no data, no file and no completion, although the transfer succeeds. Background sessions suffer most, because their results \
      come through the delegate only. The fault appears with the SDK's version and disappears without the SDK. The rule compares \
      the delegate with which the session was created with the object that received a callback; a session that was returned to a \
      second caller is reported by stale-delegate.
      """,
    remedy: """
      Exclude background sessions and sessions with a delegate from the SDK's instrumentation, initialise the SDK before the first \
      session is created, or let the SDK observe through URLSessionTaskMetrics. Confirm the cause by one run without the SDK.
      """,
    sources: [
      "https://github.com/open-telemetry/opentelemetry-swift/issues/552",
      "https://github.com/open-telemetry/opentelemetry-swift/issues/744",
      "https://github.com/open-telemetry/opentelemetry-swift/issues/229",
      "https://github.com/open-telemetry/opentelemetry-swift/issues/937",
    ],
    needsWholeLog: true,
    untriggerable:
      "No code can replace methods of the engine at run time, so that its callbacks always reach the app’s delegate.",
    reports: [
      RuleExample(
        "the file goes to an object that the app does not know", .certain, cites: [.sessionCreated, .deliveryEntered],
        steps: made() + [entered(other)])
    ],
    staysSilent: [
      RuleExample("the app's delegate was called", steps: made() + [entered(own)]),
      RuleExample("the log does not record which object was called", steps: made() + [entered(nil)]),
      RuleExample("a second caller got the session", steps: made() + [reused, entered(other)]),
      RuleExample("the delegate of the session is unknown", steps: made(delegate: nil) + [entered(other)]),
    ])

  static let watches: Set<EventKind> = [.deliveryEntered]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let called = session.otherCalled, let created = session.created else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        summary: """
          A callback of session \(session.identifier) went to an object other than the delegate with which the app created the \
          session.
          """,
        claim: .presence, evidence: created, [called]))
  }
}
