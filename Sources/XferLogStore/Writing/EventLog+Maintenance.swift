import XferEvents

extension EventLog {
  /// Seals the segments whose writers have finished or terminated, and applies the retention policy.
  ///
  /// Unless configured otherwise, the log does this in a background thread when it is opened and after each segment. Blocks
  /// while the segments are compressed.
  public func maintain() {
    withWriter { writer in writer.maintain() }
  }

  /// Records the end of writers that were killed since the log was opened. Opening a log records it, too.
  package func recordDeadWriters() { withWriter { DeadWriters.record(in: directory, by: $0) } }
}

extension LogWriter {
  /// Seals finished segments and applies retention. Must not run on a thread that emits events.
  func maintain() {
    let configuration = configuration
    let (directory, observer) = (directory, configuration.process)
    // The segment of this thread's last event could not be sealed as long as the thread has no other event.
    currentLane?.leaveFinished()
    _ = LogSealer(directory: directory, observer: observer, writing: launch) { self.isClosed }.seal()
    if isClosed { return }
    LogRetention(directory: directory, retention: configuration.retention, observer: observer, launch: launch) { self.emit($0) }
      .apply(now: WallTime(nanoseconds: configuration.clock.wall()))
  }
}
