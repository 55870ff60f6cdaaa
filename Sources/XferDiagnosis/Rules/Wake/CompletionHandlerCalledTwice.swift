import XferEvents
import XferLifecycle
import XferReplay

/// The completion handler of one wake was called again.
struct CompletionHandlerCalledTwice: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"
  private static let called = WakeHandlerCalled(session: session, handler: wake, onMainThread: true)
  private static let woken: [RuleExample.Step] = [
    .event(ProcessStarted(startReason: .transfer, background: true), at: .zero),
    .event(WakeDelivered(session: session, handler: wake), at: .milliseconds(10)),
    .event(SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background), at: .milliseconds(20)),
    .event(SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake), at: .seconds(1)),
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
        "called again when the events were finished once more", certainty: .certain,
        steps: woken + [
          .evidence(called, at: .seconds(2)),
          .event(SessionEventsFinished(session: session, instance: CorrelationID(1)), at: .seconds(5)),
          .evidence(called, at: .seconds(5)), .event(LogClosed(), at: .seconds(9)),
        ]),
      RuleExample(
        "called again in place of the next wake's", certainty: .certain,
        steps: woken + [
          .evidence(called, at: .seconds(2)), .event(WakeDelivered(session: session, handler: HandlerID(4)), at: .seconds(60)),
          .event(SessionEventsFinished(session: session, instance: CorrelationID(1), handler: HandlerID(4)), at: .seconds(61)),
          .evidence(called, at: .seconds(61)), .event(LogHeartbeatWritten(), at: .seconds(70)),
        ]),
    ],
    staysSilent: [
      RuleExample("called once", steps: woken + [.event(called, at: .seconds(2)), .event(LogClosed(), at: .seconds(9))]),
      RuleExample(
        "two wakes close together, each with its own",
        steps: woken + [
          .event(WakeDelivered(session: session, handler: HandlerID(4)), at: .milliseconds(1500)),
          .event(called, at: .seconds(2)),
          .event(WakeHandlerCalled(session: session, handler: HandlerID(4), onMainThread: true), at: .seconds(2)),
          .event(LogClosed(), at: .seconds(9)),
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
