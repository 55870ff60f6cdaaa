import CXferPlatform
import Synchronization
import XferEngine

/// The device's clocks: the machine's, and ahead of them by what whoever plays the device says. All of its processes follow the same file,
/// their logs too; bytes on the wire go their own pace.
final class DeviceClock: TransferClock {
  private let wakes = Mutex<[@Sendable () -> Void]>([])

  /// For what the daemon decides: goes on while the machine sleeps.
  var now: Int64 { xp_clock_boottime() }
  var monotonic: Int64 { xp_clock_monotonic() }

  func onJump(_ wake: @escaping @Sendable () -> Void) { wakes.withLock { $0.append(wake) } }

  var ahead: Int64 { xp_clock_ahead() }

  /// - Parameter ahead: in nanoseconds; clocks do not go back.
  func move(ahead: Int64) {
    guard ahead > self.ahead else { return }
    xp_clock_move(ahead)
    for wake in wakes.withLock({ $0 }) { wake() }
  }
}
