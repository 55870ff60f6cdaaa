import XferEvents
import XferLifecycle
import XferReplay

/// The app called a wake's completion handler before its background events were handled.
struct CompletionHandlerCalledTooEarly: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"
  private static let instance = CorrelationID(1)
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: session, number: 1)
  private static let delivery = DeliveryID(1)

  private static let started: RuleExample.Step = .at(0, ProcessStarted(startReason: .transfer, background: true))
  private static let created = SessionCreated(session: session, instance: instance, sessionKind: .background)
  private static let finished: RuleExample.Step = .at(
    0.05, SessionEventsFinished(session: session, instance: instance, handler: wake))
  private static let ended: RuleExample.Step = .at(60, LogClosed())

  private static func woken(for cause: WakeCause? = nil) -> [RuleExample.Step] {
    let wanted: [RuleExample.Step] =
      cause.map { [.at(0, WakeWanted(session: session, handler: wake, wakeCause: $0), by: .daemon)] } ?? []
    return wanted + [started, .at(0.005, created)]
  }
  private static func delivered(at seconds: Double = 0.01) -> RuleExample.Step {
    .at(seconds, WakeDelivered(session: session, handler: wake))
  }
  private static func called(at seconds: Double) -> RuleExample.Step {
    .at(seconds, WakeHandlerCalled(session: session, handler: wake, onMainThread: true))
  }

  /// The step in which the app adopts a download that an earlier process created.
  private static let adopted: RuleExample.Step = .at(0.02, TaskAdopted(task: task))
  private static let received: RuleExample.Step = .at(
    0.03, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete))
  private static func entered(at seconds: Double = 0.031) -> RuleExample.Step {
    .at(seconds, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete))
  }
  private static func left(at seconds: Double = 0.04) -> RuleExample.Step {
    .at(seconds, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete))
  }
  private static func completed(at seconds: Double = 0.041) -> RuleExample.Step {
    .at(seconds, TaskCompleted(task: task, delivery: delivery, received: 10, status: 200))
  }
  /// The steps in which the app adopts the download and handles its completion.
  private static let handled = [adopted, received, entered(), left(), completed()]
  /// The steps of a completion that the app receives after the call.
  private static func laterCompletion(at begin: Double, until end: Double) -> [RuleExample.Step] {
    [
      .at(begin, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)), entered(at: begin), left(at: end),
      completed(at: end),
    ]
  }

  /// The steps of an example: the events of the session `other` finish; `steps` follow; then the events of the woken session
  /// finish.
  private static func sessions(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    woken() + [
      .at(0.006, SessionCreated(session: other, instance: CorrelationID(2), sessionKind: .background)), delivered(),
      .at(0.011, SessionEventsFinished(session: other, instance: CorrelationID(2))),
    ] + steps + [finished, ended]
  }
  private static let other = "com.example.other"
  private static func sent(at seconds: Double) -> RuleExample.Step {
    .at(seconds, DeliverySent(session: other, delivery: DeliveryID(7), callback: .didFinishEvents))
  }
  private static let unpacks = AppWorkBegun(work: CorrelationID(8), name: "unpack", task: task)
  private static let unpacked = AppWorkEnded(work: CorrelationID(8), name: "unpack", task: task)

  static let description = RuleDescription(
    id: "completion-handler-called-too-early", severity: .critical,
    summary: "The completion handler was called before the background events were handled.",
    explanation: """
      The call tells the system that the app is done: the system takes a snapshot and may suspend the app at once, in the \
      middle of a callback or before the first one. A file that was being moved is then lost, and completions are delayed to \
      the next launch. Typical causes are a call where the handler is received, in the completion of one task, in the callback \
      of a task query, or after a fixed delay. The variant names the unfinished part: "at once" (the session did not exist \
      yet), "before the events were finished", "while a callback ran", "while work went on".
      """,
    remedy: """
      Call the handler after urlSessionDidFinishEvents, on the main thread, when the app's own queue is empty. If work remains \
      after that, call beginBackgroundTask before the handler and endBackgroundTask when the work is done.
      """,
    sources: [
      "https://github.com/fluttercommunity/flutter_downloader/issues/8", "https://forums.developer.apple.com/thread/101863",
      "https://github.com/Vydia/react-native-background-upload/pull/145",
    ],
    needsWholeLog: true,
    consequenceOf: ["completion-handler-for-wrong-session"],
    reports: [
      RuleExample(
        "the app called the handler where it received it", .certain, variant: "at once",
        cites: [.wakeDelivered, .wakeHandlerCalled, .deliveryEntered],
        steps: [started, delivered(), called(at: 0.011), .at(0.015, created)] + handled + [finished, ended]),
      RuleExample(
        "the app called the handler at once, while another session's urlSessionDidFinishEvents was queued", .certain,
        variant: "before the events were finished", cites: [.wakeDelivered, .last(.sessionEventsFinished), .wakeHandlerCalled],
        steps: sessions(
          sent(at: 0.012), called(at: 0.013),
          .at(0.014, DeliveryEntered(session: other, delivery: DeliveryID(7), callback: .didFinishEvents)),
          .at(0.015, DeliveryLeft(session: other, delivery: DeliveryID(7), callback: .didFinishEvents)))),
      RuleExample(
        "the app called the handler at once, before another session's urlSessionDidFinishEvents was queued", .certain,
        variant: "before the events were finished", cites: [.wakeDelivered, .last(.sessionEventsFinished), .wakeHandlerCalled],
        steps: sessions(called(at: 0.012), sent(at: 0.013))),
      RuleExample(
        "the app called the handler in a task's completion", .certain, variant: "while a callback ran",
        cites: [.wakeDelivered, .deliveryEntered, .wakeHandlerCalled],
        steps: woken() + [
          delivered(), adopted, received, entered(), called(at: 0.035), left(), completed(), finished, ended,
        ]),
      RuleExample(
        "the app called the handler after a task query, before the events were finished", .certain,
        variant: "before the events were finished", cites: [.wakeDelivered, .wakeHandlerCalled, .sessionEventsFinished],
        steps: woken() + [delivered(), called(at: 0.035), finished, ended]),
      RuleExample(
        "the app created the session and called the handler, and no events followed", .probable,
        variant: "before the events were finished", cites: [.wakeDelivered, .wakeHandlerCalled],
        steps: woken() + [delivered(), called(at: 0.035), .at(40, LogHeartbeatWritten())]),
      RuleExample(
        "the events were finished, but the app was still unpacking a file", .certain, variant: "while work went on",
        cites: [.wakeDelivered, .appWorkBegun, .wakeHandlerCalled],
        steps: woken() + [delivered(), adopted, .at(0.04, unpacks), finished, called(at: 0.055), .at(4, unpacked), ended]),
    ],
    staysSilent: [
      RuleExample(
        "all events had been delivered", steps: woken() + [delivered()] + handled + [finished, called(at: 0.055), ended]),
      RuleExample(
        "the main thread was busy, and all events were delivered before the wake",
        steps: woken(for: .completion) + handled + [finished, delivered(at: 0.06), called(at: 0.061), ended]),
      RuleExample(
        "all events were delivered before the wake, and the event that ends them does not name the handler",
        steps: woken(for: .completion) + handled + [
          .at(0.05, SessionEventsFinished(session: session, instance: instance)), delivered(at: 0.06), called(at: 0.061), ended,
        ]),
      RuleExample(
        "a background task covers the remaining work",
        steps: woken() + [
          delivered(), adopted, .at(0.039, AssertionBegun(assertion: CorrelationID(9), name: "unpack")), .at(0.04, unpacks),
          finished, called(at: 0.055), .at(4, unpacked), .at(4, AssertionEnded(assertion: CorrelationID(9), name: "unpack")),
          ended,
        ]),
      RuleExample(
        "the app was woken for a challenge and had no events",
        steps: woken(for: .challenge) + [delivered(), called(at: 0.035), ended]),
      RuleExample(
        "the app created the task that completed after the call",
        steps: woken(for: .challenge) + [
          delivered(), .at(0.025, TaskCreated(task: task, type: .download)), called(at: 0.03),
        ] + laterCompletion(at: 2, until: 3) + [ended]),
      RuleExample(
        "the events after the call belong to the next wake",
        steps: woken(for: .challenge) + [
          delivered(), called(at: 0.03), .at(9, WakeDelivered(session: session, handler: HandlerID(4))),
          .at(9, TaskAdopted(task: task)),
        ] + laterCompletion(at: 9, until: 9) + [
          .at(10, SessionEventsFinished(session: session, instance: instance, handler: HandlerID(4))),
          .at(11, WakeHandlerCalled(session: session, handler: HandlerID(4), onMainThread: true)), ended,
        ]),
      RuleExample(
        "the user opened the app before the events that followed the call",
        steps: woken(for: .challenge) + [
          delivered(), called(at: 0.03), .at(1, ProcessStateChanged(state: .foreground)), .at(8, TaskAdopted(task: task)),
        ] + laterCompletion(at: 9, until: 9) + [ended]),
      RuleExample(
        "the session was never created, which another rule reports", started, delivered(), called(at: 0.011), ended),
    ])

  static let watches: Set<EventKind> = [.wakeHandlerCalled, .sessionEventsFinished, .sessionCreated]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let called = wake.called, let call = wake.atCall, let delivered = wake.delivered, let place = wake.process,
      let session = wake.session
    else { return asked.isEndOfLog ? .silent : nil }
    if let still = call.running ?? call.work {
      // An app with a background task may continue after the call.
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
    // After a challenge no end of events is expected, and another rule reports a session that is never created.
    let hasSession = world.backgroundSession(session, ofProcess: place) != nil
    guard asked.proofOfAbsence(since: called, within: wake.time, by: world.processes[place]) != nil else {
      return asked.isEndOfLog ? nil : .wait(wake.time, after: called)
    }
    if !hasSession || wake.cause == .challenge { return .silent }
    // The session may have had no events for the app, so the finding is only probable.
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
      summary: "The completion handler of \(wake.session ?? "a session") was called too early (\(variant)).",
      claim: claim, evidence: facts[0], Array(facts.dropFirst()),
      missing: missing, unless: unless)
  }
}
