import Synchronization
import XferEvents
import XferReport

/// One line on a terminal that says how far a run has come.
final class ProgressLine: Sendable {
  private let total: Int
  private let clock = ContinuousClock()
  private let state: Mutex<State>

  private struct State {
    var shown: ContinuousClock.Instant?
    var isShown = false
  }

  private static let interval: Duration = .milliseconds(100)

  init(total: Int) {
    self.total = total
    state = Mutex(State())
  }

  func show(_ progress: TransferRun.Progress) {
    state.withLock { state in
      let now = clock.now
      if let shown = state.shown, now - shown < Self.interval { return }
      (state.shown, state.isShown) = (now, true)
      let failed = progress.failed == 0 ? "" : ", \(progress.failed) failed"
      Remarks.write("\r\u{1B}[Kxfer: \(progress.finished)/\(total) files, \(ByteCount(progress.received))\(failed)")
    }
  }

  func clear() {
    state.withLock { state in
      if state.isShown { Remarks.write("\r\u{1B}[K") }
      state.isShown = false
    }
  }
}
