import CXferPlatform

/// A thread of a log's own, for what must not be done where events are emitted. It sleeps until there is work.
///
/// It is started when it is woken first, so a forked child gets one of its own when it needs one.
final class WriterThread: Sendable {
  private let pace: Pace
  private let work: @Sendable (LogWriter) -> Void
  private let state = Monitor(State())

  private struct State {
    var isStarted = false
    var isWoken = false
    var isStopped = false
  }

  /// When the work is done after somebody has woken the thread.
  enum Pace {
    case atOnce
    /// So many nanoseconds later, and once more after the same time: whoever wakes may do so a moment before there is
    /// anything to see.
    case after(Int64)
  }

  init(_ pace: Pace, work: @escaping @Sendable (LogWriter) -> Void) {
    self.pace = pace
    self.work = work
  }

  /// There is work.
  ///
  /// - Returns: whether there is a thread to hear it.
  func wake(for writer: LogWriter) -> Bool {
    let mustStart = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if mustStart {
      let body = Unmanaged.passRetained(Body(thread: self, writer: writer))
      guard xp_thread_start(runWriterThread, body.toOpaque()) else {
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
    let thread: WriterThread
    // Whoever emits keeps the writer; its own thread must not.
    weak let writer: LogWriter?

    init(thread: WriterThread, writer: LogWriter) {
      self.thread = thread
      self.writer = writer
    }

    func round() -> Bool {
      guard let writer else { return false }
      thread.work(writer)
      return true
    }
  }

  fileprivate static func run(_ pointer: UnsafeMutableRawPointer) {
    let body = Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue()
    body.thread.run(body)
  }

  private func run(_ body: Body) {
    let delay: Int64? = if case .after(let delay) = pace { delay } else { nil }
    var mayHaveMissed = false
    while true {
      let patience = mayHaveMissed ? delay ?? -1 : -1
      let isWoken = state.wait(atMost: patience) { $0.isStopped ? false : $0.isWoken ? true : nil }
      if isWoken == false { return }
      if isWoken == true {
        if let delay, state.wait(atMost: delay, { $0.isStopped ? true : nil }) == true { return }
        state.withLock { $0.isWoken = false }
      }
      mayHaveMissed = isWoken == true && delay != nil
      guard body.round() else { return }
    }
  }
}

private func runWriterThread(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let pointer { WriterThread.run(pointer) }
  return nil
}
