import XferEvents
import XferLifecycle
import XferReplay

/// A process life ended abnormally while its transfers were running.
struct CrashMidTransfer: ProcessRule {
  static let description = RuleDescription(
    id: "crash-mid-transfer", severity: .error,
    summary: "The process died while transfers were running.",
    explanation: """
      Tasks of default and ephemeral sessions live and die with their process: what was under way when it crashed or was \
      killed is lost, without a callback. Tasks of background sessions go on in the daemon, so they are judged by what \
      the next life hears of them. A process that is killed cannot log its own death; who opens the log next does. \
      Without that, a log that simply stops proves nothing.
      """,
    remedy: """
      Find out what ended the process. For transfers that must outlive it, use a background session; for the others, \
      record each before it starts, and start again what the record still has open at the next launch.
      """,
    sources: ["https://github.com/AFNetworking/AFNetworking/issues/2386"],
    needsWholeLog: true,
    consequenceOf: ["assertion-expired-kill", "watchdog-kill", "suspended-holding-lock", "logging-caused-harm"],
    reports: [
      RuleExample(
        "killed in mid transfer, found dead by the next life", .certain, cites: [.attemptBytesReceived, .processExitObserved],
        .at(0, ProcessStarted(executable: "app")), .at(0.001, TaskCreated(type: .download)), .at(0.002, TaskResumed()),
        .at(0.003, AttemptStarted(attempt: 1)), .at(0.004, AttemptBytesReceived(attempt: 1, received: 5)),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
      RuleExample(
        "the log stops in mid transfer, and nobody says why", .possible, cites: [.attemptStarted],
        .at(0, ProcessStarted(executable: "app")), .at(0.001, TaskCreated(type: .download)), .at(0.002, TaskResumed()),
        .at(0.003, AttemptStarted(attempt: 1))),
    ],
    staysSilent: [
      RuleExample(
        "all transfers had ended",
        .at(0.001, TaskCreated(type: .data)), .at(0.002, TaskResumed()), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.014, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.015, TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200)),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
      RuleExample(
        "the app had cancelled it, and was stopped before it heard of that",
        .at(0.001, TaskCreated(type: .download)), .at(0.002, TaskResumed()), .at(0.003, AttemptStarted(attempt: 1)),
        .at(1, TaskCancelRequested(by: .app)),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), by: .daemon)),
      RuleExample(
        "its own code called exit",
        .at(0.001, TaskCreated(type: .download)), .at(0.002, TaskResumed()), .at(0.003, AttemptStarted(attempt: 1)),
        .at(1, ProcessExited(code: 0, exitReason: .exitCall, by: .app))),
      RuleExample(
        "the user quit it",
        .at(0.001, TaskCreated(type: .download)), .at(0.003, AttemptStarted(attempt: 1)),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .userQuit), by: .daemon)),
      RuleExample(
        "a background session's task goes on in the daemon",
        .at(0, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.001, TaskCreated(type: .download)),
        .at(0.002, TaskResumed()),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
    ])

  static let watches: Set<EventKind> = [.processExited, .processExitObserved]

  /// Tasks to name in the summary; the finding carries them all.
  private static let named = 5

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    // The daemon's own rules tell of its end, and of what was lost with it.
    if process.daemon != nil { return .silent }
    let isOver = process.endFact != nil
    if isOver, !process.endedAbnormally { return .silent }
    guard isOver || asked.isEndOfLog else { return nil }
    let live = tasks.map { world.tasks[$0] }.filter { task in
      // What the app had given up was not what the crash ended.
      task.isLive && task.cancelRequested == nil && task.resumed ?? task.attempt?.started != nil
        && world.sessionKind(of: task) != .background
    }
    guard let first = live.first else { return .silent }
    let last = first.attempt?.lastByte ?? first.attempt?.started ?? first.resumed ?? first.created
    guard let evidence = last else { return .silent }
    let isKnown = live.allSatisfy { world.sessionKind(of: $0) != nil }
    return .finding(draft(process, live, evidence: evidence, isKnown: isKnown))
  }

  /// - Parameter isKnown: whether their sessions are; else the log may have lost that one goes on in the daemon.
  private func draft(_ process: ProcessLifecycle, _ live: [TaskLifecycle], evidence: Fact, isKnown: Bool) -> Draft {
    let names = live.prefix(Self.named).map { "\($0.identity.session)/\($0.identity.number)" }.joined(separator: ", ")
    let more = live.count > Self.named ? " and \(live.count - Self.named) more" : ""
    let noun = live.count == 1 ? "transfer was" : "transfers were"
    let name = process.executable ?? "the process"
    let others = live.dropFirst().prefix(Self.named - 1).map { $0.attempt?.lastByte ?? $0.attempt?.started ?? $0.resumed }
    if let end = process.exitObserved {
      let how = process.exitSignal.map { "signal \($0)" } ?? process.exitReason?.name ?? "unknown"
      return Draft(
        summary: "\(name) died (\(how)) while \(live.count) \(noun) running: \(names)\(more).",
        claim: .absence(since: isKnown ? evidence : process.firstSeen ?? evidence, shownBy: .end(end)), evidence: evidence,
        others + [end], missing: [.init(.taskCompleted, dueBy: end.moment)], tasks: live.map(\.identity))
    }
    return Draft(
      summary: "The log of \(name) stops while \(live.count) \(noun) running: \(names)\(more).",
      claim: .absence(since: evidence, shownBy: .endOfLog), evidence: evidence, others,
      missing: [.init(.processExited, dueBy: Moment(monotonic: process.coveredUntil))],
      unless: ["the process still runs", "the log goes on elsewhere"],
      tasks: live.map(\.identity))
  }
}
