import XferEvents
import XferLifecycle
import XferReplay

/// A callback did not return, and the callbacks behind it were never called.
struct CallbackThreadBlocked: ProcessRule {
  private static let unzipping = DeliveryID(1)
  private static let next = DeliveryID(2)

  /// A download whose file is being handled, and another one whose completion has arrived behind it.
  private static let queue: [RuleExample.Step] = [
    .at(0, ProcessStarted(executable: "app")), .at(0.99, TaskTransferred(received: 10, status: 200)),
    .at(0.998, DeliverySent(task: .example, delivery: unzipping, callback: .didFinishDownloading)),
    .at(0.999, DeliveryReceived(task: .example, delivery: unzipping, callback: .didFinishDownloading)),
    .at(1, DeliveryEntered(task: .example, delivery: unzipping, callback: .didFinishDownloading)),
    .at(8, TaskTransferred(task: .example(2), received: 10, status: 200)),
    .at(8, DeliverySent(task: .example(2), delivery: next, callback: .didComplete)),
    .at(9, DeliveryReceived(task: .example(2), delivery: next, callback: .didComplete)),
  ]

  static let description = RuleDescription(
    id: "callback-thread-blocked", severity: .critical,
    summary: "A callback kept the session's queue to itself, and the completions behind it were never delivered.",
    explanation: """
      A session's callbacks come one after another. While one of them unzips a file, writes to a database or waits for \
      another thread, all others wait behind it, the completions of other tasks too. In the background there is little time: \
      when the app is suspended or killed before the callback returns, what waited is gone, or, if the callback waits for \
      something that only a later callback would do, it never comes. The log shows both: the callback that was entered and \
      not left, and those that had arrived and were not entered.
      """,
    remedy: """
      Move the file where it belongs, hand everything else to another queue, and return. Never wait in a callback for what \
      another callback or the main thread has to do. Whoever delivers keeps a completion until its callback has returned.
      """,
    sources: [
      "https://github.com/lionheart/openradar-mirror/issues/6697", "https://github.com/home-assistant/iOS/pull/5629",
      "https://learn.microsoft.com/zh-cn/windows/desktop/api/bits/nf-bits-ibackgroundcopycallback-jobtransferred",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "killed while it unzipped", .certain, variant: "process ended",
        cites: [.last(.deliveryReceived), .deliveryEntered, .processExitObserved],
        steps: queue + [
          .at(20, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .daemon)
        ]),
      RuleExample(
        "two callbacks wait for each other, and the app goes on", .probable, variant: "still blocked",
        cites: [.last(.deliveryReceived), .deliveryEntered],
        steps: queue + [.at(70, LogHeartbeatWritten())]),
      RuleExample(
        "suspended while it unzipped, and nobody says what became of it", .possible, variant: "still blocked",
        cites: [.last(.deliveryReceived), .deliveryEntered],
        steps: queue + [.at(10, ProcessStateChanged(state: .suspended))]),
    ],
    staysSilent: [
      RuleExample(
        "it took long, returned, and the others had their turn",
        steps: queue + [
          .at(30, DeliveryLeft(task: .example, delivery: unzipping, callback: .didFinishDownloading)),
          .at(31, DeliveryEntered(task: .example(2), delivery: next, callback: .didComplete)),
          .at(32, DeliveryLeft(task: .example(2), delivery: next, callback: .didComplete)),
          .at(60, ProcessExited(code: 0, exitReason: .returned)),
        ]),
      RuleExample(
        "the callback that ran was dropped by the app's code",
        .at(0, ProcessStarted(executable: "app")), .at(0.99, TaskTransferred(received: 10, status: 200)),
        .at(0.998, DeliverySent(task: .example, delivery: unzipping, callback: .didWriteData)),
        .at(0.999, DeliveryReceived(task: .example, delivery: unzipping, callback: .didWriteData)),
        .at(1, DeliveryEntered(task: .example, delivery: unzipping, callback: .didWriteData)),
        .at(1, DeliveryDropped(task: .example, delivery: unzipping, callback: .didWriteData, why: .noConsumer, by: .app)),
        .at(8, TaskTransferred(task: .example(2), received: 10, status: 200)),
        .at(8, DeliverySent(task: .example(2), delivery: next, callback: .didComplete)),
        .at(9, DeliveryReceived(task: .example(2), delivery: next, callback: .didComplete)),
        .at(20, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .daemon)),
      RuleExample(
        "nobody waited behind it",
        steps: queue.prefix(5) + [
          .at(10, LogHeartbeatWritten()),
          .at(20, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .daemon),
        ]),
      RuleExample(
        "killed a moment after the callback had begun",
        steps: queue.prefix(5) + [
          .at(1, DeliverySent(task: .example(2), delivery: next, callback: .didComplete)),
          .at(2, DeliveryReceived(task: .example(2), delivery: next, callback: .didComplete)),
          .at(20, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .daemon),
        ]),
      RuleExample(
        "the one that waits is another session's, with a queue of its own",
        steps: queue.prefix(5) + [
          .at(8, DeliverySent(task: other, delivery: next, callback: .didComplete)),
          .at(9, DeliveryReceived(task: other, delivery: next, callback: .didComplete)),
          .at(20, ProcessExited(code: 0, exitReason: .exitCall)),
        ]),
      RuleExample(
        "delivered again in the next life",
        steps: [.at(0, SessionCreated(session: "default-1", sessionKind: .background))] + queue + [
          .at(20, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .daemon),
          .at(29, DeliverySent(task: .example(2), delivery: next, callback: .didComplete, redelivered: true), by: .daemon),
          .at(30, DeliveryReceived(task: .example(2), delivery: next, callback: .didComplete), by: .nextLife),
          .at(31, DeliveryEntered(task: .example(2), delivery: next, callback: .didComplete), by: .nextLife),
          .at(32, DeliveryLeft(task: .example(2), delivery: next, callback: .didComplete), by: .nextLife),
        ]),
    ])

  private static let other = TaskIdentity(uid: TaskUID(high: 0xE1, low: 9), session: "default-2", number: 1)

  static let watches: Set<EventKind> = [.processStarted, .processStateChanged, .processExited, .processExitObserved]

  /// What a callback may take without being called blocked; most take milliseconds.
  var patience: Duration = .seconds(5)
  /// After this a queue of a process that lives counts as blocked for good, as a completion on its way counts as lost.
  var giveUp: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a callback may take before it counts as blocking others"),
    RuleLimit("give-up", \Self.giveUp, "after which time a queue counts as blocked for good"),
  ]
  /// Waiting deliveries to cite.
  private static let cited = 5

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let seen = process.firstSeen else { return nil }
    let blockers = tasks.filter { world.tasks[$0].runningCallback != nil }
    let stuck = blockers.lazy.compactMap { Self.stuck(behind: world.tasks[$0], tasks, in: world) }
      .filter { asked.covered(since: $0.running.entered, by: process) >= patience }
      .min { ($0.running.entered.monotonic ?? 0) < ($1.running.entered.monotonic ?? 0) }
    guard let stuck else {
      if process.endFact != nil, blockers.isEmpty || asked.isEndOfLog { return .silent }
      // Callbacks are too many to be watched one by one: it is looked after them now and then.
      return asked.isEndOfLog ? .silent : .wait(asked.covered(since: seen, by: process) + giveUp, after: seen)
    }
    let entered = stuck.running.entered
    // The next life of a background session may still deliver what this one did not.
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
        let received = world.tasks[place].waitingDelivery?.received
      else { return nil }
      return (identity, received)
    }
    return waiting.isEmpty ? nil : Stuck(blocker: blocker, running: running, waiting: waiting)
  }

  private func draft(_ stuck: Stuck, _ proof: Draft.AbsenceProof) -> Draft {
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    let count = stuck.waiting.count
    return Draft(
      variant: end == nil ? "still blocked" : "process ended",
      summary: """
        \(stuck.running.callback.name) of task \(stuck.blocker.identity.text) did not return, and \(count) \
        \(count == 1 ? "task" : "tasks") waited behind it.
        """,
      claim: .absence(since: stuck.running.entered, shownBy: proof), evidence: stuck.running.entered,
      stuck.waiting.prefix(Self.cited).map(\.received) + [end],
      missing: [.init(.deliveryLeft, dueBy: stuck.running.entered.due(within: giveUp))],
      unless: end == nil ? ["the callback still returns"] : [],
      tasks: [stuck.blocker.identity] + stuck.waiting.map(\.task))
  }
}
