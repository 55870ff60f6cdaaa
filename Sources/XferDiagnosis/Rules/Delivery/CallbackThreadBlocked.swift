import XferEvents
import XferLifecycle
import XferReplay

/// A callback did not return, and the callbacks behind it were never called.
struct CallbackThreadBlocked: ProcessRule {
  private static let unzipping = DeliveryID(1)
  private static let next = DeliveryID(2)

  /// A download whose file is being handled, and another one whose completion has arrived behind it.
  private static let queue: [RuleExample.Step] = [
    .event(ProcessStarted(executable: "app"), at: .zero),
    .event(TaskTransferred(task: .example, received: 10, status: 200), at: .milliseconds(990)),
    .event(DeliverySent(task: .example, delivery: unzipping, callback: .didFinishDownloading), at: .milliseconds(998)),
    .event(DeliveryReceived(task: .example, delivery: unzipping, callback: .didFinishDownloading), at: .milliseconds(999)),
    .evidence(DeliveryEntered(task: .example, delivery: unzipping, callback: .didFinishDownloading), at: .seconds(1)),
    .event(TaskTransferred(task: .example(2), received: 10, status: 200), at: .seconds(8)),
    .event(DeliverySent(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(8)),
    .evidence(DeliveryReceived(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(9)),
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
        "killed while it unzipped", certainty: .certain, variant: "process ended",
        steps: queue + [
          .evidence(
            ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), at: .seconds(20), by: .daemon)
        ]),
      RuleExample(
        "two callbacks wait for each other, and the app goes on", certainty: .probable, variant: "still blocked",
        steps: queue + [.event(LogHeartbeatWritten(), at: .seconds(70))]),
      RuleExample(
        "suspended while it unzipped, and nobody says what became of it", certainty: .possible, variant: "still blocked",
        steps: queue + [.event(ProcessStateChanged(state: .suspended), at: .seconds(10))]),
    ],
    staysSilent: [
      RuleExample(
        "it took long, returned, and the others had their turn",
        steps: queue + [
          .event(DeliveryLeft(task: .example, delivery: unzipping, callback: .didFinishDownloading), at: .seconds(30)),
          .event(DeliveryEntered(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(31)),
          .event(DeliveryLeft(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(32)),
          .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(60)),
        ]),
      RuleExample(
        "the callback that ran was dropped by the app's code",
        .event(ProcessStarted(executable: "app"), at: .zero),
        .event(TaskTransferred(task: .example, received: 10, status: 200), at: .milliseconds(990)),
        .event(DeliverySent(task: .example, delivery: unzipping, callback: .didWriteData), at: .milliseconds(998)),
        .event(DeliveryReceived(task: .example, delivery: unzipping, callback: .didWriteData), at: .milliseconds(999)),
        .event(DeliveryEntered(task: .example, delivery: unzipping, callback: .didWriteData), at: .seconds(1)),
        .event(
          DeliveryDropped(task: .example, delivery: unzipping, callback: .didWriteData, why: .noConsumer, by: .app),
          at: .seconds(1)),
        .event(TaskTransferred(task: .example(2), received: 10, status: 200), at: .seconds(8)),
        .event(DeliverySent(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(8)),
        .event(DeliveryReceived(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(9)),
        .event(
          ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), at: .seconds(20), by: .daemon)),
      RuleExample(
        "nobody waited behind it",
        steps: queue.prefix(5) + [
          .event(LogHeartbeatWritten(), at: .seconds(10)),
          .event(
            ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), at: .seconds(20), by: .daemon),
        ]),
      RuleExample(
        "killed a moment after the callback had begun",
        steps: queue.prefix(5) + [
          .event(DeliverySent(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(1)),
          .event(DeliveryReceived(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(2)),
          .event(
            ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), at: .seconds(20), by: .daemon),
        ]),
      RuleExample(
        "the one that waits is another session's, with a queue of its own",
        steps: queue.prefix(5) + [
          .event(DeliverySent(task: other, delivery: next, callback: .didComplete), at: .seconds(8)),
          .event(DeliveryReceived(task: other, delivery: next, callback: .didComplete), at: .seconds(9)),
          .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(20)),
        ]),
      RuleExample(
        "delivered again in the next life",
        steps: [.event(SessionCreated(session: "default-1", sessionKind: .background), at: .zero)] + queue + [
          .event(
            ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), at: .seconds(20), by: .daemon),
          .event(
            DeliverySent(task: .example(2), delivery: next, callback: .didComplete, redelivered: true), at: .seconds(29),
            by: .daemon),
          .event(DeliveryReceived(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(30), by: .nextLife),
          .event(DeliveryEntered(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(31), by: .nextLife),
          .event(DeliveryLeft(task: .example(2), delivery: next, callback: .didComplete), at: .seconds(32), by: .nextLife),
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
