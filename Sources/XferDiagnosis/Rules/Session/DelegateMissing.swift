import XferEvents
import XferLifecycle
import XferReplay

/// Reports a background session without a delegate.
struct DelegateMissing: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)

  private static func created(_ kind: SessionKind = .background, hasDelegate: Bool?) -> SessionCreated {
    SessionCreated(session: session, instance: instance, sessionKind: kind, hasDelegate: hasDelegate)
  }
  private static func dropped(_ why: DropReason) -> DeliveryDropped {
    DeliveryDropped(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading, why: why)
  }
  private static let task: [RuleExample.Step] = [.at(1, TaskCreated(type: .download)), .at(1, TaskResumed())]

  static let description = RuleDescription(
    id: "delegate-missing", severity: .critical,
    summary: "A background session has no delegate, so its results are dropped.",
    explanation: """
      A background transfer may finish in a later launch of the app, where completion handlers no longer exist; only a \
      delegate can receive its results. A session without a delegate still transfers, but drops the files and the completions. \
      The variant says whether the session was created without a delegate ("none"), or the delegate was deallocated before a \
      callback ("gone"), which happens if the app holds it only by a weak reference.
      """,
    remedy: """
      Pass a delegate when you create a background session, and reject a missing one. Keep a strong reference to the object \
      that handles the events for as long as the session lives.
      """,
    sources: ["https://github.com/nextcloud/ios/issues/173"],
    reports: [
      RuleExample(
        "the session was created without a delegate", .certain, variant: "none", cites: [.sessionCreated],
        .at(0, created(hasDelegate: false))),
      RuleExample(
        "the delegate was deallocated before the callback", .certain, variant: "gone", cites: [.deliveryDropped],
        steps: [.at(0, created(hasDelegate: true))] + task + [.at(5, dropped(.delegateGone))]),
    ],
    staysSilent: [
      RuleExample("the session has a delegate", steps: [.at(0, created(hasDelegate: true))] + task),
      RuleExample("a default session has no delegate", steps: [.at(0, created(.default, hasDelegate: false))] + task),
      RuleExample(
        "the delegate does not implement the callback",
        steps: [.at(0, created(hasDelegate: true))] + task + [.at(5, dropped(.noConsumer))]),
      RuleExample("the log does not record whether the session has a delegate", .at(0, created(hasDelegate: nil))),
    ])

  static let watches: Set<EventKind> = [.sessionCreated, .deliveryDropped]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if let gone = session.ending.delegateGone {
      return .finding(
        Draft(
          variant: "gone",
          summary: "The delegate of session \(session.identifier) no longer existed when a callback was due.",
          claim: .presence, evidence: gone))
    }
    guard session.kind == .background, let created = session.created else { return asked.isEndOfLog ? .silent : nil }
    switch session.hasDelegate {
    case true?: return asked.isEndOfLog ? .silent : nil
    case nil: return asked.isEndOfLog ? .undecidable(needs: "hasDelegate of session.created") : nil
    case false?:
      return .finding(
        Draft(
          variant: "none", summary: "Background session \(session.identifier) was created without a delegate.", claim: .presence,
          evidence: created))
    }
  }
}
