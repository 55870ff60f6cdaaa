import Synchronization
import XferEngine

/// A clock that stands still until the test moves it.
final class ManualClock: TransferClock {
  private struct State {
    var time: Int64 = 1_000_000_000
    var wakers: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  var monotonic: Int64 { state.withLock { $0.time } }

  /// Goes with it, from a fixed moment: 2026-11-21 00:00:00 UTC.
  var wall: Int64 { 1_795_219_200_000_000_000 + monotonic }

  func onJump(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wakers.append(wake) } }

  func advance(by duration: Duration) {
    let wakers = state.withLock { state in
      // Exactly: as a quotient it may be a nanosecond short of a time that is waited for.
      let (seconds, attoseconds) = duration.components
      state.time += seconds * 1_000_000_000 + attoseconds / 1_000_000_000
      return state.wakers
    }
    for wake in wakers { wake() }
  }
}
