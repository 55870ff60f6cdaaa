import XferEvents
import XferLifecycle
import XferReplay

/// The app was woken for its transfers and never called the handler it was given.
struct MissedCompletionHandler: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"

  static let description = RuleDescription(
    id: "missed-completion-handler", severity: .error,
    summary: "The app was woken for its background events and never called the completion handler.",
    explanation: """
      With the events of a background session the app is handed a completion handler. Calling it says that the events are \
      handled: the system takes a new snapshot and lets the app sleep. An app that never calls it is stopped when its time \
      is over, and is woken less often from then on. The variant says how far it came: "finished, not called" (all events \
      were delivered and the handler was forgotten), "events never finished" (the session was not made again, or a \
      callback blocks the queue), "process ended first".
      """,
    remedy: """
      Store the handler by session identifier when it is handed over. Call it on the main thread after \
      didFinishEvents, when every file is where it belongs, and forget it then.
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/804", "https://github.com/expo/expo/pull/8599",
      "https://www.appxiom.com/blogs/tags/nsurlsessiond/",
    ],
    needsNoDebugger: true,
    consequenceOf: [
      "session-not-recreated-after-relaunch", "wrong-identifier-recreated", "completion-handler-overwritten",
      "wake-window-expired", "callback-thread-blocked", "claim-failed-destination",
    ],
    reports: [
      RuleExample(
        "all events delivered, handler forgotten", .probable, variant: "finished, not called",
        cites: [.wakeDelivered, .sessionEventsFinished],
        .at(0, ProcessStarted(startReason: .transfer, background: true)),
        .at(0.01, WakeDelivered(session: session, handler: wake)),
        .at(0.02, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
        .at(1, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake)),
        .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the events were never finished", .probable, variant: "events never finished",
        cites: [.wakeDelivered, .wakeDeadlineSet, .wakeDeadlinePassed],
        .at(0, ProcessStarted(startReason: .transfer, background: true)),
        .at(0.005, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
        .at(0.01, WakeDelivered(session: session, handler: wake)),
        .at(0.011, WakeDeadlineSet(session: session, handler: wake, budget: .seconds(10))),
        .at(10.011, WakeDeadlinePassed(session: session, handler: wake, budget: .seconds(10))), .at(12, LogHeartbeatWritten())),
      RuleExample(
        "the process was killed while it handled the events", .certain, variant: "process ended first",
        cites: [.wakeDelivered, .processExitObserved],
        .at(0, ProcessStarted(startReason: .transfer, background: true)),
        .at(0.01, WakeDelivered(session: session, handler: wake)),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .daemon)),
      RuleExample(
        "the handler was dropped uncalled", .certain, variant: "finished, not called",
        cites: [.wakeDelivered, .sessionEventsFinished, .wakeHandlerReleased],
        .at(0, ProcessStarted(startReason: .transfer, background: true)),
        .at(0.01, WakeDelivered(session: session, handler: wake)),
        .at(1, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake)),
        .at(2, WakeHandlerReleased(session: session, handler: wake))),
    ],
    staysSilent: [
      RuleExample(
        "called after the events were finished",
        .at(0.01, WakeDelivered(session: session, handler: wake)),
        .at(1, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake)),
        .at(2, WakeHandlerCalled(session: session, handler: wake, onMainThread: true)),
        .at(2, WakeHandlerReleased(session: session, handler: wake)), .at(90, LogHeartbeatWritten())),
      RuleExample(
        "called late, which is another problem",
        .at(0.01, WakeDelivered(session: session, handler: wake)),
        .at(50, WakeHandlerCalled(session: session, handler: wake, onMainThread: true)), .at(90, LogHeartbeatWritten())),
      RuleExample(
        "the user brought the app to the front, and it still runs",
        .at(0.01, WakeDelivered(session: session, handler: wake)), .at(3, ProcessStateChanged(state: .foreground)),
        .at(90, LogHeartbeatWritten())),
      RuleExample(
        "a debugger keeps the app alive",
        .at(0, ProcessStarted(startReason: .transfer, background: true, debugger: true)),
        .at(0.01, WakeDelivered(session: session, handler: wake)), .at(90, LogHeartbeatWritten())),
      RuleExample(
        "woken for a challenge that is still open",
        .at(0, WakeWanted(session: session, handler: wake, wakeCause: .challenge), by: .daemon),
        .at(0.01, WakeDelivered(session: session, handler: wake)), .at(90, LogHeartbeatWritten())),
      RuleExample(
        "the log ends within the budget",
        .at(0.01, WakeDelivered(session: session, handler: wake)), .at(5, LogHeartbeatWritten())),
    ])

  static let watches: Set<EventKind> = [
    .wakeDelivered, .wakeDeadlineSet, .wakeDeadlinePassed, .wakeHandlerCalled, .wakeHandlerReleased, .sessionEventsFinished,
  ]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if wake.called != nil { return .silent }
    guard let delivered = wake.delivered, let place = wake.process else { return nil }
    let process = world.processes[place]
    if let released = wake.released {
      let claim = Draft.Claim.absence(since: delivered, shownBy: .overtaken(by: released))
      return .finding(draft(wake, delivered, process, claim: claim, proof: released))
    }
    if wake.cause == .challenge, process.endFact == nil { return nil }
    let budget = wake.budget ?? WakeLifecycle.usualBudget
    guard let proof = asked.proofOfAbsence(since: delivered, within: budget, by: process) else {
      return asked.isEndOfLog ? nil : .wait(budget, after: delivered)
    }
    // In front of the user the app has all the time it likes.
    if process.state == .foreground, process.endFact == nil { return nil }
    return .finding(
      draft(wake, delivered, process, claim: .absence(since: delivered, shownBy: proof), proof: end(proof)))
  }

  private func end(_ proof: Draft.AbsenceProof) -> Fact? {
    if case .end(let fact) = proof { fact } else { nil }
  }

  private func draft(
    _ wake: WakeLifecycle, _ delivered: Fact, _ process: ProcessLifecycle, claim: Draft.Claim, proof: Fact?
  ) -> Draft {
    let variant: String
    if wake.eventsFinished != nil {
      variant = "finished, not called"
    } else if wake.released == nil, process.endFact != nil, wake.deadlinePassed == nil {
      variant = "process ended first"
    } else {
      variant = "events never finished"
    }
    return Draft(
      variant: variant,
      summary:
        "The wake for \(wake.session ?? "a session") was delivered, but its completion handler was never called (\(variant)).",
      claim: claim, evidence: delivered, [wake.deadlineSet, wake.eventsFinished, wake.deadlinePassed, proof],
      missing: [.init(.wakeHandlerCalled, dueBy: delivered.due(within: wake.budget ?? WakeLifecycle.usualBudget))],
      unless: ["the app asked for more time, which this log would show as assertion.begun"])
  }
}
