import XferEvents
import XferLifecycle
import XferReplay

/// An event on whose absence a draft rests: the processes that may have written it, and the time in which it would have to be.
struct Sought {
  /// The processes on whose log the draft rests; empty if unknown.
  private let writers: [ProcessLifecycle]
  /// The kinds that a process other than these may have written.
  private let foreign: [EventKind]
  /// Whether any process may have written the event.
  private let isAnyone: Bool
  private let since: Fact
  private let until: Int64?
  /// The time by which the event was due, in monotonic nanoseconds; `nil` if it was due at no known time.
  let dueBy: Int64?

  /// - Parameters:
  ///   - since: the fact after which the event would be.
  ///   - isShared: whether both apps and the daemon write events about the subject.
  init(_ draft: Draft, _ since: Fact, _ writers: [ProcessLifecycle], isShared: Bool) {
    self.writers = writers
    // A rule that misses the first event of a process reports the missing log itself.
    let kinds = (draft.missing.map(\.event) + draft.assumedAbsent).filter { $0 != .processStarted }
    // A subject of one process concerns another one only by events that this process cannot write.
    let roles = writers.compactMap(\.role)
    foreign = isShared ? kinds : kinds.filter { kind in !roles.contains { kind.isWritten(by: $0) } }
    isAnyone = writers.isEmpty || isShared && kinds.isEmpty
    self.since = since
    let due = draft.missing.map { $0.dueBy?.monotonic ?? .max }.max()
    dueBy = due == .max ? nil : due
    until = draft.lastMoment(dueBy: dueBy, onClockOf: since)
  }

  func mayBeWritten(by role: WriterRole?) -> Bool { foreign.contains { kind in role.map(kind.isWritten) ?? true } }

  /// Whether the event may have been lost in a gap.
  func mayBe(in gap: LogGap, _ world: World) -> Bool {
    let loser = gap.launch.flatMap { launch in world.processes.first { $0.launch == launch } }
    // Clocks of two boots cannot be compared.
    if loser.map({ $0.firstSeen == nil || $0.sharesClock(with: since) }) ?? true {
      if let end = gap.before?.monotonic, let start = since.monotonic, end < start { return false }
      if let start = gap.after?.monotonic, let until, start > until { return false }
    }
    if isAnyone { return true }
    if let launch = gap.launch {
      if writers.contains(where: { $0.launch == launch }) { return true }
      return mayBeWritten(by: loser?.role)
    }
    // Another process wrote what is missing if these have all their segments.
    return !foreign.isEmpty || !writers.allSatisfy { writer in writer.launch.map(gap.excluded.contains) ?? false }
  }
}

extension World {
  /// Whether everything that is lost in a gap follows the last event of its writer, which is therefore not lost.
  func isAfterEnd(_ gap: LogGap) -> Bool {
    guard let launch = gap.launch, let start = gap.after?.monotonic,
      let writer = processes.first(where: { $0.launch == launch }), let end = (writer.exited ?? writer.logClosed)?.monotonic
    else { return false }
    return start >= end
  }
}

extension Draft {
  /// The last moment at which the missing event could have prevented the finding, in monotonic nanoseconds; `nil` if there is none.
  fileprivate func lastMoment(dueBy: Int64?, onClockOf since: Fact) -> Int64? {
    guard case .absence(_, let proof) = claim else { return nil }
    switch proof {
    case .overtaken(let fact): return fact.sharesClock(with: since) ? fact.monotonic : nil
    case .coverage: return dueBy
    case .end, .endOfLog: return nil
    }
  }
}
