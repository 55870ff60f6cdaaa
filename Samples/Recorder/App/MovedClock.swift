import Synchronization
import XferEngine
import XferLogStore

/// The clock of one process, used for session timeouts and for the log. It follows the machine's clock and can be moved
/// forward.
final class MovedClock: TransferClock {
  private let system = SystemTransferClock()
  /// The offset from the machine's clock, in nanoseconds.
  private let lead = Atomic<Int64>(0)
  private let wakes = Mutex<[@Sendable () -> Void]>([])

  var monotonic: Int64 { system.monotonic + lead.load(ordering: .relaxed) }
  var wall: Int64 { system.wall + lead.load(ordering: .relaxed) }

  func onJump(_ wake: @escaping @Sendable () -> Void) { wakes.withLock { $0.append(wake) } }

  func advance(by time: Duration) {
    lead.add(time.components.seconds * 1_000_000_000, ordering: .relaxed)
    for wake in wakes.withLock({ $0 }) { wake() }
  }

  /// The log's three clocks, all moved forward by the same offset.
  var ofLog: LogClock {
    let machine = LogClock.system
    return LogClock(
      monotonic: { [self] in machine.monotonic() + lead.load(ordering: .relaxed) },
      boottime: { [self] in machine.boottime() + lead.load(ordering: .relaxed) },
      wall: { [self] in machine.wall() + lead.load(ordering: .relaxed) })
  }
}
