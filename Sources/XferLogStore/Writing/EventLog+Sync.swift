import XferEvents

extension EventLog {
  /// Blocks until all events emitted so far by any thread are on disk.
  ///
  /// The log also records a failure as `log.syncFailed` and continues in another segment. Events that could not be written
  /// are not reported here; `log.dropped` counts them.
  ///
  /// - Throws: `LogError` if this sync failed, or if a background sync has failed since the last error that was thrown.
  public func sync() throws(LogError) {
    guard let failure = withWriter({ $0.synchronise(reporting: true) }) else { return }
    throw LogError(
      .cannotSync, place: LogDirectory.path(of: failure.segment, in: directory),
      problem: "its events may not have reached the disk (\(systemText(failure.osError)))",
      advice: "Check the disk. Later events are written to another segment.", osError: failure.osError)
  }

  /// The numbers of sync rounds started and completed.
  package var syncRounds: (started: UInt64, completed: UInt64) { withWriter { $0.syncRounds.count } }
}
