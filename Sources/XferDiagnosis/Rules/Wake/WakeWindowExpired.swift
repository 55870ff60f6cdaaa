import XferEvents
import XferLifecycle
import XferReplay

/// The app was still handling background events when its time ran out: it was suspended or killed, or called the handler late.
struct WakeWindowExpired: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: session, number: 1)

  private static func entered(at seconds: Double = 0.031) -> RuleExample.Step {
    .at(seconds, DeliveryEntered(task: task, delivery: DeliveryID(1), callback: .didFinishDownloading))
  }
  private static func left(at seconds: Double) -> RuleExample.Step {
    .at(seconds, DeliveryLeft(task: task, delivery: DeliveryID(1), callback: .didFinishDownloading))
  }
  private static let finished: RuleExample.Step = .at(
    3, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake))
  private static func called(at seconds: Double) -> RuleExample.Step {
    .at(seconds, WakeHandlerCalled(session: session, handler: wake, onMainThread: true))
  }
  private static func state(_ state: AppState, at seconds: Double) -> RuleExample.Step {
    .at(seconds, ProcessStateChanged(state: state))
  }

  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(startReason: .transfer, background: true)),
      .at(0.005, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
      .at(0.02, TaskAdopted(task: task)),
      .at(0.03, DeliveryReceived(task: task, delivery: DeliveryID(1), callback: .didFinishDownloading)),
      .at(0.01, WakeDelivered(session: session, handler: wake)),
    ] + steps
  }

  static let description = RuleDescription(
    id: "wake-window-expired", severity: .error,
    summary: "The app was still handling background events when its wake time ran out.",
    explanation: """
      A wake gives the app seconds, not minutes: enough to move files and to record events. An app that unpacks, parses or \
      uploads in its callbacks is still working when the time runs out. The system then suspends or kills it, and undelivered \
      events are delayed or lost. The variants: "suspended", "killed", and "called late" if the app called the completion \
      handler after its time.
      """,
    remedy: """
      Move the files and return. Do the remaining work later, or call beginBackgroundTask before it and endBackgroundTask when \
      it is done.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/6697"],
    needsNoDebugger: true,
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the app was killed while it unpacked a file in a callback", .certain, variant: "killed",
        cites: [.wakeDelivered, .wakeDeadlineSet, .deliveryEntered, .wakeDeadlinePassed, .processExitObserved],
        steps: story(
          .at(0.011, WakeDeadlineSet(session: session, handler: wake, budget: .seconds(10))), entered(),
          .at(10.011, WakeDeadlinePassed(session: session, handler: wake, budget: .seconds(10))),
          .at(12, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .daemon))),
      RuleExample(
        "the app was suspended after a callback that took forty seconds", .certain, variant: "suspended",
        cites: [.wakeDelivered, .deliveryLeft, .processStateChanged],
        steps: story(entered(), left(at: 40), state(.suspended, at: 41))),
      RuleExample(
        "the app called the handler forty seconds after the deadline", .certain, variant: "called late",
        cites: [.wakeDelivered, .wakeDeadlineSet, .wakeDeadlinePassed, .wakeHandlerCalled],
        steps: story(
          .at(0.011, WakeDeadlineSet(session: session, handler: wake, budget: .seconds(10))), entered(), left(at: 2), finished,
          .at(10.011, WakeDeadlinePassed(session: session, handler: wake, budget: .seconds(10))), called(at: 50))),
      RuleExample(
        "the app was suspended at the deadline, and called the handler when its user opened it", .certain, variant: "called late",
        cites: [.wakeDelivered, .wakeDeadlineSet, .wakeDeadlinePassed, .wakeHandlerCalled],
        steps: story(
          .at(0.011, WakeDeadlineSet(session: session, handler: wake, budget: .seconds(10))), entered(), left(at: 2), finished,
          .at(10.011, WakeDeadlinePassed(session: session, handler: wake, budget: .seconds(10))), state(.suspended, at: 11),
          state(.resumed, at: 300), state(.foreground, at: 300), called(at: 301))),
    ],
    staysSilent: [
      RuleExample(
        "the app called the handler after the deadline, and had asked for more time",
        steps: story(
          .at(0.011, WakeDeadlineSet(session: session, handler: wake, budget: .seconds(10))),
          .at(0.025, AssertionBegun(assertion: CorrelationID(9), name: "unpack")), entered(), left(at: 2), finished,
          .at(10.011, WakeDeadlinePassed(session: session, handler: wake, budget: .seconds(10))), called(at: 50),
          .at(51, AssertionEnded(assertion: CorrelationID(9))))),
      RuleExample(
        "the app had asked for more time",
        steps: story(
          .at(0.025, AssertionBegun(assertion: CorrelationID(9), name: "unpack")), entered(), left(at: 40),
          state(.suspended, at: 41))),
      RuleExample(
        "the handler was called in time, and then the app was suspended",
        steps: story(
          entered(), left(at: 2), finished, .at(3, WakeHandlerCalled(session: session, handler: wake, onMainThread: true)),
          state(.suspended, at: 41))),
      RuleExample(
        "the app was suspended before its time ran out",
        steps: story(entered(), state(.suspended, at: 9), state(.resumed, at: 90), left(at: 91))),
      RuleExample(
        "all events were handled, and only the handler's call is missing, which another rule reports",
        steps: story(entered(), left(at: 2), finished, state(.suspended, at: 41))),
      RuleExample(
        "the app was in the foreground",
        steps: story(
          state(.foreground, at: 1), entered(at: 2), left(at: 40), state(.background, at: 41), state(.suspended, at: 42))),
    ])

  static let watches: Set<EventKind> = [.wakeDelivered, .wakeHandlerCalled, .processStateChanged, .processExitObserved]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let delivered = wake.delivered, let place = wake.process, let session = wake.session else {
      return wake.called != nil || asked.isEndOfLog ? .silent : nil
    }
    let process = world.processes[place]
    if let called = wake.called { return late(called, delivered, wake, session) }
    guard let stop = Self.stop(of: process) else {
      return process.endFact != nil || asked.isEndOfLog ? .silent : nil
    }
    guard let start = delivered.monotonic, Self.ranOut(wake, delivered, process, stop.fact) else {
      return process.endFact != nil || asked.isEndOfLog ? .silent : nil
    }
    if Self.hasMoreTime(process, since: delivered) { return .silent }
    guard let activity = Self.activity(of: session, process, from: start, past: wake.time, in: world) else {
      return process.endFact != nil || asked.isEndOfLog ? .silent : nil
    }
    return .finding(
      Draft(
        variant: stop.variant,
        summary:
          "The app was \(stop.variant) while it handled the events of \(session), after its wake time of \(wake.time.inSeconds).",
        claim: .presence, evidence: delivered, [wake.deadlineSet, wake.deadlinePassed, activity, stop.fact]))
  }

  /// Whether the time of a wake had run out when its process was suspended or killed.
  ///
  /// The process may have been killed long before the kill was noticed, so only its signs of life count, the daemon's record that the
  /// time had run out, and an exit reason that says so.
  private static func ranOut(_ wake: WakeLifecycle, _ delivered: Fact, _ process: ProcessLifecycle, _ stop: Fact) -> Bool {
    if stop.kind == .processStateChanged { return process.runningTime(from: delivered, to: stop) >= wake.time }
    if wake.deadlinePassed != nil || process.exitReason == .assertionExpired { return true }
    return process.runningTime(since: delivered) >= wake.time
  }

  /// Whether an app may run longer than the wake allows, because it holds a background assertion or is in the foreground.
  private static func hasMoreTime(_ process: ProcessLifecycle, since delivered: Fact) -> Bool {
    if !process.assertions.isEmpty { return true }
    return process.cameToFront.map { (delivered.duration(to: $0) ?? .zero) >= .zero } ?? false
  }

  /// Returns the verdict on a handler that was called.
  private func late(
    _ called: Fact, _ delivered: Fact, _ wake: WakeLifecycle, _ session: String
  ) -> Verdict {
    guard let passed = wake.deadlinePassed, let late = passed.duration(to: called), late > .zero, let budget = wake.budget,
      !wake.hadMoreTime
    else { return .silent }
    return .finding(
      Draft(
        variant: "called late",
        summary: """
          The app called the completion handler of the wake for \(session) \(late.short) after its wake time of \
          \(budget.inSeconds).
          """,
        claim: .presence, evidence: delivered, [wake.deadlineSet, passed, called]))
  }

  private static func stop(of process: ProcessLifecycle) -> (variant: String, fact: Fact)? {
    if let end = process.exitObserved, process.endedAbnormally { return ("killed", end) }
    guard process.endFact == nil, let fact = process.stateChanged else { return nil }
    return process.state == .suspended || process.state == .suspending ? ("suspended", fact) : nil
  }

  /// Returns an event that shows the app handling the session's tasks when its time ran out or later.
  private static func activity(
    of session: String, _ process: ProcessLifecycle, from start: Int64, past time: Duration, in world: World
  ) -> Fact? {
    func isPast(_ fact: Fact) -> Bool {
      fact.monotonic.map { Duration.nanoseconds(process.runningTime(from: start, to: $0)) >= time } ?? false
    }
    for place in world.openTasks(ofSession: session) {
      let task = world.tasks[place]
      if let running = task.runningCallback { return running.entered }
      let facts = [task.file.claimed, task.fileDelivery?.left, task.completionDelivery?.entered, task.completionDelivery?.left]
      if let last = facts.compactMap({ $0 }).last(where: isPast) { return last }
    }
    return nil
  }
}
