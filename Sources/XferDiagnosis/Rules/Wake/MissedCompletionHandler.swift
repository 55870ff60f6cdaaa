import XferEvents
import XferLifecycle
import XferReplay

/// The app was woken for its transfers and never called the completion handler.
struct MissedCompletionHandler: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"

  private static let started: RuleExample.Step = .at(0, ProcessStarted(startReason: .transfer, background: true))
  private static let delivered: RuleExample.Step = .at(0.01, WakeDelivered(session: session, handler: wake))
  private static let created = SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)
  private static let finished: RuleExample.Step = .at(
    1, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake))
  private static let released: RuleExample.Step = .at(2, WakeHandlerReleased(session: session, handler: wake))
  private static let later: RuleExample.Step = .at(90, LogHeartbeatWritten())

  private static func called(at seconds: Double) -> RuleExample.Step {
    .at(seconds, WakeHandlerCalled(session: session, handler: wake, onMainThread: true))
  }

  static let description = RuleDescription(
    id: "missed-completion-handler", severity: .error,
    summary: "The app was woken for its background events and never called the completion handler.",
    explanation: """
      The app receives a completion handler with the events of a background session. Calling it tells the system that the \
      events are handled; the system then takes a new snapshot and lets the app sleep. An app that never calls it is killed \
      when its time runs out, and is woken less often from then on. The variants: "finished, not called" (all events were \
      delivered and the call is missing), "events never finished" (the session was not created again, or a callback blocks the \
      queue), "process ended first".
      """,
    remedy: """
      Store the handler by session identifier in handleEventsForBackgroundURLSession. Call it on the main thread after \
      urlSessionDidFinishEvents, when every file is in its place, and then remove it.
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/804", "https://github.com/expo/expo/pull/8599",
      "https://www.appxiom.com/blogs/tags/nsurlsessiond/",
    ],
    needsNoDebugger: true,
    isStatedByEvents: true,
    consequenceOf: [
      "session-not-recreated-after-relaunch", "wrong-identifier-recreated", "completion-handler-overwritten",
      "wake-window-expired", "callback-thread-blocked", "claim-failed-destination", "background-launch-crash-loop",
    ],
    reports: [
      RuleExample(
        "all events were delivered, and the handler was not called", .probable, variant: "finished, not called",
        cites: [.wakeDelivered, .sessionEventsFinished],
        started, delivered, .at(0.02, created), finished, .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the events were never finished", .probable, variant: "events never finished",
        cites: [.wakeDelivered, .wakeDeadlineSet, .wakeDeadlinePassed],
        started, .at(0.005, created), delivered,
        .at(0.011, WakeDeadlineSet(session: session, handler: wake, budget: .seconds(10))),
        .at(10.011, WakeDeadlinePassed(session: session, handler: wake, budget: .seconds(10))), .at(12, LogHeartbeatWritten())),
      RuleExample(
        "the process was killed while it handled the events", .probable, variant: "process ended first",
        cites: [.wakeDelivered, .processExitObserved], started, delivered,
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .daemon)),
      RuleExample(
        "the system killed the process, and the next life did not get as far as the events", .probable,
        variant: "process ended first", cites: [.wakeDelivered, .processExitObserved], started, delivered,
        .at(2, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), by: .daemon),
        .at(60, ProcessStarted(startReason: .user), by: .nextLife), .at(61, AppNoted(intent: "browse"), by: .nextLife)),
      RuleExample(
        "the handler was released without a call", .certain, variant: "finished, not called",
        cites: [.wakeDelivered, .sessionEventsFinished, .wakeHandlerReleased], started, delivered, finished, released),
    ],
    staysSilent: [
      RuleExample("the handler was called after the events were finished", delivered, finished, called(at: 2), released, later),
      RuleExample("the handler was called late, which another rule reports", delivered, called(at: 50), later),
      RuleExample(
        "the user brought the app to the foreground, and it is still running",
        delivered, .at(3, ProcessStateChanged(state: .foreground)), later),
      RuleExample(
        "the app began a background assertion and still holds it",
        started, .at(0.005, created), delivered, .at(0.02, AssertionBegun(assertion: CorrelationID(9), name: "unpack")), finished,
        later),
      RuleExample(
        "a debugger keeps the app alive",
        .at(0, ProcessStarted(startReason: .transfer, background: true, debugger: true)), delivered, later),
      RuleExample(
        "the app was woken for a challenge that is still open",
        .at(0, WakeWanted(session: session, handler: wake, wakeCause: .challenge), by: .daemon), delivered, later),
      RuleExample(
        "the system killed the process at once, and the next life handled the events",
        started, delivered,
        .at(2, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), by: .daemon),
        .at(60, ProcessStarted(startReason: .transfer, background: true), by: .nextLife),
        .at(60.01, WakeDelivered(session: session, handler: HandlerID(4)), by: .nextLife),
        .at(60.02, created, by: .nextLife),
        .at(61, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: HandlerID(4)), by: .nextLife),
        .at(61.1, WakeHandlerCalled(session: session, handler: HandlerID(4), onMainThread: true), by: .nextLife)),
      RuleExample("the log ends within the wake's time", delivered, .at(5, LogHeartbeatWritten())),
    ])

  static let watches: Set<EventKind> = [
    .wakeDelivered, .wakeDeadlineSet, .wakeDeadlinePassed, .wakeHandlerCalled, .wakeHandlerReleased, .sessionEventsFinished,
  ]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if wake.called != nil { return .silent }
    guard let delivered = wake.delivered, let place = wake.process else { return nil }
    let process = world.processes[place]
    if let released = wake.released {
      let claim: Draft.Claim =
        wake.wasReportedUncalled ? .presence : .absence(since: delivered, shownBy: .overtaken(by: released))
      return .finding(draft(wake, delivered, process, claim: claim, proof: released))
    }
    if wake.cause == .challenge, process.endFact == nil { return nil }
    let budget = wake.budget ?? WakeLifecycle.usualBudget
    guard let proof = asked.proofOfAbsence(since: delivered, within: budget, by: process) else {
      return asked.isEndOfLog ? nil : .wait(budget, after: delivered)
    }
    // Whoever ended the process early left it no time for the call. The next life of the app gets the events again.
    if wake.deadlinePassed == nil, process.endedAbnormally, process.runningTime(since: delivered) < budget {
      if world.handledLater(wake, of: place) { return .excused(because: "a later launch of the app handled the events") }
      return .finding(
        draft(
          wake, delivered, process, claim: .absence(since: delivered, shownBy: .coverage), proof: process.endFact,
          unless: "a later launch of the app handles the events"))
    }
    // In the foreground the app has unlimited time.
    if process.state == .foreground, process.endFact == nil { return nil }
    // A background assertion gives the app more time.
    if !process.assertions.isEmpty, process.endFact == nil { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      draft(wake, delivered, process, claim: .absence(since: delivered, shownBy: proof), proof: end(proof)))
  }

  private func end(_ proof: Draft.AbsenceProof) -> Fact? {
    if case .end(let fact) = proof { fact } else { nil }
  }

  private func draft(
    _ wake: WakeLifecycle, _ delivered: Fact, _ process: ProcessLifecycle, claim: Draft.Claim, proof: Fact?, unless: String? = nil
  ) -> Draft {
    let variant: String?
    if wake.eventsFinished != nil {
      variant = "finished, not called"
    } else if wake.wasReportedUncalled {
      // The system's warning does not tell why.
      variant = nil
    } else if wake.released == nil, process.endFact != nil, wake.deadlinePassed == nil {
      variant = "process ended first"
    } else {
      variant = "events never finished"
    }
    return Draft(
      variant: variant,
      summary:
        "The wake for \(wake.session ?? "a session") was delivered, but its completion handler was never called"
        + (variant.map { " (\($0))." } ?? "."),
      claim: claim, evidence: delivered, [wake.deadlineSet, wake.eventsFinished, wake.deadlinePassed, proof],
      missing: [.init(.wakeHandlerCalled, dueBy: delivered.due(within: wake.budget ?? WakeLifecycle.usualBudget))],
      unless: unless.map { [$0] } ?? [], assumedAbsent: proof == nil ? [.assertionBegun] : [])
  }
}
