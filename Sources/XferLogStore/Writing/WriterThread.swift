import XferThreads

/// A background thread of a log for work that must not run on emitting threads. It sleeps until it is woken.
///
/// The thread is started at the first wake-up, so a forked child gets its own one when needed.
final class WriterThread: Sendable {
  private let pace: Pace
  private let work: @Sendable (LogWriter) -> Void
  private let state = Monitor(State())

  private struct State {
    var isStarted = false
    var isWoken = false
    var isStopped = false
  }

  /// The delay between a wake-up and the work.
  enum Pace {
    case immediately
    /// Does the work after this delay in nanoseconds, and once more after the same delay, because an event that is emitted
    /// when the first run starts may neither be covered by this run nor cause another wake-up.
    case after(Int64)
  }

  init(_ pace: Pace, work: @escaping @Sendable (LogWriter) -> Void) {
    self.pace = pace
    self.work = work
  }

  /// Wakes the thread and starts it if needed.
  ///
  /// - Returns: Whether the thread is running.
  func wake(for writer: LogWriter) -> Bool {
    let mustStart = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if mustStart {
      let body = Body(thread: self, writer: writer)
      guard BackgroundThread.start({ self.run(body) }) else {
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
    // Weak, so that the thread does not keep the writer alive after the last emitter has released it.
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

  private func run(_ body: Body) {
    let delay: Int64? = if case .after(let delay) = pace { delay } else { nil }
    var mayHaveMissed = false
    while true {
      let timeout = mayHaveMissed ? delay ?? -1 : -1
      let isWoken = state.wait(atMost: timeout) { $0.isStopped ? false : $0.isWoken ? true : nil }
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
