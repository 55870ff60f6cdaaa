import XferEvents
import XferLifecycle
import XferReplay

/// The process was stopped while it held a lock that others want.
struct SuspendedHoldingLock: ProcessRule {
  private static let lock = CorrelationID(4)
  private static let taken = AppLockTaken(lock: lock, name: "store.db")
  private static let released = RuleExample.Step.at(4.9, AppLockReleased(lock: lock, name: "store.db"))
  private static let missed = AppLockTimedOut(name: "store.db", elapsed: .seconds(10))
  private static let started: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .transfer, background: true, executable: "app")),
    .at(0, ProcessStarted(executable: "extension"), by: .appExtension),
  ]
  private static let killed = ProcessExitObserved(
    launch: ExampleProcess.app.launch, signal: 9, exitReason: .suspendedHoldingLock, by: .daemon)
  private static let suspended = ProcessStateChanged(state: .suspended)

  static let description = RuleDescription(
    id: "suspended-holding-lock", severity: .error,
    summary: "The process was suspended while it held a lock that other processes need.",
    explanation: """
      A process that is stopped keeps its locks. On files that an app shares with its extensions, every other process then \
      waits until it runs again, so the system ends it instead (0xdead10cc). It strikes in launches in the background above \
      all: there is no call that says that the app leaves the front, so nobody closes the database. On Linux nobody ends it, \
      and the others time out. The variant says which of the two happened.
      """,
    remedy: """
      Hold no lock across suspension: ask for background time before the lock is taken, give it back when that time runs out, \
      and keep what is shared in files that need no lock.
      """,
    sources: [
      "https://github.com/home-assistant/iOS/pull/5530", "https://ryanashcraft.com/sqlite-databases-in-app-group-containers",
      "https://github.com/nextcloud/talk-ios/pull/863",
    ],
    needsNoDebugger: true,
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the system ended it for that", .certain, variant: "killed", cites: [.appLockTaken, .processExitObserved],
        steps: started + [.at(4, taken), .at(9, killed, by: .daemon)]),
      RuleExample(
        "nothing tells of its locks, and whoever ended it says why", .certain, variant: "killed", cites: [.processExitObserved],
        steps: started + [.at(9, killed, by: .daemon)]),
      RuleExample(
        "stopped with the lock, and another process did not get it", .certain, variant: "others wait",
        cites: [.appLockTaken, .processStateChanged, .appLockTimedOut],
        steps: started + [.at(4, taken), .at(5, suspended), .at(20, missed, by: .appExtension)]),
    ],
    staysSilent: [
      RuleExample(
        "released before it was stopped",
        steps: started + [.at(4, taken), released, .at(5, suspended), .at(20, missed, by: .appExtension)]),
      RuleExample("stopped with the lock, and nobody wanted it", steps: started + [.at(4, taken), .at(5, suspended)]),
      RuleExample(
        "another lock was missed",
        steps: started + [
          .at(4, taken), .at(5, suspended),
          .at(20, AppLockTimedOut(name: "other.db", elapsed: .seconds(10)), by: .appExtension),
        ]),
      RuleExample("it runs, and is only slow", steps: started + [.at(4, taken), .at(20, missed, by: .appExtension)]),
      RuleExample(
        "ended for its memory",
        steps: started + [
          .at(4, taken),
          .at(9, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), by: .daemon),
        ]),
    ])

  static let watches: Set<EventKind> = [.processExitObserved, .appLockTimedOut]

  /// With which iOS ends who is stopped with a lock: “dead lock”.
  private static let deadLock: UInt32 = 0xdead_10cc

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    let name = process.executable ?? "The process"
    let held = process.spans.lockAtSuspension
    let isCoded = process.exitCode.map { UInt32(truncatingIfNeeded: $0) == Self.deadLock } ?? false
    if let exit = process.exitObserved, process.exitReason == .suspendedHoldingLock || isCoded {
      let lock = held?.lock ?? process.spans.locks.first
      return .finding(
        Draft(
          variant: "killed", summary: "\(name) was ended because it was stopped while it held \(lock?.name ?? "a shared lock").",
          claim: .presence, evidence: exit, [lock?.taken, held?.suspended]))
    }
    guard let held, let missed = process.spans.lockMissed else {
      return process.endFact == nil && !asked.isEndOfLog ? nil : .silent
    }
    return .finding(
      Draft(
        variant: "others wait",
        summary: "\(name) was stopped while it held \(held.lock.name), and another process could not have it.",
        claim: .presence, evidence: missed, [held.lock.taken, held.suspended]))
  }
}
