import CXferPlatform
import Synchronization
import XferEngine

/// The clocks of the simulated device: the machine's clocks plus an offset that device commands can increase. All processes of
/// the device, including their logs, read the offset from the same file. Network transfers still run in real time.
final class DeviceClock: TransferClock {
  private let wakes = Mutex<[@Sendable () -> Void]>([])

  /// The time that the daemon's decisions use, in nanoseconds since boot, including system sleep.
  var now: Int64 { xp_clock_boottime() }
  var monotonic: Int64 { xp_clock_monotonic() }

  func onJump(_ wake: @escaping @Sendable () -> Void) { wakes.withLock { $0.append(wake) } }

  var ahead: Int64 { xp_clock_ahead() }

  /// Moves the clocks forward. An offset that is not larger than the current one is ignored.
  ///
  /// - Parameter ahead: The new offset from the machine's clocks, in nanoseconds.
  func move(ahead: Int64) {
    guard ahead > self.ahead else { return }
    xp_clock_move(ahead)
    for wake in wakes.withLock({ $0 }) { wake() }
  }
}
