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
    // This thread keeps the segment with its last event in use. If it records a removal, it may leave that segment. The second round seals
    // that one, because no other thread may ever begin another segment.
    for _ in 0..<2 {
      _ = LogSealer(directory: directory, observer: observer, writing: launch) { self.isClosed }.seal()
      if isClosed { return }
      var hasRecorded = false
      let retention = LogRetention(
        directory: directory, retention: configuration.retention, observer: observer, launch: launch
      ) { event in
        hasRecorded = true
        return self.emit(event)
      }
      retention.apply(now: WallTime(nanoseconds: configuration.clock.wall()))
      if !hasRecorded { return }
    }
  }
}
