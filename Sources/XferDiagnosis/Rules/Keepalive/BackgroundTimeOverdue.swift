import XferEvents
import XferLifecycle
import XferReplay

/// Reports background time that an app has held for long, according to the system.
struct BackgroundTimeOverdue: AssertionRule {
  static let description = RuleDescription(
    id: "background-time-overdue", severity: .notice,
    summary: "A background assertion was begun more than 30 seconds ago and has not been ended.",
    explanation: """
      UIKit warns about a background assertion (beginBackgroundTask) that an app has held for more than 30 seconds. While the \
      app is in the foreground, this is harmless. In the background, the system terminates the app when its background time \
      expires.
      """,
    remedy: """
      Call endBackgroundTask as soon as the work is done, and in the expiration handler. Use a background session for long \
      transfers.
      """,
    sources: [
      "https://github.com/google/gtm-session-fetcher/issues/217"
    ],
    isStatedByEvents: true,
    untriggerable: "No process of this package writes the event. Only logs of Apple's systems contain it.",
    reports: [
      RuleExample(
        "the system warns", .certain, cites: [.assertionOverdue],
        .at(1, AssertionOverdue(assertion: CorrelationID(5), name: "upload"), by: .foreign))
    ],
    staysSilent: [
      RuleExample("the time was begun", .at(1, AssertionBegun(assertion: CorrelationID(5), name: "upload"))),
      RuleExample("the time expired", .at(1, AssertionExpired(assertion: CorrelationID(5), name: "upload"), by: .foreign)),
    ])

  static let watches: Set<EventKind> = [.assertionOverdue]

  func verdict(on assertion: AssertionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let overdue = assertion.overdue else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        summary: "The system warns that the background assertion “\(assertion.text)” was begun long ago and has not been ended.",
        claim: .presence, evidence: overdue))
  }
}
