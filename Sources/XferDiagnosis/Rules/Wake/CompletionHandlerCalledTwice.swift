import XferEvents
import XferLifecycle
import XferReplay

/// The completion handler of one wake was called twice.
struct CompletionHandlerCalledTwice: WakeRule {
  private static let session = "com.example.img"

  private static func delivered(_ handler: UInt64) -> WakeDelivered {
    WakeDelivered(session: session, handler: HandlerID(handler))
  }
  private static func finished(_ handler: UInt64?) -> SessionEventsFinished {
    SessionEventsFinished(session: session, instance: CorrelationID(1), handler: handler.map { HandlerID($0) })
  }
  private static func called(_ handler: UInt64 = 3) -> WakeHandlerCalled {
    WakeHandlerCalled(session: session, handler: HandlerID(handler), onMainThread: true)
  }
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(startReason: .transfer, background: true)), .at(0.01, delivered(3)),
      .at(0.02, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)), .at(1, finished(3)),
    ] + steps
  }

  static let description = RuleDescription(
    id: "completion-handler-called-twice", severity: .error,
    summary: "The completion handler of one wake was called twice.",
    explanation: """
      Each wake has its own handler, which must be called once. The system counts the calls and kills an app that makes too \
      many. Typically the handler stays in a property after its call, and the next urlSessionDidFinishEvents calls it again, \
      instead of or in addition to the new handler.
      """,
    remedy: """
      Remove the handler from its storage before you call it. Look it up by the identifier of the session whose events are \
      finished.
      """,
    sources: ["https://github.com/Automattic/pocket-casts-ios/pull/5002"],
    reports: [
      RuleExample(
        "the handler was called again at the next urlSessionDidFinishEvents", .certain, cites: [.wakeHandlerCalled],
        steps: story(.at(2, called()), .at(5, finished(nil)), .at(5, called()), .at(9, LogClosed()))),
      RuleExample(
        "the handler was called again instead of the next wake's handler", .certain, cites: [.wakeHandlerCalled],
        steps: story(
          .at(2, called()), .at(60, delivered(4)), .at(61, finished(4)), .at(61, called()), .at(70, LogHeartbeatWritten()))),
    ],
    staysSilent: [
      RuleExample("the handler was called once", steps: story(.at(2, called()), .at(9, LogClosed()))),
      RuleExample(
        "two wakes followed each other, and each handler was called once",
        steps: story(.at(1.5, delivered(4)), .at(2, called()), .at(2, called(4)), .at(9, LogClosed()))),
    ])

  static let watches: Set<EventKind> = [.wakeHandlerCalled]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let called = wake.called else { return asked.isEndOfLog ? .silent : nil }
    guard let again = wake.calledAgain else { return asked.isProcessOver ? .silent : nil }
    return .finding(
      Draft(
        summary: "The completion handler of one wake for \(wake.session ?? "a session") was called twice.",
        claim: .presence, evidence: called, [again]))
  }
}
