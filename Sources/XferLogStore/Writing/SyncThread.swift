import CXferPlatform

/// The thread that brings a log to the disk at least once in an interval while something is emitted, and sleeps otherwise.
///
/// It is started by the first event, so a forked child gets one of its own when it needs one.
final class SyncThread: Sendable {
  private let interval: Int64
  private let state = Monitor(State())

  private struct State {
    var isStarted = false
    var isWoken = false
    var isStopped = false
  }

  init(interval: Int64) { self.interval = interval }

  /// Something was emitted since the last round began.
  ///
  /// - Returns: whether there is a thread to hear it.
  func wake(for writer: LogWriter) -> Bool {
    let mustStart = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if mustStart {
      let body = Unmanaged.passRetained(Body(thread: self, writer: writer))
      guard xp_thread_start(runSyncThread, body.toOpaque()) else {
        body.release()
        state.withLock { $0.isStarted = false }
        return false
      }
    }
    state.change { $0.isWoken = true }
    return true
  }

  func stop() { state.change { $0.isStopped = true } }

  private final class Body: Sendable {
    let thread: SyncThread
    // Whoever emits keeps the writer; its own thread must not.
    weak let writer: LogWriter?

    init(thread: SyncThread, writer: LogWriter) {
      self.thread = thread
      self.writer = writer
    }

    func round() -> Bool {
      guard let writer else { return false }
      writer.synchroniseInBackground()
      return true
    }
  }

  fileprivate static func run(_ pointer: UnsafeMutableRawPointer) {
    let body = Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue()
    body.thread.run(body)
  }

  private func run(_ body: Body) {
    // A store may reach memory a moment after the round that its thread took for the next one. Such an event wakes nobody,
    // so each round with news is followed by another.
    var mayHaveMissed = false
    while true {
      let isWoken = state.wait(atMost: mayHaveMissed ? interval : -1) { $0.isStopped ? false : $0.isWoken ? true : nil }
      if isWoken == false { return }
      if isWoken == true {
        let isStopped = state.wait(atMost: interval) { $0.isStopped ? true : nil }
        if isStopped == true { return }
        state.withLock { $0.isWoken = false }
      }
      mayHaveMissed = isWoken == true
      guard body.round() else { return }
    }
  }
}

private func runSyncThread(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let pointer { SyncThread.run(pointer) }
  return nil
}
