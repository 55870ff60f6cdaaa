import XferEvents
import XferLifecycle
import XferReplay

/// The log kept its own process from working.
struct LoggingCausedHarm: ProcessRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(executable: "app"))
  private static let later = RuleExample.Step.at(60, LogHeartbeatWritten())

  private static func stalled(_ elapsed: Duration, main: Bool? = nil, work: LogWork = .sync) -> LogStalled {
    LogStalled(logWork: work, elapsed: elapsed, onMainThread: main)
  }

  private static func killed(_ reason: ExitReason) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: reason, by: .daemon)
  }

  static let description = RuleDescription(
    id: "logging-caused-harm", severity: .error,
    summary: "Writing the log kept the process waiting, or cost it its life.",
    explanation: """
      A log that is brought to the disk, copied or exported on the thread that should answer does what it was made to find: \
      the app stands still. When it is about to be suspended, seconds of that are enough for the watchdog. The log itself \
      says how long it kept its writer waiting. The variant says whether the process was killed right after it, or only \
      stood still.
      """,
    remedy: """
      Synchronise and export in the background, a piece at a time, and never when the app is being suspended. Use the \
      durability `process`, which needs no disk to survive a kill, and `sync()` only where a power cut matters.
      """,
    sources: ["https://forums.developer.apple.com/forums/thread/746742"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "three seconds on the main thread", .certain, variant: "stalled", cites: [.logStalled],
        started, .at(5, stalled(.seconds(3), main: true)), later),
      RuleExample(
        "an export when the app went to the background, and the watchdog", .certain, variant: "killed",
        cites: [.logStalled, .processExitObserved],
        started, .at(1, ProcessStateChanged(state: .background)), .at(7, stalled(.seconds(6), main: true, work: .export)),
        .at(8, killed(.watchdog), by: .daemon)),
    ],
    staysSilent: [
      RuleExample("a disk that is slow for a moment", started, .at(5, stalled(.milliseconds(1200))), later),
      RuleExample(
        "the whole disk stood still, and every writer with it",
        started, .at(5, LogStalled(logWork: .sync, elapsed: .seconds(4)), by: .daemon),
        .at(5, stalled(.seconds(3), main: true)), later),
      RuleExample(
        "killed for something else, long after it",
        started, .at(5, stalled(.milliseconds(1200))), .at(600, killed(.watchdog), by: .daemon)),
    ])

  static let watches: Set<EventKind> = [.logStalled]

  /// What a user notices, and a disk rarely takes.
  var patience: Duration = .seconds(2)
  /// Between the log's work and a kill that it led to.
  var closeness: Duration = .seconds(5)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long the log may keep its writer waiting"),
    RuleLimit("closeness", \Self.closeness, "how soon after it a kill by the watchdog is its consequence"),
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    let stalls = process.log.stalls.filter { !Self.isShared($0, by: process, in: world) }
    let killer = process.exitReason == .watchdog ? stalls.first { isClose($0, process) } : nil
    guard let stall = killer ?? stalls.first(where: { $0.elapsed >= patience }) else {
      return process.endFact == nil && !asked.isEndOfLog ? nil : .silent
    }
    // Another writer that stood still at the same time may say so a moment later; so may who saw the process end.
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
          ? "\(name) waited \(time) for its own log\(work)."
          : "\(name) was killed by the watchdog right after it had waited \(time) for its own log\(work).",
        claim: .presence, evidence: stall.fact, [killer == nil ? nil : process.exitObserved]))
  }

  private func isClose(_ stall: LogTroubles.Stall, _ process: ProcessLifecycle) -> Bool {
    process.exitObserved.flatMap { stall.fact.duration(to: $0) }.map { $0 <= closeness } ?? false
  }

  /// Whether another process stood still for its log at the same time: then it was the disk.
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
