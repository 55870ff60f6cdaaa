import XferEvents
import XferLifecycle
import XferReplay

/// The transfer daemon ended without saying so.
struct DaemonCrash: ProcessRule {
  private static func started(_ generation: Int64, version: String = "1.0") -> DaemonStarted {
    DaemonStarted(generation: generation, version: version)
  }

  /// A daemon's process. That it is the daemon says its first event; the examples' next life is another daemon here.
  private static func process(_ reason: StartReason) -> ProcessStarted {
    ProcessStarted(role: .daemon, startReason: reason, executable: "xferd")
  }

  private static func exit(_ reason: ExitReason, signal: Int? = nil) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.daemon.launch, signal: signal, exitReason: reason, by: .daemon)
  }

  static let description = RuleDescription(
    id: "daemon-crash", severity: .error,
    summary: "The transfer daemon ended without saying that it ends.",
    explanation: """
      Each start of the daemon is a generation. One that begins behind another that never said that it ends shows that the \
      earlier crashed or was killed, with all the transfers that it carried. What it had on the disk comes back; what it \
      had not is lost, and apps that were linked to it see their connection go down (NSURLError −997) for no fault of theirs.
      """,
    remedy: """
      Find out what ended it, in the system's journal and in what it wrote last. Apps should connect again, list their tasks, \
      and take a task for failed only when the daemon says so.
      """,
    sources: ["https://github.com/aws-amplify/aws-sdk-ios/issues/1472"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "a signal ended it", .certain, cites: [.daemonStarted, .processExitObserved],
        .at(0, process(.command), by: .daemon), .at(0.001, started(1), by: .daemon),
        .at(60, exit(.signal, signal: 11), by: .app)),
      RuleExample(
        "the next generation found it dead", .certain, cites: [.daemonStarted, .processExitObserved],
        .at(0, process(.command), by: .daemon), .at(0.001, started(1), by: .daemon), .at(70, process(.restart), by: .nextLife),
        .at(70, exit(.missing), by: .nextLife), .at(70.001, started(2), by: .nextLife)),
      RuleExample(
        "nobody saw its end, and the next generation began", .certain, cites: [.daemonStarted],
        .at(0, process(.command), by: .daemon), .at(0.001, started(1), by: .daemon), .at(70, process(.restart), by: .nextLife),
        .at(70.001, started(2), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample(
        "it said that it ends",
        .at(0, process(.command), by: .daemon), .at(0.001, started(1), by: .daemon),
        .at(60, DaemonExited(generation: 1, reason: "stopped"), by: .daemon), .at(70, process(.restart), by: .nextLife),
        .at(70.001, started(2), by: .nextLife)),
      RuleExample(
        "a newer version took its place",
        .at(0, process(.command), by: .daemon), .at(0.001, started(1), by: .daemon), .at(70, process(.restart), by: .nextLife),
        .at(70, exit(.missing), by: .nextLife), .at(70.001, started(2, version: "1.1"), by: .nextLife)),
      RuleExample(
        "the machine was restarted",
        .at(0, process(.command), by: .daemon), .at(0.001, started(1), by: .daemon), .at(70, process(.restart), by: .nextLife),
        .at(70, exit(.rebooted), by: .nextLife), .at(70.001, started(2), by: .nextLife)),
      RuleExample("it still runs", .at(0, process(.command), by: .daemon), .at(0.001, started(1), by: .daemon)),
      RuleExample(
        "a generation between the two is in no log",
        .at(0, process(.command), by: .daemon), .at(0.001, started(1), by: .daemon), .at(70, process(.restart), by: .nextLife),
        .at(70.001, started(3), by: .nextLife)),
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
      if Self.isReplaced(process, by: next) { return .silent }
      return .finding(draft(process, started, .absence(since: started, shownBy: .end(began)), [began]))
    }
    guard process.endedAbnormally, process.exitReason != .rebooted else { return .silent }
    if process.exitReason == .signal || process.exitReason == .watchdog || process.exitReason == .memoryPressure {
      return .finding(draft(process, started, .presence, [exit]))
    }
    // Found dead: only who comes next shows whether it was replaced.
    guard let next, let began = next.daemon?.started else {
      return asked.isEndOfLog ? .finding(draft(process, started, .absence(since: started, shownBy: .endOfLog), [exit])) : nil
    }
    if Self.isReplaced(process, by: next) { return .silent }
    return .finding(draft(process, started, .absence(since: started, shownBy: .end(exit)), [exit, began]))
  }

  /// By a newer version, or on another run of the machine.
  private static func isReplaced(_ process: ProcessLifecycle, by next: ProcessLifecycle) -> Bool {
    process.boot != next.boot || process.daemon?.version != next.daemon?.version
  }

  private func draft(_ process: ProcessLifecycle, _ started: Fact, _ claim: Draft.Claim, _ rest: [Fact]) -> Draft {
    let generation = process.daemon?.generation.map { ", generation \($0)," } ?? ""
    let how = process.exitSignal.map { " (signal \($0))" } ?? ""
    return Draft(
      summary: "The daemon\(generation) ended without saying so\(how).", claim: claim, evidence: started, rest,
      missing: [.init(.daemonExited)])
  }
}
