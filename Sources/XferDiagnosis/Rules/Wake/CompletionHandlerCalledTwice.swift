import XferEvents
import XferLifecycle
import XferReplay

/// The completion handler of one wake was called again.
struct CompletionHandlerCalledTwice: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"
  private static let called = WakeHandlerCalled(session: session, handler: wake, onMainThread: true)
  private static let woken: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .transfer, background: true)), .at(0.01, WakeDelivered(session: session, handler: wake)),
    .at(0.02, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
    .at(1, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake)),
  ]

  static let description = RuleDescription(
    id: "completion-handler-called-twice", severity: .error,
    summary: "The completion handler of one wake was called twice.",
    explanation: """
      Each wake brings a handler of its own, to be called once. The system counts the calls and ends an app that makes one \
      too many. The handler usually stays in a property after its call, and the next end of events calls it again, in place \
      of the new one, or beside it.
      """,
    remedy: """
      Take the handler out of where it is stored before it is called, so that there is nothing left to call, and look it up \
      by the identifier of the session whose events are finished.
      """,
    sources: ["https://github.com/Automattic/pocket-casts-ios/pull/5002"],
    reports: [
      RuleExample(
        "called again when the events were finished once more", .certain, cites: [.wakeHandlerCalled],
        steps: woken + [
          .at(2, called), .at(5, SessionEventsFinished(session: session, instance: CorrelationID(1))), .at(5, called),
          .at(9, LogClosed()),
        ]),
      RuleExample(
        "called again in place of the next wake's", .certain, cites: [.wakeHandlerCalled],
        steps: woken + [
          .at(2, called), .at(60, WakeDelivered(session: session, handler: HandlerID(4))),
          .at(61, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: HandlerID(4))), .at(61, called),
          .at(70, LogHeartbeatWritten()),
        ]),
    ],
    staysSilent: [
      RuleExample("called once", steps: woken + [.at(2, called), .at(9, LogClosed())]),
      RuleExample(
        "two wakes close together, each with its own",
        steps: woken + [
          .at(1.5, WakeDelivered(session: session, handler: HandlerID(4))), .at(2, called),
          .at(2, WakeHandlerCalled(session: session, handler: HandlerID(4), onMainThread: true)), .at(9, LogClosed()),
        ]),
    ])

  static let watches: Set<EventKind> = [.wakeHandlerCalled]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let called = wake.called else { return asked.isEndOfLog ? .silent : nil }
    guard let again = wake.calledAgain else { return asked.isProcessOver ? .silent : nil }
    return .finding(
      Draft(
        summary: "The completion handler of one wake for \(wake.session ?? "a session") was called again.",
        claim: .presence, evidence: called, [again]))
  }
}
