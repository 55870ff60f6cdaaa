import XferEvents
import XferLifecycle
import XferReplay

/// At the end of one session's events, the completion handler of another session was called.
struct CompletionHandlerForWrongSession: WakeRule {
  private static let (first, second) = (HandlerID(3), HandlerID(4))
  private static let (wifi, cellular) = ("com.example.wifi", "com.example.cellular")
  private static let wifiDelivered: RuleExample.Step = .at(0.01, WakeDelivered(session: wifi, handler: first))

  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(startReason: .transfer, background: true)),
      .at(0.001, SessionCreated(session: wifi, instance: CorrelationID(1), sessionKind: .background)),
      .at(0.002, SessionCreated(session: cellular, instance: CorrelationID(2), sessionKind: .background)),
    ] + steps + [.at(60, LogClosed())]
  }
  private static let cellularDelivered: RuleExample.Step = .at(0.012, WakeDelivered(session: cellular, handler: second))

  private static func wifiFinished(_ handler: HandlerID = first) -> RuleExample.Step {
    .at(1, SessionEventsFinished(session: wifi, instance: CorrelationID(1), handler: handler))
  }
  private static func wifiCalled(at seconds: Double = 4) -> RuleExample.Step {
    .at(seconds, WakeHandlerCalled(session: wifi, handler: first, onMainThread: true))
  }
  private static func cellularFinished(at seconds: Double = 3) -> RuleExample.Step {
    .at(seconds, SessionEventsFinished(session: cellular, instance: CorrelationID(2), handler: second))
  }
  private static func cellularCalled(at seconds: Double = 1.01) -> RuleExample.Step {
    .at(seconds, WakeHandlerCalled(session: cellular, handler: second, onMainThread: true))
  }

  static let description = RuleDescription(
    id: "completion-handler-for-wrong-session", severity: .error,
    summary: "When one session's events were finished, the completion handler of another session was called.",
    explanation: """
      urlSessionDidFinishEvents passes the session whose events are finished. Code that ignores it and calls any stored handler \
      ends the wake of another session, whose events are not delivered yet; the app may be suspended before they are. The \
      variant "by its name" means that the log names the session or the handler, and the finding is certain; "by its place" \
      means that only the order of the events shows the error, and the finding is probable.
      """,
    remedy: "Look the handler up by the identifier of the session that urlSessionDidFinishEvents passes.",
    sources: ["https://github.com/Automattic/pocket-casts-ios/pull/5002"],
    reports: [
      RuleExample(
        "the cellular session's handler was called when the Wi-Fi session's events were finished", .probable,
        variant: "by its place", cites: [.last(.wakeDelivered), .sessionEventsFinished, .first(.wakeHandlerCalled)],
        steps: story(wifiDelivered, cellularDelivered, wifiFinished(), cellularCalled(), cellularFinished(), wifiCalled())),
      RuleExample(
        "the end of events names the handler of the other session", .certain, variant: "by its name",
        cites: [.wakeDelivered, .sessionEventsFinished, .wakeHandlerCalled],
        steps: story(cellularDelivered, wifiFinished(second), cellularCalled(), cellularFinished())),
    ],
    staysSilent: [
      RuleExample(
        "each session's own handler was called",
        steps: story(
          wifiDelivered, cellularDelivered, wifiFinished(), cellularFinished(), cellularCalled(at: 3), wifiCalled())),
      RuleExample(
        "the handler was called early, after the other session's handler",
        steps: story(
          wifiDelivered, cellularDelivered, wifiFinished(), wifiCalled(at: 1.1), cellularCalled(at: 2), cellularFinished())),
      RuleExample(
        "the cellular session's events were finished, too",
        steps: story(
          wifiDelivered, cellularDelivered, cellularFinished(at: 0.5), wifiFinished(), cellularCalled(), wifiCalled())),
    ])

  static let watches: Set<EventKind> = [.wakeHandlerCalled, .sessionEventsFinished]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let called = wake.called, let call = wake.atCall, let delivered = wake.delivered, let place = wake.process else {
      return asked.isEndOfLog ? .silent : nil
    }
    let isOthers = wake.calledSession.map { $0 != wake.session } ?? false
    if call.wasFinished || (wake.otherFinished == nil && !isOthers) { return .silent }
    // Only a later event shows that the session still had events.
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
          The completion handler of \(wake.session ?? "a session") was called for \(name), although its own session still had \
          events.
          """,
        // Without a name the log only shows that the handler's own session had not finished its events.
        claim: isNamed ? .presence : .absence(since: delivered, shownBy: .coverage), evidence: delivered,
        [other?.finished, called, later],
        missing: isNamed ? [] : [.init(.sessionEventsFinished, dueBy: called.moment)],
        unless: isNamed ? [] : ["the app called the handler early for another reason"]))
  }
}
