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

  private static let woken: [RuleExample.Step] = [
    .event(started, at: .zero), .event(created, at: .milliseconds(5)),
  ]
  private static let challenged: [RuleExample.Step] = [
    .event(WakeWanted(session: session, handler: wake, wakeCause: .challenge), at: .zero, by: .daemon)
  ]
  private static let transferred: [RuleExample.Step] = [
    .event(WakeWanted(session: session, handler: wake, wakeCause: .completion), at: .zero, by: .daemon)
  ]
  /// A download of an earlier life, whose completion the app is given.
  private static let adopted: RuleExample.Step = .event(TaskAdopted(task: task), at: .milliseconds(20))
  private static let received: RuleExample.Step = .event(
    DeliveryReceived(task: task, delivery: delivery, callback: .didComplete), at: .milliseconds(30))
  private static let ended: RuleExample.Step = .event(LogClosed(), at: .seconds(60))

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
        "called where it was handed over", certainty: .certain, variant: "at once",
        .event(started, at: .zero), .evidence(delivered, at: .milliseconds(10)), .evidence(called, at: .milliseconds(11)),
        .event(created, at: .milliseconds(15)), adopted, received, .evidence(entered, at: .milliseconds(31)),
        .event(left, at: .milliseconds(40)), .event(completed, at: .milliseconds(41)), .event(finished, at: .milliseconds(50)),
        ended),
      RuleExample(
        "called where it was handed over, when another session's end of events waited behind it", certainty: .certain,
        variant: "before the events were finished",
        steps: woken + [
          .event(SessionCreated(session: other, instance: CorrelationID(2), sessionKind: .background), at: .milliseconds(6)),
          .evidence(delivered, at: .milliseconds(10)),
          .event(SessionEventsFinished(session: other, instance: CorrelationID(2)), at: .milliseconds(11)),
          .event(DeliverySent(session: other, delivery: DeliveryID(7), callback: .didFinishEvents), at: .milliseconds(12)),
          .evidence(called, at: .milliseconds(13)),
          .event(DeliveryEntered(session: other, delivery: DeliveryID(7), callback: .didFinishEvents), at: .milliseconds(14)),
          .event(DeliveryLeft(session: other, delivery: DeliveryID(7), callback: .didFinishEvents), at: .milliseconds(15)),
          .evidence(finished, at: .milliseconds(50)), ended,
        ]),
      RuleExample(
        "the same, and the other's callback was queued only after the call", certainty: .certain,
        variant: "before the events were finished",
        steps: woken + [
          .event(SessionCreated(session: other, instance: CorrelationID(2), sessionKind: .background), at: .milliseconds(6)),
          .evidence(delivered, at: .milliseconds(10)),
          .event(SessionEventsFinished(session: other, instance: CorrelationID(2)), at: .milliseconds(11)),
          .evidence(called, at: .milliseconds(12)),
          .event(DeliverySent(session: other, delivery: DeliveryID(7), callback: .didFinishEvents), at: .milliseconds(13)),
          .evidence(finished, at: .milliseconds(50)), ended,
        ]),
      RuleExample(
        "called from a task's completion", certainty: .certain, variant: "while a callback ran",
        steps: woken + [
          .evidence(delivered, at: .milliseconds(10)), adopted, received, .evidence(entered, at: .milliseconds(31)),
          .evidence(called, at: .milliseconds(35)), .event(left, at: .milliseconds(40)),
          .event(completed, at: .milliseconds(41)), .event(finished, at: .milliseconds(50)), ended,
        ]),
      RuleExample(
        "called after the listing of tasks, when the events were still to come", certainty: .certain,
        variant: "before the events were finished",
        steps: woken + [
          .evidence(delivered, at: .milliseconds(10)), .evidence(called, at: .milliseconds(35)),
          .evidence(finished, at: .milliseconds(50)), ended,
        ]),
      RuleExample(
        "called when the session was there, and nothing came any more", certainty: .probable,
        variant: "before the events were finished",
        steps: woken + [
          .evidence(delivered, at: .milliseconds(10)), .evidence(called, at: .milliseconds(35)),
          .event(LogHeartbeatWritten(), at: .seconds(40)),
        ]),
      RuleExample(
        "the events were finished, and the app was still unpacking a file", certainty: .certain, variant: "while work went on",
        steps: woken + [
          .evidence(delivered, at: .milliseconds(10)), adopted,
          .evidence(AppWorkBegun(work: CorrelationID(8), name: "unpack", task: task), at: .milliseconds(40)),
          .event(finished, at: .milliseconds(50)), .evidence(called, at: .milliseconds(55)),
          .event(AppWorkEnded(work: CorrelationID(8), name: "unpack", task: task), at: .seconds(4)), ended,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "called when all events were delivered",
        steps: woken + [
          .event(delivered, at: .milliseconds(10)), adopted, received, .event(entered, at: .milliseconds(31)),
          .event(left, at: .milliseconds(40)), .event(completed, at: .milliseconds(41)), .event(finished, at: .milliseconds(50)),
          .event(called, at: .milliseconds(55)), ended,
        ]),
      RuleExample(
        "the main thread was busy, and all was delivered before the app was handed the wake",
        steps: transferred + woken + [
          adopted, received, .event(entered, at: .milliseconds(31)), .event(left, at: .milliseconds(40)),
          .event(completed, at: .milliseconds(41)), .event(finished, at: .milliseconds(50)),
          .event(delivered, at: .milliseconds(60)), .event(called, at: .milliseconds(61)), ended,
        ]),
      RuleExample(
        "the same, where the log does not say whose events were finished",
        steps: transferred + woken + [
          adopted, received, .event(entered, at: .milliseconds(31)), .event(left, at: .milliseconds(40)),
          .event(completed, at: .milliseconds(41)),
          .event(SessionEventsFinished(session: session, instance: instance), at: .milliseconds(50)),
          .event(delivered, at: .milliseconds(60)), .event(called, at: .milliseconds(61)), ended,
        ]),
      RuleExample(
        "work that goes on has background time of its own",
        steps: woken + [
          .event(delivered, at: .milliseconds(10)), adopted,
          .event(AssertionBegun(assertion: CorrelationID(9), name: "unpack"), at: .milliseconds(39)),
          .event(AppWorkBegun(work: CorrelationID(8), name: "unpack", task: task), at: .milliseconds(40)),
          .event(finished, at: .milliseconds(50)), .event(called, at: .milliseconds(55)),
          .event(AppWorkEnded(work: CorrelationID(8), name: "unpack", task: task), at: .seconds(4)),
          .event(AssertionEnded(assertion: CorrelationID(9), name: "unpack"), at: .seconds(4)), ended,
        ]),
      RuleExample(
        "woken for a challenge, with nothing to deliver",
        steps: challenged + woken + [.event(delivered, at: .milliseconds(10)), .event(called, at: .milliseconds(35)), ended]),
      RuleExample(
        "what comes after the call belongs to a task that the app made meanwhile",
        steps: challenged + woken + [
          .event(delivered, at: .milliseconds(10)), .event(TaskCreated(task: task, type: .download), at: .milliseconds(25)),
          .event(called, at: .milliseconds(30)),
          .event(DeliveryReceived(task: task, delivery: delivery, callback: .didComplete), at: .seconds(2)),
          .event(entered, at: .seconds(2)), .event(left, at: .seconds(3)), .event(completed, at: .seconds(3)), ended,
        ]),
      RuleExample(
        "what comes after the call belongs to the next wake",
        steps: challenged + woken + [
          .event(delivered, at: .milliseconds(10)), .event(called, at: .milliseconds(30)),
          .event(WakeDelivered(session: session, handler: HandlerID(4)), at: .seconds(9)),
          .event(TaskAdopted(task: task), at: .seconds(9)),
          .event(DeliveryReceived(task: task, delivery: delivery, callback: .didComplete), at: .seconds(9)),
          .event(entered, at: .seconds(9)), .event(left, at: .seconds(9)), .event(completed, at: .seconds(9)),
          .event(SessionEventsFinished(session: session, instance: instance, handler: HandlerID(4)), at: .seconds(10)),
          .event(WakeHandlerCalled(session: session, handler: HandlerID(4), onMainThread: true), at: .seconds(11)), ended,
        ]),
      RuleExample(
        "the user had opened the app meanwhile, and what comes then comes without a wake",
        steps: challenged + woken + [
          .event(delivered, at: .milliseconds(10)), .event(called, at: .milliseconds(30)),
          .event(ProcessStateChanged(state: .foreground), at: .seconds(1)), .event(TaskAdopted(task: task), at: .seconds(8)),
          .event(DeliveryReceived(task: task, delivery: delivery, callback: .didComplete), at: .seconds(9)),
          .event(entered, at: .seconds(9)),
          .event(left, at: .seconds(9)), .event(completed, at: .seconds(9)), ended,
        ]),
      RuleExample(
        "the session was never made, which is another problem",
        .event(started, at: .zero), .event(delivered, at: .milliseconds(10)), .event(called, at: .milliseconds(11)), ended),
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
