import Synchronization
import XferEngine

/// A clock that advances only when the test advances it.
final class ManualClock: TransferClock {
  private struct State {
    var time: Int64 = 1_000_000_000
    var wakers: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  var monotonic: Int64 { state.withLock { $0.time } }

  /// The wall-clock time, which advances with the monotonic time from 2026-11-21 00:00:00 UTC.
  var wall: Int64 { 1_795_219_200_000_000_000 + monotonic }

  func onJump(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wakers.append(wake) } }

  func advance(by duration: Duration) {
    let wakers = state.withLock { state in
      // Converts exactly: a floating-point quotient may be one nanosecond too small, so that a timeout would not expire.
      let (seconds, attoseconds) = duration.components
      state.time += seconds * 1_000_000_000 + attoseconds / 1_000_000_000
      return state.wakers
    }
    for wake in wakers { wake() }
  }
}
