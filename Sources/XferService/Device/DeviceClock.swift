import CXferPlatform
import Synchronization
import XferEngine

/// The machine's clocks, and by how much whoever plays the device has moved them ahead. Bytes on the wire go their own pace.
final class DeviceClock: TransferClock {
  private struct State {
    var ahead: Int64 = 0
    var wakes: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  private let machine: @Sendable () -> Int64

  /// - Parameter machine: nanoseconds that go on while the machine sleeps.
  init(machine: @escaping @Sendable () -> Int64) { self.machine = machine }

  private var ahead: Int64 { state.withLock { $0.ahead } }

  /// For what the daemon decides.
  var now: Int64 { machine() + ahead }
  var monotonic: Int64 { xp_clock_monotonic() + ahead }
  var wall: Int64 { xp_clock_wall() + ahead }

  func onJump(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wakes.append(wake) } }

  /// Clocks never go back: that is for those who ask for it to see to.
  func move(ahead: Int64) {
    let wakes = state.withLock { state in
      defer { state.ahead = ahead }
      return state.ahead == ahead ? [] : state.wakes
    }
    for wake in wakes { wake() }
  }
}
