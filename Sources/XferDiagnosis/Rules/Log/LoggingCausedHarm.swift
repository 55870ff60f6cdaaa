import XferEvents
import XferLifecycle
import XferReplay

/// A process that was blocked or killed because of its own log.
struct LoggingCausedHarm: ProcessRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(executable: "app"))
  private static let later = RuleExample.Step.at(60, LogHeartbeatWritten())

  private static func stalled(_ elapsed: Duration, onMain: Bool? = nil) -> RuleExample.Step {
    .at(5, LogStalled(logWork: .sync, elapsed: elapsed, onMainThread: onMain))
  }
  private static func killed(at time: Double) -> RuleExample.Step {
    .at(
      time, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .watchdog, by: .daemon), by: .daemon)
  }

  static let description = RuleDescription(
    id: "logging-caused-harm", severity: .error,
    summary: "Writing the log blocked the process or got it killed.",
    explanation: """
      A log that is synced, copied or exported on a thread that has to respond causes the very fault it should record: the app \
      hangs. When the app is about to be suspended, a few seconds are enough for the watchdog to kill it. The log records how \
      long it blocked its writer. The variant says whether the process was killed right after that ("killed") or only hung \
      ("stalled").
      """,
    remedy: """
      Sync and export in the background, a piece at a time, and never while the app is being suspended. Use the durability \
      `process`, which survives a kill without any sync, and call `sync()` only to protect the log from a power failure.
      """,
    sources: ["https://forums.developer.apple.com/forums/thread/746742"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "a sync took three seconds on the main thread", .certain, variant: "stalled", cites: [.logStalled],
        started, stalled(.seconds(3), onMain: true), later),
      RuleExample(
        "the log was exported in the background, and the watchdog killed the app", .certain, variant: "killed",
        cites: [.logStalled, .processExitObserved],
        started, .at(1, ProcessStateChanged(state: .background)),
        .at(7, LogStalled(logWork: .export, elapsed: .seconds(6), onMainThread: true)), killed(at: 8)),
    ],
    staysSilent: [
      RuleExample("the disk was slow for a moment", started, stalled(.milliseconds(1200)), later),
      RuleExample(
        "the disk blocked every writer at the same time",
        started, .at(5, LogStalled(logWork: .sync, elapsed: .seconds(4)), by: .daemon),
        stalled(.seconds(3), onMain: true), later),
      RuleExample("the watchdog killed the app ten minutes later", started, stalled(.milliseconds(1200)), killed(at: 600)),
    ])

  static let watches: Set<EventKind> = [.logStalled]

  /// The minimum blocking time that is reported: users notice such a time, and disks rarely take that long.
  var patience: Duration = .seconds(2)
  /// The maximum time between the log's work and a kill that counts as its consequence.
  var closeness: Duration = .seconds(5)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long the log may block its writer"),
    RuleLimit("closeness", \Self.closeness, "how soon after the log’s work a kill by the watchdog counts as its consequence"),
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    let stalls = process.log.stalls.filter { !Self.isShared($0, by: process, in: world) }
    let killer = process.exitReason == .watchdog ? stalls.first { isClose($0, process) } : nil
    guard let stall = killer ?? stalls.first(where: { $0.elapsed >= patience }) else {
      return process.endFact == nil && !asked.isEndOfLog ? nil : .silent
    }
    // The rule waits, because another writer may log a moment later that it was blocked at the same time, or that it observed the
    // end of this process.
    if killer == nil, process.endFact == nil, !asked.isEndOfLog, asked.covered(since: stall.fact, by: process) < closeness {
      return .wait(closeness, after: stall.fact)
    }
    let name = process.executable ?? "The process"
    let time = "\(stall.elapsed.nanoseconds / 1_000_000) ms"
    let work = stall.work.map { " (\($0.name))" } ?? ""
    return .finding(
      Draft(
        variant: killer == nil ? "stalled" : "killed",
        summary: killer == nil
          ? "\(name) was blocked by its own log for \(time)\(work)."
          : "\(name) was killed by the watchdog right after its own log had blocked it for \(time)\(work).",
        claim: .presence, evidence: stall.fact, [killer == nil ? nil : process.exitObserved]))
  }

  private func isClose(_ stall: LogTroubles.Stall, _ process: ProcessLifecycle) -> Bool {
    process.exitObserved.flatMap { stall.fact.duration(to: $0) }.map { $0 <= closeness } ?? false
  }

  /// Whether another process was blocked by its log at the same time, which points to the disk as the cause.
  private static func isShared(_ stall: LogTroubles.Stall, by process: ProcessLifecycle, in world: World) -> Bool {
    guard let end = stall.fact.monotonic else { return false }
    let start = end.subtractingClamped(stall.elapsed.nanoseconds)
    return world.processes.contains { other in
      other.launch != process.launch && other.boot == process.boot
        && other.log.stalls.contains { known in
          guard let last = known.fact.monotonic else { return false }
          return last >= start && last.subtractingClamped(known.elapsed.nanoseconds) <= end
        }
    }
  }
}
