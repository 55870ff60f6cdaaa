import XferEvents

extension EventLog {
  /// Returns when everything that was emitted before, by any thread, is on the disk. Takes a disk's time.
  ///
  /// Throws when the system would not say so. Each failure is thrown at least once, also one that the log's own thread has
  /// met before; the log says it in `log.syncFailed`, and goes on in another segment. Events that could not be written are
  /// none of its business: `log.dropped` counts them.
  public func sync() throws(LogError) {
    guard let failure = withWriter({ $0.synchronise() }) else { return }
    withWriter { $0.syncRounds.markTold() }
    throw LogError(
      .cannotSync, place: LogDirectory.path(of: failure.segment, in: directory),
      problem: "what was written to it may not be on the disk (\(systemText(failure.osError)))",
      advice: "Check the disk. What is emitted from now on goes to another segment.", osError: failure.osError)
  }

  /// Rounds begun and over in which the log was brought to the disk.
  package var syncRounds: (started: UInt64, completed: UInt64) { withWriter { $0.syncRounds.count } }
}
