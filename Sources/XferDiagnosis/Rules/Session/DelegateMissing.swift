import XferEvents
import XferLifecycle
import XferReplay

/// A background session has nobody to call.
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
    summary: "A background session has no delegate, so nobody hears of what it fetches.",
    explanation: """
      What a background session brings may come in another life of the app, where no completion handler exists; only a \
      delegate can be told. A session without one transfers, and drops the files and the completions. The variant says whether \
      it never had one ("none"), or the object that was to be called had gone when a callback came ("gone"), which happens \
      where something else than the session keeps it, by a weak reference.
      """,
    remedy: """
      Give each background session a delegate when it is made, and refuse to make one without. Keep the object that handles its \
      events for as long as the session lives.
      """,
    sources: ["https://github.com/nextcloud/ios/issues/173"],
    reports: [
      RuleExample("made without one", .certain, variant: "none", cites: [.sessionCreated], .at(0, created(hasDelegate: false))),
      RuleExample(
        "its delegate had gone", .certain, variant: "gone", cites: [.deliveryDropped],
        steps: [.at(0, created(hasDelegate: true))] + task + [.at(5, dropped(.delegateGone))]),
    ],
    staysSilent: [
      RuleExample("it has one", steps: [.at(0, created(hasDelegate: true))] + task),
      RuleExample(
        "a default session, whose tasks have completion handlers",
        steps: [.at(0, created(.default, hasDelegate: false))] + task),
      RuleExample(
        "the delegate has no code for this callback",
        steps: [.at(0, created(hasDelegate: true))] + task + [.at(5, dropped(.noConsumer))]),
      RuleExample("the log does not say whether it has one", .at(0, created(hasDelegate: nil))),
    ])

  static let watches: Set<EventKind> = [.sessionCreated, .deliveryDropped]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if let gone = session.ending.delegateGone {
      return .finding(
        Draft(
          variant: "gone", summary: "The delegate of session \(session.identifier) had gone when a callback came.",
          claim: .presence, evidence: gone))
    }
    guard session.kind == .background, let created = session.created else { return asked.isEndOfLog ? .silent : nil }
    switch session.hasDelegate {
    case true?: return asked.isEndOfLog ? .silent : nil
    case nil: return asked.isEndOfLog ? .undecidable(needs: "hasDelegate of session.created") : nil
    case false?:
      return .finding(
        Draft(
          variant: "none", summary: "Background session \(session.identifier) was made without a delegate.", claim: .presence,
          evidence: created))
    }
  }
}
