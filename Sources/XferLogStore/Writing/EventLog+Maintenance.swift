import XferEvents

extension EventLog {
  /// Seals the segments of the log that nobody writes to any more, whoever wrote them, and removes what is not to be kept.
  ///
  /// The log does this by itself in the background, when it is opened and after each segment, unless its configuration says
  /// otherwise. Takes as long as compressing what is there does.
  public func maintain() {
    withWriter { writer in writer.maintain() }
  }
}

extension LogWriter {
  /// What is done to the log beside writing. Runs on no thread that emits.
  func maintain() {
    let configuration = configuration
    let (directory, observer) = (directory, configuration.process)
    _ = LogSealer(directory: directory, observer: observer, writing: launch) { self.isClosed }.seal()
    if isClosed { return }
    LogRetention(directory: directory, retention: configuration.retention, observer: observer, launch: launch) { self.emit($0) }
      .apply(now: WallTime(nanoseconds: configuration.clock.wall()))
  }
}
