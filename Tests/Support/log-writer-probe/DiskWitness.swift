import Foundation
import LogTestSupport
import XferEvents
import XferLogStore

/// A witness that tells the test which events of a thread are on disk, whenever the log completes a sync.
final class DiskWitness {
  private let acknowledged: Acknowledgements
  private let thread: Int
  private let log: EventLog
  private let policy: Durability
  /// The number of events that are on disk when the given sync round completes.
  private var awaited: (events: Int, round: UInt64)?
  private var lastRound = UInt64.max

  init(_ acknowledged: Acknowledgements, thread: Int, log: EventLog, policy: Durability) {
    self.acknowledged = acknowledged
    self.thread = thread
    self.log = log
    self.policy = policy
  }

  /// - Parameter events: The number of this thread's events whose calls have returned.
  func note(_ events: Int, burst: Int) {
    switch policy {
    case .always: acknowledge(events)
    case .process: if events % burst == 0 { synchronise(events) }
    case .interval:
      look(events)
      // Emitting is a thousand times faster than syncing, so wait for the disk.
      while events % burst == 0, acknowledged[slot] + UInt64(burst) < UInt64(events), !isStopped {
        sched_yield()
        look(events)
        requestRound()
      }
    }
  }

  private var slot: Int { thread + Acknowledgements.synchronised }
  private var isStopped: Bool { acknowledged[Acknowledgements.stop] != 0 }

  private func acknowledge(_ events: Int) { acknowledged[slot] = UInt64(events) }

  private func synchronise(_ events: Int) {
    do throws(LogError) {
      try log.sync()
      acknowledge(events)
    } catch {
      acknowledged[Acknowledgements.failures] += 1
    }
  }

  /// Starts another sync round if the awaited round would otherwise not be started.
  private func requestRound() {
    let rounds = log.syncRounds
    guard rounds.started == rounds.completed, rounds.started != lastRound else { return }
    lastRound = rounds.started
    log.emit(LogHeartbeatWritten())
  }

  private func look(_ events: Int) {
    let rounds = log.syncRounds
    if let awaited, rounds.completed >= awaited.round {
      acknowledge(awaited.events)
      self.awaited = nil
    }
    if awaited == nil { awaited = (events, rounds.started + 1) }
  }
}
