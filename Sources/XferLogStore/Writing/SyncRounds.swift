/// Rounds in which everything that was emitted is brought to the disk: one for all threads that wait at a time.
final class SyncRounds: Sendable {
  private let state = Monitor(State())

  private struct State {
    var started: UInt64 = 0
    var completed: UInt64 = 0
    var isRunning = false
    /// The last round that failed.
    var failure: (round: UInt64, what: SyncFailure)?
    /// The last round whose failure somebody was told.
    var told: UInt64 = 0
  }

  /// Returns when a round is over that began after this call; runs it if nobody else does.
  ///
  /// - Returns: what went wrong in it, or before in a round of which nobody was told.
  @discardableResult
  func join(_ run: () -> SyncFailure?) -> SyncFailure? {
    let before = state.withLock { $0.started }
    // A round that runs may have begun before the caller's events were stored.
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
    return state.withLock { state in state.failure.flatMap { $0.round >= needed || $0.round > state.told ? $0.what : nil } }
  }

  /// The failure was told to the app, or need not be any more.
  func markTold() { state.withLock { $0.told = $0.failure?.round ?? 0 } }

  /// Rounds begun and rounds over: what was emitted before round *n* began is on disk when it is over.
  var count: (started: UInt64, completed: UInt64) { state.withLock { ($0.started, $0.completed) } }
}

/// A segment of which the system would not say that it is on the disk.
struct SyncFailure: Equatable, Sendable {
  let segment: UInt32
  let osError: Int32
}
