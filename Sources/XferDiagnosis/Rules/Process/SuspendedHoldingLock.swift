import XferEvents
import XferLifecycle
import XferReplay

/// A process was suspended while it held a lock that other processes need.
struct SuspendedHoldingLock: ProcessRule {
  private static let lock = CorrelationID(4)
  private static let taken: RuleExample.Step = .at(4, AppLockTaken(lock: lock, name: "store.db"))
  private static let suspended: RuleExample.Step = .at(5, ProcessStateChanged(state: .suspended))

  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(startReason: .transfer, background: true, executable: "app")),
      .at(0, ProcessStarted(executable: "extension"), by: .appExtension),
    ] + steps
  }
  private static func missed(_ name: String = "store.db") -> RuleExample.Step {
    .at(20, AppLockTimedOut(name: name, elapsed: .seconds(10)), by: .appExtension)
  }
  private static func killed(_ reason: ExitReason = .suspendedHoldingLock, by: Actor? = .daemon) -> RuleExample.Step {
    .at(9, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: reason, by: by), by: .daemon)
  }

  static let description = RuleDescription(
    id: "suspended-holding-lock", severity: .error,
    summary: "The process was suspended while it held a lock that other processes need.",
    explanation: """
      A suspended process keeps its locks. If the lock is on a file that an app shares with its extensions, every other \
      process waits until the app runs again, so the system kills the app instead (0xdead10cc). Background launches are \
      affected most: the app does not receive the callback for leaving the foreground, in which apps close their databases. On \
      Linux the app is not killed, and the other processes time out. The variants: "killed" and "others wait".
      """,
    remedy: """
      Do not hold a lock across suspension: begin a background assertion (beginBackgroundTask) before you take the lock, and \
      release the lock in its expiration handler. Keep shared data in files that need no lock.
      """,
    sources: [
      "https://github.com/home-assistant/iOS/pull/5530", "https://ryanashcraft.com/sqlite-databases-in-app-group-containers",
      "https://github.com/nextcloud/talk-ios/pull/863",
    ],
    needsNoDebugger: true,
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the system killed the process for holding the lock", .certain, variant: "killed",
        cites: [.appLockTaken, .processExitObserved], steps: story(taken, killed())),
      RuleExample(
        "the log records no lock, but the exit gives the reason", .certain, variant: "killed", cites: [.processExitObserved],
        steps: story(killed())),
      RuleExample(
        "the process was suspended with the lock, and another process timed out", .certain, variant: "others wait",
        cites: [.appLockTaken, .processStateChanged, .appLockTimedOut], steps: story(taken, suspended, missed())),
    ],
    staysSilent: [
      RuleExample(
        "the lock was released before the process was suspended",
        steps: story(taken, .at(4.9, AppLockReleased(lock: lock, name: "store.db")), suspended, missed())),
      RuleExample("no other process needed the lock", steps: story(taken, suspended)),
      RuleExample("another process timed out on another lock", steps: story(taken, suspended, missed("other.db"))),
      RuleExample("the process holds the lock for long but is running", steps: story(taken, missed())),
      RuleExample(
        "the system killed the process because of memory pressure", steps: story(taken, killed(.memoryPressure, by: nil))),
    ])

  static let watches: Set<EventKind> = [.processExitObserved, .appLockTimedOut]

  /// The exit code of processes that iOS kills because they are suspended with a lock (“dead lock”).
  private static let deadLock: UInt32 = 0xdead_10cc

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    let name = process.executable ?? "The process"
    let held = process.spans.lockAtSuspension
    let isCoded = process.exitCode.map { UInt32(truncatingIfNeeded: $0) == Self.deadLock } ?? false
    if let exit = process.exitObserved, process.exitReason == .suspendedHoldingLock || isCoded {
      let lock = held?.lock ?? process.spans.locks.first
      return .finding(
        Draft(
          variant: "killed",
          summary: "\(name) was killed because it was suspended while it held \(lock?.name ?? "a shared lock").",
          claim: .presence, evidence: exit, [lock?.taken, held?.suspended]))
    }
    guard let held, let missed = process.spans.lockMissed else {
      return process.endFact == nil && !asked.isEndOfLog ? nil : .silent
    }
    return .finding(
      Draft(
        variant: "others wait",
        summary: "\(name) was suspended while it held \(held.lock.name), and another process timed out waiting for it.",
        claim: .presence, evidence: missed, [held.lock.taken, held.suspended]))
  }
}
