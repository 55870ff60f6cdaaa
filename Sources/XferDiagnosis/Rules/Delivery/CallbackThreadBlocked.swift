import XferEvents
import XferLifecycle
import XferReplay

/// A callback that did not return, and so blocked the callbacks queued behind it.
struct CallbackThreadBlocked: ProcessRule {
  private static let blocking = DeliveryID(1)
  private static let next = DeliveryID(2)

  /// The steps up to the start of a task's callback, which keeps running.
  private static func running(_ callback: Callback = .didFinishDownloading) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(executable: "app")), .at(0.99, TaskTransferred(received: 10, status: 200)),
      .at(0.998, DeliverySent(task: .example, delivery: blocking, callback: callback)),
      .at(0.999, DeliveryReceived(task: .example, delivery: blocking, callback: callback)),
      .at(1, DeliveryEntered(task: .example, delivery: blocking, callback: callback)),
    ]
  }

  /// The steps in which another task's completion is sent to the app and received.
  private static func arrived(_ task: TaskIdentity = .example(2), at time: Double = 8) -> [RuleExample.Step] {
    [
      .at(time, DeliverySent(task: task, delivery: next, callback: .didComplete)),
      .at(time + 1, DeliveryReceived(task: task, delivery: next, callback: .didComplete)),
    ]
  }

  private static let transferred = RuleExample.Step.at(8, TaskTransferred(task: .example(2), received: 10, status: 200))
  /// The steps in which a callback starts, and the completion of another task waits behind it.
  private static let queue = running() + [transferred] + arrived()
  private static let killed = RuleExample.Step.at(
    20, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .daemon)

  static let description = RuleDescription(
    id: "callback-thread-blocked", severity: .critical,
    summary: "A callback blocked the session's queue, and the completions queued behind it were never delivered.",
    explanation: """
      A session calls its callbacks one at a time. While one of them decompresses a file, writes to a database or waits for \
      another thread, all others are queued behind it, including the completions of other tasks. Time in the background is \
      short: if the app is suspended or killed before the callback returns, the queued callbacks are lost; if the callback \
      waits for the work of a later callback, it never returns. The log shows the callback that was entered but not left, and \
      the deliveries that were received but not entered. The variant says whether the process ended ("process ended") or kept \
      running ("still blocked").
      """,
    remedy: """
      Move the file to its destination, hand all other work to another queue, and return. Never wait in a callback for another \
      callback or for the main thread. A library that delivers callbacks should keep a completion until its callback has \
      returned.
      """,
    sources: [
      "https://github.com/lionheart/openradar-mirror/issues/6697", "https://github.com/home-assistant/iOS/pull/5629",
      "https://learn.microsoft.com/zh-cn/windows/desktop/api/bits/nf-bits-ibackgroundcopycallback-jobtransferred",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the process was killed during the callback", .certain, variant: "process ended",
        cites: [.last(.deliveryReceived), .deliveryEntered, .processExitObserved], steps: queue + [killed]),
      RuleExample(
        "the process carries out its tasks itself, and was killed during the callback", .certain, variant: "process ended",
        cites: [.last(.deliverySent), .deliveryEntered, .processExitObserved],
        steps: [.at(0, SessionCreated(session: "default-1", sessionKind: .default))] + running() + [
          transferred, .at(8, DeliverySent(task: .example(2), delivery: next, callback: .didComplete)), killed,
        ]),
      RuleExample(
        "the callback never returns, and the app keeps running", .probable, variant: "still blocked",
        cites: [.last(.deliveryReceived), .deliveryEntered], steps: queue + [.at(70, LogHeartbeatWritten())]),
      RuleExample(
        "the app was suspended during the callback, and the log ends", .possible, variant: "still blocked",
        cites: [.last(.deliveryReceived), .deliveryEntered], steps: queue + [.at(10, ProcessStateChanged(state: .suspended))]),
    ],
    staysSilent: [
      RuleExample(
        "the callback took long but returned, and the next one was called",
        steps: queue + [
          .at(30, DeliveryLeft(task: .example, delivery: blocking, callback: .didFinishDownloading)),
          .at(31, DeliveryEntered(task: .example(2), delivery: next, callback: .didComplete)),
          .at(32, DeliveryLeft(task: .example(2), delivery: next, callback: .didComplete)),
          .at(60, ProcessExited(code: 0, exitReason: .returned)),
        ]),
      RuleExample(
        "the app dropped the delivery whose callback was called",
        steps: running(.didWriteData) + [
          .at(1, DeliveryDropped(task: .example, delivery: blocking, callback: .didWriteData, why: .noConsumer, by: .app)),
          transferred,
        ] + arrived() + [killed]),
      RuleExample("no delivery was queued behind the callback", steps: running() + [.at(10, LogHeartbeatWritten()), killed]),
      RuleExample(
        "the app wrote its last event a second after the callback was called", steps: running() + arrived(at: 1) + [killed]),
      RuleExample(
        "the waiting delivery belongs to another session, which has its own queue",
        steps: running()
          + arrived(TaskIdentity(uid: TaskUID(high: 0xE1, low: 9), session: "default-2", number: 1))
          + [.at(20, ProcessExited(code: 0, exitReason: .exitCall))]),
      RuleExample(
        "the completion was redelivered at the next launch",
        steps: [.at(0, SessionCreated(session: "default-1", sessionKind: .background))] + queue + [
          killed,
          .at(29, DeliverySent(task: .example(2), delivery: next, callback: .didComplete, redelivered: true), by: .daemon),
          .at(30, DeliveryReceived(task: .example(2), delivery: next, callback: .didComplete), by: .nextLife),
          .at(31, DeliveryEntered(task: .example(2), delivery: next, callback: .didComplete), by: .nextLife),
          .at(32, DeliveryLeft(task: .example(2), delivery: next, callback: .didComplete), by: .nextLife),
        ]),
    ])

  static let watches: Set<EventKind> = [.processStarted, .processStateChanged, .processExited, .processExitObserved]

  /// The time a callback may take before it counts as blocking; most callbacks take milliseconds.
  var patience: Duration = .seconds(5)
  /// The time after which the queue of a running process counts as permanently blocked; as long as in `lost-completion`.
  var giveUp: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a callback may take before it counts as blocking others"),
    RuleLimit("give-up", \Self.giveUp, "how long a queue may be blocked before it counts as permanently blocked"),
  ]
  /// The maximum number of waiting deliveries that the finding cites.
  private static let cited = 5

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let seen = process.firstSeen else { return nil }
    let blockers = tasks.filter { world.tasks[$0].runningCallback != nil }
    let stuck = blockers.lazy.compactMap { Self.stuck(behind: world.tasks[$0], tasks, in: world) }
      .filter { asked.covered(since: $0.running.entered, by: process) >= patience }
      .min { ($0.running.entered.monotonic ?? 0) < ($1.running.entered.monotonic ?? 0) }
    guard let stuck else {
      if process.endFact != nil, blockers.isEmpty || asked.isEndOfLog { return .silent }
      // Callbacks are too frequent for a deadline each, so the process is checked periodically.
      return asked.isEndOfLog ? .silent : .wait(asked.covered(since: seen, by: process) + giveUp, after: seen)
    }
    let entered = stuck.running.entered
    // For a background session, the app's next launch may still receive the queued deliveries.
    let mayGoOn = process.endFact != nil && world.sessionKind(of: stuck.blocker) == .background
    if mayGoOn, !asked.isEndOfLog { return nil }
    if !mayGoOn, let proof = asked.proofOfAbsence(since: entered, within: giveUp, by: process) {
      return .finding(draft(stuck, proof))
    }
    return asked.isEndOfLog ? .finding(draft(stuck, .endOfLog)) : .wait(giveUp, after: entered)
  }

  private struct Stuck {
    let blocker: TaskLifecycle
    let running: TaskLifecycle.RunningCallback
    let waiting: [(task: TaskIdentity, received: Fact)]
  }

  private static func stuck(behind blocker: TaskLifecycle, _ tasks: [Int], in world: World) -> Stuck? {
    guard let running = blocker.runningCallback else { return nil }
    let waiting = tasks.compactMap { place -> (task: TaskIdentity, received: Fact)? in
      let identity = world.tasks[place].identity
      guard identity != blocker.identity, identity.session == blocker.identity.session,
        let received = Self.queued(world.tasks[place], in: world)
      else { return nil }
      return (identity, received)
    }
    return waiting.isEmpty ? nil : Stuck(blocker: blocker, running: running, waiting: waiting)
  }

  /// Returns the event that put a task's callback into its session's queue; `nil` if no callback waits.
  private static func queued(_ task: TaskLifecycle, in world: World) -> Fact? {
    guard let delivery = task.waitingDelivery else { return nil }
    // What the daemon sent may not have reached the app. The process of another session is sender and receiver, and writes the
    // receipt only with the call.
    switch world.sessionKind(of: task) {
    case .default, .ephemeral, .shared: return delivery.received ?? delivery.sent
    case .background, nil: return delivery.received
    }
  }

  private func draft(_ stuck: Stuck, _ proof: Draft.AbsenceProof) -> Draft {
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    let count = stuck.waiting.count
    return Draft(
      variant: end == nil ? "still blocked" : "process ended",
      summary: """
        The callback \(stuck.running.callback.name) of task \(stuck.blocker.identity.label) did not return; deliveries of \
        \(count.counted("other task")) \(count == 1 ? "was" : "were") queued behind it.
        """,
      claim: .absence(since: stuck.running.entered, shownBy: proof), evidence: stuck.running.entered,
      stuck.waiting.prefix(Self.cited).map(\.received) + [end],
      missing: [.init(.deliveryLeft, dueBy: stuck.running.entered.due(within: giveUp))],
      unless: end == nil ? ["the callback returns later"] : [],
      tasks: [stuck.blocker.identity] + stuck.waiting.map(\.task))
  }
}
