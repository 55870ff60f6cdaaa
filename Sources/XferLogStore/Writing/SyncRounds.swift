import XferThreads

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
  /// - Parameter reporting: Whether the caller reports the returned failure to the app.
  /// - Returns: The failure of that round, or the last failure of an earlier round if it was never reported.
  @discardableResult
  func join(reporting: Bool, _ run: () -> SyncFailure?) -> SyncFailure? {
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
    return state.withLock { state in
      guard let failure = state.failure, failure.round >= needed || failure.round > state.reported else { return nil }
      if reporting { state.reported = max(state.reported, failure.round) }
      return failure.what
    }
  }

  /// The numbers of rounds started and completed. Events emitted before round *n* began are on disk when it completes.
  var count: (started: UInt64, completed: UInt64) { state.withLock { ($0.started, $0.completed) } }
}

/// A segment that the system failed to sync, and the errno value.
struct SyncFailure: Equatable, Sendable {
  let segment: UInt32
  let osError: Int32
}
