import XferEvents
import XferLifecycle
import XferReplay

/// A process died while its transfers were running.
struct CrashMidTransfer: ProcessRule {
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [.at(0.001, TaskCreated(type: .download)), .at(0.002, TaskResumed()), .at(0.003, AttemptStarted(attempt: 1))] + steps
  }
  private static func exit(_ reason: ExitReason = .missing, signal: Int? = nil) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.app.launch, signal: signal, exitReason: reason)
  }

  static let description = RuleDescription(
    id: "crash-mid-transfer", severity: .error,
    summary: "The process died while transfers were running.",
    explanation: """
      Tasks of default and ephemeral sessions end with their process: transfers in flight are lost without a callback when it \
      crashes or is killed. Tasks of background sessions continue in the daemon, and other rules judge them by the events \
      that the next process receives. A killed process cannot log its own death: the daemon records it, if it saw the process \
      end, or the next process that opens the log, which does not know the cause. Without such a record, a log that stops does \
      not prove that the process died. If later tasks resumed all of the transfers, the finding is only a notice.
      """,
    remedy: """
      If the log does not say what ended the process, look for a crash report. Use a background session for transfers that must outlive it. Record every other \
      transfer before it starts, and restart the unfinished ones at the next launch.
      """,
    sources: ["https://github.com/AFNetworking/AFNetworking/issues/2386"],
    needsWholeLog: true,
    consequenceOf: ["assertion-expired-kill", "watchdog-kill", "suspended-holding-lock", "logging-caused-harm"],
    reports: [
      RuleExample(
        "the process was killed during a transfer, and the next process found it dead", .certain,
        cites: [.attemptBytesReceived, .processExitObserved],
        steps: [.at(0, ProcessStarted(executable: "app"))]
          + story(.at(0.004, AttemptBytesReceived(attempt: 1, received: 5)), .at(5, exit(), by: .nextLife))),
      RuleExample(
        "a later task resumed the transfer", .certain, variant: "resumed", cites: [.attemptStarted, .processExitObserved],
        steps: [.at(0, ProcessStarted(executable: "app"))]
          + story(
            .at(5, exit(), by: .nextLife),
            .at(
              6, TaskCreated(task: .example(2), type: .download, offset: 5, continues: "\(TaskIdentity.example.uid)"),
              by: .nextLife),
            .at(7, TaskCompleted(task: .example(2), received: 10, status: 206), by: .nextLife))),
      RuleExample(
        "the log stops during a transfer", .possible, cites: [.attemptStarted],
        steps: [.at(0, ProcessStarted(executable: "app"))] + story()),
    ],
    staysSilent: [
      RuleExample(
        "all transfers had ended",
        .at(0.001, TaskCreated(type: .data)), .at(0.002, TaskResumed()), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.014, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.015, TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200)), .at(5, exit(), by: .nextLife)),
      RuleExample(
        "the app had cancelled the task when it was killed",
        steps: story(.at(1, TaskCancelRequested(by: .app)), .at(5, exit(.memoryPressure, signal: 9), by: .daemon))),
      RuleExample("the app called exit()", steps: story(.at(1, ProcessExited(code: 0, exitReason: .exitCall, by: .app)))),
      RuleExample(
        "the user quit the app",
        .at(0.001, TaskCreated(type: .download)), .at(0.003, AttemptStarted(attempt: 1)),
        .at(5, exit(.userQuit, signal: 9), by: .daemon)),
      RuleExample(
        "the task belongs to a background session and continues in the daemon",
        .at(0, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.001, TaskCreated(type: .download)),
        .at(0.002, TaskResumed()), .at(5, exit(), by: .nextLife)),
    ])

  // A task that is created later may continue a transfer that was lost.
  static let watches: Set<EventKind> = [.processExited, .processExitObserved, .taskCreated]

  /// The maximum number of tasks that the summary names. The finding carries all of them.
  private static let namesLimit = 5

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    // Other rules report the death of a daemon and the loss of its tasks.
    if process.daemon != nil { return .silent }
    let isOver = process.endFact != nil
    if isOver, !process.endedAbnormally { return .silent }
    guard isOver || asked.isEndOfLog else { return nil }
    let live = tasks.map { world.tasks[$0] }.filter { task in
      // A task that the app had cancelled is not lost through the crash.
      task.isLive && task.cancelRequested == nil && task.resumed ?? task.attempt?.started != nil
        && world.sessionKind(of: task) != .background
    }
    guard let first = live.first else { return .silent }
    let last = first.attempt?.lastByte ?? first.attempt?.started ?? first.resumed ?? first.created
    guard let evidence = last else { return .silent }
    let isKnown = live.allSatisfy { world.sessionKind(of: $0) != nil }
    return .finding(draft(process, live, evidence: evidence, isKnown: isKnown))
  }

  /// What later tasks did about the lost transfers: they resumed all or some of them. `nil` if they resumed none.
  private enum Aftermath: String {
    case resumed
    case partlyResumed = "partly-resumed"

    init?(_ live: [TaskLifecycle]) {
      let left = live.count { $0.continuation == nil }
      if left == live.count { return nil }
      self = left == 0 ? .resumed : .partlyResumed
    }

    func sentence(_ live: [TaskLifecycle]) -> String {
      switch self {
      case .resumed: live.count == 1 ? " A later task resumed it." : " Later tasks resumed them."
      case .partlyResumed: " Later tasks resumed \(live.count { $0.continuation != nil }) of them."
      }
    }
  }

  /// - Parameter isKnown: whether the sessions' kinds are known. A task whose session kind is unknown may continue in the daemon.
  private func draft(_ process: ProcessLifecycle, _ live: [TaskLifecycle], evidence: Fact, isKnown: Bool) -> Draft {
    let names = live.prefix(Self.namesLimit).map { "\($0.identity.session)/\($0.identity.number)" }.joined(separator: ", ")
    let more = live.count > Self.namesLimit ? " and \(live.count - Self.namesLimit) more" : ""
    let noun = live.count == 1 ? "transfer was" : "transfers were"
    let name = process.executable ?? "the process"
    let aftermath = Aftermath(live)
    let others = live.dropFirst().prefix(Self.namesLimit - 1).map { $0.attempt?.lastByte ?? $0.attempt?.started ?? $0.resumed }
    if let end = process.exitObserved {
      let how = Self.cause(process.exitReason, signal: process.exitSignal)
      return Draft(
        variant: aftermath?.rawValue, severity: aftermath == .resumed ? .notice : nil,
        summary: "\(name) died (\(how)) while \(live.count) \(noun) running: \(names)\(more)."
          + (aftermath?.sentence(live) ?? ""),
        claim: .absence(since: isKnown ? evidence : process.firstSeen ?? evidence, shownBy: .end(end)), evidence: evidence,
        others + [end], missing: [.init(.taskCompleted, dueBy: end.moment)], tasks: live.map(\.identity))
    }
    return Draft(
      summary: "The log of \(name) stops while \(live.count) \(noun) running: \(names)\(more).",
      claim: .absence(since: evidence, shownBy: .endOfLog), evidence: evidence, others,
      missing: [.init(.processExited, dueBy: Moment(monotonic: process.coveredUntil))],
      unless: ["the process is still running", "the log continues in another file"],
      tasks: live.map(\.identity))
  }

  /// Returns the words for the reason why a process died.
  private static func cause(_ reason: ExitReason?, signal: Int?) -> String {
    let named = signal.map { "signal \($0)" }
    return switch reason {
    case .unknown, .missing, nil: named ?? "cause unknown"
    case .signal: named ?? "killed by a signal"
    case .rebooted: "the machine was restarted"
    case .memoryPressure: "the system needed its memory"
    case .watchdog: "killed by a watchdog"
    case .suspendedHoldingLock: "suspended while it held a shared lock"
    case .assertionExpired: "its background time expired"
    case .crashed: named ?? "it crashed"
    case .returned, .exitCall, .userQuit, .debuggerEnded, .upgraded: named ?? reason?.name ?? "cause unknown"
    }
  }
}
