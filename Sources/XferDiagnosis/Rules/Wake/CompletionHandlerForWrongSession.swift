import XferEvents
import XferLifecycle
import XferReplay

/// The end of one session's events was answered with another session's completion handler.
struct CompletionHandlerForWrongSession: WakeRule {
  private static let (first, second) = (HandlerID(3), HandlerID(4))
  private static let (wifi, cellular) = ("com.example.wifi", "com.example.cellular")
  private static let started: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .transfer, background: true)),
    .at(0.001, SessionCreated(session: wifi, instance: CorrelationID(1), sessionKind: .background)),
    .at(0.002, SessionCreated(session: cellular, instance: CorrelationID(2), sessionKind: .background)),
  ]
  private static let wifiDelivered: RuleExample.Step = .at(0.01, WakeDelivered(session: wifi, handler: first))
  private static let delivered = WakeDelivered(session: cellular, handler: second)
  private static let wifiFinished = SessionEventsFinished(session: wifi, instance: CorrelationID(1), handler: first)
  private static let finished = SessionEventsFinished(session: cellular, instance: CorrelationID(2), handler: second)
  private static let called = WakeHandlerCalled(session: cellular, handler: second, onMainThread: true)
  private static let wifiCalled: RuleExample.Step = .at(4, WakeHandlerCalled(session: wifi, handler: first, onMainThread: true))

  static let description = RuleDescription(
    id: "completion-handler-for-wrong-session", severity: .error,
    summary: "When one session's events were finished, the completion handler of another session was called.",
    explanation: """
      urlSessionDidFinishEvents says whose events are finished: its session has an identifier. Code that calls whatever \
      handler it holds ends the wake of another session, whose events are still to be delivered; the app may be suspended \
      before they are. Where the log itself names the session or the handler, the finding is certain; where only the order \
      of events shows it, probable.
      """,
    remedy: "Look the handler up by the identifier of the session that urlSessionDidFinishEvents was called with.",
    sources: ["https://github.com/Automattic/pocket-casts-ios/pull/5002"],
    reports: [
      RuleExample(
        "the cellular session's wake ended with the other's events", .probable, variant: "by its place",
        cites: [.last(.wakeDelivered), .sessionEventsFinished, .first(.wakeHandlerCalled)],
        steps: started + [
          wifiDelivered, .at(0.012, delivered), .at(1, wifiFinished), .at(1.01, called), .at(3, finished), wifiCalled,
          .at(60, LogClosed()),
        ]),
      RuleExample(
        "the end of events names the handler of the other session", .certain, variant: "by its name",
        cites: [.wakeDelivered, .sessionEventsFinished, .wakeHandlerCalled],
        steps: started + [
          .at(0.012, delivered), .at(1, SessionEventsFinished(session: wifi, instance: CorrelationID(1), handler: second)),
          .at(1.01, called), .at(3, finished), .at(60, LogClosed()),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "each session's own handler",
        steps: started + [
          wifiDelivered, .at(0.012, delivered), .at(1, wifiFinished), .at(3, finished), .at(3, called), wifiCalled,
          .at(60, LogClosed()),
        ]),
      RuleExample(
        "called early, when the other session's handler had had its call",
        steps: started + [
          wifiDelivered, .at(0.012, delivered), .at(1, wifiFinished),
          .at(1.1, WakeHandlerCalled(session: wifi, handler: first, onMainThread: true)), .at(2, called), .at(3, finished),
          .at(60, LogClosed()),
        ]),
      RuleExample(
        "the other session had no events any more",
        steps: started + [
          wifiDelivered, .at(0.012, delivered), .at(0.5, finished), .at(1, wifiFinished), .at(1.01, called), wifiCalled,
          .at(60, LogClosed()),
        ]),
    ])

  static let watches: Set<EventKind> = [.wakeHandlerCalled, .sessionEventsFinished]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let called = wake.called, let call = wake.atCall, let delivered = wake.delivered, let place = wake.process else {
      return asked.isEndOfLog ? .silent : nil
    }
    let isOthers = wake.calledSession.map { $0 != wake.session } ?? false
    if call.wasFinished || (wake.otherFinished == nil && !isOthers) { return .silent }
    // Only what came afterwards shows that the session still had events.
    guard let later = wake.afterCall else {
      if asked.isEndOfLog || asked.proofOfAbsence(since: called, within: wake.time, by: world.processes[place]) != nil {
        return .silent
      }
      return .wait(wake.time, after: called)
    }
    let other = wake.otherFinished
    let isNamed = isOthers || other?.isNamed ?? false
    let name = (isOthers ? wake.calledSession : other?.identifier) ?? "another session"
    return .finding(
      Draft(
        variant: isNamed ? "by its name" : "by its place",
        summary: """
          The completion handler of \(wake.session ?? "a session") was called for \(name), when its own session still had events.
          """,
        // Why the app called it is not in the log; what is, is that its own session had not been finished.
        claim: isNamed ? .presence : .absence(since: delivered, shownBy: .coverage), evidence: delivered,
        [other?.finished, called, later],
        missing: isNamed ? [] : [.init(.sessionEventsFinished, dueBy: called.moment)],
        unless: isNamed ? [] : ["the app called it early for a reason of its own"]))
  }
}
