import XferEvents
import XferLifecycle
import XferReplay

/// The app said that its background events are handled when they were not.
struct CompletionHandlerCalledTooEarly: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"
  private static let other = "com.example.other"
  private static let instance = CorrelationID(1)
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: session, number: 1)
  private static let delivery = DeliveryID(1)

  private static let started = ProcessStarted(startReason: .transfer, background: true)
  private static let delivered = WakeDelivered(session: session, handler: wake)
  private static let created = SessionCreated(session: session, instance: instance, sessionKind: .background)
  private static let called = WakeHandlerCalled(session: session, handler: wake, onMainThread: true)
  private static let finished = SessionEventsFinished(session: session, instance: instance, handler: wake)
  private static let entered = DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)
  private static let left = DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)
  private static let completed = TaskCompleted(task: task, delivery: delivery, received: 10, status: 200)

  private static let woken: [RuleExample.Step] = [.at(0, started), .at(0.005, created)]
  private static let challenged: [RuleExample.Step] = [
    .at(0, WakeWanted(session: session, handler: wake, wakeCause: .challenge), by: .daemon)
  ]
  private static let transferred: [RuleExample.Step] = [
    .at(0, WakeWanted(session: session, handler: wake, wakeCause: .completion), by: .daemon)
  ]
  /// A download of an earlier life, whose completion the app is given.
  private static let adopted: RuleExample.Step = .at(0.02, TaskAdopted(task: task))
  private static let received: RuleExample.Step = .at(
    0.03, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete))
  private static let ended: RuleExample.Step = .at(60, LogClosed())

  static let description = RuleDescription(
    id: "completion-handler-called-too-early", severity: .critical,
    summary: "The completion handler was called before the background events were handled.",
    explanation: """
      The call tells the system that the app is done: it takes a snapshot and may suspend the app at once, in the middle of \
      a callback or before the first one. A file that was being moved is then lost, and completions wait for the next \
      launch. It happens where the handler is called right where it is handed over, in the completion of one task or of a \
      listing, or after a delay that was long enough at the developer's desk. The variant says what was still to come: "at \
      once" (the session did not even exist), "before the events were finished", "while a callback ran", "while work went \
      on".
      """,
    remedy: """
      Call the handler after urlSessionDidFinishEvents, on the main thread, when the app's own queue has drained. For work \
      that goes on after that, begin a background task first and end it afterwards.
      """,
    sources: [
      "https://github.com/fluttercommunity/flutter_downloader/issues/8", "https://forums.developer.apple.com/thread/101863",
      "https://github.com/Vydia/react-native-background-upload/pull/145",
    ],
    needsWholeLog: true,
    consequenceOf: ["completion-handler-for-wrong-session"],
    reports: [
      RuleExample(
        "called where it was handed over", .certain, variant: "at once",
        cites: [.wakeDelivered, .wakeHandlerCalled, .deliveryEntered],
        .at(0, started), .at(0.01, delivered), .at(0.011, called), .at(0.015, created), adopted, received, .at(0.031, entered),
        .at(0.04, left), .at(0.041, completed), .at(0.05, finished), ended),
      RuleExample(
        "called where it was handed over, when another session's end of events waited behind it", .certain,
        variant: "before the events were finished", cites: [.wakeDelivered, .last(.sessionEventsFinished), .wakeHandlerCalled],
        steps: woken + [
          .at(0.006, SessionCreated(session: other, instance: CorrelationID(2), sessionKind: .background)),
          .at(0.01, delivered), .at(0.011, SessionEventsFinished(session: other, instance: CorrelationID(2))),
          .at(0.012, DeliverySent(session: other, delivery: DeliveryID(7), callback: .didFinishEvents)), .at(0.013, called),
          .at(0.014, DeliveryEntered(session: other, delivery: DeliveryID(7), callback: .didFinishEvents)),
          .at(0.015, DeliveryLeft(session: other, delivery: DeliveryID(7), callback: .didFinishEvents)), .at(0.05, finished),
          ended,
        ]),
      RuleExample(
        "the same, and the other's callback was queued only after the call", .certain,
        variant: "before the events were finished", cites: [.wakeDelivered, .last(.sessionEventsFinished), .wakeHandlerCalled],
        steps: woken + [
          .at(0.006, SessionCreated(session: other, instance: CorrelationID(2), sessionKind: .background)),
          .at(0.01, delivered), .at(0.011, SessionEventsFinished(session: other, instance: CorrelationID(2))),
          .at(0.012, called), .at(0.013, DeliverySent(session: other, delivery: DeliveryID(7), callback: .didFinishEvents)),
          .at(0.05, finished), ended,
        ]),
      RuleExample(
        "called from a task's completion", .certain, variant: "while a callback ran",
        cites: [.wakeDelivered, .deliveryEntered, .wakeHandlerCalled],
        steps: woken + [
          .at(0.01, delivered), adopted, received, .at(0.031, entered), .at(0.035, called), .at(0.04, left),
          .at(0.041, completed), .at(0.05, finished), ended,
        ]),
      RuleExample(
        "called after the listing of tasks, when the events were still to come", .certain,
        variant: "before the events were finished", cites: [.wakeDelivered, .wakeHandlerCalled, .sessionEventsFinished],
        steps: woken + [.at(0.01, delivered), .at(0.035, called), .at(0.05, finished), ended]),
      RuleExample(
        "called when the session was there, and nothing came any more", .probable, variant: "before the events were finished",
        cites: [.wakeDelivered, .wakeHandlerCalled],
        steps: woken + [.at(0.01, delivered), .at(0.035, called), .at(40, LogHeartbeatWritten())]),
      RuleExample(
        "the events were finished, and the app was still unpacking a file", .certain, variant: "while work went on",
        cites: [.wakeDelivered, .appWorkBegun, .wakeHandlerCalled],
        steps: woken + [
          .at(0.01, delivered), adopted, .at(0.04, AppWorkBegun(work: CorrelationID(8), name: "unpack", task: task)),
          .at(0.05, finished), .at(0.055, called), .at(4, AppWorkEnded(work: CorrelationID(8), name: "unpack", task: task)),
          ended,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "called when all events were delivered",
        steps: woken + [
          .at(0.01, delivered), adopted, received, .at(0.031, entered), .at(0.04, left), .at(0.041, completed),
          .at(0.05, finished), .at(0.055, called), ended,
        ]),
      RuleExample(
        "the main thread was busy, and all was delivered before the app was handed the wake",
        steps: transferred + woken + [
          adopted, received, .at(0.031, entered), .at(0.04, left), .at(0.041, completed), .at(0.05, finished),
          .at(0.06, delivered), .at(0.061, called), ended,
        ]),
      RuleExample(
        "the same, where the log does not say whose events were finished",
        steps: transferred + woken + [
          adopted, received, .at(0.031, entered), .at(0.04, left), .at(0.041, completed),
          .at(0.05, SessionEventsFinished(session: session, instance: instance)), .at(0.06, delivered), .at(0.061, called),
          ended,
        ]),
      RuleExample(
        "work that goes on has background time of its own",
        steps: woken + [
          .at(0.01, delivered), adopted, .at(0.039, AssertionBegun(assertion: CorrelationID(9), name: "unpack")),
          .at(0.04, AppWorkBegun(work: CorrelationID(8), name: "unpack", task: task)), .at(0.05, finished), .at(0.055, called),
          .at(4, AppWorkEnded(work: CorrelationID(8), name: "unpack", task: task)),
          .at(4, AssertionEnded(assertion: CorrelationID(9), name: "unpack")), ended,
        ]),
      RuleExample(
        "woken for a challenge, with nothing to deliver",
        steps: challenged + woken + [.at(0.01, delivered), .at(0.035, called), ended]),
      RuleExample(
        "what comes after the call belongs to a task that the app made meanwhile",
        steps: challenged + woken + [
          .at(0.01, delivered), .at(0.025, TaskCreated(task: task, type: .download)), .at(0.03, called),
          .at(2, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)), .at(2, entered), .at(3, left),
          .at(3, completed), ended,
        ]),
      RuleExample(
        "what comes after the call belongs to the next wake",
        steps: challenged + woken + [
          .at(0.01, delivered), .at(0.03, called), .at(9, WakeDelivered(session: session, handler: HandlerID(4))),
          .at(9, TaskAdopted(task: task)), .at(9, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)),
          .at(9, entered), .at(9, left), .at(9, completed),
          .at(10, SessionEventsFinished(session: session, instance: instance, handler: HandlerID(4))),
          .at(11, WakeHandlerCalled(session: session, handler: HandlerID(4), onMainThread: true)), ended,
        ]),
      RuleExample(
        "the user had opened the app meanwhile, and what comes then comes without a wake",
        steps: challenged + woken + [
          .at(0.01, delivered), .at(0.03, called), .at(1, ProcessStateChanged(state: .foreground)),
          .at(8, TaskAdopted(task: task)), .at(9, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)),
          .at(9, entered), .at(9, left), .at(9, completed), ended,
        ]),
      RuleExample(
        "the session was never made, which is another problem",
        .at(0, started), .at(0.01, delivered), .at(0.011, called), ended),
    ])

  static let watches: Set<EventKind> = [.wakeHandlerCalled, .sessionEventsFinished, .sessionCreated]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let called = wake.called, let call = wake.atCall, let delivered = wake.delivered, let place = wake.process,
      let session = wake.session
    else { return asked.isEndOfLog ? .silent : nil }
    if let still = call.running ?? call.work {
      // Who has asked for more time may go on after the call.
      if call.hasMoreTime { return .silent }
      let what = call.running == nil ? "work went on" : "a callback ran"
      let end = Draft.Missing(call.running == nil ? .appWorkEnded : .deliveryLeft, dueBy: called.moment)
      return .finding(
        draft(
          wake, "while \(what)", claim: .absence(since: still, shownBy: .overtaken(by: called)), [delivered, called, still],
          missing: [end]))
    }
    if call.wasFinished { return .silent }
    let variant = call.hadSession ? "before the events were finished" : "at once"
    if let later = wake.afterCall {
      return .finding(draft(wake, variant, claim: .presence, [delivered, called, later]))
    }
    // A challenge is no event that would be finished; and what is never made again has another finding.
    let hasSession = world.backgroundSession(session, ofProcess: place) != nil
    guard asked.proofOfAbsence(since: called, within: wake.time, by: world.processes[place]) != nil else {
      return asked.isEndOfLog ? nil : .wait(wake.time, after: called)
    }
    if !hasSession || wake.cause == .challenge { return .silent }
    // There may have been nothing to deliver.
    return .finding(
      draft(
        wake, variant, claim: .absence(since: delivered, shownBy: .coverage), [delivered, called],
        missing: [.init(.sessionEventsFinished)], unless: ["the session had no events for the app"]))
  }

  private func draft(
    _ wake: WakeLifecycle, _ variant: String, claim: Draft.Claim, _ facts: [Fact], missing: [Draft.Missing] = [],
    unless: [String] = []
  ) -> Draft {
    Draft(
      variant: variant,
      summary: "The completion handler of \(wake.session ?? "a session") was called too early: \(variant).",
      claim: claim, evidence: facts[0], Array(facts.dropFirst()),
      missing: missing, unless: unless)
  }
}
