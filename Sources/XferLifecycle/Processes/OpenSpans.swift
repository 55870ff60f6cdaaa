package import XferEvents

/// The locks that a process holds, and work of the app that belongs to no task.
package struct OpenSpans: Sendable {
  package private(set) var locks: [Lock] = []
  package private(set) var work: [Work] = []
  /// The first lock that the process held when it was suspended.
  package private(set) var lockAtSuspension: (lock: Lock, suspended: Fact)?
  /// The event in which another process timed out while waiting for the lock in `lockAtSuspension`.
  package var lockMissed: Fact?

  package struct Lock: Sendable {
    package let id: CorrelationID?
    package let name: String
    package let taken: Fact
  }

  package struct Work: Sendable {
    package let id: CorrelationID?
    package let name: String
    package let begun: Fact
  }

  package init() {}

  private static let limit = 16

  package mutating func apply(_ kind: EventModel.Work, _ event: EventView, _ fact: Fact) {
    switch kind {
    case .appLockTaken:
      if locks.count < Self.limit { locks.append(Lock(id: event.lock, name: event.name ?? "a lock", taken: fact)) }
    case .appLockReleased: locks.removeAll { $0.id == event.lock && (event.lock != nil || $0.name == event.name ?? "a lock") }
    case .appWorkBegun:
      if work.count < Self.limit { work.append(Work(id: event.work, name: event.name ?? "work", begun: fact)) }
    case .appWorkEnded: work.removeAll { $0.id == event.work }
    // The process waited for a lock of another process, so its own locks do not change. The replay sets `lockMissed` of the other
    // process.
    case .appLockTimedOut: break
    }
  }

  /// Notes that the process was suspended or resumed.
  package mutating func note(_ state: AppState?, _ fact: Fact) {
    switch state {
    case .suspended:
      if let lock = locks.first, lockAtSuspension == nil { lockAtSuspension = (lock, fact) }
    case .suspending, nil: break
    case .foreground, .background, .resumed: if lockMissed == nil { lockAtSuspension = nil }
    }
  }
}
