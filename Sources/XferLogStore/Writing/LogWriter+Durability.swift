import CXferPlatform
import Synchronization
import XferEvents
import XferThreads

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Syncing the log to disk, and reporting failures to do so.
extension LogWriter {
  /// A reason for extra work after an event has been appended. Each case is one bit.
  enum Attention: UInt8 {
    /// Dropped events or failed segments have not been reported in the log yet.
    case reports = 1
    /// The next event is the first since the last sync round and must wake the sync thread.
    case unsynchronised = 2
    /// Every event is synced before `emit` returns.
    case always = 4
    /// A lane may still write to an abandoned segment.
    case abandoned = 8
    /// The configuration's `segmentBegun` callback is due.
    case segmentBegun = 16
  }

  func raise(_ reason: Attention) { attention.bitwiseOr(reason.rawValue, ordering: .acquiringAndReleasing) }

  /// Clears a reason.
  ///
  /// - Returns: Whether the reason was raised.
  func lower(_ reason: Attention) -> Bool {
    isRaised(reason) && attention.bitwiseAnd(~reason.rawValue, ordering: .acquiringAndReleasing).oldValue & reason.rawValue != 0
  }

  func isRaised(_ reason: Attention) -> Bool { attention.load(ordering: .relaxed) & reason.rawValue != 0 }

  /// Whether the durability policy includes syncing.
  var isSynchronised: Bool { configuration.durability != .process }

  /// Provides the durability that the policy promises for an appended event.
  func makeDurable() {
    if isRaised(.always) { synchronise() }
    if let syncThread, lower(.unsynchronised), !syncThread.wake(for: self) { raise(.unsynchronised) }
  }

  /// Runs one sync round on the sync thread. The next event wakes the thread again.
  func synchroniseInBackground() {
    raise(.unsynchronised)
    joinRound()
  }

  /// Blocks until all events emitted so far are on disk.
  ///
  /// - Returns: A failure of this sync, or an earlier failure that has not been reported to the app.
  @discardableResult
  func synchronise(reporting: Bool = false) -> SyncFailure? {
    let start = configuration.clock.monotonic()
    defer { noteStall(since: start) }
    if let failure = joinRound(reporting: reporting) { return failure }
    guard configuration.durability != .always else { return nil }
    // Unless the policy is `always`, a sync round may leave events in the drive's cache, so write the cache to the medium
    // here.
    let problem = xp_sync_drive(directory)
    return problem == 0 ? nil : SyncFailure(segment: state.withLock { $0.lastNumber }, osError: problem)
  }

  /// The time after which a wait for the disk is logged.
  private static let stall: Duration = .seconds(1)

  /// Logs that the caller had to wait for the disk. An event that is synced itself, and waits again, is not logged again.
  private func noteStall(since start: Int64) {
    let elapsed = Duration.nanoseconds(configuration.clock.monotonic().subtractingClamped(start))
    guard elapsed >= Self.stall, !isClosed, !reportsStall.exchange(true, ordering: .relaxed) else { return }
    emit(
      LogStalled(
        logWork: .sync, elapsed: elapsed, onMainThread: xp_thread_is_main(),
        segment: Int64(clamping: state.withLock { $0.lastNumber })))
    reportsStall.store(false, ordering: .relaxed)
  }

  @discardableResult
  private func joinRound(reporting: Bool = false) -> SyncFailure? {
    let failure = syncRounds.join(reporting: reporting) { runRound() }
    if failure != nil { reportNow() }
    return failure
  }

  /// Runs one sync round. The writer's lock is held only to copy and update the list of segments, never while segments are
  /// synced.
  private func runRound() -> SyncFailure? {
    let items = state.withLock { $0.written.items }
    var failures: [SyncFailure] = []
    var synchronised: [WrittenSegments.Item] = []
    // Sync the oldest segment first, so that the synced part of the log has no gaps.
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
    // Truncating is safe only after the header with the final size is on disk.
    for item in synchronised where item.isFinished { item.segment?.cut() }
    note(synchronised, failures, of: items)
    return failures.first
  }

  /// Syncs one segment.
  ///
  /// - Returns: The errno value on failure; otherwise `nil`.
  private func synchronise(_ item: WrittenSegments.Item) -> Int32? {
    if let segment = item.segment { return segment.synchronise(isFinal: configuration.durability == .always) }
    let problem = xp_sync_path(LogDirectory.path(of: item.number, in: directory))
    // A missing file was removed by retention and needs no sync.
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
        // Back off, because otherwise every event would create a new segment on a disk that rejects all writes.
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

  // MARK: Reporting

  /// Reports a failure in the log without waiting for the next event, which may never be emitted.
  private func reportNow() {
    guard isRaised(.reports), let lane = currentLane ?? takeLane() else { return }
    lane.leaveAbandoned()
    report(on: lane)
  }

  func reportSyncFailures(on lane: Lane) {
    let failures = state.withLock { state in
      defer { state.syncFailures = [] }
      return state.syncFailures
    }
    // The lane's current chunk may be in the failed segment, so leave that segment before the report is written.
    if !failures.isEmpty { lane.leaveAbandoned() }
    for (place, failure) in failures.enumerated() {
      if lane.append(LogSyncFailed(segment: Int64(failure.segment), osError: Int(failure.osError))) { continue }
      state.withLock { $0.syncFailures.insert(contentsOf: failures[place...], at: 0) }
      return raise(.reports)
    }
  }
}
