import XferEvents
import XferLifecycle
import XferReplay

/// A daemon that crashed or was killed.
struct DaemonCrash: ProcessRule {
  private static let first: [RuleExample.Step] = [
    .at(0, ProcessStarted(role: .daemon, startReason: .command, executable: "xferd"), by: .daemon),
    .at(0.001, DaemonStarted(generation: 1, version: "1.0"), by: .daemon),
  ]

  /// The steps in which the next daemon starts, and first observes how the previous one ended if `reason` is not `nil`.
  private static func next(_ generation: Int64 = 2, version: String = "1.0", finds reason: ExitReason? = nil)
    -> [RuleExample.Step]
  {
    let found: [RuleExample.Step] =
      reason.map {
        [.at(70, ProcessExitObserved(launch: ExampleProcess.daemon.launch, exitReason: $0, by: .daemon), by: .nextLife)]
      } ?? []
    return [.at(70, ProcessStarted(role: .daemon, startReason: .restart, executable: "xferd"), by: .nextLife)] + found
      + [.at(70.001, DaemonStarted(generation: generation, version: version), by: .nextLife)]
  }

  static let description = RuleDescription(
    id: "daemon-crash", severity: .error,
    summary: "The transfer daemon crashed or was killed.",
    explanation: """
      Each start of the daemon is a generation. A generation that follows one without a `daemon.exited` event shows that the \
      earlier daemon crashed or was killed, and its transfers stopped. State that the daemon had written to disk is recovered; \
      anything else is lost. Apps that were connected to it see their connection fail (NSURLError −997) through no fault of \
      their own.
      """,
    remedy: """
      Find the cause in the system journal and in the daemon's last log events. In the app, reconnect, list the session's \
      tasks, and treat a task as failed only when the daemon reports its failure.
      """,
    sources: ["https://github.com/aws-amplify/aws-sdk-ios/issues/1472"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "a signal killed the daemon", .certain, cites: [.daemonStarted, .processExitObserved],
        steps: first + [
          .at(60, ProcessExitObserved(launch: ExampleProcess.daemon.launch, signal: 11, exitReason: .signal, by: .daemon))
        ]),
      RuleExample(
        "the next generation found the daemon dead", .certain, cites: [.daemonStarted, .processExitObserved],
        steps: first + next(finds: .missing)),
      RuleExample(
        "the next generation started, and no process observed the exit", .certain, cites: [.daemonStarted],
        steps: first + next()),
      RuleExample(
        "the next daemon found the daemon dead, and its state was deleted, so that the generations begin at 1 again", .certain,
        cites: [.daemonStarted, .processExitObserved], steps: first + next(1, finds: .missing)),
    ],
    staysSilent: [
      RuleExample(
        "the daemon logged its exit",
        steps: first + [.at(60, DaemonExited(generation: 1, reason: "stopped"), by: .daemon)] + next()),
      RuleExample("a newer version replaced the daemon", steps: first + next(version: "1.1", finds: .missing)),
      RuleExample("the machine was restarted", steps: first + next(finds: .rebooted)),
      RuleExample("the daemon is still running", steps: first),
      RuleExample("the log of a generation in between is missing", steps: first + next(3)),
      RuleExample(
        "a daemon with another state directory writes to the same log",
        steps: first + next() + [
          .at(80, DaemonExited(generation: 2, reason: "stopped"), by: .nextLife),
          .at(90, DaemonExited(generation: 1, reason: "stopped"), by: .daemon),
        ]),
    ])

  static let watches: Set<EventKind> = [.daemonStarted, .daemonExited, .processExitObserved]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let daemon = process.daemon, let started = daemon.started else {
      return asked.isEndOfLog || process.endFact != nil && process.role != .daemon ? .silent : nil
    }
    if daemon.exited != nil || process.exited != nil { return .silent }
    let next = daemon.next.map { world.processes[$0] }
    guard let exit = process.exitObserved else {
      guard let next, let began = next.daemon?.started else {
        return process.logClosed != nil || asked.isEndOfLog ? .silent : nil
      }
      // Daemons with different state directories may write to one log. The next events may show that this one still runs.
      if Self.isReplaced(process, by: next) || process.isCovered(after: began) { return .silent }
      guard asked.isEndOfLog else { return nil }
      return .finding(draft(process, started, .absence(since: started, shownBy: .end(began)), [began]))
    }
    guard process.endedAbnormally, process.exitReason != .rebooted else { return .silent }
    if process.exitReason == .signal || process.exitReason == .watchdog || process.exitReason == .memoryPressure {
      return .finding(draft(process, started, .presence, [exit]))
    }
    // Only the next generation shows whether a daemon that was found dead had been replaced.
    guard let next, let began = next.daemon?.started else {
      return asked.isEndOfLog ? .finding(draft(process, started, .absence(since: started, shownBy: .endOfLog), [exit])) : nil
    }
    if Self.isReplaced(process, by: next) { return .silent }
    return .finding(draft(process, started, .absence(since: started, shownBy: .end(exit)), [exit, began]))
  }

  /// Whether the next daemon has another version or runs after a restart of the machine.
  private static func isReplaced(_ process: ProcessLifecycle, by next: ProcessLifecycle) -> Bool {
    process.boot != next.boot || process.daemon?.version != next.daemon?.version
  }

  private func draft(_ process: ProcessLifecycle, _ started: Fact, _ claim: Draft.Claim, _ rest: [Fact]) -> Draft {
    let generation = process.daemon?.generation.map { ", generation \($0)," } ?? ""
    let how = process.exitSignal.map { " (signal \($0))" } ?? ""
    return Draft(
      summary: "The daemon\(generation) crashed or was killed\(how).", claim: claim, evidence: started, rest,
      missing: [.init(.daemonExited)])
  }
}
