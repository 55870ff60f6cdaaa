/// Coordinates sync rounds, so that all threads that wait at the same time share one round. A round syncs every segment
/// that may contain unsynced data.
final class SyncRounds: Sendable {
  private let state = Monitor(State())

  private struct State {
    var started: UInt64 = 0
    var completed: UInt64 = 0
    var isRunning = false
    /// The last failed round and its failure.
    var failure: (round: UInt64, what: SyncFailure)?
    /// The number of the last round whose failure was reported to the app.
    var reported: UInt64 = 0
  }

  /// Waits for a round that begins after this call, and runs it if no other thread does.
  ///
  /// - Returns: The failure of that round, or the failure of an earlier round that was never reported.
  @discardableResult
  func join(_ run: () -> SyncFailure?) -> SyncFailure? {
    let before = state.withLock { $0.started }
    // A round in progress may have begun before the caller's events were stored, so wait for the next one.
    let needed = before + 1
    let leads = state.wait(atMost: -1) { state -> Bool? in
      if state.completed >= needed { return false }
      if state.isRunning { return nil }
      state.isRunning = true
      state.started += 1
      return true
    }
    if leads == true {
      let failure = run()
      state.change { state in
        state.completed = state.started
        state.isRunning = false
        if let failure { state.failure = (state.started, failure) }
      }
    }
    return state.withLock { state in state.failure.flatMap { $0.round >= needed || $0.round > state.reported ? $0.what : nil } }
  }

  /// Marks the last failure as reported to the app.
  func markReported() { state.withLock { $0.reported = $0.failure?.round ?? 0 } }

  /// The numbers of rounds started and completed. Events emitted before round *n* began are on disk when it completes.
  var count: (started: UInt64, completed: UInt64) { state.withLock { ($0.started, $0.completed) } }
}

/// A segment that the system failed to sync, and the errno value.
struct SyncFailure: Equatable, Sendable {
  let segment: UInt32
  let osError: Int32
}
