import XferEvents
import XferLifecycle
import XferReplay

/// The app was still handling its background events when its time was over, and was stopped.
struct WakeWindowExpired: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: session, number: 1)
  private static let entered = DeliveryEntered(task: task, delivery: DeliveryID(1), callback: .didFinishDownloading)
  private static let left = DeliveryLeft(task: task, delivery: DeliveryID(1), callback: .didFinishDownloading)
  private static let delivered = WakeDelivered(session: session, handler: wake)
  private static let called = WakeHandlerCalled(session: session, handler: wake, onMainThread: true)
  private static let woken: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .transfer, background: true)),
    .at(0.005, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
    .at(0.02, TaskAdopted(task: task)),
    .at(0.03, DeliveryReceived(task: task, delivery: DeliveryID(1), callback: .didFinishDownloading)),
  ]
  private static let deadline = WakeDeadlineSet(session: session, handler: wake, budget: .seconds(10))
  private static let passed = WakeDeadlinePassed(session: session, handler: wake, budget: .seconds(10))
  private static let killed = ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal)

  static let description = RuleDescription(
    id: "wake-window-expired", severity: .error,
    summary: "The app was stopped while it was still handling its background events, when its time was over.",
    explanation: """
      A wake brings seconds, not minutes: enough to move files and to write down what has come. An app that unpacks, parses \
      or uploads in its callbacks is still at it when the time is over; it is suspended or killed then, and what had not been \
      delivered comes later or never. The variant says which: "suspended" or "killed".
      """,
    remedy: """
      Move the files and return; do the rest later, or begin a background task for it before the work and end it afterwards.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/6697"],
    needsNoDebugger: true,
    needsWholeLog: true,
    reports: [
      RuleExample(
        "killed while it unpacked in the callback", .certain, variant: "killed",
        cites: [.wakeDelivered, .wakeDeadlineSet, .deliveryEntered, .wakeDeadlinePassed, .processExitObserved],
        steps: woken + [
          .at(0.01, delivered), .at(0.011, deadline), .at(0.031, entered), .at(10.011, passed), .at(12, killed, by: .daemon),
        ]),
      RuleExample(
        "suspended behind a callback that took forty seconds", .certain, variant: "suspended",
        cites: [.wakeDelivered, .deliveryLeft, .processStateChanged],
        steps: woken + [
          .at(0.01, delivered), .at(0.031, entered), .at(40, left), .at(41, ProcessStateChanged(state: .suspended)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the app had asked for more time",
        steps: woken + [
          .at(0.01, delivered), .at(0.025, AssertionBegun(assertion: CorrelationID(9), name: "unpack")), .at(0.031, entered),
          .at(40, left), .at(41, ProcessStateChanged(state: .suspended)),
        ]),
      RuleExample(
        "called in time, and suspended then",
        steps: woken + [
          .at(0.01, delivered), .at(0.031, entered), .at(2, left),
          .at(3, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake)), .at(3, called),
          .at(41, ProcessStateChanged(state: .suspended)),
        ]),
      RuleExample(
        "suspended before its time was over",
        steps: woken + [
          .at(0.01, delivered), .at(0.031, entered), .at(9, ProcessStateChanged(state: .suspended)),
          .at(90, ProcessStateChanged(state: .resumed)), .at(91, left),
        ]),
      RuleExample(
        "all was handled, and only the call forgotten, which is another problem",
        steps: woken + [
          .at(0.01, delivered), .at(0.031, entered), .at(2, left),
          .at(3, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake)),
          .at(41, ProcessStateChanged(state: .suspended)),
        ]),
      RuleExample(
        "the user had it in front",
        steps: woken + [
          .at(0.01, delivered), .at(1, ProcessStateChanged(state: .foreground)), .at(2, entered), .at(40, left),
          .at(41, ProcessStateChanged(state: .background)), .at(42, ProcessStateChanged(state: .suspended)),
        ]),
    ])

  static let watches: Set<EventKind> = [.wakeDelivered, .wakeHandlerCalled, .processStateChanged, .processExitObserved]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if wake.called != nil { return .silent }
    guard let delivered = wake.delivered, let place = wake.process, let session = wake.session else {
      return asked.isEndOfLog ? .silent : nil
    }
    let process = world.processes[place]
    guard let stop = Self.stop(of: process) else {
      return process.endFact != nil || asked.isEndOfLog ? .silent : nil
    }
    guard let start = delivered.monotonic, let end = stop.fact.monotonic,
      Duration.nanoseconds(process.runningTime(from: start, to: end)) >= wake.time
    else { return process.endFact != nil || asked.isEndOfLog ? .silent : nil }
    // Who has asked for more time, or is in front of the user, has it.
    if !process.assertions.isEmpty { return .silent }
    if let front = process.cameToFront, (delivered.duration(to: front) ?? .zero) >= .zero { return .silent }
    guard let activity = Self.activity(of: session, process, from: start, past: wake.time, in: world) else {
      return process.endFact != nil || asked.isEndOfLog ? .silent : nil
    }
    return .finding(
      Draft(
        variant: stop.variant,
        summary: "The app was \(stop.variant) while it handled the events of \(session): its \(wake.time.inSeconds) were over.",
        claim: .presence, evidence: delivered, [wake.deadlineSet, wake.deadlinePassed, activity, stop.fact]))
  }

  private static func stop(of process: ProcessLifecycle) -> (variant: String, fact: Fact)? {
    if let end = process.exitObserved, process.endedAbnormally { return ("killed", end) }
    guard process.endFact == nil, let fact = process.stateChanged else { return nil }
    return process.state == .suspended || process.state == .suspending ? ("suspended", fact) : nil
  }

  /// What the session's tasks were doing in the app's code when its time was over, or after that.
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
