import CXferPlatform
import Synchronization
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a writer does beside writing, so that it is on the disk.
extension LogWriter {
  /// Why emitting an event is not over when it is appended.
  enum Attention: UInt8 {
    /// The log has not been told of drops or of segments that failed.
    case reports = 1
    /// The event is the first since the last round: the writer's thread must be woken.
    case unsynchronised = 2
    /// Each event is synchronised.
    case always = 4
    /// Some lane may still write into an abandoned segment.
    case abandoned = 8
    /// Somebody wants to know that the log has gone on in another segment.
    case segmentBegun = 16
  }

  func raise(_ reason: Attention) { attention.bitwiseOr(reason.rawValue, ordering: .acquiringAndReleasing) }

  /// - Returns: whether it was raised.
  func lower(_ reason: Attention) -> Bool {
    isRaised(reason) && attention.bitwiseAnd(~reason.rawValue, ordering: .acquiringAndReleasing).oldValue & reason.rawValue != 0
  }

  func isRaised(_ reason: Attention) -> Bool { attention.load(ordering: .relaxed) & reason.rawValue != 0 }

  /// Whether somebody sees to it that the log gets to the disk.
  var isSynchronised: Bool { configuration.durability != .process }

  /// Does for an event that was appended what the policy promises.
  func makeDurable() {
    if isRaised(.always) { synchronise() }
    if let syncThread, lower(.unsynchronised), !syncThread.wake(for: self) { raise(.unsynchronised) }
  }

  /// What the writer's own thread does: from here on an event wakes it again.
  func synchroniseInBackground() {
    raise(.unsynchronised)
    synchronise()
  }

  /// Returns when everything that was emitted before is on the disk.
  ///
  /// - Returns: what is not, and of which nobody was told yet.
  @discardableResult
  func synchronise() -> SyncFailure? {
    let failure = syncRounds.join { runRound() }
    if failure != nil { reportNow() }
    return failure
  }

  /// One round. Takes the lock that emitting needs only to look and to note, never while the disk is busy.
  private func runRound() -> SyncFailure? {
    let items = state.withLock { $0.written.items }
    var failures: [SyncFailure] = []
    var synchronised: [WrittenSegments.Item] = []
    // The oldest first: what is on the disk has what stands before it there, too.
    for item in items {
      if let problem = synchronise(item) {
        failures.append(SyncFailure(segment: item.number, osError: problem))
      } else {
        synchronised.append(item)
      }
    }
    if synchronised.contains(where: { !$0.isListed }) {
      let problem = xp_sync_directory(directory)
      if problem != 0 {
        failures += synchronised.filter { !$0.isListed }.map { SyncFailure(segment: $0.number, osError: problem) }
        synchronised.removeAll { !$0.isListed }
      }
    }
    // Only now: what the header says of the size is on the disk.
    for item in synchronised where item.isFinished { item.segment?.cut() }
    note(synchronised, failures, of: items)
    return failures.first
  }

  /// - Returns: errno when it may not be on the disk.
  private func synchronise(_ item: WrittenSegments.Item) -> Int32? {
    if let segment = item.segment { return segment.synchronise() }
    let problem = xp_sync_path(LogDirectory.path(of: item.number, in: directory))
    // Removed, for it was old: nobody wants it on the disk.
    return problem == 0 || problem == ENOENT ? nil : problem
  }

  private func note(_ synchronised: [WrittenSegments.Item], _ failures: [SyncFailure], of items: [WrittenSegments.Item]) {
    let now = configuration.clock.monotonic()
    let mayBeInUse = state.withLock { state in
      state.written.note(synchronised: synchronised)
      if !synchronised.isEmpty { state.failedSegments = 0 }
      for failure in failures {
        guard let item = items.first(where: { $0.number == failure.segment }) else { continue }
        item.segment?.abandon(dropped: state.dropped)
        if !item.isListed { state.failedSegments += 1 }
        // A disk that takes nothing would otherwise get a new segment with each event.
        if state.failedSegments > 1 {
          retryAt.store(now + Self.retryDelay << min(state.failedSegments - 2, 9), ordering: .relaxed)
        }
        noteProblem(failure.osError)
        state.written.note(failed: failure.segment)
        state.syncFailures.append(failure)
      }
      return state.written.live.contains(where: \.isAbandoned)
    }
    if mayBeInUse { raise(.abandoned) } else { _ = lower(.abandoned) }
    if !failures.isEmpty { raise(.reports) }
  }

  // MARK: What the log says of it

  /// Whoever ran into a failure tells the log, for perhaps nobody emits anything any more.
  private func reportNow() {
    guard isRaised(.reports), let lane = presentLane ?? takeLane() else { return }
    lane.leaveAbandoned()
    report(on: lane)
  }

  func reportSyncFailures(on lane: Lane) {
    let failures = state.withLock { state in
      defer { state.syncFailures = [] }
      return state.syncFailures
    }
    // The one that failed may be the lane's own.
    if !failures.isEmpty { lane.leaveAbandoned() }
    for (place, failure) in failures.enumerated() {
      if lane.append(LogSyncFailed(segment: Int64(failure.segment), osError: Int(failure.osError))) { continue }
      state.withLock { $0.syncFailures.insert(contentsOf: failures[place...], at: 0) }
      return raise(.reports)
    }
  }
}
